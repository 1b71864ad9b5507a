"""The daily quest: the day's frozen sets, one attempt per member and day, judged here."""

import sqlalchemy as sa
from alembic import op
from api.core.config import Settings
from sqlalchemy.dialects import postgresql

revision = "20261121_1320"
down_revision = "20261121_1310"
branch_labels = None
depends_on = None

REST_DAYS = 28  # a question rests so long in its club, unless nothing else is left to ask

# The club's own questions come first, then those for all clubs, by chance among equals. What was
# asked in the last weeks comes after all that, the longest rested first. An empty bank freezes
# nothing. Of first requests that come at once one inserts, and the others wait for it.
FREEZE_SET = f"""
CREATE FUNCTION freeze_trivia_set(p_club uuid, p_day date, p_size int) RETURNS void
LANGUAGE sql AS $$
  WITH asked AS (
    SELECT question_id, max(day) AS day
      FROM trivia_set CROSS JOIN LATERAL unnest(question_ids) AS question_id
     WHERE club_id = p_club AND day < p_day
     GROUP BY question_id
  ), candidate AS (
    SELECT q.id, q.difficulty, q.club_id, a.day AS asked_on,
           coalesce(a.day > p_day - {REST_DAYS}, false) AS rests
      FROM question q LEFT JOIN asked a ON a.question_id = q.id
     WHERE q.kind = 'trivia' AND q.retired_at IS NULL
       AND (q.club_id = p_club OR q.club_id IS NULL)
  ), picked AS (
    SELECT * FROM candidate
     ORDER BY rests, CASE WHEN NOT rests THEN club_id IS NULL END, asked_on NULLS FIRST, random()
     LIMIT p_size
  )
  INSERT INTO trivia_set (club_id, day, question_ids)
  SELECT p_club, p_day, array_agg(id ORDER BY difficulty, random()) FROM picked
  HAVING count(*) > 0
  ON CONFLICT DO NOTHING
$$
"""

# What a member is shown. It does not read the right option.
QUESTIONS = """
CREATE FUNCTION trivia_questions(p_shown jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'id', q.id,
           'question', q.question,
           'options', (SELECT jsonb_agg(q.options[o::int + 1] ORDER BY place)
                         FROM jsonb_array_elements_text(item -> 'order')
                              WITH ORDINALITY AS t (o, place))
         ) ORDER BY number), '[]'::jsonb)
    FROM jsonb_array_elements(p_shown) WITH ORDINALITY AS s (item, number)
    JOIN question q ON q.id = (item ->> 'question')::uuid
$$
"""

# The same after the submit, with the key that was chosen, the right one and why. 64 is before A.
REVIEW = """
CREATE FUNCTION trivia_review(p_shown jsonb, p_choices jsonb) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT coalesce(jsonb_agg(one || jsonb_build_object(
           'chosen', p_choices ->> (item ->> 'question'),
           'right', (SELECT chr(64 + place::int)
                       FROM jsonb_array_elements_text(item -> 'order')
                            WITH ORDINALITY AS t (o, place)
                      WHERE o::int = q.right_option),
           'explanation', q.explanation
         ) ORDER BY number), '[]'::jsonb)
    FROM jsonb_array_elements(p_shown) WITH ORDINALITY AS s (item, number)
    JOIN jsonb_array_elements(trivia_questions(p_shown)) AS one
      ON one ->> 'id' = item ->> 'question'
    JOIN question q ON q.id = (item ->> 'question')::uuid
$$
"""

# Submitted days in a row, up to today or, while today is still open, up to yesterday.
STREAK = """
CREATE FUNCTION trivia_streak(p_user uuid, p_today date) RETURNS int LANGUAGE sql STABLE AS $$
  WITH RECURSIVE run AS (
    SELECT max(day) AS day FROM trivia_attempt
     WHERE user_id = p_user AND day BETWEEN p_today - 1 AND p_today
       AND submitted_at IS NOT NULL
    UNION ALL
    SELECT a.day FROM run JOIN trivia_attempt a
        ON a.user_id = p_user AND a.day = run.day - 1 AND a.submitted_at IS NOT NULL
  )
  SELECT count(day)::int FROM run
$$
"""

