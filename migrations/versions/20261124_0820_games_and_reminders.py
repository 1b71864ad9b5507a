"""Members are told of promotions, places they lost and kick-offs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261124_0820"
down_revision = "20261124_0810"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
UNTOLD = "ix_rank_promotion_untold"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("rank_promotion", sa.Column("told_at", INSTANT))
    # What was reached before is no news.
    op.execute("UPDATE rank_promotion SET told_at = promoted_at")
    op.create_index(
        UNTOLD, "rank_promotion", ["promoted_at"], postgresql_where=sa.text("told_at IS NULL")
    )
    op.drop_index("ix_user_account_club_id", "user_account")
    op.create_index("ix_user_account_club_id", "user_account", ["club_id", "id"])
    op.create_table(
        "fixture_reminder",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("fixture_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_fixture_reminder_user_id_user_account")
        ),
        sa.ForeignKeyConstraint(
            ["fixture_id"], ["fixture.id"], name=op.f("fk_fixture_reminder_fixture_id_fixture")
        ),
        sa.PrimaryKeyConstraint("user_id", "fixture_id", name=op.f("pk_fixture_reminder")),
    )
    op.create_index("ix_fixture_reminder_fixture_id", "fixture_reminder", ["fixture_id", "user_id"])
    op.create_index("ix_fixture_reminder_created_at", "fixture_reminder", ["created_at"])
    op.create_table(
        "fixture_call",
        sa.Column("fixture_id", sa.Uuid(), nullable=False),
        sa.Column("kick_off_at", INSTANT, nullable=False),
        sa.Column("last_user_id", sa.Uuid()),
        sa.Column("is_done", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.ForeignKeyConstraint(
            ["fixture_id"], ["fixture.id"], name=op.f("fk_fixture_call_fixture_id_fixture")
        ),
        sa.PrimaryKeyConstraint("fixture_id", name=op.f("pk_fixture_call")),
    )
    op.create_table(
        "club_top",
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid()),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("user_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_club_top_club_id_club")),
        sa.PrimaryKeyConstraint("club_id", name=op.f("pk_club_top")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in ("club_top", "fixture_call", "fixture_reminder"):
        op.drop_table(name)
    op.drop_index("ix_user_account_club_id", "user_account")
    op.create_index("ix_user_account_club_id", "user_account", ["club_id"])
    op.drop_index(UNTOLD, "rank_promotion")
    op.drop_column("rank_promotion", "told_at")
