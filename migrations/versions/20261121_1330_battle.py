"""Battle Zone: seats, attempts, and every step of the game as one function."""

import sqlalchemy as sa
from alembic import op
from api.core.config import Settings
from sqlalchemy.dialects import postgresql

revision = "20261121_1330"
down_revision = "20261121_1320"
branch_labels = None
depends_on = None

# Functions are plpgsql where they could be plain SQL: those keep their plans between calls, and
# planning an answer's queries took longer than running them. All functions take the time from the
# caller and the lock of the member's seat first, so that whatever comes at once happens one after
# the other.

# A plan made while the table was nearly empty reads all of it; it would still do so thousands of
# answers later, until the statistics are renewed. The doors therefore ask for indexes.
BY_INDEX = "SET enable_seqscan = off"
GRACE = "interval '500 milliseconds'"  # what a slow network may add to an answer
ANCHOR = "interval '3 seconds'"  # how late a question may appear and still get its full time
REST = "30"  # days before a member meets a question again

MILLISECONDS = """
CREATE FUNCTION milliseconds(p_instant timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT (extract(epoch FROM p_instant) * 1000)::bigint $$
"""

# A running question as its member may see it: never the right option.
BATTLE_QUESTION = """
CREATE FUNCTION battle_question(p_attempt uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT jsonb_build_object(
    'kind', 'question', 'question_id', a.question_id, 'question', q.question,
    'options', (SELECT jsonb_agg(q.options[place.option + 1] ORDER BY place.number)
                  FROM unnest(a.shown) WITH ORDINALITY AS place (option, number)),
    'deadline_ms', milliseconds(a.deadline_at), 'time_limit', s.question_time_limit,
    'number', a.n, 'total', s.questions_per_day, 'rank', a.rank)
    FROM battle_attempt a
    JOIN question q ON q.id = a.question_id
    JOIN season s ON s.id = a.season_id
   WHERE a.id = p_attempt);
END $$
"""

# An ended attempt with the right option, and the standing that goes with it.
BATTLE_RESULT = """
CREATE FUNCTION battle_result(
  p_attempt battle_attempt, p_points int, p_battle_points int, p_badge text
) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT jsonb_build_object(
    'kind', 'result', 'user_id', p_attempt.user_id, 'question_id', q.id,
    'outcome', p_attempt.outcome, 'points_awarded', p_attempt.points,
    'answer', p_attempt.answer, 'right', array_position(p_attempt.shown, q.right_option) - 1,
    'explanation', q.explanation, 'number', p_attempt.n, 'total', s.questions_per_day,
    'promoted_to', p_attempt.promoted_to, 'points', p_points,
    'battle_points', p_battle_points, 'badge', p_badge,
    'points_to_next', next.threshold_point - p_battle_points,
    'next_rank', CASE WHEN next.threshold_point IS NOT NULL
                      THEN coalesce(next.following, 'king-of-fans') END)
    FROM question q
    JOIN season s ON s.id = p_attempt.season_id
    LEFT JOIN LATERAL (
      SELECT r.threshold_point, lead(r.rank) OVER (ORDER BY r.threshold_point) AS following
        FROM battle_rank r
       WHERE r.season_id = s.id AND r.threshold_point > p_battle_points
       ORDER BY r.threshold_point LIMIT 1) next ON true
   WHERE q.id = p_attempt.question_id);
END $$
"""

# The result of an attempt that ended before; the standing is the one of now.
STORED_RESULT = """
CREATE FUNCTION stored_battle_result(p_attempt battle_attempt) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
  standing member_season%ROWTYPE;
BEGIN
  SELECT * INTO standing FROM member_season m
   WHERE m.user_id = p_attempt.user_id AND m.season_id = p_attempt.season_id;
  RETURN battle_result(p_attempt, coalesce(standing.points, 0),
    coalesce(standing.battle_points, 0), coalesce(standing.badge, p_attempt.rank));
END $$
"""

