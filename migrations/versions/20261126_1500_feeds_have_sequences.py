"""Feeds have sequences, so that a push that was captured cannot be sent again."""

import sqlalchemy as sa
from alembic import op

revision = "20261126_1500"
down_revision = "20261126_1440"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "feed_progress",
        sa.Column("feed", sa.String(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("feed", name=op.f("pk_feed_progress")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("feed_progress")
