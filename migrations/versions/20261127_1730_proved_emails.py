"""A member's email is proved by a code that was mailed to it, and not by one sent by SMS."""

import sqlalchemy as sa
from alembic import op

revision = "20261127_1730"
down_revision = "20261127_1720"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column(
        "user_account",
        sa.Column("is_email_proved", sa.Boolean(), server_default=sa.true(), nullable=False),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("user_account", "is_email_proved")
