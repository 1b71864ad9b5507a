"""What comes into a wallet repays debts: a kind of transfer of its own."""

from alembic import op

revision = "20261126_1850"
down_revision = "20261126_1800"
branch_labels = None
depends_on = None

OLD_FLOWS = (
    ("fund", "gateway", "wallet"),
    ("fund", "bank", "wallet"),
    ("purchase", "wallet", "sales"),
    ("subscription", "wallet", "subscriptions"),
    ("refund", "sales", "wallet"),
    ("refund", "subscriptions", "wallet"),
    ("chargeback", "wallet", "gateway"),
    ("adjust", "adjustments", "wallet"),
    ("adjust", "wallet", "adjustments"),
)
NEW_FLOWS = (*OLD_FLOWS[:7], ("debt_repayment", "wallet", "gateway"), *OLD_FLOWS[7:])
OLD_KINDS = ("fund", "purchase", "subscription", "refund", "chargeback", "adjust")
NEW_KINDS = (*OLD_KINDS[:5], "debt_repayment", "adjust")


def legal(flows: tuple[tuple[str, str, str], ...]) -> str:
    return " OR ".join(
        f"(kind = '{kind}' AND debit_type = '{debit}' AND credit_type = '{credit}')"
        for kind, debit, credit in flows
    )


def one_of(words: tuple[str, ...]) -> str:
    return "kind IN ({})".format(", ".join(f"'{word}'" for word in words))


def replace_check(name: str, rule: str) -> None:
    """Change a rule; rows are read without keeping writers out."""
    op.execute(f"ALTER TABLE ledger_transfer DROP CONSTRAINT {name}")
    op.execute(f"ALTER TABLE ledger_transfer ADD CONSTRAINT {name} CHECK ({rule}) NOT VALID")
    op.execute(f"ALTER TABLE ledger_transfer VALIDATE CONSTRAINT {name}")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    replace_check("ck_ledger_transfer_transfer_kind", one_of(NEW_KINDS))
    replace_check("ck_ledger_transfer_legal_flow", legal(NEW_FLOWS))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    replace_check("ck_ledger_transfer_legal_flow", legal(OLD_FLOWS))
    replace_check("ck_ledger_transfer_transfer_kind", one_of(OLD_KINDS))
