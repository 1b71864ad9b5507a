"""Seasons of competitions, halves and goals of matches, and the feeds that write them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261124_0500"
down_revision = "20261124_0230"
branch_labels = None
depends_on = None

SOURCE = "ck_fixture_fixture_source"
YEAR_PLAYED = """
UPDATE competition c SET season = coalesce(
  (SELECT to_char(max(kick_off_at) AT TIME ZONE 'Africa/Lagos', 'YYYY') FROM fixture
    WHERE competition_id = c.id), to_char(now(), 'YYYY'))
"""
RUNNING_HALF = """
UPDATE fixture SET half = CASE WHEN phase_started_at >= kick_off_at + interval '45 minutes'
                               THEN 2 ELSE 1 END WHERE state = 'live'
"""
ONE_SEASON_EACH = """
UPDATE competition c SET name = name || ' ' || season
 WHERE EXISTS (SELECT FROM competition o WHERE lower(o.name) = lower(c.name) AND o.id <> c.id)
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("competition", sa.Column("season", sa.String(), nullable=True))
    op.execute(YEAR_PLAYED)
    op.alter_column("competition", "season", nullable=False)
    op.add_column(
        "competition",
        sa.Column("demo", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.drop_index("uq_competition_name_folded", "competition")
    op.create_index(
        "uq_competition_name_season_folded",
        "competition",
        [sa.text("lower(name)"), sa.text("lower(season)")],
        unique=True,
    )
    op.add_column("fixture", sa.Column("half", sa.SmallInteger(), nullable=True))
    op.execute(RUNNING_HALF)
    op.add_column(
        "fixture",
        sa.Column("scored", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False),
    )
    op.create_check_constraint(op.f("ck_fixture_half_in_range"), "fixture", "half IN (1, 2)")
    op.create_check_constraint(
        op.f("ck_fixture_half_while_live"), "fixture", "(state = 'live') = (half IS NOT NULL)"
    )
    op.drop_constraint(op.f(SOURCE), "fixture", type_="check")
    op.create_check_constraint(op.f(SOURCE), "fixture", "source IN ('manual', 'csv', 'push')")
    op.create_index("ix_fixture_competition_id", "fixture", ["competition_id", "kick_off_at", "id"])
    op.create_index("ix_fixture_updated_at", "fixture", ["updated_at"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_fixture_updated_at", "fixture")
    op.drop_index("ix_fixture_competition_id", "fixture")
    op.execute("UPDATE fixture SET source = 'manual', ref = NULL WHERE source <> 'manual'")
    op.drop_constraint(op.f(SOURCE), "fixture", type_="check")
    op.create_check_constraint(op.f(SOURCE), "fixture", "source IN ('manual')")
    op.drop_column("fixture", "scored")
    op.drop_column("fixture", "half")
    op.drop_index("uq_competition_name_season_folded", "competition")
    op.execute(ONE_SEASON_EACH)
    op.create_index(
        "uq_competition_name_folded", "competition", [sa.text("lower(name)")], unique=True
    )
    op.drop_column("competition", "demo")
    op.drop_column("competition", "season")
