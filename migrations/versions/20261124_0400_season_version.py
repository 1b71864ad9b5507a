"""A season says which version of it is changed."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0400"
down_revision = "20261124_0510"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column(
        "season", sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False)
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("season", "version")
