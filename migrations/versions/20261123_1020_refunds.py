"""Refunds are asked for by one operator and sent by another; a refunded plan ends early."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_1020"
down_revision = "20261123_1010"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
STATES = ("asked", "sent", "refused")
SUBJECTS = ("order_id", "subscription_id")
OPERATORS = ("asked_by", "decided_by")
ENDED = "ck_subscription_ended_after_its_end"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute(f"ALTER TABLE subscription DROP CONSTRAINT {ENDED}")
    op.execute(
        f"ALTER TABLE subscription ADD CONSTRAINT {ENDED} "
        "CHECK (ended_at >= least(ends_at, replaced_at)) NOT VALID"
    )
    op.execute(f"ALTER TABLE subscription VALIDATE CONSTRAINT {ENDED}")
    op.create_table(
        "refund_case",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=True),
        sa.Column("subscription_id", sa.Uuid(), nullable=True),
        sa.Column("bought", sa.String(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("fee_kobo", sa.BigInteger(), nullable=False),
        sa.Column("restock", sa.Boolean(), nullable=False),
        sa.Column("ends_plan", sa.Boolean(), nullable=False),
        sa.Column("is_owed", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                *STATES, name="refund_state", native_enum=False, create_constraint=True, length=32
            ),
            nullable=False,
        ),
        sa.Column("asked_by", sa.Uuid(), nullable=True),
        sa.Column("asked_at", INSTANT, nullable=False),
        sa.Column("decided_by", sa.Uuid(), nullable=True),
        sa.Column("decided_at", INSTANT, nullable=True),
        sa.Column("refusal", sa.String(), nullable=True),
        sa.CheckConstraint(
            "amount_kobo BETWEEN 1 AND 100000000000", name=op.f("ck_refund_case_amount_in_range")
        ),
        sa.CheckConstraint(
            "fee_kobo BETWEEN 0 AND amount_kobo", name=op.f("ck_refund_case_fee_in_amount")
        ),
        sa.CheckConstraint(
            "num_nonnulls(order_id, subscription_id) = 1", name=op.f("ck_refund_case_one_subject")
        ),
        sa.CheckConstraint(
            "(state = 'asked') = (decided_at IS NULL)",
            name=op.f("ck_refund_case_decided_at_a_time"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_refund_case_user_id_user_account")
        ),
        sa.ForeignKeyConstraint(
            ["order_id"], ["shop_order.id"], name=op.f("fk_refund_case_order_id_shop_order")
        ),
        sa.ForeignKeyConstraint(
            ["subscription_id"],
            ["subscription.id"],
            name=op.f("fk_refund_case_subscription_id_subscription"),
        ),
        *(
            sa.ForeignKeyConstraint(
                [name], ["operator.id"], name=op.f(f"fk_refund_case_{name}_operator")
            )
            for name in OPERATORS
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refund_case")),
    )
    for name in SUBJECTS:
        op.create_index(
            f"ix_refund_case_{name}",
            "refund_case",
            [name],
            postgresql_where=sa.text(f"{name} IS NOT NULL"),
        )
    op.create_index("ix_refund_case_state", "refund_case", ["state", "id"])
    op.create_index("ix_refund_case_user_id", "refund_case", ["user_id"])
    op.create_table(
        "refund_line",
        sa.Column("refund_id", sa.Uuid(), nullable=False),
        sa.Column("line", sa.SmallInteger(), nullable=False),
        sa.Column("quantity", sa.SmallInteger(), nullable=False),
        sa.CheckConstraint(
            "quantity BETWEEN 1 AND 99", name=op.f("ck_refund_line_quantity_in_range")
        ),
        sa.ForeignKeyConstraint(
            ["refund_id"], ["refund_case.id"], name=op.f("fk_refund_line_refund_id_refund_case")
        ),
        sa.PrimaryKeyConstraint("refund_id", "line", name=op.f("pk_refund_line")),
    )


def downgrade() -> None:
    op.drop_table("refund_line")
    op.drop_table("refund_case")
    op.execute(f"ALTER TABLE subscription DROP CONSTRAINT {ENDED}")
    op.create_check_constraint(op.f(ENDED), "subscription", "ended_at >= ends_at")
