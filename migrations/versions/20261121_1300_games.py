"""The games' ground: questions, seasons and ranks, the points ledger and the boards."""

import sqlalchemy as sa
from alembic import op
from api.core.config import Settings
from sqlalchemy.dialects import postgresql

revision = "20261121_1300"
down_revision = "20261121_1220"
branch_labels = None
depends_on = None

FOLD_LOCK = 7_226_331_106  # any number, the same for everybody who folds
ALL_CLUBS = "00000000-0000-0000-0000-000000000000"

KEEP_QUESTION = """
CREATE FUNCTION keep_question() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'a question is retired, not removed' USING ERRCODE = 'KF423';
  END IF;
  IF to_jsonb(OLD) - 'retired_at' <> to_jsonb(NEW) - 'retired_at' THEN
    RAISE EXCEPTION 'a question never changes' USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$
"""

KEEP_POINTS = """
CREATE FUNCTION refuse_point_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the points ledger is append-only' USING ERRCODE = 'KF423';
END $$
"""

# The rank that so many battle points stand in: the first whose threshold is not reached yet.
BADGE_OF = """
CREATE FUNCTION badge_of(p_season uuid, p_battle_points int) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(
    (SELECT rank FROM battle_rank
      WHERE season_id = p_season AND threshold_point > p_battle_points
      ORDER BY threshold_point LIMIT 1),
    'king-of-fans');
END $$
"""

# One award, in its caller's transaction. The caller holds the lock on what is being awarded, so
# that a second call cannot happen; the ledger's UNIQUE (source, source_id) would refuse it.
# Only the member's own rows are written: members never wait for each other.
AWARD_POINTS = """
CREATE FUNCTION award_points(
  p_id uuid, p_user uuid, p_club uuid, p_season uuid, p_source text, p_source_id uuid,
  p_question uuid, p_points int, p_answered int, p_right int, p_elapsed_ms int, p_detail jsonb,
  p_day date, p_now timestamptz
) RETURNS TABLE (
  points int, battle_points int, answered int, answered_correctly int, badge text,
  promoted_to text
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  standing member_season%ROWTYPE;
  badge_now text;
  battle int := CASE p_source WHEN 'battle' THEN p_points ELSE 0 END;
BEGIN
  IF p_points > 0 THEN
    INSERT INTO point_entry (id, user_id, club_id, season_id, source, source_id, question_id,
                             points, elapsed_ms, detail, day, earned_at)
    VALUES (p_id, p_user, p_club, p_season, p_source, p_source_id, p_question,
            p_points, p_elapsed_ms, p_detail, p_day, p_now);
    -- Operators play without a place on the boards.
    INSERT INTO points_pending (user_id, club_id, season_id, day, points, elapsed_ms, earned_at)
    SELECT p_user, p_club, p_season, p_day, p_points, p_elapsed_ms, p_now
     WHERE NOT EXISTS (SELECT FROM user_account u WHERE u.id = p_user AND u.is_operator);
  END IF;
  IF p_season IS NULL THEN
    RETURN QUERY SELECT 0, 0, 0, 0, NULL::text, NULL::text;
    RETURN;
  END IF;

  INSERT INTO member_season AS m (user_id, season_id, club_id, points, battle_points, answered,
                                  answered_correctly, badge)
  VALUES (p_user, p_season, p_club, p_points, battle, p_answered, p_right, badge_of(p_season, 0))
  ON CONFLICT (user_id, season_id) DO UPDATE
    SET points = m.points + p_points, battle_points = m.battle_points + battle,
        answered = m.answered + p_answered,
        answered_correctly = m.answered_correctly + p_right
  RETURNING m.* INTO standing;
  badge_now := standing.badge;
  IF battle > 0 THEN
    badge_now := badge_of(p_season, standing.battle_points);
  END IF;
  IF badge_now <> standing.badge THEN
    UPDATE member_season m SET badge = badge_now
     WHERE m.user_id = p_user AND m.season_id = p_season;
    INSERT INTO rank_promotion (user_id, season_id, rank, promoted_at)
    VALUES (p_user, p_season, badge_now, p_now) ON CONFLICT DO NOTHING;
  END IF;
  -- A promotion, or the season's first points, after which last season's badge is history.
  IF badge_now <> standing.badge OR standing.battle_points = battle THEN
    UPDATE user_account u SET badge = badge_now WHERE u.id = p_user AND u.badge <> badge_now;
  END IF;
  RETURN QUERY SELECT standing.points, standing.battle_points, standing.answered,
    standing.answered_correctly, badge_now,
    CASE WHEN badge_now <> standing.badge THEN badge_now END;
END $$
"""

