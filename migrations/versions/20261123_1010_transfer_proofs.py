"""Members show that they have paid by bank transfer: a table of what they uploaded."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_1010"
down_revision = "20261123_1000"
branch_labels = None
depends_on = None

STATES = ("waiting", "accepted", "rejected", "replaced")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "transfer_proof",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                *STATES, name="proof_state", native_enum=False, create_constraint=True, length=32
            ),
            nullable=False,
        ),
        sa.Column("media_key", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("uploaded_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["order_id"], ["shop_order.id"], name=op.f("fk_transfer_proof_order_id_shop_order")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transfer_proof")),
    )
    op.create_index("ix_transfer_proof_order_id", "transfer_proof", ["order_id", "id"])
    op.create_index("ix_transfer_proof_media_key", "transfer_proof", ["media_key"])
    op.create_index(
        "uq_transfer_proof_waiting",
        "transfer_proof",
        ["order_id"],
        unique=True,
        postgresql_where=sa.text("state = 'waiting'"),
    )


def downgrade() -> None:
    op.drop_table("transfer_proof")
