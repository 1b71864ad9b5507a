"""Competitions have a version, because operators change them."""

import sqlalchemy as sa
from alembic import op

revision = "20261125_0320"
down_revision = "20261125_0310"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    one = sa.text("1")
    op.add_column(
        "competition", sa.Column("version", sa.Integer(), server_default=one, nullable=False)
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("competition", "version")
