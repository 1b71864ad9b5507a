"""Statements by days, kinds and months: two indexes of the ledger, however long a history is."""

from alembic import op

revision = "20261123_1210"
down_revision = "20261123_1110"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index(
        "ix_ledger_transfer_wallet_kind", "ledger_transfer", ["wallet_id", "kind", "wallet_entry"]
    )
    op.create_index(
        "ix_ledger_transfer_wallet_day",
        "ledger_transfer",
        ["wallet_id", "created_at"],
        postgresql_include=["wallet_entry", "kind", "wallet_change_kobo"],
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_ledger_transfer_wallet_day", table_name="ledger_transfer")
    op.drop_index("ix_ledger_transfer_wallet_kind", table_name="ledger_transfer")
