"""Unpaid orders hold a limited stock, and a proof that nobody decides expires."""

import sqlalchemy as sa
from alembic import op

revision = "20261126_1700"
down_revision = "20261126_1600"
branch_labels = None
depends_on = None

OLD = ("waiting", "accepted", "rejected", "replaced")
CHECK = "ck_transfer_proof_proof_state"


def replace_states(states: tuple[str, ...]) -> None:
    listed = ", ".join(f"'{state}'" for state in states)
    op.execute(f"ALTER TABLE transfer_proof DROP CONSTRAINT {CHECK}")
    op.execute(
        f"ALTER TABLE transfer_proof ADD CONSTRAINT {CHECK} CHECK (state IN ({listed})) NOT VALID"
    )
    op.execute(f"ALTER TABLE transfer_proof VALIDATE CONSTRAINT {CHECK}")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("office_setting", sa.Column("transfer_units_limit", sa.Integer()))
    op.add_column("office_setting", sa.Column("transfer_value_limit_kobo", sa.BigInteger()))
    replace_states((*OLD, "expired"))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("UPDATE transfer_proof SET state = 'rejected' WHERE state = 'expired'")
    replace_states(OLD)
    op.drop_column("office_setting", "transfer_value_limit_kobo")
    op.drop_column("office_setting", "transfer_units_limit")
