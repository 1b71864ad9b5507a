from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from sqlalchemy import update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.people.clubs.models import Club

# Takes nothing while another worker folds; the result says whether changes are left.
FOLD_SIZES = """
WITH turn AS MATERIALIZED (
  SELECT pg_try_advisory_xact_lock($2) AS is_mine WHERE EXISTS (SELECT FROM club_size_change)
), gone AS (
  DELETE FROM club_size_change
   WHERE (SELECT is_mine FROM turn)
     AND id = ANY (ARRAY(SELECT id FROM club_size_change ORDER BY id LIMIT $1))
  RETURNING club_id, members
), added AS (
  INSERT INTO club_size AS s (club_id, members)
  SELECT club_id, sum(members) FROM gone GROUP BY club_id
  ON CONFLICT (club_id) DO UPDATE SET members = s.members + excluded.members
)
SELECT CASE WHEN count(*) > 0 OR NOT EXISTS (SELECT FROM club_size_change)
            THEN count(*)::int END AS folded
  FROM gone
"""
FIND_ID = "SELECT id FROM club WHERE id = $1 OR lower(name) = lower($2)"
CLUB = "SELECT id, name, cc_name, colour_a, colour_b, hidden, crest, version FROM club"


@dataclass(frozen=True)
class OpenClub:
    id: UUID
    name: str
    cc_name: str | None
    colour_a: str
    colour_b: str


@dataclass(frozen=True)
class ClubDetails(OpenClub):
    hidden: bool
    crest: str | None
    version: int


LIST_CLUBS = Query(
    """
SELECT id, name, cc_name, colour_a, colour_b FROM club WHERE NOT hidden ORDER BY name, id LIMIT 1000
""",
    OpenClub,
)
LIST_NAMES = "SELECT name FROM club WHERE id IS DISTINCT FROM $1"
READ_CLUB = Query(f"{CLUB} WHERE id = $1", ClubDetails)
LOCK_CLUB = Query(f"{CLUB} WHERE id = $1 FOR UPDATE", ClubDetails)
LIST_ALL_CLUBS = Query(
    f"{CLUB} WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2", ClubDetails
)
LIST_NAMED_KEYS = "SELECT crest FROM club WHERE crest = ANY ($1::text[])"


async def list_clubs(database: Database) -> Sequence[OpenClub]:
    """Return the clubs that are not hidden, by name."""
    return await database.fetch_rows(LIST_CLUBS)


async def list_all_clubs(
    database: Database, before: UUID | None, limit: int
) -> Sequence[ClubDetails]:
    """Return clubs, hidden or not, newest first."""
    return await database.fetch_rows(LIST_ALL_CLUBS, before, limit)


async def list_named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` a club's crest is."""
    return set(await database.fetch_column(LIST_NAMED_KEYS, list(keys)))


async def read_club(database: Runner, club_id: UUID) -> ClubDetails | None:
    return await database.fetch_row(READ_CLUB, club_id)


async def find_id(runner: Runner, club_id: UUID | None, name: str) -> UUID | None:
    """Return the id of a club by its id or its name, ignoring case, or None."""
    return cast("UUID | None", await runner.fetch_value(FIND_ID, club_id, name))


async def lock_club(tx: Transaction, club_id: UUID) -> ClubDetails | None:
    return await tx.fetch_row(LOCK_CLUB, club_id)


async def change_club(tx: Transaction, club_id: UUID, values: Mapping[str, Any]) -> None:
    """Update columns of a club, and raise its version."""
    statement = update(Club).where(Club.id == club_id)
    await tx.execute(statement.values(version=Club.version + 1, **values))


async def lock_naming(tx: Transaction) -> None:
    """Lock the naming of clubs until commit."""
    await tx.execute("SELECT pg_advisory_xact_lock($1)", AdvisoryLock.CLUB_NAMES)


async def list_names(tx: Transaction, but: UUID | None = None) -> list[str]:
    return await tx.fetch_column(LIST_NAMES, but)


async def insert_club(tx: Transaction, club_id: UUID, values: Mapping[str, Any]) -> bool:
    """Insert a club; return False if another has its name."""
    statement = insert(Club).values(id=club_id, **values).on_conflict_do_nothing()
    return await tx.fetch_row(statement.returning(Club.id)) is not None


async def fold_sizes(database: Database, limit: int) -> int | None:
    """Fold up to ``limit`` changes of club sizes; return how many, None if another worker folds."""
    return cast(
        "int | None", await database.fetch_value(FOLD_SIZES, limit, AdvisoryLock.CLUB_SIZES)
    )