# Every question has an order of its own: the subquery names the question, so that the planner
# cannot draw one order for all.
OPEN_TRIVIA = """
CREATE FUNCTION open_trivia(
  p_id uuid, p_user uuid, p_club uuid, p_day date, p_size int, p_now timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  attempt trivia_attempt%ROWTYPE;
BEGIN
  SELECT * INTO attempt FROM trivia_attempt WHERE user_id = p_user AND day = p_day;
  IF NOT FOUND THEN
    IF NOT EXISTS (SELECT FROM trivia_set WHERE club_id = p_club AND day = p_day) THEN
      PERFORM freeze_trivia_set(p_club, p_day, p_size);
    END IF;
    INSERT INTO trivia_attempt (id, user_id, day, club_id, shown, issued_at)
    SELECT p_id, p_user, p_day, p_club,
           jsonb_agg(jsonb_build_object(
             'question', question_id,
             'order', (SELECT jsonb_agg(o ORDER BY random()) FROM generate_series(0, 3) AS o
                        WHERE question_id IS NOT NULL)
           ) ORDER BY number),
           p_now
      FROM trivia_set s
      CROSS JOIN LATERAL unnest(s.question_ids) WITH ORDINALITY AS t (question_id, number)
     WHERE s.club_id = p_club AND s.day = p_day
    HAVING count(*) > 0
    ON CONFLICT (user_id, day) DO NOTHING;
    SELECT * INTO attempt FROM trivia_attempt WHERE user_id = p_user AND day = p_day;
  END IF;
  RETURN jsonb_build_object(
    'submitted', attempt.submitted_at IS NOT NULL,
    'questions', CASE WHEN attempt.id IS NULL OR attempt.submitted_at IS NOT NULL
                      THEN '[]'::jsonb ELSE trivia_questions(attempt.shown) END);
END $$
"""

# One submit is one statement. Locks are taken in one order: the key, the attempt, the standing.
# The points belong to the season of the attempt's own day, also when they come in the grace.
SUBMIT_TRIVIA = """
CREATE FUNCTION submit_trivia(
  p_entry_id uuid, p_user uuid, p_oldest date, p_today date, p_choices jsonb, p_each int,
  p_now timestamptz, p_key text, p_fingerprint text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  claim record;
  attempt trivia_attempt%ROWTYPE;
  given jsonb;
  review jsonb;
  hits int;
  playing uuid;
  answer jsonb;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT * INTO claim FROM claim_idempotency_key(p_user, p_key, 'trivia', p_fingerprint);
    IF NOT claim.matches THEN
      RAISE EXCEPTION 'the key named another request' USING ERRCODE = 'KF422';
    END IF;
    IF NOT claim.claimed THEN
      SELECT * INTO attempt FROM trivia_attempt WHERE id = (claim.answer ->> 'attempt')::uuid;
      RETURN claim.answer || jsonb_build_object(
        'replayed', true, 'review', trivia_review(attempt.shown, attempt.choices));
    END IF;
  END IF;

  SELECT a.* INTO attempt
    FROM trivia_attempt a
    CROSS JOIN LATERAL (SELECT count(*) AS named FROM jsonb_array_elements(a.shown) AS item
                         WHERE p_choices ? (item ->> 'question')) AS meant
   WHERE a.user_id = p_user AND a.day BETWEEN p_oldest AND p_today
     AND (meant.named > 0 OR p_choices = '{}'::jsonb)
   ORDER BY meant.named DESC, a.day DESC LIMIT 1
     FOR UPDATE OF a;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no open attempt was shown these questions' USING ERRCODE = 'KF442';
  END IF;
  IF attempt.submitted_at IS NOT NULL THEN
    RAISE EXCEPTION 'the attempt was submitted before' USING ERRCODE = 'KF441',
      DETAIL = jsonb_build_object('points', attempt.points)::text;
  END IF;

  SELECT coalesce(jsonb_object_agg(item ->> 'question', p_choices -> (item ->> 'question')), '{}')
    INTO given
    FROM jsonb_array_elements(attempt.shown) AS item
   WHERE p_choices ->> (item ->> 'question') IN ('A', 'B', 'C', 'D');
  review := trivia_review(attempt.shown, given);
  SELECT count(*) INTO hits FROM jsonb_array_elements(review) AS one
   WHERE one ->> 'chosen' = one ->> 'right';
  UPDATE trivia_attempt
     SET submitted_at = p_now, choices = given, correct = hits, points = hits * p_each
   WHERE id = attempt.id;
  SELECT id INTO playing FROM season
   WHERE tstzrange(starts_at, ends_at) @> least(
     p_now, (attempt.day + 1)::timestamp AT TIME ZONE 'Africa/Lagos' - interval '1 microsecond');
  PERFORM award_points(
    p_entry_id, p_user, attempt.club_id, playing, 'trivia', attempt.id, NULL, hits * p_each,
    (SELECT count(*) FROM jsonb_object_keys(given))::int, hits, 0,
    jsonb_build_object('right', hits, 'of', jsonb_array_length(attempt.shown)),
    attempt.day, p_now);

  answer := jsonb_build_object(
    'attempt', attempt.id, 'points', hits * p_each, 'correct', hits,
    'total', jsonb_array_length(attempt.shown), 'streak', trivia_streak(p_user, p_today));
  IF p_key IS NOT NULL THEN
    PERFORM store_idempotent_answer(p_user, p_key, answer);
  END IF;
  RETURN answer || jsonb_build_object('replayed', false, 'review', review);
END $$
"""

