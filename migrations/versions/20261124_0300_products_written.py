"""Products, sizes and fees are written at the back office."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0300"
down_revision = "20261124_0130"
branch_labels = None
depends_on = None

VERSIONED = ("product", "product_variant", "delivery_fee")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in VERSIONED:
        op.add_column(
            table, sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False)
        )
    # A shop has few products: the indexes are made in a moment.
    op.create_index("ix_product_position", "product", ["position"])
    op.create_index("ix_product_name", "product", [sa.text("lower(name) text_pattern_ops")])
    op.create_table(
        "former_picture",
        sa.Column("thumbnail", sa.String(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("thumbnail", name=op.f("pk_former_picture")),
        sa.ForeignKeyConstraint(
            ["product_id"], ["product.id"], name=op.f("fk_former_picture_product_id_product")
        ),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("former_picture")
    op.drop_index("ix_product_name", "product")
    op.drop_index("ix_product_position", "product")
    for table in VERSIONED:
        op.drop_column(table, "version")
