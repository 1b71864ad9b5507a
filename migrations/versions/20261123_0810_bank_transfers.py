"""Bank transfers are confirmed: what came in, an account for it, and what waits for review."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_0810"
down_revision = "20261123_0800"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
BANK_ACCOUNT = "00000000-0000-7000-8000-000000000005"
OLD_TYPES = ("wallet", "gateway", "sales", "subscriptions", "adjustments")
NEW_TYPES = ("wallet", "gateway", "bank", "sales", "subscriptions", "adjustments")
OLD_FLOWS = (
    ("fund", "gateway", "wallet"),
    ("purchase", "wallet", "sales"),
    ("subscription", "wallet", "subscriptions"),
    ("refund", "sales", "wallet"),
    ("refund", "subscriptions", "wallet"),
    ("chargeback", "wallet", "gateway"),
    ("adjust", "adjustments", "wallet"),
    ("adjust", "wallet", "adjustments"),
)
NEW_FLOWS = (OLD_FLOWS[0], ("fund", "bank", "wallet"), *OLD_FLOWS[1:])
OLD_KINDS = ("paid", "cancelled", "expired", "shipped", "delivered", "refunded")
NEW_KINDS = ("paid", "transfer_short", "transfer_late", *OLD_KINDS[1:])


def legal(flows: tuple[tuple[str, str, str], ...]) -> str:
    return " OR ".join(
        f"(kind = '{kind}' AND debit_type = '{debit}' AND credit_type = '{credit}')"
        for kind, debit, credit in flows
    )


def replace_check(table: str, name: str, rule: str) -> None:
    """Change a rule; rows are read without keeping writers out."""
    op.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    op.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({rule}) NOT VALID")
    op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")


def one_of(column: str, words: tuple[str, ...]) -> str:
    listed = ", ".join(f"'{word}'" for word in words)
    return f"{column} IN ({listed})"


def words(name: str, *values: str) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    replace_check("ledger_account", "ck_ledger_account_account_type", one_of("type", NEW_TYPES))
    replace_check("ledger_transfer", "ck_ledger_transfer_legal_flow", legal(NEW_FLOWS))
    replace_check("order_event", "ck_order_event_order_event_kind", one_of("kind", NEW_KINDS))
    op.execute(f"INSERT INTO ledger_account (id, type) VALUES ('{BANK_ACCOUNT}', 'bank')")
    op.create_table(
        "bank_receipt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("bank", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("paid_on", sa.Date(), nullable=False),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("credited_kobo", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "amount_kobo BETWEEN 1 AND 100000000000", name=op.f("ck_bank_receipt_amount_in_range")
        ),
        sa.CheckConstraint(
            "credited_kobo BETWEEN 0 AND amount_kobo",
            name=op.f("ck_bank_receipt_credits_what_came"),
        ),
        sa.ForeignKeyConstraint(
            ["order_id"], ["shop_order.id"], name=op.f("fk_bank_receipt_order_id_shop_order")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bank_receipt")),
        sa.UniqueConstraint("bank", "reference", name=op.f("uq_bank_receipt_bank_reference")),
    )
    op.create_index("ix_bank_receipt_order_id", "bank_receipt", ["order_id", "id"])
    op.create_table(
        "review_case",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", words("review_kind", "surplus"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column(
            "state",
            words("review_state", "open", "accepted", "refused"),
            server_default=sa.text("'open'"),
            nullable=False,
        ),
        sa.Column("opened_at", INSTANT, nullable=False),
        sa.Column("decided_at", INSTANT, nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.CheckConstraint(
            "amount_kobo BETWEEN 1 AND 100000000000", name=op.f("ck_review_case_amount_in_range")
        ),
        sa.CheckConstraint(
            "(state = 'open') = (decided_at IS NULL)",
            name=op.f("ck_review_case_decided_has_moment"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_review_case_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_case")),
        sa.UniqueConstraint("source", name=op.f("uq_review_case_source")),
    )
    op.create_index(
        "ix_review_case_open", "review_case", ["id"], postgresql_where=sa.text("state = 'open'")
    )
    op.create_index("ix_review_case_user_id", "review_case", ["user_id"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("review_case")
    op.drop_table("bank_receipt")
    op.execute(f"DELETE FROM ledger_account WHERE id = '{BANK_ACCOUNT}'")
    replace_check("order_event", "ck_order_event_order_event_kind", one_of("kind", OLD_KINDS))
    replace_check("ledger_transfer", "ck_ledger_transfer_legal_flow", legal(OLD_FLOWS))
    replace_check("ledger_account", "ck_ledger_account_account_type", one_of("type", OLD_TYPES))
