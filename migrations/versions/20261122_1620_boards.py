"""Boards that nobody waits for, club sizes that are kept, and a write that probes try."""

import sqlalchemy as sa
from alembic import op
from api.core.config import Settings

revision = "20261122_1620"
down_revision = "20261122_1610"
branch_labels = None
depends_on = None

FOLD_LOCK = 7_226_331_106  # any number, the same for everybody who folds
CLUB_LOCK = 7_226_331_110
ALL_CLUBS = "00000000-0000-0000-0000-000000000000"

# As before, but nobody queues for the lock: NULL says that somebody else folds.
FOLD_POINTS = f"""
CREATE OR REPLACE FUNCTION fold_points(p_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  taken bigint[];
BEGIN
  IF NOT EXISTS (SELECT FROM points_pending) THEN
    RETURN 0;
  END IF;
  IF NOT pg_try_advisory_xact_lock({FOLD_LOCK}) THEN
    RETURN NULL;
  END IF;
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
      (1, s.before / 1000, -1), (2, s.before / 100, -1), (3, s.before / 10, -1), (4, s.before, -1),
      (1, s.after / 1000, 1), (2, s.after / 100, 1), (3, s.after / 10, 1), (4, s.after, 1)
    ) AS side (level, bucket, members)
   WHERE side.bucket IS NOT NULL
   GROUP BY s.board_id, whose.club_id, side.level, side.bucket
  HAVING sum(side.members) <> 0
  ON CONFLICT (board_id, club_id, level, bucket) DO UPDATE
    SET members = h.members + excluded.members;
  RETURN cardinality(taken);
END $$
"""

# What the migration before this one left.
FOLD_POINTS_BEFORE = f"""
CREATE OR REPLACE FUNCTION fold_points(p_most int) RETURNS int
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
      (1, s.before / 1000, -1), (2, s.before / 100, -1), (3, s.before / 10, -1), (4, s.before, -1),
      (1, s.after / 1000, 1), (2, s.after / 100, 1), (3, s.after / 10, 1), (4, s.after, 1)
    ) AS side (level, bucket, members)
   WHERE side.bucket IS NOT NULL
   GROUP BY s.board_id, whose.club_id, side.level, side.bucket
  HAVING sum(side.members) <> 0
  ON CONFLICT (board_id, club_id, level, bucket) DO UPDATE
    SET members = h.members + excluded.members;
  RETURN cardinality(taken);
END $$
"""

# Whole statements are counted at once, so that importing many members adds a row per club.
# Nothing that two members share is written: the changes are added by the fold.
COUNT_CLUB_MEMBERS = """
CREATE FUNCTION count_club_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO club_size_change (club_id, members)
    SELECT club_id, count(*) FROM came
     WHERE activated_at IS NOT NULL AND erased_at IS NULL GROUP BY club_id;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO club_size_change (club_id, members)
    SELECT club_id, -count(*) FROM gone
     WHERE activated_at IS NOT NULL AND erased_at IS NULL GROUP BY club_id;
  ELSE
    INSERT INTO club_size_change (club_id, members)
    SELECT club_id, sum(members) FROM (VALUES
      (OLD.club_id, -(OLD.activated_at IS NOT NULL AND OLD.erased_at IS NULL)::int),
      (NEW.club_id, (NEW.activated_at IS NOT NULL AND NEW.erased_at IS NULL)::int)
    ) AS side (club_id, members)
     GROUP BY club_id HAVING sum(members) <> 0;
  END IF;
  RETURN NULL;
END $$
"""

# Adds the oldest changes to the sizes, one folder at a time, and returns how many it took.
FOLD_CLUB_SIZES = f"""
CREATE FUNCTION fold_club_sizes(p_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  taken int;
BEGIN
  IF NOT EXISTS (SELECT FROM club_size_change)
     OR NOT pg_try_advisory_xact_lock({CLUB_LOCK}) THEN
    RETURN 0;
  END IF;
  WITH gone AS (
    DELETE FROM club_size_change
     WHERE id = ANY (ARRAY(SELECT id FROM club_size_change ORDER BY id LIMIT p_most))
    RETURNING club_id, members
  ), added AS (
    INSERT INTO club_size AS s (club_id, members)
    SELECT club_id, sum(members) FROM gone GROUP BY club_id
    ON CONFLICT (club_id) DO UPDATE SET members = s.members + excluded.members
  )
  SELECT count(*) INTO taken FROM gone;
  RETURN taken;
END $$
"""

