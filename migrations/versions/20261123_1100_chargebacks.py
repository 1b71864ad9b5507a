"""Reports say what became of them; disputes, chargebacks and debts have tables."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_1100"
down_revision = "20261123_1020"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
OLD_KINDS, NEW_KINDS = ("surplus",), ("surplus", "chargeback_short")
IN_RANGE = "amount_kobo BETWEEN 1 AND 100000000000"


def words(name: str, *values: str) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)


def replace_kinds(kinds: tuple[str, ...]) -> None:
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    op.execute("ALTER TABLE review_case DROP CONSTRAINT ck_review_case_review_kind")
    op.execute(
        "ALTER TABLE review_case ADD CONSTRAINT ck_review_case_review_kind "
        f"CHECK (kind IN ({listed})) NOT VALID"
    )
    op.execute("ALTER TABLE review_case VALIDATE CONSTRAINT ck_review_case_review_kind")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    # They stand in the way of what follows; the objects are written anew after the migrations.
    op.execute("DROP TRIGGER IF EXISTS keep_bytes ON payment_event")
    op.execute("DROP TRIGGER IF EXISTS keep_report ON payment_event")
    op.add_column(
        "payment_event",
        sa.Column(
            "state",
            words("report_state", "matched", "unmatched", "failed", "ignored"),
            server_default=sa.text("'failed'"),
            nullable=False,
        ),
    )
    op.add_column("payment_event", sa.Column("reason", sa.String(), nullable=True))
    # What came before was settled when it came, or says nothing about a payment of ours.
    op.execute(
        "UPDATE payment_event SET state = CASE WHEN EXISTS (SELECT FROM funding f "
        "WHERE f.reference = payment_event.reference) THEN 'matched' ELSE 'unmatched' END"
    )
    op.create_index("ix_payment_event_state_id", "payment_event", ["state", "id"])
    replace_kinds(NEW_KINDS)
    op.create_table(
        "dispute",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("gateway", sa.String(), nullable=False),
        sa.Column("case_id", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("funding_id", sa.Uuid(), nullable=True),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("resolution", sa.String(), nullable=True),
        sa.Column("opened_at", INSTANT, nullable=False),
        sa.Column("told_at", INSTANT, nullable=False),
        sa.Column("closed_at", INSTANT, nullable=True),
        sa.CheckConstraint(IN_RANGE, name=op.f("ck_dispute_amount_in_range")),
        sa.ForeignKeyConstraint(
            ["funding_id"], ["funding.id"], name=op.f("fk_dispute_funding_id_funding")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispute")),
        sa.UniqueConstraint("gateway", "case_id", name=op.f("uq_dispute_gateway_case_id")),
    )
    op.create_index("ix_dispute_funding_id", "dispute", ["funding_id"])
    op.create_index(
        "ix_dispute_open", "dispute", ["id"], postgresql_where=sa.text("closed_at IS NULL")
    )
    op.create_table(
        "chargeback",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("funding_id", sa.Uuid(), nullable=False),
        sa.Column("gateway", sa.String(), nullable=False),
        sa.Column("case_id", sa.String(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("taken_kobo", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.CheckConstraint(IN_RANGE, name=op.f("ck_chargeback_amount_in_range")),
        sa.CheckConstraint(
            "taken_kobo BETWEEN 0 AND amount_kobo", name=op.f("ck_chargeback_taken_in_range")
        ),
        sa.ForeignKeyConstraint(
            ["funding_id"], ["funding.id"], name=op.f("fk_chargeback_funding_id_funding")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chargeback")),
        sa.UniqueConstraint("gateway", "case_id", name=op.f("uq_chargeback_gateway_case_id")),
    )
    op.create_index("ix_chargeback_funding_id", "chargeback", ["funding_id"])
    op.create_table(
        "debt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("chargeback_id", sa.Uuid(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("left_kobo", sa.BigInteger(), nullable=False),
        sa.Column(
            "state",
            words("debt_state", "open", "collected", "written_off"),
            server_default=sa.text("'open'"),
            nullable=False,
        ),
        sa.Column("opened_at", INSTANT, nullable=False),
        sa.Column("settled_at", INSTANT, nullable=True),
        sa.CheckConstraint(IN_RANGE, name=op.f("ck_debt_amount_in_range")),
        sa.CheckConstraint(
            "left_kobo BETWEEN 0 AND amount_kobo", name=op.f("ck_debt_left_in_range")
        ),
        sa.CheckConstraint(
            "(state = 'collected') = (left_kobo = 0)", name=op.f("ck_debt_collected_is_zero")
        ),
        sa.CheckConstraint(
            "(state = 'open') = (settled_at IS NULL)", name=op.f("ck_debt_settled_is_dated")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_debt_user_id_user_account")
        ),
        sa.ForeignKeyConstraint(
            ["chargeback_id"], ["chargeback.id"], name=op.f("fk_debt_chargeback_id_chargeback")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_debt")),
        sa.UniqueConstraint("chargeback_id", name=op.f("uq_debt_chargeback_id")),
    )
    op.create_index("ix_debt_open", "debt", ["id"], postgresql_where=sa.text("state = 'open'"))
    op.create_index("ix_debt_user_id", "debt", ["user_id"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("DROP TRIGGER IF EXISTS keep_bytes ON payment_event")
    op.execute("DROP TRIGGER IF EXISTS keep_report ON payment_event")
    for table in ("debt", "chargeback", "dispute"):
        op.drop_table(table)
    replace_kinds(OLD_KINDS)
    op.drop_index("ix_payment_event_state_id", table_name="payment_event")
    op.drop_column("payment_event", "reason")
    op.drop_column("payment_event", "state")
