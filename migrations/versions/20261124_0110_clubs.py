"""Clubs are hidden, changed under a version, and have a picture for a crest."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0110"
down_revision = "20261124_0100"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    hidden = sa.Column("hidden", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    version = sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False)
    for column in (hidden, sa.Column("crest", sa.String(), nullable=True), version):
        op.add_column("club", column)


def downgrade() -> None:
    for name in ("version", "crest", "hidden"):
        op.drop_column("club", name)
