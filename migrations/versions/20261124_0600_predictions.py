"""Predictions of matches, what was decided about them, and points that are taken back."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0600"
down_revision = "20261124_0700"
branch_labels = None
depends_on = None

TABLES = ("prediction_total", "prediction_crowd", "prediction_decision", "prediction")
SOURCE = "ck_point_entry_point_source"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _change_points("source IN ('trivia', 'battle', 'prediction')", "not_zero", "points <> 0")
    op.create_table(
        "prediction",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("fixture_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("home", sa.SmallInteger(), nullable=False),
        sa.Column("away", sa.SmallInteger(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("outcome", sa.String(length=32), server_default="pending", nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("settled_version", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint("home BETWEEN 0 AND 20", name=op.f("ck_prediction_home_in_range")),
        sa.CheckConstraint("away BETWEEN 0 AND 20", name=op.f("ck_prediction_away_in_range")),
        sa.CheckConstraint(
            "outcome IN ('pending', 'exact', 'result', 'wrong', 'void')",
            name=op.f("ck_prediction_prediction_outcome"),
        ),
        sa.CheckConstraint(
            "(outcome = 'pending') = (points IS NULL)",
            name=op.f("ck_prediction_points_when_settled"),
        ),
        _key("prediction", "fixture_id", "fixture"),
        _key("prediction", "user_id", "user_account"),
        _key("prediction", "club_id", "club"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prediction")),
        sa.UniqueConstraint("user_id", "fixture_id", name=op.f("uq_prediction_user_id_fixture_id")),
    )
    op.create_index(
        "ix_prediction_fixture_id", "prediction", ["fixture_id", "settled_version", "user_id"]
    )
    op.create_table(
        "prediction_decision",
        sa.Column("fixture_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("home_goals", sa.SmallInteger(), nullable=True),
        sa.Column("away_goals", sa.SmallInteger(), nullable=True),
        sa.Column("void_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("void_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("competition_id", sa.Uuid(), nullable=False),
        sa.Column("round", sa.String(), nullable=False),
        sa.Column("month", sa.Date(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "(home_goals IS NULL) = (away_goals IS NULL)",
            name=op.f("ck_prediction_decision_both_or_no_goals"),
        ),
        sa.CheckConstraint(
            "(void_from IS NULL) = (void_until IS NULL)",
            name=op.f("ck_prediction_decision_void_from_until"),
        ),
        sa.CheckConstraint(
            "home_goals IS NOT NULL OR void_from IS NOT NULL",
            name=op.f("ck_prediction_decision_decides"),
        ),
        _key("prediction_decision", "fixture_id", "fixture"),
        _key("prediction_decision", "competition_id", "competition"),
        _key("prediction_decision", "season_id", "season"),
        sa.PrimaryKeyConstraint("fixture_id", "version", name=op.f("pk_prediction_decision")),
    )
    op.create_index("ix_prediction_decision_decided_at", "prediction_decision", ["decided_at"])
    op.create_table(
        "prediction_crowd",
        sa.Column("fixture_id", sa.Uuid(), nullable=False),
        sa.Column("kick_off_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("home", sa.Integer(), nullable=False),
        sa.Column("draw", sa.Integer(), nullable=False),
        sa.Column("away", sa.Integer(), nullable=False),
        _key("prediction_crowd", "fixture_id", "fixture"),
        sa.PrimaryKeyConstraint("fixture_id", "kick_off_at", name=op.f("pk_prediction_crowd")),
    )
    op.create_table(
        "prediction_total",
        sa.Column("board", sa.String(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("exact", sa.Integer(), nullable=False),
        sa.Column("results", sa.Integer(), nullable=False),
        sa.Column("settled_on", sa.Date(), nullable=False),
        _key("prediction_total", "user_id", "user_account"),
        _key("prediction_total", "club_id", "club"),
        sa.PrimaryKeyConstraint("board", "user_id", name=op.f("pk_prediction_total")),
    )
    order = [sa.text("points DESC"), sa.text("exact DESC"), "user_id"]
    op.create_index("ix_prediction_total_all", "prediction_total", ["board", *order])
    op.create_index("ix_prediction_total_club", "prediction_total", ["board", "club_id", *order])
    op.create_index("ix_prediction_total_settled_on", "prediction_total", ["settled_on"])


def _key(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}")
    )


def _change_points(source: str, name: str, points: str) -> None:
    """Write what entries may be; what is there need not be read under a lock of all writers."""
    was = "positive" if name == "not_zero" else "not_zero"
    op.drop_constraint(op.f(SOURCE), "point_entry", type_="check")
    op.drop_constraint(op.f(f"ck_point_entry_points_{was}"), "point_entry", type_="check")
    for constraint, rule in ((SOURCE, source), (f"ck_point_entry_points_{name}", points)):
        op.create_check_constraint(op.f(constraint), "point_entry", rule, postgresql_not_valid=True)
        op.execute(f"ALTER TABLE point_entry VALIDATE CONSTRAINT {constraint}")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in TABLES:
        op.drop_table(name)
    _change_points("source IN ('trivia', 'battle')", "positive", "points > 0")
