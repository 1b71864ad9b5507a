"""Members are kept out of the chat; what reported messages said is kept as evidence."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0120"
down_revision = "20261124_0110"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
DEEDS = ("hide", "restore", "dismiss", "mute", "unmute")
NEW_DEEDS = (*DEEDS, "ban", "unban")
CHECK = "ck_chat_moderation_deed"


def replace_deeds(deeds: tuple[str, ...]) -> None:
    listed = ", ".join(f"'{deed}'" for deed in deeds)
    op.execute(f"ALTER TABLE chat_moderation DROP CONSTRAINT {CHECK}")
    op.execute(
        f"ALTER TABLE chat_moderation ADD CONSTRAINT {CHECK} CHECK (deed IN ({listed})) NOT VALID"
    )
    op.execute(f"ALTER TABLE chat_moderation VALIDATE CONSTRAINT {CHECK}")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    replace_deeds(NEW_DEEDS)
    op.add_column(
        "chat_mute",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
    )
    op.create_unique_constraint(op.f("uq_chat_mute_id"), "chat_mute", ["id"])
    op.create_index("ix_chat_mute_until", "chat_mute", ["until"])
    op.create_table(
        "chat_ban",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("until", INSTANT, nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("banned_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_ban_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_chat_ban")),
        sa.UniqueConstraint("id", name=op.f("uq_chat_ban_id")),
    )
    op.create_index("ix_chat_ban_until", "chat_ban", ["until"])
    op.create_table(
        "chat_evidence",
        sa.Column("message_id", sa.Uuid(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("kept_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["chat_message.id"],
            name=op.f("fk_chat_evidence_message_id_chat_message"),
        ),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_chat_evidence")),
    )
    op.create_index("ix_chat_evidence_kept_at", "chat_evidence", ["kept_at"])


def downgrade() -> None:
    op.drop_table("chat_evidence")
    op.drop_table("chat_ban")
    op.drop_index("ix_chat_mute_until", "chat_mute")
    op.drop_constraint(op.f("uq_chat_mute_id"), "chat_mute", type_="unique")
    op.drop_column("chat_mute", "id")
    op.execute("ALTER TABLE chat_moderation DISABLE TRIGGER USER")
    op.execute("DELETE FROM chat_moderation WHERE deed IN ('ban', 'unban')")
    op.execute("ALTER TABLE chat_moderation ENABLE TRIGGER USER")
    replace_deeds(DEEDS)
