"""Teams, competitions and their matches."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0230"
down_revision = "20261124_0220"
branch_labels = None
depends_on = None

STATES = (
    *("scheduled", "postponed", "live", "half_time"),
    *("finished", "abandoned", "awarded", "cancelled"),
)
LISTED = ", ".join(f"'{state}'" for state in STATES)
PLAYED = "'live', 'half_time', 'finished', 'awarded'"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "team",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=True),
        sa.Column("name", sa.String(), nullable=True),
        sa.CheckConstraint(
            "(club_id IS NULL) <> (name IS NULL)", name=op.f("ck_team_club_or_name")
        ),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_team_club_id_club")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team")),
        sa.UniqueConstraint("club_id", name=op.f("uq_team_club_id")),
    )
    op.create_index("uq_team_name_folded", "team", [sa.text("lower(name)")], unique=True)
    op.create_table(
        "competition",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("has_table", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_competition")),
    )
    op.create_index(
        "uq_competition_name_folded", "competition", [sa.text("lower(name)")], unique=True
    )
    op.create_table(
        "fixture",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("competition_id", sa.Uuid(), nullable=False),
        sa.Column("round", sa.String(), nullable=True),
        sa.Column("home_id", sa.Uuid(), nullable=False),
        sa.Column("away_id", sa.Uuid(), nullable=False),
        sa.Column("kick_off_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("venue", sa.String(), nullable=True),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("phase_started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("home_goals", sa.SmallInteger(), nullable=True),
        sa.Column("away_goals", sa.SmallInteger(), nullable=True),
        sa.Column("source", sa.String(length=32), nullable=False),
        sa.Column("ref", sa.String(), nullable=True),
        sa.Column("locked", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(f"state IN ({LISTED})", name=op.f("ck_fixture_fixture_state")),
        sa.CheckConstraint("source IN ('manual')", name=op.f("ck_fixture_fixture_source")),
        sa.CheckConstraint("home_id <> away_id", name=op.f("ck_fixture_two_teams")),
        sa.CheckConstraint(
            "home_goals BETWEEN 0 AND 30", name=op.f("ck_fixture_home_goals_in_range")
        ),
        sa.CheckConstraint(
            "away_goals BETWEEN 0 AND 30", name=op.f("ck_fixture_away_goals_in_range")
        ),
        sa.CheckConstraint(
            "(home_goals IS NULL) = (away_goals IS NULL)",
            name=op.f("ck_fixture_both_or_no_goals"),
        ),
        sa.CheckConstraint(
            f"state NOT IN ({PLAYED}) OR home_goals IS NOT NULL",
            name=op.f("ck_fixture_goals_when_played"),
        ),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competition.id"],
            name=op.f("fk_fixture_competition_id_competition"),
        ),
        sa.ForeignKeyConstraint(["home_id"], ["team.id"], name=op.f("fk_fixture_home_id_team")),
        sa.ForeignKeyConstraint(["away_id"], ["team.id"], name=op.f("fk_fixture_away_id_team")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fixture")),
        sa.UniqueConstraint("source", "ref", name=op.f("uq_fixture_source_ref")),
        sa.UniqueConstraint(
            "home_id",
            "away_id",
            "kick_off_at",
            name=op.f("uq_fixture_home_id_away_id_kick_off_at"),
        ),
    )
    op.create_index("ix_fixture_kick_off_at", "fixture", ["kick_off_at", "id"])
    op.create_index("ix_fixture_state", "fixture", ["state", "kick_off_at", "id"])
    op.create_index("ix_fixture_home_id", "fixture", ["home_id", "kick_off_at"])
    op.create_index("ix_fixture_away_id", "fixture", ["away_id", "kick_off_at"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in ("fixture", "competition", "team"):
        op.drop_table(name)
