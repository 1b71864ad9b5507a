"""SQL of the clubs."""

from collections.abc import Sequence
from uuid import UUID

from api.core.database import Database, Row

LIST_CLUBS = "SELECT id, name, cc_name, colour_a, colour_b FROM club ORDER BY name, id LIMIT 1000"
FOLD_SIZES = "SELECT fold_club_sizes($1) AS folded"
READ_CLUB = "SELECT id, name, cc_name, colour_a, colour_b FROM club WHERE id = $1"


async def list_clubs(database: Database) -> Sequence[Row]:
    """Return all clubs by name."""
    return await database.fetch_rows(LIST_CLUBS)


async def read_club(database: Database, club_id: UUID) -> Row | None:
    """Return one club's row, or None."""
    return await database.fetch_row(READ_CLUB, club_id)


async def fold_sizes(database: Database, most: int) -> int:
    """Add up to ``most`` changes to the clubs' sizes and return how many; 0 while another does."""
    row = await database.fetch_row(FOLD_SIZES, most)
    return 0 if row is None else int(row["folded"])
