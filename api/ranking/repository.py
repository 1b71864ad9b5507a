"""SQL of the ranking."""

from uuid import UUID

from api.core.database import Database, Row

READ_STANDING = """
SELECT u.badge, c.id AS club_id, c.name AS club_name,
       (SELECT count(*) FROM user_account m
         WHERE m.club_id = u.club_id AND m.activated_at IS NOT NULL) AS club_members
  FROM user_account u JOIN club c ON c.id = u.club_id
 WHERE u.id = $1
"""


async def read_standing(database: Database, user_id: UUID) -> Row | None:
    """Return a member's badge and club, or None."""
    return await database.fetch_row(READ_STANDING, user_id)
