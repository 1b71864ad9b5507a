"""Invitations that are not settled have an index: they are looked through again and again."""

import sqlalchemy as sa
from alembic import op

revision = "20261126_1600"
down_revision = "20261126_1520"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index(
        "ix_invitation_open",
        "invitation",
        ["accepted_at"],
        postgresql_where=sa.text("settled_at IS NULL"),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_invitation_open", table_name="invitation")