# Ends an open attempt; the caller holds the seat. ``p_option`` is the chosen key's place in what
# was shown, NULL when time ran out.
END_ATTEMPT = f"""
CREATE FUNCTION end_battle_attempt(
  p_attempt battle_attempt, p_option smallint, p_entry uuid, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  asked record;
  standing record;
BEGIN
  SELECT q.right_option, s.point_per_question INTO asked
    FROM question q, season s WHERE q.id = p_attempt.question_id AND s.id = p_attempt.season_id;
  p_attempt.answer := p_option;
  p_attempt.closed_at := p_now;
  p_attempt.elapsed_ms := greatest(0, 1000 * extract(
    epoch FROM least(p_now, p_attempt.deadline_at + {GRACE}) - p_attempt.opened_at))::int;
  IF p_option IS NULL THEN
    p_attempt.outcome := 'timeout';
  ELSIF p_attempt.shown[p_option + 1] = asked.right_option THEN
    p_attempt.outcome := 'right';
    p_attempt.points := asked.point_per_question;
  ELSE
    p_attempt.outcome := 'wrong';
  END IF;
  SELECT * INTO standing FROM award_points(
    p_entry, p_attempt.user_id, p_attempt.club_id, p_attempt.season_id, 'battle', p_attempt.id,
    p_attempt.question_id, p_attempt.points, (p_option IS NOT NULL)::int,
    (p_attempt.outcome = 'right')::int,
    CASE WHEN p_attempt.outcome = 'right' THEN p_attempt.elapsed_ms ELSE 0 END, '{{}}',
    p_attempt.day, p_now);
  p_attempt.promoted_to := standing.promoted_to;
  UPDATE battle_attempt a
     SET outcome = p_attempt.outcome, answer = p_attempt.answer, points = p_attempt.points,
         elapsed_ms = p_attempt.elapsed_ms, promoted_to = p_attempt.promoted_to,
         closed_at = p_attempt.closed_at
   WHERE a.id = p_attempt.id;
  RETURN battle_result(p_attempt, standing.points, standing.battle_points, standing.badge);
END $$
"""

# Serves the next question, or says why there is none. The caller holds the seat and has seen that
# no question runs.
SERVE_QUESTION = f"""
CREATE FUNCTION serve_battle_question(
  p_user uuid, p_club uuid, p_attempt uuid, p_shown smallint[], p_day date, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  season season%ROWTYPE;
  standing member_season%ROWTYPE;
  badge_now text;
  ladder_place int;
  rank_window battle_rank%ROWTYPE;
  served int;
  met uuid[];
  wanted smallint;
  chance float := random();
  chosen uuid;
BEGIN
  IF NOT plan_allows_battle(p_user, p_now) THEN
    RETURN '{{"kind": "refused", "code": "plan_required"}}';
  END IF;
  SELECT * INTO season FROM season s WHERE s.starts_at <= p_now AND p_now < s.ends_at;
  IF NOT FOUND THEN
    RETURN (
      SELECT CASE WHEN min(s.starts_at) IS NULL
        THEN jsonb_build_object('kind', 'refused', 'code', 'season_over')
        ELSE jsonb_build_object('kind', 'refused', 'code', 'season_not_begun',
                                'opens_ms', milliseconds(min(s.starts_at))) END
        FROM season s WHERE s.starts_at > p_now);
  END IF;

  SELECT * INTO standing FROM member_season m WHERE m.user_id = p_user AND m.season_id = season.id;
  badge_now := badge_of(season.id, coalesce(standing.battle_points, 0));
  SELECT * INTO rank_window FROM battle_rank r
   WHERE r.season_id = season.id AND r.rank = badge_now;
  IF p_now < rank_window.starts_at OR p_now >= rank_window.ends_at THEN
    RETURN jsonb_build_object('kind', 'refused', 'code', 'rank_closed', 'rank', badge_now,
      'opens_ms', CASE WHEN p_now < rank_window.starts_at
                       THEN milliseconds(rank_window.starts_at) END,
      'closed_ms', CASE WHEN p_now >= rank_window.ends_at
                        THEN milliseconds(rank_window.ends_at) END);
  END IF;

  SELECT count(*) FILTER (WHERE a.day = p_day), coalesce(array_agg(a.question_id), '{{}}')
    INTO served, met
    FROM battle_attempt a WHERE a.user_id = p_user AND a.day > p_day - {REST};
  IF served >= season.questions_per_day THEN
    -- The end is told once a visit: what ended before this moment is not of it any more.
    UPDATE battle_seat s SET visit_from = p_now + interval '1 microsecond'
     WHERE s.user_id = p_user AND EXISTS (
       SELECT FROM battle_attempt a WHERE a.user_id = p_user AND a.closed_at >= s.visit_from);
    IF NOT FOUND THEN
      RETURN '{{"kind": "attempted"}}';
    END IF;
    RETURN (
      SELECT jsonb_build_object('kind', 'finished',
        'points', coalesce(standing.points, 0), 'cnt', coalesce(standing.answered, 0),
        'answered_correctly', coalesce(standing.answered_correctly, 0),
        'today', jsonb_build_object('points', coalesce(sum(a.points), 0),
          'cnt', count(*) FILTER (WHERE a.outcome <> 'timeout'),
          'answered_correctly', count(*) FILTER (WHERE a.outcome = 'right')))
        FROM battle_attempt a WHERE a.user_id = p_user AND a.day = p_day);
  END IF;

  -- The higher the rank, the harder the questions it prefers. Chance is a place in the lots that
  -- questions were given when they came: the next one that fits is read from an index, however
  -- large the bank.
  SELECT count(*) INTO ladder_place FROM battle_rank r
   WHERE r.season_id = season.id AND r.threshold_point <= coalesce(standing.battle_points, 0);
  FOR wanted IN
    SELECT d FROM generate_series(1, 3) d ORDER BY abs(d - least(ladder_place + 1, 3)), d
  LOOP
    SELECT q.id INTO chosen FROM question q
     WHERE q.kind = 'battle' AND q.retired_at IS NULL AND q.difficulty = wanted
       AND q.lot >= chance AND (q.club_id IS NULL OR q.club_id = p_club) AND q.id <> ALL (met)
     ORDER BY q.lot LIMIT 1;
    EXIT WHEN chosen IS NOT NULL;
    SELECT q.id INTO chosen FROM question q
     WHERE q.kind = 'battle' AND q.retired_at IS NULL AND q.difficulty = wanted
       AND q.lot < chance AND (q.club_id IS NULL OR q.club_id = p_club) AND q.id <> ALL (met)
     ORDER BY q.lot LIMIT 1;
    EXIT WHEN chosen IS NOT NULL;
  END LOOP;
  IF chosen IS NULL THEN
    RETURN '{{"kind": "empty"}}';
  END IF;
  INSERT INTO battle_attempt (id, user_id, club_id, season_id, day, n, question_id, rank, shown,
                              opened_at, deadline_at)
  VALUES (p_attempt, p_user, p_club, season.id, p_day, served + 1, chosen, badge_now, p_shown,
          p_now, p_now + make_interval(secs => season.question_time_limit));
  RETURN battle_question(p_attempt);
END $$
"""

