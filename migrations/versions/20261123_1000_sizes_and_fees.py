"""Products come in sizes whose stock is allocated; deliveries cost a fee; addresses are kept."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261123_1000"
down_revision = "20261123_0930"
branch_labels = None
depends_on = None

STATES = (
    *("Abia", "Adamawa", "Akwa Ibom", "Anambra", "Bauchi", "Bayelsa", "Benue", "Borno"),
    *("Cross River", "Delta", "Ebonyi", "Edo", "Ekiti", "Enugu", "FCT", "Gombe", "Imo"),
    *("Jigawa", "Kaduna", "Kano", "Katsina", "Kebbi", "Kogi", "Kwara", "Lagos", "Nasarawa"),
    *("Niger", "Ogun", "Ondo", "Osun", "Oyo", "Plateau", "Rivers", "Sokoto", "Taraba", "Yobe"),
    "Zamfara",
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    add_variants()
    add_fees()
    add_lines()
    op.create_table(
        "saved_address",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("billing", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_saved_address_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_saved_address")),
    )
    op.drop_constraint(op.f("ck_product_no_oversell"), "product")
    op.drop_column("product", "stock")
    op.execute("ALTER TABLE product RESET (fillfactor)")
    # Its parameters are others now; the function is written anew after the migrations.
    op.execute(
        "DROP FUNCTION IF EXISTS place_order(uuid, text, uuid, text, jsonb, jsonb, text, text, "
        "timestamptz, timestamptz, int)"
    )


def add_variants() -> None:
    """Each product has one variant, which holds its stock and what open orders have of it."""
    op.create_table(
        "product_variant",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("size", sa.String(), nullable=True),
        sa.Column("is_default", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("hidden", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("position", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("stock", sa.Integer(), nullable=False),
        sa.Column("allocated", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "stock BETWEEN 0 AND 1000000000", name=op.f("ck_product_variant_stock_in_range")
        ),
        sa.CheckConstraint(
            "allocated BETWEEN 0 AND stock", name=op.f("ck_product_variant_no_oversell")
        ),
        sa.CheckConstraint(
            "char_length(size) BETWEEN 1 AND 12", name=op.f("ck_product_variant_size_length")
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["product.id"], name=op.f("fk_product_variant_product_id_product")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_product_variant")),
        sa.UniqueConstraint(
            "product_id",
            "size",
            name=op.f("uq_product_variant_product_id_size"),
            postgresql_nulls_not_distinct=True,
        ),
        postgresql_with={"fillfactor": "80"},
    )
    op.create_index(
        "uq_product_variant_default",
        "product_variant",
        ["product_id"],
        unique=True,
        postgresql_where=sa.text("is_default"),
    )
    op.execute(
        "INSERT INTO product_variant (id, product_id, is_default, stock, allocated) "
        "SELECT gen_random_uuid(), p.id, true, p.stock + held.units, held.units "
        "FROM product p CROSS JOIN LATERAL (SELECT coalesce(sum(l.quantity), 0)::int AS units "
        "FROM order_line l JOIN shop_order o ON o.id = l.order_id "
        "WHERE l.product_id = p.id AND o.status IN ('pending', 'processing')) held"
    )


def add_fees() -> None:
    """An order says what of its total is its delivery; each state has a fee."""
    op.add_column(
        "shop_order",
        sa.Column("delivery_fee_kobo", sa.BigInteger(), server_default="0", nullable=False),
    )
    op.create_check_constraint(
        op.f("ck_shop_order_fee_in_total"),
        "shop_order",
        "delivery_fee_kobo BETWEEN 0 AND total_kobo",
    )
    fees = op.create_table(
        "delivery_fee",
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("fee_kobo", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "fee_kobo BETWEEN 0 AND 100000000", name=op.f("ck_delivery_fee_fee_in_range")
        ),
        sa.PrimaryKeyConstraint("state", name=op.f("pk_delivery_fee")),
    )
    op.bulk_insert(fees, [{"state": state, "fee_kobo": 0} for state in STATES])


def add_lines() -> None:
    """A line says which variant was bought, and how many were given back for."""
    # It stands in the way of what follows; the trigger is written anew after the migrations.
    op.execute("DROP TRIGGER IF EXISTS keep_lines ON order_line")
    op.add_column("order_line", sa.Column("variant_id", sa.Uuid(), nullable=True))
    op.add_column("order_line", sa.Column("size", sa.String(), nullable=True))
    op.add_column(
        "order_line",
        sa.Column("refunded_quantity", sa.SmallInteger(), server_default="0", nullable=False),
    )
    op.execute(
        "UPDATE order_line l SET variant_id = v.id, refunded_quantity = CASE "
        "WHEN o.is_paid AND o.status IN ('cancelled', 'refunded') THEN l.quantity ELSE 0 END "
        "FROM product_variant v, shop_order o WHERE v.product_id = l.product_id "
        "AND o.id = l.order_id"
    )
    op.create_foreign_key(
        op.f("fk_order_line_variant_id_product_variant"),
        "order_line",
        "product_variant",
        ["variant_id"],
        ["id"],
    )
    op.create_check_constraint(
        op.f("ck_order_line_refunds_what_was_bought"),
        "order_line",
        "refunded_quantity BETWEEN 0 AND quantity",
    )
    op.alter_column("order_line", "variant_id", nullable=False)


def downgrade() -> None:
    op.execute("DROP TRIGGER IF EXISTS keep_lines ON order_line")
    op.add_column("product", sa.Column("stock", sa.Integer(), server_default="0", nullable=False))
    op.execute(
        "UPDATE product p SET stock = (SELECT coalesce(sum(v.stock - v.allocated), 0) "
        "FROM product_variant v WHERE v.product_id = p.id)"
    )
    op.alter_column("product", "stock", server_default=None)
    op.create_check_constraint(op.f("ck_product_no_oversell"), "product", "stock >= 0")
    op.execute("ALTER TABLE product SET (fillfactor = 80)")
    op.drop_table("saved_address")
    for name in ("variant_id", "size", "refunded_quantity"):
        op.drop_column("order_line", name)
    op.drop_column("shop_order", "delivery_fee_kobo")
    op.drop_table("delivery_fee")
    op.drop_table("product_variant")
