"""Operators adjust wallets: who, by how much, why, and with which second person."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_1230"
down_revision = "20261123_1220"
branch_labels = None
depends_on = None

CATEGORY = sa.Enum(
    "goodwill",
    "correction",
    "prize-voucher",
    "test",
    name="adjustment_category",
    native_enum=False,
    create_constraint=True,
    length=32,
)
POINTERS = (("user_id", "user_account"), ("operator_id", "operator"), ("approval_id", "approval"))


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "wallet_adjustment",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("operator_id", sa.Uuid(), nullable=False),
        sa.Column("approval_id", sa.Uuid(), nullable=True),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("category", CATEGORY, nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("amount_kobo <> 0", name=op.f("ck_wallet_adjustment_moves_money")),
        *(
            sa.ForeignKeyConstraint(
                [column], [f"{table}.id"], name=op.f(f"fk_wallet_adjustment_{column}_{table}")
            )
            for column, table in POINTERS
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_wallet_adjustment")),
        sa.UniqueConstraint("approval_id", name=op.f("uq_wallet_adjustment_approval_id")),
    )
    op.create_index(
        "ix_wallet_adjustment_operator_id_created_at",
        "wallet_adjustment",
        ["operator_id", "created_at"],
    )
    op.create_index("ix_wallet_adjustment_user_id", "wallet_adjustment", ["user_id"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("wallet_adjustment")
