"""Competitions keep the names that they had, because feeds go on using them."""

import sqlalchemy as sa
from alembic import op

revision = "20261125_0740"
down_revision = "20261125_0320"
branch_labels = None
depends_on = None

TABLE, KEY = "former_competition_name", "fk_former_competition_name_competition_id_competition"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        TABLE,
        sa.Column("competition_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("season", sa.String(), nullable=False),
        sa.Column("renamed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["competition_id"], ["competition.id"], name=op.f(KEY)),
        sa.PrimaryKeyConstraint("competition_id", "name", "season", name=op.f(f"pk_{TABLE}")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table(TABLE)
