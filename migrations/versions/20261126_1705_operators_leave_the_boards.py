"""Operators have no place on boards, also with points from before they became one."""

from alembic import op

revision = "20261126_1705"
down_revision = "20261126_1700"
branch_labels = None
depends_on = None

ALL_CLUBS = "00000000-0000-0000-0000-000000000000"
LEAVE = f"""
WITH gone AS (
  DELETE FROM board_total t USING operator o WHERE o.user_id = t.user_id RETURNING t.*
), places AS (
  SELECT g.board_id, whose.club_id, size.level, floor(g.points / size.width)::int AS bucket,
         count(*) AS members
    FROM gone g
   CROSS JOIN LATERAL (VALUES (g.club_id), ('{ALL_CLUBS}'::uuid)) AS whose (club_id)
   CROSS JOIN (VALUES (1, 1000.0), (2, 100), (3, 10), (4, 1)) AS size (level, width)
   GROUP BY 1, 2, 3, 4
)
UPDATE rank_histogram h SET members = h.members - p.members FROM places p
 WHERE (h.board_id, h.club_id, h.level, h.bucket) = (p.board_id, p.club_id, p.level, p.bucket)
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute(LEAVE)
    op.execute("DELETE FROM prediction_total t USING operator o WHERE o.user_id = t.user_id")


def downgrade() -> None:
    """Boards stay as they are: later points are added to them."""
