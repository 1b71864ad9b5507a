"""A club's name is its own in any letter case."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_0040"
down_revision = "20261122_1930"
branch_labels = None
depends_on = None

TWICE = """
SELECT string_agg(name, ', ' ORDER BY name) FROM club
 WHERE lower(name) IN (SELECT lower(name) FROM club GROUP BY 1 HAVING count(*) > 1)
"""


def upgrade() -> None:
    names = op.get_bind().execute(sa.text(TWICE)).scalar_one()
    if names:
        raise RuntimeError(f"Rename clubs first whose names differ in letter case only: {names}")
    op.create_index("uq_club_name_folded", "club", [sa.literal_column("lower(name)")], unique=True)


def downgrade() -> None:
    op.drop_index("uq_club_name_folded", table_name="club")
