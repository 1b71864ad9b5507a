"""SQL of the clubs."""

from collections.abc import Sequence
from uuid import UUID

from api.core.database import Database, Row

LIST_CLUBS = "SELECT id, name, cc_name, colour_a, colour_b FROM club ORDER BY name, id LIMIT 1000"
READ_CLUB = "SELECT id, name, cc_name, colour_a, colour_b FROM club WHERE id = $1"


async def list_clubs(database: Database) -> Sequence[Row]:
    """Return all clubs by name."""
    return await database.fetch_rows(LIST_CLUBS)


async def read_club(database: Database, club_id: UUID) -> Row | None:
    """Return one club's row, or None."""
    return await database.fetch_row(READ_CLUB, club_id)
