"""Imports rows of feeds: each row separately, or a file all or nothing."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from pydantic import ValidationError

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import DomainError, InvalidFieldError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.forms import FileRule, FormRules, ReceivedForm
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import field_errors
from api.games.matches.enums import FixtureSource
from api.games.matches.errors import (
    FixtureFileChangedError,
    FixtureImportError,
    FixtureLockedError,
    StaleFeedError,
    TeamUnknownError,
)
from api.games.matches.ports import FeedLine, FixtureFeed
from api.games.matches.repository import writing
from api.games.matches.schemas.feeds import FeedOutcome, FeedRefusal, FeedRow, FixtureImport
from api.games.matches.service.changing import MatchDraft, require_writable, write_match
from api.games.matches.service.context import FixtureContext
from api.games.matches.service.feeds import CsvFeed, PushFeed, Signing
from api.people.clubs.service import queries as clubs_queries

LARGEST_BYTES = 262_144
TOO_LARGE = "File size exceeds 256 kB. Please upload a smaller file."
MISSING = "Please choose a CSV file."
FORM = FormRules(files={"file": FileRule(LARGEST_BYTES, TOO_LARGE)}, fields={"digest": 64})
ONE_TEAM = "A team does not play against itself."
TWICE = "The file has this ref twice."
# The column an error is about; other errors are about the whole row.
COLUMN_OF = {"locked": "ref", "state_conflict": "state", "too_early": "state"}


@dataclass
class ImportResult:
    """The result of importing rows so far."""

    accepted: int = 0
    unchanged: int = 0
    refused: list[FeedRefusal] = field(default_factory=list)

    def refuse(self, row: int, column: str | None, reason: str) -> None:
        """Record why a row is refused."""
        self.refused.append(FeedRefusal(row=row, column=column, reason=reason))


class _RefusedRowError(Exception):
    def __init__(self, column: str | None, reason: str) -> None:
        super().__init__(reason)
        self.column = column
        self.reason = reason


async def receive_push(context: FixtureContext, raw: bytes, signing: Signing) -> FeedOutcome:
    """Import a server's push; refused rows do not affect the others.

    Raises:
        FeedSignatureError: it is not signed with the key, or its time is too far from now.
        InvalidFieldError: it is not a list of rows.
        StaleFeedError: this push, or a later one, was applied before.
    """
    now = clock.now()
    feed = PushFeed(raw, signing, context.feed_key, now)
    lines = await feed.read(None)
    async with context.database.transaction() as tx:
        if not await writing.advance_feed(tx, feed.name, feed.sequence, now):
            raise StaleFeedError
        result = await _import_rows(context, tx, feed.source, lines, now)
    return FeedOutcome(accepted=result.accepted, unchanged=result.unchanged, refused=result.refused)


async def import_file(
    context: FixtureContext, admin: AdminRequest, form: ReceivedForm, now: datetime
) -> AdminResult:
    """Check a file; or, given the digest a check returned, import it, all or nothing.

    Raises:
        InvalidFieldError: the file is missing, or cannot be read.
        FixtureFileChangedError: the digest is another file's.
        FixtureImportError: a row is refused.
    """
    received, wanted = form.files.get("file"), form.fields.get("digest")
    if received is None:
        raise InvalidFieldError.of("file", MISSING)
    received.handle.seek(0)
    feed = CsvFeed(received.handle.read())
    digest = received.digest
    if not wanted:
        async with context.database.transaction() as tx:
            review = await _import(context, tx, feed, digest, now, is_applied=False)
        return AdminResult.of(review, message="The file has been checked.")
    if wanted.strip().lower() != digest:
        raise FixtureFileChangedError

    async def work(tx: Transaction) -> AdminResult:
        review = await _import(context, tx, feed, digest, now, is_applied=True)
        if review.problems:
            raise FixtureImportError(content=review.model_dump(mode="json") | {"applied": False})
        counts = review.model_dump(mode="json", exclude={"problems"})
        await audit.audited(tx, admin, AuditRecord("import", "fixture", digest, after=counts))
        return AdminResult.of(review, message="The fixtures have been imported.")

    return await audit.perform(context.database, admin, form.digests(), work)


async def _import(
    context: FixtureContext,
    tx: Transaction,
    feed: FixtureFeed,
    digest: str,
    now: datetime,
    *,
    is_applied: bool,
) -> FixtureImport:
    lines = await feed.read(None)
    is_dry_run = not is_applied
    result = await _import_rows(
        context, tx, feed.source, lines, now, refs_once=True, is_dry_run=is_dry_run
    )
    return FixtureImport(
        digest=digest,
        applied=is_applied,
        rows=len(lines),
        accepted=result.accepted,
        unchanged=result.unchanged,
        problems=result.refused,
    )


async def _import_rows(
    context: FixtureContext,
    tx: Transaction,
    source: FixtureSource,
    lines: Sequence[FeedLine],
    now: datetime,
    *,
    refs_once: bool = False,
    is_dry_run: bool = False,
) -> ImportResult:
    """Import the valid rows in order; a dry run writes nothing and takes no lock."""
    if not is_dry_run:
        await writing.lock_writing(tx)
    result, seen = ImportResult(), set[str]()
    for line in lines:
        await writing.begin_row(tx)
        try:
            row = _read(line, seen if refs_once else frozenset())
            seen.add(row.ref)
            if await _import_row(context, tx, source, row, now, is_dry_run=is_dry_run):
                result.accepted += 1
            else:
                result.unchanged += 1
        except _RefusedRowError as refusal:
            await writing.roll_back_row(tx)
            result.refuse(line.row, refusal.column, refusal.reason)
        except DomainError as refusal:
            await writing.roll_back_row(tx)
            result.refuse(line.row, COLUMN_OF.get(refusal.code), refusal.code)
    return result


def _read(line: FeedLine, seen: AbstractSet[str]) -> FeedRow:
    try:
        row = FeedRow.model_validate(dict(line.values))
    except ValidationError as error:
        sentence, fields = field_errors(error.errors(include_url=False, include_input=False))
        column = next(iter(fields), None)
        raise _RefusedRowError(column and column.partition(".")[0], sentence) from None
    if row.ref in seen:
        raise _RefusedRowError("ref", TWICE)
    return row


async def _import_row(
    context: FixtureContext,
    tx: Transaction,
    source: FixtureSource,
    row: FeedRow,
    now: datetime,
    *,
    is_dry_run: bool,
) -> bool:
    """Write a row, or in a dry run check that it could be; return False if nothing changes.

    Raises:
        DomainError: nothing is written.
    """
    held = await writing.find_fixture(tx, source, row.ref)
    home = await _team(tx, row.home, "home", is_dry_run=is_dry_run)
    away = await _team(tx, row.away, "away", is_dry_run=is_dry_run)
    if home == away:
        raise _RefusedRowError("away", ONE_TEAM)
    wanted = MatchDraft(
        competition_id=await _competition(tx, row, is_dry_run=is_dry_run),
        round=row.round,
        home_id=home,
        away_id=away,
        kick_off_at=row.kick_off_at,
        venue=row.venue,
        state=row.state,
        goals=row.goals,
        scored=None if row.scored is None else tuple((one.side, one.minute) for one in row.scored),
    )
    if held is not None and wanted.is_as(held):
        return False
    if held is not None and held.locked:
        raise FixtureLockedError
    origin = {"source": source, "ref": row.ref}
    if is_dry_run:
        await require_writable(tx, held, wanted, origin, now)
    else:
        await write_match(context, tx, held, wanted, origin, now)
    return True


async def _competition(tx: Transaction, row: FeedRow, *, is_dry_run: bool) -> UUID:
    """Return the competition of a row; a dry run returns any id for a new one."""
    if is_dry_run:
        return await writing.find_competition(tx, row.competition, row.season) or new_id()
    return await writing.add_competition(tx, row.competition, row.season)


async def _team(tx: Transaction, name: str, column: str, *, is_dry_run: bool) -> UUID:
    """Return the team with a name: a club's, or a known other one."""
    club_id = await clubs_queries.find_id(tx, name)
    if club_id is not None:
        if is_dry_run:  # not inserted yet; the club's own id is unique, too
            return await writing.find_club_team(tx, club_id) or club_id
        return await writing.add_club_team(tx, club_id)
    team_id = await writing.find_known_team(tx, name)
    if team_id is None:
        raise _RefusedRowError(column, TeamUnknownError.code)
    return team_id