# Keeping more than the memory it may use takes fresh blocks of the disk: a full one refuses them,
# while it may still have room for a row that is written in place.
WRITE_HEARTBEAT = """
CREATE FUNCTION write_heartbeat(p_worker uuid, p_now timestamptz) RETURNS int
LANGUAGE plpgsql SET work_mem = '64kB' SET search_path = public, pg_temp AS $$
DECLARE
  kept int;
BEGIN
  INSERT INTO heartbeat (worker_id, beat_at) VALUES (p_worker, p_now)
  ON CONFLICT (worker_id) DO UPDATE SET beat_at = excluded.beat_at;
  WITH spilled AS MATERIALIZED (
    SELECT repeat('x', 1000) AS line FROM generate_series(1, 256)
  )
  SELECT count(line) INTO kept FROM spilled;
  RETURN kept;
END $$
"""

FUNCTIONS = (
    ("count_club_members()", COUNT_CLUB_MEMBERS),
    ("fold_club_sizes(int)", FOLD_CLUB_SIZES),
    ("write_heartbeat(uuid, timestamptz)", WRITE_HEARTBEAT),
)

TRIGGERS = (
    "CREATE TRIGGER count_members_who_came AFTER INSERT ON user_account "
    "REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION count_club_members()",
    "CREATE TRIGGER count_members_who_left AFTER DELETE ON user_account "
    "REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_club_members()",
    "CREATE TRIGGER count_members_who_changed AFTER UPDATE ON user_account FOR EACH ROW "
    "WHEN (OLD.club_id <> NEW.club_id OR (OLD.activated_at IS NULL) <> (NEW.activated_at IS NULL) "
    "OR (OLD.erased_at IS NULL) <> (NEW.erased_at IS NULL)) "
    "EXECUTE FUNCTION count_club_members()",
)
TRIGGER_NAMES = (
    "count_members_who_came",
    "count_members_who_left",
    "count_members_who_changed",
)

FILL = """
INSERT INTO club_size (club_id, members)
SELECT club_id, count(*) FROM user_account
 WHERE activated_at IS NOT NULL AND erased_at IS NULL GROUP BY club_id
"""


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.create_table(
        "club_size",
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_club_size_club_id_club")),
        sa.PrimaryKeyConstraint("club_id", name=op.f("pk_club_size")),
    )
    op.create_table(
        "club_size_change",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_club_size_change")),
    )
    op.create_table(
        "heartbeat",
        sa.Column("worker_id", sa.Uuid(), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("worker_id", name=op.f("pk_heartbeat")),
    )
    op.execute(FOLD_POINTS)
    for _, definition in FUNCTIONS:
        op.execute(definition)
    # Locks out writers until the end: nobody comes between the triggers and the counting.
    for trigger in TRIGGERS:
        op.execute(trigger)
    op.execute(FILL)
    op.execute("REVOKE EXECUTE ON FUNCTION fold_club_sizes(int) FROM PUBLIC")
    role = Settings().database_runtime_role
    if role:
        op.execute(f"REVOKE INSERT, UPDATE, DELETE ON club_size, club_size_change FROM {role}")
        op.execute(f"GRANT EXECUTE ON FUNCTION fold_club_sizes(int) TO {role}")


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    for name in TRIGGER_NAMES:
        op.execute(f"DROP TRIGGER {name} ON user_account")
    for signature, _ in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {signature}")
    op.execute(FOLD_POINTS_BEFORE)
    op.drop_table("heartbeat")
    op.drop_table("club_size_change")
    op.drop_table("club_size")
