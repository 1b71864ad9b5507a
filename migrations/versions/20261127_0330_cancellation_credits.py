"""Partial transfers that the club returns with a cancelled order are operator credits."""

from alembic import op

revision = "20261127_0330"
down_revision = "20261126_1900"
branch_labels = None
depends_on = None

NAME = "ck_operator_credit_credit_kind"
OLD_KINDS = ("adjustment", "gift", "review_case", "refund", "transfer")
NEW_KINDS = (*OLD_KINDS[:4], "cancellation", "transfer")


def replace_kinds(kinds: tuple[str, ...]) -> None:
    """Change the kinds; rows are read without keeping writers out."""
    one_of = ", ".join(f"'{kind}'" for kind in kinds)
    op.execute(f"ALTER TABLE operator_credit DROP CONSTRAINT {NAME}")
    op.execute(
        f"ALTER TABLE operator_credit ADD CONSTRAINT {NAME} CHECK (kind IN ({one_of})) NOT VALID"
    )
    op.execute(f"ALTER TABLE operator_credit VALIDATE CONSTRAINT {NAME}")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    replace_kinds(NEW_KINDS)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    replace_kinds(OLD_KINDS)