# What a member who comes or goes on meets: the running question, a time-out that nobody saw, or
# the next question.
STEP = f"""
CREATE FUNCTION battle_step(
  p_user uuid, p_club uuid, p_attempt uuid, p_shown smallint[], p_entry uuid, p_day date,
  p_now timestamptz, p_resume boolean
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  running battle_attempt%ROWTYPE;
  last_one battle_attempt%ROWTYPE;
BEGIN
  SELECT * INTO running FROM battle_attempt a WHERE a.user_id = p_user AND a.outcome IS NULL
     FOR NO KEY UPDATE;
  IF FOUND THEN
    IF p_now > running.deadline_at + {GRACE} THEN
      RETURN end_battle_attempt(running, NULL, p_entry, p_now) || '{{"fresh": true}}';
    END IF;
    RETURN battle_question(running.id) || '{{"resumed": true}}';
  END IF;
  IF p_resume THEN
    SELECT a.* INTO last_one FROM battle_attempt a JOIN battle_seat s ON s.user_id = a.user_id
     WHERE a.user_id = p_user AND a.closed_at >= s.visit_from
     ORDER BY a.day DESC, a.n DESC LIMIT 1;
    IF NOT FOUND THEN
      RETURN '{{"kind": "idle"}}';
    END IF;
    RETURN stored_battle_result(last_one);
  END IF;
  RETURN serve_battle_question(p_user, p_club, p_attempt, p_shown, p_day, p_now);
END $$
"""

# Takes the seat for a socket, and goes on. ``previous_sid`` is the socket that had it.
ENTER = f"""
CREATE FUNCTION enter_battle(
  p_user uuid, p_club uuid, p_sid text, p_resume boolean, p_attempt uuid, p_shown smallint[],
  p_entry uuid, p_day date, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql {BY_INDEX} AS $$
DECLARE
  previous text;
BEGIN
  INSERT INTO battle_seat (user_id, sid, visit_from) VALUES (p_user, p_sid, p_now)
    ON CONFLICT DO NOTHING;
  SELECT sid INTO previous FROM battle_seat WHERE user_id = p_user FOR NO KEY UPDATE;
  UPDATE battle_seat
     SET sid = p_sid,
         visit_from = CASE WHEN p_resume THEN visit_from ELSE greatest(visit_from, p_now) END
   WHERE user_id = p_user;
  RETURN battle_step(p_user, p_club, p_attempt, p_shown, p_entry, p_day, p_now, p_resume)
    || jsonb_build_object('previous_sid', nullif(previous, p_sid));
END $$
"""

