"""In a large room a member writes one message in some seconds, by the database's clock."""

import sqlalchemy as sa
from alembic import op

revision = "20261128_1010"
down_revision = "20261127_1730"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column(
        "chat_membership", sa.Column("wrote_at", sa.DateTime(timezone=True), nullable=True)
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("chat_membership", "wrote_at")
