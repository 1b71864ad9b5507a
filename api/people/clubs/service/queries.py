"""Reads clubs, their crests and their grounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import parse_id
from api.foundation.database.database import Database, Runner
from api.foundation.media.storage import NoSuchObjectError, content_type_of
from api.foundation.media.uploading import UploadContext
from api.people.clubs import repository, rules
from api.people.clubs.repository import ClubDetails, OpenClub
from api.people.clubs.schemas import ClubAnswer

FOLD_BATCH = 5000
DRAWN = "image/svg+xml; charset=utf-8"


@dataclass(frozen=True)
class Crest:
    """A crest as it is served; ``version`` changes with its content."""

    content: bytes
    content_type: str
    version: str


async def find_id(runner: Runner, id_or_name: str) -> UUID | None:
    """Return the id of a club by its id or its name, ignoring case, or None."""
    return await repository.find_id(runner, parse_id(id_or_name), id_or_name)


async def list_clubs(database: Database) -> list[ClubAnswer]:
    """Return every club open to members, A to Z; the screen groups them by ``cc_name``."""
    return [shown(row) for row in await repository.list_clubs(database)]


def shown(row: OpenClub) -> ClubAnswer:
    """Return a club as everyone sees it."""
    return ClubAnswer(
        id=row.id,
        name=row.name,
        cc_name=row.cc_name,
        emblem=rules.crest_address(row.id),
        colours=(row.colour_a, row.colour_b),
    )


async def find(database: Runner, club_id: UUID) -> ClubDetails | None:
    """Return the row of a club, hidden or not, or None."""
    return await repository.read_club(database, club_id)


async def show(database: Runner, club_id: UUID) -> ClubAnswer:
    """Return a club, hidden or not, as everyone sees it.

    Raises:
        NotFoundError: there is no such club.
    """
    return shown(await _existing(database, club_id))


async def _existing(database: Runner, club_id: UUID) -> ClubDetails:
    row = await repository.read_club(database, club_id)
    if row is None:
        raise NotFoundError
    return row


async def takes_members(database: Database, club_id: UUID) -> bool:
    """Return whether a club exists and is not hidden."""
    row = await repository.read_club(database, club_id)
    return row is not None and not row.hidden


async def fold_sizes(database: Database) -> bool:
    """Fold the changes of club sizes; return False if another worker is folding."""
    while True:
        folded = await repository.fold_sizes(database, FOLD_BATCH)
        if folded is None:
            return False
        if folded < FOLD_BATCH:
            return True


async def read_crest(context: UploadContext, club_id: UUID) -> Crest:
    """Return a club's crest: its picture, or one drawn from its colours."""
    row = await _existing(context.database, club_id)
    if row.crest is not None:
        try:
            return await _stored(context, row.crest)
        except NoSuchObjectError:  # just replaced, or lost
            pass
    return drawn_crest(row.name, (row.colour_a, row.colour_b))


def drawn_crest(name: str, colours: tuple[str, str]) -> Crest:
    """Return the crest that is drawn for a name and two colours."""
    drawn = rules.crest(name, *colours)
    return Crest(drawn.encode(), DRAWN, rules.drawing_version(drawn))


async def read_ground(database: Database, club_id: UUID) -> str:
    """Return the picture of a club's ground as an SVG.

    Raises:
        NotFoundError: there is no such club.
    """
    row = await _existing(database, club_id)
    return rules.ground(row.name, row.colour_a, row.colour_b)


async def _stored(context: UploadContext, key: str) -> Crest:
    found = await context.store.describe(key)
    chunks = await context.store.read(key, 0, found.size_bytes - 1)
    content = b"".join([chunk async for chunk in chunks])
    return Crest(content, content_type_of(key), key.rpartition("/")[2])


async def named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` are crests."""
    return await repository.list_named_keys(database, keys)


def emblem_of(club_id: UUID) -> str:
    """Return the URL path of a club's crest."""
    return rules.crest_address(club_id)
