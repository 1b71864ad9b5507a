"""The codes of a sign-up are listed by it: a corrected email does not reset its daily limit."""

from alembic import op

revision = "20261127_1610"
down_revision = "20261127_1338"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index("ix_mailed_code_subject_id", "mailed_code", ["subject_id", "created_at"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_mailed_code_subject_id", table_name="mailed_code")
