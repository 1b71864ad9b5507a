"""Messages that answer others and name members, and what members feel about a message."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0900"
down_revision = "20261124_0820"
branch_labels = None
depends_on = None

KEYS = ("goal", "fire", "laugh", "clap", "love", "pain")
LISTED = ", ".join(f"'{key}'" for key in KEYS)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("chat_message", sa.Column("reply_to", sa.Uuid()))
    op.add_column(
        "chat_message",
        sa.Column(
            "mentions",
            sa.ARRAY(sa.Uuid()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
    )
    op.create_table(
        "chat_reaction",
        sa.Column("message_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("reacted_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(f"key IN ({LISTED})", name=op.f("ck_chat_reaction_key")),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["chat_message.id"],
            name=op.f("fk_chat_reaction_message_id_chat_message"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_reaction_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("message_id", "user_id", name=op.f("pk_chat_reaction")),
    )
    op.create_index("ix_chat_reaction_user_id", "chat_reaction", ["user_id"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("chat_reaction")
    op.drop_column("chat_message", "mentions")
    op.drop_column("chat_message", "reply_to")
