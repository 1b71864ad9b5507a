"""What a day's quest shall ask can be scheduled."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261124_0220"
down_revision = "20261124_0210"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "trivia_schedule",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=True),
        sa.Column("question_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.CheckConstraint(
            "cardinality(question_ids) > 0", name=op.f("ck_trivia_schedule_not_empty")
        ),
        sa.ForeignKeyConstraint(
            ["club_id"], ["club.id"], name=op.f("fk_trivia_schedule_club_id_club")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trivia_schedule")),
        sa.UniqueConstraint(
            "day",
            "club_id",
            name=op.f("uq_trivia_schedule_day_club_id"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_index("ix_trivia_schedule_day", "trivia_schedule", ["day", "id"])
    op.create_index("ix_trivia_set_day", "trivia_set", ["day"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_trivia_set_day", "trivia_set")
    op.drop_table("trivia_schedule")
