"""What happens to an order is written down; members are reminded of orders that end soon."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_0800"
down_revision = "20261123_0700"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
KINDS = ("paid", "cancelled", "expired", "shipped", "delivered", "refunded")
STATES = (
    *("pending", "processing", "shipped", "delivered"),
    *("cancelled", "expired", "refunded"),
)
ACTORS = ("member", "admin", "clock")


def words(name: str, *values: str) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("shop_order", sa.Column("reminded_at", INSTANT, nullable=True))
    op.create_table(
        "order_event",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("kind", words("order_event_kind", *KINDS), nullable=False),
        sa.Column("status", words("order_status", *STATES), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("actor", words("order_actor", *ACTORS), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["order_id"], ["shop_order.id"], name=op.f("fk_order_event_order_id_shop_order")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_event")),
    )
    op.create_index("ix_order_event_order_id", "order_event", ["order_id", "id"])
    # Orders that had expired before this was written down expired when their time was over.
    op.execute(
        "INSERT INTO order_event (order_id, kind, status, at, actor) "
        "SELECT id, 'expired', 'expired', pay_by, 'clock' FROM shop_order "
        "WHERE status = 'expired' AND pay_by IS NOT NULL ORDER BY pay_by, id"
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("order_event")
    op.drop_column("shop_order", "reminded_at")
