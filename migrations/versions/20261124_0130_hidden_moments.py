"""Operators hide moments, and look them up by how their title begins."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0130"
down_revision = "20261124_0120"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("moment", sa.Column("hidden_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("CREATE INDEX ix_moment_title ON moment (lower(title) text_pattern_ops)")
    op.create_index(
        "ix_moment_hidden", "moment", ["id"], postgresql_where=sa.text("hidden_at IS NOT NULL")
    )


def downgrade() -> None:
    op.drop_index("ix_moment_hidden", "moment")
    op.drop_index("ix_moment_title", "moment")
    op.drop_column("moment", "hidden_at")
