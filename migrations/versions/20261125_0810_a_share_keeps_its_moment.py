"""What was shared keeps when it was first shared that day, so that sharing again lifts nothing."""

import sqlalchemy as sa
from alembic import op

revision = "20261125_0810"
down_revision = "20261125_0740"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    now = sa.text("now()")
    at = sa.Column("shared_at", sa.DateTime(timezone=True), server_default=now, nullable=False)
    op.add_column("moment_share", at)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("moment_share", "shared_at")