KEEP_ATTEMPT = """
CREATE FUNCTION keep_trivia_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outcome text[] := '{submitted_at,choices,correct,points}';
BEGIN
  IF TG_OP <> 'UPDATE' OR OLD.submitted_at IS NOT NULL
     OR to_jsonb(OLD) - outcome <> to_jsonb(NEW) - outcome THEN
    RAISE EXCEPTION 'an attempt is submitted once' USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$
"""

FUNCTIONS = (
    ("freeze_trivia_set(uuid, date, int)", FREEZE_SET),
    ("trivia_questions(jsonb)", QUESTIONS),
    ("trivia_review(jsonb, jsonb)", REVIEW),
    ("trivia_streak(uuid, date)", STREAK),
    ("open_trivia(uuid, uuid, uuid, date, int, timestamptz)", OPEN_TRIVIA),
    (
        "submit_trivia(uuid, uuid, date, date, jsonb, int, timestamptz, text, text)",
        SUBMIT_TRIVIA,
    ),
    ("keep_trivia_attempt()", KEEP_ATTEMPT),
)


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.create_table(
        "trivia_set",
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("question_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("cardinality(question_ids) > 0", name=op.f("ck_trivia_set_not_empty")),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_trivia_set_club_id_club")),
        sa.PrimaryKeyConstraint("club_id", "day", name=op.f("pk_trivia_set")),
    )
    op.create_table(
        "trivia_attempt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("shown", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("choices", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("correct", sa.SmallInteger(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "(submitted_at IS NULL) = (choices IS NULL) AND (submitted_at IS NULL) = "
            "(correct IS NULL) AND (submitted_at IS NULL) = (points IS NULL)",
            name=op.f("ck_trivia_attempt_judged_when_submitted"),
        ),
        sa.CheckConstraint(
            "correct BETWEEN 0 AND jsonb_array_length(shown)",
            name=op.f("ck_trivia_attempt_correct_in_range"),
        ),
        sa.CheckConstraint("points >= 0", name=op.f("ck_trivia_attempt_points_not_negative")),
        sa.ForeignKeyConstraint(
            ["club_id"], ["club.id"], name=op.f("fk_trivia_attempt_club_id_club")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_trivia_attempt_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trivia_attempt")),
        sa.UniqueConstraint("user_id", "day", name=op.f("uq_trivia_attempt_user_id_day")),
    )
    for _, definition in FUNCTIONS:
        op.execute(definition)
    op.execute(
        "CREATE TRIGGER keep_attempt BEFORE UPDATE OR DELETE ON trivia_attempt "
        "FOR EACH ROW EXECUTE FUNCTION keep_trivia_attempt()"
    )
    role = Settings().database_runtime_role
    if role:
        # A set is frozen, and an attempt is evidence of its points.
        op.execute(f"REVOKE UPDATE, DELETE ON trivia_set FROM {role}")
        op.execute(f"REVOKE DELETE ON trivia_attempt FROM {role}")


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.execute("DROP TRIGGER keep_attempt ON trivia_attempt")
    for signature, _ in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {signature}")
    op.drop_table("trivia_attempt")
    op.drop_table("trivia_set")
