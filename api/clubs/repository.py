"""SQL of the clubs."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.clubs.models import Club
from api.database.database import Database, Transaction
from api.database.statements import Row

FOLD_LOCK = 7_226_331_110  # any number, the same for everybody who folds
LIST_CLUBS = "SELECT id, name, cc_name, colour_a, colour_b FROM club ORDER BY name, id LIMIT 1000"
# The function takes nothing while another folds; changes that it left say so.
FOLD_SIZES = """
SELECT CASE WHEN folded > 0 OR NOT EXISTS (SELECT FROM club_size_change) THEN folded END AS folded
  FROM fold_club_sizes($1) AS folded
"""
READ_CLUB = "SELECT id, name, cc_name, colour_a, colour_b FROM club WHERE id = $1"


async def list_clubs(database: Database) -> Sequence[Row]:
    """Return all clubs by name."""
    return await database.fetch_rows(LIST_CLUBS)


async def read_club(database: Database, club_id: UUID) -> Row | None:
    """Return one club's row, or None."""
    return await database.fetch_row(READ_CLUB, club_id)


async def insert_club(tx: Transaction, club_id: UUID, values: Mapping[str, Any]) -> bool:
    """Insert a club; return False, and change nothing, when one has its name."""
    statement = insert(Club).values(id=club_id, **values).on_conflict_do_nothing()
    return await tx.fetch_row(statement.returning(Club.id)) is not None


async def fold_sizes(database: Database, most: int) -> int | None:
    """Add up to ``most`` changes to the clubs' sizes; return how many, None while another does."""
    row = await database.fetch_row(FOLD_SIZES, most)
    folded: int | None = None if row is None else row["folded"]
    return folded