# Adds pending awards to the boards, one folder at a time, and returns how many it took. Boards,
# totals and histogram move in one statement, so that a rank always agrees with its board.
FOLD_POINTS = f"""
CREATE FUNCTION fold_points(p_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  taken bigint[];
BEGIN
  IF NOT EXISTS (SELECT FROM points_pending) THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock({FOLD_LOCK});
  SELECT array_agg(id) INTO taken
    FROM (SELECT id FROM points_pending ORDER BY id LIMIT p_most) oldest;
  IF taken IS NULL THEN
    RETURN 0;
  END IF;

  INSERT INTO board (period, starts_on, season_id)
  SELECT DISTINCT spread.period, spread.starts_on, spread.season_id
    FROM points_pending p
    CROSS JOIN LATERAL (VALUES
      ('day', p.day, NULL::uuid),
      ('week', date_trunc('week', p.day)::date, NULL),
      ('month', date_trunc('month', p.day)::date, NULL),
      ('season', NULL, p.season_id)) AS spread (period, starts_on, season_id)
   WHERE p.id = ANY (taken) AND (spread.starts_on IS NOT NULL OR spread.season_id IS NOT NULL)
  ON CONFLICT DO NOTHING;

  WITH gone AS (
    DELETE FROM points_pending WHERE id = ANY (taken) RETURNING *
  ), change AS (
    SELECT b.id AS board_id, g.user_id, min(g.club_id::text)::uuid AS club_id,
           sum(g.points)::int AS points, sum(g.elapsed_ms)::bigint AS elapsed_ms,
           max(g.earned_at) AS reached_at
      FROM gone g
      JOIN board b ON (b.period = 'day' AND b.starts_on = g.day)
        OR (b.period = 'week' AND b.starts_on = date_trunc('week', g.day)::date)
        OR (b.period = 'month' AND b.starts_on = date_trunc('month', g.day)::date)
        OR (b.period = 'season' AND b.season_id = g.season_id)
     GROUP BY b.id, g.user_id
  ), step AS (
    SELECT c.board_id, c.user_id, coalesce(t.club_id, c.club_id) AS club_id,
           t.points AS before, coalesce(t.points, 0) + c.points AS after,
           c.points, c.elapsed_ms, c.reached_at
      FROM change c
      LEFT JOIN board_total t ON t.board_id = c.board_id AND t.user_id = c.user_id
  ), totalled AS (
    INSERT INTO board_total AS t (board_id, user_id, club_id, points, elapsed_ms, reached_at)
    SELECT board_id, user_id, club_id, points, elapsed_ms, reached_at FROM step
    ON CONFLICT (board_id, user_id) DO UPDATE
      SET points = t.points + excluded.points, elapsed_ms = t.elapsed_ms + excluded.elapsed_ms,
          reached_at = greatest(t.reached_at, excluded.reached_at)
  )
  INSERT INTO rank_histogram AS h (board_id, club_id, level, bucket, members)
  SELECT s.board_id, whose.club_id, side.level, side.bucket, sum(side.members)
    FROM step s
    CROSS JOIN LATERAL (VALUES (s.club_id), ('{ALL_CLUBS}'::uuid)) AS whose (club_id)
    CROSS JOIN LATERAL (VALUES
      (1, s.before / 100, -1), (2, s.before, -1),
      (1, s.after / 100, 1), (2, s.after, 1)) AS side (level, bucket, members)
   WHERE side.bucket IS NOT NULL
   GROUP BY s.board_id, whose.club_id, side.level, side.bucket
  HAVING sum(side.members) <> 0
  ON CONFLICT (board_id, club_id, level, bucket) DO UPDATE
    SET members = h.members + excluded.members;
  RETURN cardinality(taken);
END $$
"""

FUNCTIONS = (
    ("keep_question()", KEEP_QUESTION),
    ("refuse_point_change()", KEEP_POINTS),
    ("badge_of(uuid, int)", BADGE_OF),
    (
        "award_points(uuid, uuid, uuid, uuid, text, uuid, uuid, int, int, int, int, jsonb, date, "
        "timestamptz)",
        AWARD_POINTS,
    ),
    ("fold_points(int)", FOLD_POINTS),
)

