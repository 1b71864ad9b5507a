"""Moments shared with the club, applauded and reported."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_1000"
down_revision = "20261124_0900"
branch_labels = None
depends_on = None

REASONS = ", ".join(f"'{reason}'" for reason in ("spam", "abuse", "hate", "other"))
INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("moment", sa.Column("shared_at", INSTANT))
    op.add_column("moment", sa.Column("shared_club_id", sa.Uuid()))
    op.create_foreign_key(
        op.f("fk_moment_shared_club_id_club"), "moment", "club", ["shared_club_id"], ["id"]
    )
    op.create_check_constraint(
        op.f("ck_moment_shared_with_a_club"),
        "moment",
        "(shared_at IS NULL) = (shared_club_id IS NULL)",
    )
    op.create_index(
        "ix_moment_shared",
        "moment",
        ["shared_club_id", "shared_at"],
        postgresql_where=sa.text("shared_at IS NOT NULL AND hidden_at IS NULL"),
    )
    op.create_table(
        "moment_share",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("moment_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_moment_share_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "day", "moment_id", name=op.f("pk_moment_share")),
    )
    op.create_index("ix_moment_share_day", "moment_share", ["day"])
    op.create_table(
        "moment_applause",
        sa.Column("moment_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("applauded_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["moment_id"], ["moment.id"], name=op.f("fk_moment_applause_moment_id_moment")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_moment_applause_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("moment_id", "user_id", name=op.f("pk_moment_applause")),
    )
    op.create_index("ix_moment_applause_user_id", "moment_applause", ["user_id"])
    op.create_table(
        "moment_report",
        sa.Column("moment_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("reported_at", INSTANT, nullable=False),
        sa.Column("settled_at", INSTANT),
        sa.CheckConstraint(
            f"reason IN ({REASONS})", name=op.f("ck_moment_report_moment_complaint")
        ),
        sa.ForeignKeyConstraint(
            ["moment_id"], ["moment.id"], name=op.f("fk_moment_report_moment_id_moment")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_moment_report_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("moment_id", "user_id", name=op.f("pk_moment_report")),
    )
    op.create_index("ix_moment_report_user_id", "moment_report", ["user_id"])
    op.create_index(
        "ix_moment_report_open",
        "moment_report",
        ["moment_id"],
        postgresql_where=sa.text("settled_at IS NULL"),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in ("moment_report", "moment_applause", "moment_share"):
        op.drop_table(name)
    op.drop_index("ix_moment_shared", "moment")
    op.drop_column("moment", "shared_club_id")
    op.drop_column("moment", "shared_at")
