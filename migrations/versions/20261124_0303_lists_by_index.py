"""The back office's lists are found by indexes, however much there is."""

from alembic import op

revision = "20261124_0303"
down_revision = "20261124_0302"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_shop_order_status_id": ("shop_order", ["status", "id"]),
    "ix_transfer_proof_state_order_id": ("transfer_proof", ["state", "order_id"]),
    "ix_funding_state_id": ("funding", ["state", "id"]),
    "ix_funding_gateway_transaction_id": ("funding", ["gateway_transaction_id"]),
    "ix_audit_entry_right_used_id": ("audit_entry", ["right_used", "id"]),
}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name, (table, columns) in INDEXES.items():
        op.create_index(name, table, columns)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name, (table, _) in INDEXES.items():
        op.drop_index(name, table)
