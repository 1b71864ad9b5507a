"""A moment may be open to everybody with its link."""

import sqlalchemy as sa
from alembic import op

revision = "20261127_1700"
down_revision = "20261127_1650"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("moment", sa.Column("public_at", sa.DateTime(timezone=True), nullable=True))
    op.create_check_constraint(
        op.f("ck_moment_public_is_shared"),
        "moment",
        "public_at IS NULL OR shared_at IS NOT NULL",
        postgresql_not_valid=True,
    )
    op.execute("ALTER TABLE moment VALIDATE CONSTRAINT ck_moment_public_is_shared")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_constraint(op.f("ck_moment_public_is_shared"), "moment", type_="check")
    op.drop_column("moment", "public_at")
