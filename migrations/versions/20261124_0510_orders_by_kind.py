"""Orders of a status, a way of paying or both are found by one index."""

from alembic import op

revision = "20261124_0510"
down_revision = "20261124_0500"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index(
        "ix_shop_order_status_payment_method_id",
        "shop_order",
        ["status", "payment_method", "id"],
    )
    op.drop_index("ix_shop_order_status_id", "shop_order")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index("ix_shop_order_status_id", "shop_order", ["status", "id"])
    op.drop_index("ix_shop_order_status_payment_method_id", "shop_order")
