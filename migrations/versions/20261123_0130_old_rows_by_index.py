"""Indexes that lead housekeeping to old rows, foreign keys to theirs, transfers to the house."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_0130"
down_revision = "20261123_0100"
branch_labels = None
depends_on = None

INDEXES = (
    ("idempotency_key", "created_at"),
    ("rate_limit", "window_started_at"),
    ("sign_in_guard", "attempted_at"),
    ("sign_up_attempt", "expires_at"),
    ("known_origin", "seen_at"),
)
MODERATED = "ix_chat_moderation_message_id"
COMPANY = "uq_ledger_account_company"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table, column in INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])
    op.create_index(
        MODERATED,
        "chat_moderation",
        ["message_id"],
        postgresql_where=sa.text("message_id IS NOT NULL"),
    )
    op.create_index(
        COMPANY,
        "ledger_account",
        ["type"],
        unique=True,
        postgresql_where=sa.text("owner_id IS NULL"),
    )


def downgrade() -> None:
    op.drop_index(COMPANY, table_name="ledger_account")
    op.drop_index(MODERATED, table_name="chat_moderation")
    for table, column in reversed(INDEXES):
        op.drop_index(f"ix_{table}_{column}", table_name=table)