NEXT = f"""
CREATE FUNCTION next_battle_question(
  p_user uuid, p_club uuid, p_sid text, p_attempt uuid, p_shown smallint[], p_entry uuid,
  p_day date, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql {BY_INDEX} AS $$
BEGIN
  PERFORM 1 FROM battle_seat WHERE user_id = p_user AND sid = p_sid FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN '{{"kind": "refused", "code": "session_taken_over"}}';
  END IF;
  RETURN battle_step(p_user, p_club, p_attempt, p_shown, p_entry, p_day, p_now, false);
END $$
"""

# Judges an answer by the time the server received it. An attempt that has ended answers what it
# ended with; ``fresh`` tells the one call that ended it.
ANSWER = f"""
CREATE FUNCTION answer_battle_question(
  p_user uuid, p_sid text, p_question uuid, p_option smallint, p_entry uuid, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  attempt battle_attempt%ROWTYPE;
BEGIN
  PERFORM 1 FROM battle_seat WHERE user_id = p_user AND sid = p_sid FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN '{{"kind": "refused", "code": "session_taken_over"}}';
  END IF;
  SELECT * INTO attempt FROM battle_attempt a
   WHERE a.user_id = p_user AND a.question_id = p_question
   ORDER BY a.day DESC LIMIT 1 FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN '{{"kind": "refused", "code": "not_served"}}';
  END IF;
  IF attempt.outcome IS NOT NULL THEN
    RETURN stored_battle_result(attempt);
  END IF;
  IF p_option IS NULL AND p_now < attempt.deadline_at THEN
    RETURN '{{"kind": "refused", "code": "no_answer"}}';
  END IF;
  RETURN end_battle_attempt(
    attempt, CASE WHEN p_now <= attempt.deadline_at + {GRACE} THEN p_option END, p_entry, p_now)
    || '{{"fresh": true}}';
END $$
"""

# Answers that came together, in one transaction: the commit and the way to the database are shared.
# Seats are locked in one order everywhere, so that two such statements never wait for each other.
ANSWER_ALL = f"""
CREATE FUNCTION answer_battle_questions(
  p_users uuid[], p_sids text[], p_questions uuid[], p_options smallint[], p_entries uuid[],
  p_received timestamptz[]
) RETURNS TABLE (place bigint, step jsonb) LANGUAGE plpgsql {BY_INDEX} AS $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT * FROM unnest(p_users, p_sids, p_questions, p_options, p_entries, p_received)
      WITH ORDINALITY AS given (who, sid, question, option, entry, received, number)
     ORDER BY who, number
  LOOP
    place := one.number;
    step := answer_battle_question(
      one.who, one.sid, one.question, one.option, one.entry, one.received);
    RETURN NEXT;
  END LOOP;
END $$
"""

# A slow network may have eaten into the time: the first word that the question is on screen, if
# it comes soon enough, starts its time anew, once.
START_TIMER = f"""
CREATE FUNCTION start_battle_timer(p_user uuid, p_sid text, p_question uuid, p_now timestamptz)
RETURNS bigint LANGUAGE sql AS $$
  UPDATE battle_attempt a
     SET deadline_at = p_now + (a.deadline_at - a.opened_at), anchored = true
   WHERE a.user_id = p_user AND a.outcome IS NULL AND a.question_id = p_question
     AND NOT a.anchored AND p_now BETWEEN a.opened_at AND a.opened_at + {ANCHOR}
     AND EXISTS (SELECT FROM battle_seat s WHERE s.user_id = p_user AND s.sid = p_sid)
  RETURNING milliseconds(a.deadline_at)
$$
"""

# Ends what ran out, of these members or of anybody, and returns one result each. Members who are
# in the middle of a step are left to it.
END_OVERDUE = f"""
CREATE FUNCTION end_overdue_battles(p_users uuid[], p_now timestamptz, p_most int)
RETURNS SETOF jsonb LANGUAGE plpgsql {BY_INDEX} AS $$
DECLARE
  overdue uuid;
  attempt battle_attempt%ROWTYPE;
BEGIN
  FOR overdue IN
    SELECT a.user_id FROM battle_attempt a
     WHERE a.outcome IS NULL AND a.deadline_at < p_now - {GRACE}
       AND (p_users IS NULL OR a.user_id = ANY (p_users))
     ORDER BY a.deadline_at LIMIT p_most
  LOOP
    PERFORM 1 FROM battle_seat WHERE user_id = overdue FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    SELECT * INTO attempt FROM battle_attempt a
     WHERE a.user_id = overdue AND a.outcome IS NULL AND a.deadline_at < p_now - {GRACE}
       FOR NO KEY UPDATE;
    CONTINUE WHEN NOT FOUND;
    RETURN NEXT end_battle_attempt(attempt, NULL, gen_random_uuid(), p_now);
  END LOOP;
END $$
"""

