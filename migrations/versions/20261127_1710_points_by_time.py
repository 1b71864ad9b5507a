"""A member's points are listed by when they were earned."""

from alembic import op

revision = "20261127_1710"
down_revision = "20261127_1700"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index(
        "ix_point_entry_user_id_earned_at", "point_entry", ["user_id", "earned_at", "id"]
    )
    op.drop_index("ix_point_entry_user_id", table_name="point_entry")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index("ix_point_entry_user_id", "point_entry", ["user_id", "id"])
    op.drop_index("ix_point_entry_user_id_earned_at", table_name="point_entry")
