"""The feeds: files uploaded by operators, and signed pushes from another server.

The third source is the back office, where operators write matches. A provider that has to be polled
would be one more ``FixtureFeed``, read by a worker's job.
"""

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from api.foundation.core.errors import InvalidFieldError
from api.foundation.http.bodies import read_model
from api.foundation.wire.csv_files import read_csv
from api.games.matches.enums import FixtureSource
from api.games.matches.errors import FeedSignatureError
from api.games.matches.ports import FeedLine
from api.games.matches.rules.moving import MAX_IMPORTED
from api.games.matches.schemas.feeds import FeedPush, FeedRow

COLUMNS = tuple(FeedRow.model_fields)
NEEDED = tuple(name for name, field in FeedRow.model_fields.items() if field.is_required())
TOO_MANY = f"A file has at most {MAX_IMPORTED:,} rows."
SECONDS = re.compile(r"[0-9]{1,12}")
SEQUENCE = re.compile(r"[0-9]{1,18}")  # a bigint
MAX_CLOCK_SKEW = timedelta(seconds=300)
MAX_EXCERPT_LENGTH = 40  # characters of the input


@dataclass(frozen=True)
class CsvFeed:
    """A CSV file of matches; its header names the columns, separated by commas or semicolons."""

    content: bytes
    source: FixtureSource = FixtureSource.CSV

    async def read(self, _since: datetime | None) -> Sequence[FeedLine]:
        """Return every row, counted from 1 with the header included.

        Raises:
            InvalidFieldError: it is unreadable, lacks a column, has unknown ones, or too many rows.
        """
        rows = read_csv(self.content)
        header = [cell.strip().lower() for cell in rows[0]] if rows else []
        if len(rows) > MAX_IMPORTED + 1:
            raise InvalidFieldError.of("file", TOO_MANY)
        missing = [name for name in NEEDED if name not in header]
        if missing:
            raise InvalidFieldError.of("file", f"The column {missing[0]} is missing.")
        others = [name for name in header if name not in COLUMNS or header.count(name) > 1]
        if others:
            raise InvalidFieldError.of(
                "file", f"The column {others[0][:MAX_EXCERPT_LENGTH]!r} is not one of a fixture."
            )
        return [
            FeedLine(number, _cells(header, cells))
            for number, cells in enumerate(rows[1:], start=2)
            if any(cell.strip() for cell in cells)
        ]


@dataclass(frozen=True)
class Signing:
    """The unchecked signing headers of a push.

    ``time`` is in seconds since 1970, ``sequence`` grows with every push of a feed.
    """

    time: str
    sequence: str
    signature: str


@dataclass(frozen=True)
class PushFeed:
    """A push received at ``now``, signed with the shared key."""

    raw: bytes
    signing: Signing
    key: str
    now: datetime
    source: FixtureSource = FixtureSource.PUSH

    @property
    def name(self) -> str:
        """The digest of the key: each key is one feed, and keys are not stored."""
        return hmac.new(self.key.encode(), b"the feed of this key", "sha256").hexdigest()

    @property
    def sequence(self) -> int:
        """The sequence number; valid after ``read``."""
        return int(self.signing.sequence)

    async def read(self, _since: datetime | None) -> Sequence[FeedLine]:
        """Return the pushed rows, counted from 1.

        Raises:
            FeedSignatureError: it is not signed with the key, or its time is too far from now.
            MalformedJsonError: it is signed, and not JSON.
            InvalidFieldError: it is not a list of rows.
        """
        if not (self._is_signed() and self._is_of_now()):
            raise FeedSignatureError
        pushed = read_model(FeedPush, self.raw)
        return [FeedLine(number, row) for number, row in enumerate(pushed.rows, start=1)]

    def _is_signed(self) -> bool:
        signing = self.signing
        if not (SECONDS.fullmatch(signing.time) and SEQUENCE.fullmatch(signing.sequence)):
            return False
        content = f"{signing.time}.{signing.sequence}.".encode() + self.raw
        signed = hmac.new(self.key.encode(), content, "sha256").hexdigest().encode()
        given = signing.signature.strip().lower().encode("utf-8", "surrogateescape")
        return hmac.compare_digest(signed, given)

    def _is_of_now(self) -> bool:
        apart = int(self.signing.time) - self.now.timestamp()
        return abs(apart) <= MAX_CLOCK_SKEW.total_seconds()


def _cells(header: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """Return a row by column; cells without a header get a key of their own."""
    found = dict(zip(header, (cell.strip() for cell in cells), strict=False))
    return found | {f"column {at + 1}": cells[at] for at in range(len(header), len(cells))}