TRIGGERS = (
    "CREATE TRIGGER keep_question BEFORE UPDATE OR DELETE ON question "
    "FOR EACH ROW EXECUTE FUNCTION keep_question()",
    "CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON point_entry "
    "FOR EACH STATEMENT EXECUTE FUNCTION refuse_point_change()",
)

# Points are written by award_points and fold_points alone, which run as their owner.
KEPT_TABLES = (
    "point_entry, member_season, rank_promotion, points_pending, board, board_total, rank_histogram"
)
KEPT_FUNCTIONS = (FUNCTIONS[3][0], FUNCTIONS[4][0])


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.create_table(
        "points_pending",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=True),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("elapsed_ms", sa.Integer(), nullable=False),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_points_pending")),
    )
    op.create_table(
        "season",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("point_per_question", sa.Integer(), nullable=False),
        sa.Column("question_time_limit", sa.Integer(), nullable=False),
        sa.Column("questions_per_day", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        postgresql.ExcludeConstraint(
            (sa.text("tstzrange(starts_at, ends_at)"), "&&"),
            using="gist",
            name="ex_season_no_overlap",
        ),
        sa.CheckConstraint(
            "point_per_question BETWEEN 1 AND 1000", name=op.f("ck_season_points_in_range")
        ),
        sa.CheckConstraint(
            "question_time_limit BETWEEN 3 AND 300", name=op.f("ck_season_time_limit_in_range")
        ),
        sa.CheckConstraint(
            "questions_per_day BETWEEN 1 AND 100", name=op.f("ck_season_quota_in_range")
        ),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("ck_season_ends_after_start")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("name", name=op.f("uq_season_name")),
    )
    op.create_table(
        "battle_rank",
        sa.Column("season_id", sa.Uuid(), nullable=False),
        sa.Column("rank", sa.String(), nullable=False),
        sa.Column("threshold_point", sa.Integer(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("rank ~ '^[a-z]+(-[a-z]+)*$'", name=op.f("ck_battle_rank_rank_is_slug")),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("ck_battle_rank_ends_after_start")),
        sa.CheckConstraint("threshold_point > 0", name=op.f("ck_battle_rank_threshold_positive")),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_battle_rank_season_id_season")
        ),
        sa.PrimaryKeyConstraint("season_id", "rank", name=op.f("pk_battle_rank")),
        sa.UniqueConstraint(
            "season_id", "threshold_point", name=op.f("uq_battle_rank_season_id_threshold_point")
        ),
    )
    op.create_table(
        "board",
        sa.Column("id", sa.Integer(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "period",
            sa.Enum(
                "day",
                "week",
                "month",
                "season",
                name="period",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("starts_on", sa.Date(), nullable=True),
        sa.Column("season_id", sa.Uuid(), nullable=True),
        sa.CheckConstraint(
            "(period = 'season') = (season_id IS NOT NULL)", name=op.f("ck_board_season_named")
        ),
        sa.CheckConstraint(
            "(period = 'season') = (starts_on IS NULL)", name=op.f("ck_board_others_dated")
        ),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_board_season_id_season")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_board")),
        sa.UniqueConstraint(
            "period",
            "starts_on",
            "season_id",
            name=op.f("uq_board_period_starts_on_season_id"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_table(
        "question",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "trivia",
                "battle",
                name="question_kind",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("club_id", sa.Uuid(), nullable=True),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("options", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("right_option", sa.SmallInteger(), nullable=False),
        sa.Column("explanation", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("difficulty", sa.SmallInteger(), nullable=False),
        sa.Column("lot", sa.Float(), server_default=sa.text("random()"), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("cardinality(options) = 4", name=op.f("ck_question_four_options")),
        sa.CheckConstraint(
            "difficulty BETWEEN 1 AND 3", name=op.f("ck_question_difficulty_in_range")
        ),
        sa.CheckConstraint(
            "right_option BETWEEN 0 AND 3", name=op.f("ck_question_right_option_in_range")
        ),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_question_club_id_club")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question")),
    )
    op.create_index(
        "ix_question_lot",
        "question",
        ["kind", "difficulty", "lot"],
        unique=False,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_index(
        "ix_question_live",
        "question",
        ["kind", "club_id"],
        unique=False,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_index(
        "uq_question_live_slug",
        "question",
        ["slug"],
        unique=True,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_table(
        "board_total",
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("elapsed_ms", sa.BigInteger(), nullable=False),
        sa.Column("reached_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["board.id"], name=op.f("fk_board_total_board_id_board")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_board_total_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("board_id", "user_id", name=op.f("pk_board_total")),
        postgresql_with={"fillfactor": "80"},
    )
    op.create_index(
        "ix_board_total_all",
        "board_total",
        ["board_id", sa.literal_column("points DESC"), "elapsed_ms", "reached_at", "user_id"],
        unique=False,
    )
    op.create_index(
        "ix_board_total_club",
        "board_total",
        [
            "board_id",
            "club_id",
            sa.literal_column("points DESC"),
            "elapsed_ms",
            "reached_at",
            "user_id",
        ],
        unique=False,
    )
    op.create_table(
        "member_season",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("battle_points", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("answered_correctly", sa.Integer(), nullable=False),
        sa.Column("badge", sa.String(), nullable=False),
        sa.CheckConstraint(
            "answered_correctly <= answered", name=op.f("ck_member_season_right_are_answered")
        ),
        sa.CheckConstraint(
            "battle_points <= points", name=op.f("ck_member_season_battle_points_are_points")
        ),
        sa.ForeignKeyConstraint(
            ["club_id"], ["club.id"], name=op.f("fk_member_season_club_id_club")
        ),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_member_season_season_id_season")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_member_season_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "season_id", name=op.f("pk_member_season")),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_table(
        "point_entry",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=True),
        sa.Column(
            "source",
            sa.Enum(
                "trivia",
                "battle",
                name="point_source",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("source_id", sa.Uuid(), nullable=False),
        sa.Column("question_id", sa.Uuid(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("elapsed_ms", sa.Integer(), nullable=False),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("points > 0", name=op.f("ck_point_entry_points_positive")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_point_entry_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_point_entry")),
        sa.UniqueConstraint("source", "source_id", name=op.f("uq_point_entry_source_source_id")),
    )
    op.create_index("ix_point_entry_user_id", "point_entry", ["user_id", "id"], unique=False)
    op.create_table(
        "rank_histogram",
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("bucket", sa.Integer(), nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["board.id"], name=op.f("fk_rank_histogram_board_id_board")
        ),
        sa.PrimaryKeyConstraint(
            "board_id", "club_id", "level", "bucket", name=op.f("pk_rank_histogram")
        ),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_table(
        "rank_promotion",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=False),
        sa.Column("rank", sa.String(), nullable=False),
        sa.Column("promoted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_rank_promotion_season_id_season")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_rank_promotion_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "season_id", "rank", name=op.f("pk_rank_promotion")),
    )
    for _, definition in FUNCTIONS:
        op.execute(definition)
    for trigger in TRIGGERS:
        op.execute(trigger)
    for signature in KEPT_FUNCTIONS:
        op.execute(f"REVOKE EXECUTE ON FUNCTION {signature} FROM PUBLIC")
    role = Settings().database_runtime_role
    if role:
        op.execute(f"REVOKE INSERT, UPDATE, DELETE ON {KEPT_TABLES} FROM {role}")
        op.execute(f"REVOKE DELETE ON question FROM {role}")
        for signature in KEPT_FUNCTIONS:
            op.execute(f"GRANT EXECUTE ON FUNCTION {signature} TO {role}")


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.execute("DROP TRIGGER append_only ON point_entry")
    op.execute("DROP TRIGGER keep_question ON question")
    for signature, _ in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {signature}")
    op.drop_table("rank_promotion")
    op.drop_table("rank_histogram")
    op.drop_index("ix_point_entry_user_id", table_name="point_entry")
    op.drop_table("point_entry")
    op.drop_table("member_season")
    op.drop_index("ix_board_total_club", table_name="board_total")
    op.drop_index("ix_board_total_all", table_name="board_total")
    op.drop_table("board_total")
    op.drop_index(
        "uq_question_live_slug",
        table_name="question",
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.drop_index(
        "ix_question_lot", table_name="question", postgresql_where=sa.text("retired_at IS NULL")
    )
    op.drop_index(
        "ix_question_live", table_name="question", postgresql_where=sa.text("retired_at IS NULL")
    )
    op.drop_table("question")
    op.drop_table("board")
    op.drop_table("battle_rank")
    op.drop_table("season")
    op.drop_table("points_pending")
