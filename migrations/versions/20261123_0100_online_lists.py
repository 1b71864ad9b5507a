"""Lists of who is online, drawn once for all workers."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261123_0100"
down_revision = "20261123_0060"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "chat_online",
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.Column("listed", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("listed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("room_id", name=op.f("pk_chat_online")),
        prefixes=["UNLOGGED"],
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("chat_online")