FUNCTIONS = (
    ("milliseconds(timestamptz)", MILLISECONDS),
    ("battle_question(uuid)", BATTLE_QUESTION),
    ("battle_result(battle_attempt, int, int, text)", BATTLE_RESULT),
    ("stored_battle_result(battle_attempt)", STORED_RESULT),
    ("end_battle_attempt(battle_attempt, smallint, uuid, timestamptz)", END_ATTEMPT),
    (
        "serve_battle_question(uuid, uuid, uuid, smallint[], date, timestamptz)",
        SERVE_QUESTION,
    ),
    (
        "battle_step(uuid, uuid, uuid, smallint[], uuid, date, timestamptz, boolean)",
        STEP,
    ),
    (
        "enter_battle(uuid, uuid, text, boolean, uuid, smallint[], uuid, date, timestamptz)",
        ENTER,
    ),
    (
        "next_battle_question(uuid, uuid, text, uuid, smallint[], uuid, date, timestamptz)",
        NEXT,
    ),
    ("answer_battle_question(uuid, text, uuid, smallint, uuid, timestamptz)", ANSWER),
    (
        "answer_battle_questions(uuid[], text[], uuid[], smallint[], uuid[], timestamptz[])",
        ANSWER_ALL,
    ),
    ("start_battle_timer(uuid, text, uuid, timestamptz)", START_TIMER),
    ("end_overdue_battles(uuid[], timestamptz, int)", END_OVERDUE),
)


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.create_table(
        "battle_attempt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("n", sa.SmallInteger(), nullable=False),
        sa.Column("question_id", sa.Uuid(), nullable=False),
        sa.Column("rank", sa.String(), nullable=False),
        sa.Column("shown", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("anchored", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("answer", sa.SmallInteger(), nullable=True),
        sa.Column(
            "outcome",
            sa.Enum(
                "right",
                "wrong",
                "timeout",
                name="outcome",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=True,
        ),
        sa.Column("points", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("elapsed_ms", sa.Integer(), nullable=True),
        sa.Column("promoted_to", sa.String(), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(coalesce(outcome, '') IN ('right', 'wrong')) = (answer IS NOT NULL)",
            name=op.f("ck_battle_attempt_answered"),
        ),
        sa.CheckConstraint(
            "points = 0 OR outcome = 'right'", name=op.f("ck_battle_attempt_points_for_right")
        ),
        sa.CheckConstraint(
            "(outcome IS NULL) = (closed_at IS NULL)",
            name=op.f("ck_battle_attempt_closed_with_outcome"),
        ),
        sa.CheckConstraint(
            "answer BETWEEN 0 AND 3", name=op.f("ck_battle_attempt_answer_in_range")
        ),
        sa.CheckConstraint("cardinality(shown) = 4", name=op.f("ck_battle_attempt_four_options")),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_battle_attempt_question_id_question")
        ),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_battle_attempt_season_id_season")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_battle_attempt_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_battle_attempt")),
        sa.UniqueConstraint("user_id", "day", "n", name=op.f("uq_battle_attempt_user_id_day_n")),
        sa.UniqueConstraint(
            "user_id", "day", "question_id", name=op.f("uq_battle_attempt_user_id_day_question_id")
        ),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_index(
        "ix_battle_attempt_deadline",
        "battle_attempt",
        ["deadline_at"],
        unique=False,
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_index(
        "uq_battle_attempt_open",
        "battle_attempt",
        ["user_id"],
        unique=True,
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_table(
        "battle_seat",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("sid", sa.String(), nullable=False),
        sa.Column("visit_from", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_battle_seat_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_battle_seat")),
        postgresql_with={"fillfactor": "70"},
    )
    for _, definition in FUNCTIONS:
        op.execute(definition)
    role = Settings().database_runtime_role
    if role:
        op.execute(f"REVOKE DELETE ON battle_attempt, battle_seat FROM {role}")


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    for signature, _ in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {signature}")
    op.drop_table("battle_seat")
    op.drop_index(
        "uq_battle_attempt_open",
        table_name="battle_attempt",
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.drop_index(
        "ix_battle_attempt_deadline",
        table_name="battle_attempt",
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.drop_table("battle_attempt")
