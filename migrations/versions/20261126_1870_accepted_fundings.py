"""A funding whose case a person accepted has succeeded."""

from alembic import op

revision = "20261126_1870"
down_revision = "20261126_1850"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute(
        "UPDATE funding f SET state = 'succeeded', review_reason = NULL WHERE f.state = 'review' "
        "AND EXISTS (SELECT FROM review_case r "
        "WHERE r.source = f.reference AND r.state = 'accepted')"
    )


def downgrade() -> None:
    """Leave them: their cases say that they were set aside."""
