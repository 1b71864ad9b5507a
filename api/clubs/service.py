"""What is known of the clubs."""

from uuid import UUID

from api.clubs import repository, rules
from api.clubs.schemas import ClubAnswer, ClubPlan
from api.core.errors import NotFoundError
from api.core.ids import new_id, parse_id
from api.database.database import Database, Runner, Transaction

FOLD_BATCH = 5000


async def list_clubs(database: Database) -> list[ClubAnswer]:
    """Return every club, A to Z; the screen groups them by ``cc_name``."""
    return [
        ClubAnswer(
            id=row["id"],
            name=row["name"],
            cc_name=row["cc_name"],
            emblem=rules.crest_address(row["id"]),
            colours=(row["colour_a"], row["colour_b"]),
        )
        for row in await repository.list_clubs(database)
    ]


async def add_club(tx: Transaction, plan: ClubPlan) -> bool:
    """Write a club; return False, and change nothing, when one has its name in any letter case."""
    await repository.lock_adding(tx)
    # The database's index knows fewer letters: what its collation does.
    if plan.name.casefold() in {name.casefold() for name in await repository.list_names(tx)}:
        return False
    colour_a, colour_b = plan.colours
    return await repository.insert_club(
        tx,
        new_id(),
        {
            "name": plan.name,
            "cc_name": plan.competition,
            "colour_a": colour_a,
            "colour_b": colour_b,
        },
    )


async def find_id(runner: Runner, id_or_name: str) -> UUID | None:
    """Return the club that an id or a name, in any letter case, names; None when none is."""
    return await repository.find_id(runner, parse_id(id_or_name), id_or_name)


async def exists(database: Database, club_id: UUID) -> bool:
    """Say whether there is such a club."""
    return await repository.read_club(database, club_id) is not None


async def fold_sizes(database: Database) -> bool:
    """Add who came and left to the clubs' sizes; return False when another worker is at it."""
    while True:
        folded = await repository.fold_sizes(database, FOLD_BATCH)
        if folded is None:
            return False
        if folded < FOLD_BATCH:
            return True


async def draw_crest(database: Database, club_id: UUID) -> str:
    """Return a club's crest as SVG.

    Raises:
        NotFoundError: there is no such club.
    """
    row = await repository.read_club(database, club_id)
    if row is None:
        raise NotFoundError
    return rules.crest(row["name"], row["colour_a"], row["colour_b"])


def emblem_of(club_id: UUID) -> str:
    """Return the address of a club's crest."""
    return rules.crest_address(club_id)
