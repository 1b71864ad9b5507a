"""Orders trust no caller and do not wait for ever; fundings can be cancelled; reports blanked."""

import importlib.util
from pathlib import Path
from types import ModuleType

import sqlalchemy as sa
from alembic import op
from api.core.config import Settings

revision = "20261122_1610"
down_revision = "20261121_1500"
branch_labels = None
depends_on = None

OPEN_ORDERS_LOCK = 7_226_331_109  # any number, so that a member's lock here is nobody else's
PLACE_ORDER_BEFORE = "place_order(uuid, text, uuid, text, jsonb, jsonb, text, text)"
PLACE_ORDER = (
    "place_order(uuid, text, uuid, text, jsonb, jsonb, text, text, timestamptz, timestamptz, int)"
)

# Between the conflict and the look at the key's row that row may have been tidied away: then the
# key is free, and is claimed at the next turn.
CLAIM_KEY = """
CREATE OR REPLACE FUNCTION claim_idempotency_key(
  p_user uuid, p_key text, p_route text, p_fingerprint text
) RETURNS TABLE (claimed boolean, matches boolean, answer jsonb) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    INSERT INTO idempotency_key (user_id, key, route, fingerprint)
    VALUES (p_user, p_key, p_route, p_fingerprint) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN QUERY SELECT true, true, NULL::jsonb;
      RETURN;
    END IF;
    RETURN QUERY SELECT false, k.route = p_route AND k.fingerprint = p_fingerprint, k.answer
      FROM idempotency_key k WHERE k.user_id = p_user AND k.key = p_key;
    IF FOUND THEN
      RETURN;
    END IF;
  END LOOP;
END $$
"""

# Keeps a member's record as it is until the end of the transaction; false when the member has left.
# Leaving locks the record, so that what is written for a member is seen by the leaving, or refused.
HOLD_MEMBER = """
CREATE FUNCTION hold_member(p_user uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_account WHERE id = p_user AND erased_at IS NULL FOR KEY SHARE;
  RETURN FOUND;
END $$
"""

# The running role may not lock what it may not write: this reads a balance under the wallet's lock.
LOCK_WALLET = """
CREATE FUNCTION lock_wallet(p_owner uuid) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT balance_kobo FROM ledger_account WHERE owner_id = p_owner FOR NO KEY UPDATE
$$
"""

# One checkout is one statement: key, stock, money and order stand or fall together. It trusts no
# caller: lines of one product are added up here, and decided under the products' locks. Locks are
# taken in one order everywhere: the key, the member, the member's open orders, products by id, the
# wallet.
PLACE_ORDER_TEXT = f"""
CREATE FUNCTION place_order(
  p_id uuid, p_number text, p_user uuid, p_method text, p_lines jsonb, p_billing jsonb,
  p_key text, p_fingerprint text, p_now timestamptz, p_pay_by timestamptz, p_most_open int
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  claim record;
  open_orders jsonb;
  wanted record;
  transfer uuid;
  answer jsonb;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT * INTO claim FROM claim_idempotency_key(p_user, p_key, 'checkout', p_fingerprint);
    IF NOT claim.matches THEN
      RAISE EXCEPTION 'the key named another request' USING ERRCODE = 'KF422';
    END IF;
    IF NOT claim.claimed THEN
      RETURN claim.answer || '{{"replayed": true}}'::jsonb;
    END IF;
  END IF;
  IF NOT hold_member(p_user) THEN
    RAISE EXCEPTION 'the member has left' USING ERRCODE = 'KF404';
  END IF;

  IF p_method = 'bank-transfer' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(p_user::text, {OPEN_ORDERS_LOCK}));
    SELECT jsonb_agg(jsonb_build_object(
             'id', o.id, 'number', o.number, 'total_kobo', o.total_kobo,
             'created_at', o.created_at, 'pay_by', o.pay_by) ORDER BY o.id)
      INTO open_orders
      FROM shop_order o
     WHERE o.user_id = p_user AND o.status = 'pending' AND NOT o.is_paid;
    IF jsonb_array_length(open_orders) >= p_most_open THEN
      RAISE EXCEPTION 'too many orders wait for their payment' USING ERRCODE = 'KF426',
        DETAIL = open_orders::text;
    END IF;
  END IF;

  IF (SELECT coalesce(bool_or(NOT coalesce(one.least >= 1 AND one.quantity <= 99, false)), true)
        FROM (SELECT min((l ->> 'quantity')::bigint) AS least,
                     sum((l ->> 'quantity')::bigint) AS quantity
                FROM jsonb_array_elements(p_lines) l GROUP BY (l ->> 'id')::uuid) one) THEN
    RAISE EXCEPTION 'an order has 1 to 99 of a product' USING ERRCODE = 'KF424';
  END IF;

  PERFORM 1 FROM product
    WHERE id IN (SELECT (l ->> 'id')::uuid FROM jsonb_array_elements(p_lines) l)
    ORDER BY id FOR NO KEY UPDATE;

  SELECT bool_or(wish.quantity > CASE WHEN p.hidden THEN 0 ELSE coalesce(p.stock, 0) END) AS gone,
         bool_or(coalesce(wish.lowest <> p.price_kobo OR wish.highest <> p.price_kobo, false))
           AS dearer,
         sum(coalesce(p.price_kobo, 0) * wish.quantity) AS total_kobo,
         jsonb_agg(jsonb_build_object(
           'id', wish.id, 'name', p.name, 'price_kobo', p.price_kobo, 'quantity', wish.quantity,
           'available', CASE WHEN p.hidden THEN 0 ELSE least(coalesce(p.stock, 0), 99) END,
           'thumbnail', p.thumbnail) ORDER BY wish.place) AS lines
    INTO wanted
    FROM (SELECT (l ->> 'id')::uuid AS id, min(ordinality) AS place,
                 sum((l ->> 'quantity')::int) AS quantity,
                 min((l ->> 'price_kobo')::bigint) AS lowest,
                 max((l ->> 'price_kobo')::bigint) AS highest
            FROM jsonb_array_elements(p_lines) WITH ORDINALITY AS t (l, ordinality)
           GROUP BY (l ->> 'id')::uuid) wish
    LEFT JOIN product p ON p.id = wish.id;
  IF wanted.gone THEN
    RAISE EXCEPTION 'not everything is available' USING ERRCODE = 'KF411',
      DETAIL = wanted.lines::text;
  END IF;
  IF wanted.dearer THEN
    RAISE EXCEPTION 'a price has changed' USING ERRCODE = 'KF412', DETAIL = wanted.lines::text;
  END IF;
  IF wanted.total_kobo > 100000000000 THEN
    RAISE EXCEPTION 'more than one transfer can move' USING ERRCODE = 'KF425';
  END IF;

  UPDATE product p SET stock = p.stock - (l ->> 'quantity')::int
    FROM jsonb_array_elements(wanted.lines) l WHERE p.id = (l ->> 'id')::uuid;

  IF p_method = 'wallet' THEN
    SELECT transfer_id INTO transfer FROM post_wallet_transfer(
      p_id, p_user, 'purchase', p_id::text, -wanted.total_kobo::bigint, NULL);
  END IF;

  INSERT INTO shop_order
    (id, number, user_id, status, payment_method, is_paid, total_kobo, billing, transfer_id,
     pay_by, created_at)
  VALUES (p_id, p_number, p_user,
          CASE p_method WHEN 'wallet' THEN 'processing' ELSE 'pending' END,
          p_method, p_method = 'wallet', wanted.total_kobo, p_billing, transfer,
          p_pay_by, p_now);
  INSERT INTO order_line (order_id, line, product_id, name, price_kobo, quantity, thumbnail)
  SELECT p_id, ordinality, (l ->> 'id')::uuid, l ->> 'name', (l ->> 'price_kobo')::bigint,
         (l ->> 'quantity')::int, l ->> 'thumbnail'
    FROM jsonb_array_elements(wanted.lines) WITH ORDINALITY AS t (l, ordinality);

  answer := jsonb_build_object('id', p_id, 'number', p_number, 'total_kobo', wanted.total_kobo,
                               'pay_by', p_pay_by);
  IF p_key IS NOT NULL THEN
    PERFORM store_idempotent_answer(p_user, p_key, answer);
  END IF;
  RETURN answer || '{{"replayed": false}}'::jsonb;
END $$
"""

# Orders that somebody else is deciding right now are left for the next time. Each order's state is
# changed under its lock together with the stock it gives back: both happen once, or neither.
EXPIRE_ORDERS = """
CREATE FUNCTION expire_orders(p_now timestamptz, p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  due uuid[];
BEGIN
  SELECT array_agg(late.id) INTO due FROM (
    SELECT id FROM shop_order
     WHERE status = 'pending' AND NOT is_paid AND pay_by <= p_now
     ORDER BY pay_by, id LIMIT p_limit FOR UPDATE SKIP LOCKED) late;
  IF due IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM 1 FROM product
    WHERE id IN (SELECT product_id FROM order_line WHERE order_id = ANY (due))
    ORDER BY id FOR NO KEY UPDATE;
  UPDATE product p SET stock = p.stock + given.back
    FROM (SELECT product_id, sum(quantity)::int AS back FROM order_line
           WHERE order_id = ANY (due) GROUP BY product_id) given
   WHERE p.id = given.product_id;
  UPDATE shop_order SET status = 'expired' WHERE id = ANY (due);
  RETURN cardinality(due);
END $$
"""

# What a provider reported stays, except for its bytes: they name a person who may leave.
KEEP_REPORT = """
CREATE FUNCTION keep_payment_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.raw <> ''::bytea OR to_jsonb(OLD) - 'raw' <> to_jsonb(NEW) - 'raw' THEN
    RAISE EXCEPTION 'of a report only the bytes are ever emptied' USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$
"""

NAMED_QUESTIONS = """
CREATE FUNCTION named_questions(p_shown jsonb, p_choices jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT count(*) FROM jsonb_array_elements(p_shown) AS item
   WHERE p_choices ? (item ->> 'question')
$$
"""

# One submit is one statement. Locks are taken in one order: the key, the attempt, the standing.
# Answers are judged only when each of them is to a question of the attempt: anything else leaves
# the attempt as it is. The points belong to the season of the attempt's own day, also when they
# come in the grace.
SUBMIT_TRIVIA = """
CREATE OR REPLACE FUNCTION submit_trivia(
  p_entry_id uuid, p_user uuid, p_oldest date, p_today date, p_choices jsonb, p_each int,
  p_now timestamptz, p_key text, p_fingerprint text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  claim record;
  attempt trivia_attempt%ROWTYPE;
  given jsonb;
  review jsonb;
  named int := (SELECT count(*) FROM jsonb_object_keys(p_choices));
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
   WHERE a.user_id = p_user AND a.day BETWEEN p_oldest AND p_today
   ORDER BY named_questions(a.shown, p_choices) DESC, a.day DESC LIMIT 1
     FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no open attempt was shown any questions' USING ERRCODE = 'KF442';
  END IF;
  IF named_questions(attempt.shown, p_choices) < named THEN
    IF EXISTS (SELECT FROM trivia_attempt a
                WHERE a.user_id = p_user AND a.day < p_oldest
                  AND named_questions(a.shown, p_choices) = named) THEN
      RAISE EXCEPTION 'the time of these questions is over' USING ERRCODE = 'KF442';
    END IF;
    RAISE EXCEPTION 'an answer is to no question of the set' USING ERRCODE = 'KF443';
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

FUNCTIONS = (
    ("hold_member(uuid)", HOLD_MEMBER),
    ("lock_wallet(uuid)", LOCK_WALLET),
    (PLACE_ORDER, PLACE_ORDER_TEXT),
    ("expire_orders(timestamptz, int)", EXPIRE_ORDERS),
    ("keep_payment_event()", KEEP_REPORT),
    ("named_questions(jsonb, jsonb)", NAMED_QUESTIONS),
)


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.add_column("shop_order", sa.Column("pay_by", sa.DateTime(timezone=True), nullable=True))
    op.execute(
        "UPDATE shop_order SET pay_by = created_at + interval '72 hours' "
        "WHERE payment_method = 'bank-transfer'"
    )
    op.create_check_constraint(
        op.f("ck_shop_order_transfer_has_deadline"),
        "shop_order",
        "(payment_method = 'bank-transfer') = (pay_by IS NOT NULL)",
    )
    op.create_index(
        "ix_shop_order_open_pay_by",
        "shop_order",
        ["pay_by"],
        unique=False,
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.add_column("funding", sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True))
    op.drop_constraint(op.f("uq_funding_user_id_idempotency_key"), "funding", type_="unique")
    op.create_index(
        "ix_funding_being_opened",
        "funding",
        ["user_id", "idempotency_key"],
        unique=False,
        postgresql_where=sa.text("opening_until IS NOT NULL"),
    )
    for replaced in (CLAIM_KEY, SUBMIT_TRIVIA):
        op.execute(replaced)
    op.execute(f"DROP FUNCTION {PLACE_ORDER_BEFORE}")
    for _, definition in FUNCTIONS:
        op.execute(definition)
    op.execute(
        "CREATE TRIGGER keep_report BEFORE UPDATE ON payment_event "
        "FOR EACH ROW EXECUTE FUNCTION keep_payment_event()"
    )
    role = Settings().database_runtime_role
    if role:
        op.execute(f"GRANT UPDATE (raw) ON payment_event TO {role}")
        op.execute("REVOKE EXECUTE ON FUNCTION lock_wallet(uuid) FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION lock_wallet(uuid) TO {role}")


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    role = Settings().database_runtime_role
    if role:
        op.execute(f"REVOKE UPDATE (raw) ON payment_event FROM {role}")
    op.execute("DROP TRIGGER keep_report ON payment_event")
    for signature, _ in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {signature}")
    first, trivia = _migration("20261121_1210_functions"), _migration("20261121_1320_trivia")
    for replaced in (first.CLAIM_KEY, trivia.SUBMIT_TRIVIA):
        op.execute(replaced.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1))
    op.execute(first.PLACE_ORDER)
    op.drop_index(
        "ix_funding_being_opened",
        table_name="funding",
        postgresql_where=sa.text("opening_until IS NOT NULL"),
    )
    # A key that served twice keeps its latest funding; the others are no retries any more.
    op.execute(
        "UPDATE funding f SET idempotency_key = NULL WHERE EXISTS (SELECT FROM funding later "
        "WHERE later.user_id = f.user_id AND later.idempotency_key = f.idempotency_key "
        "AND later.id > f.id)"
    )
    op.create_unique_constraint(
        op.f("uq_funding_user_id_idempotency_key"), "funding", ["user_id", "idempotency_key"]
    )
    op.drop_column("funding", "cancelled_at")
    op.drop_index(
        "ix_shop_order_open_pay_by",
        table_name="shop_order",
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.drop_constraint(op.f("ck_shop_order_transfer_has_deadline"), "shop_order", type_="check")
    op.drop_column("shop_order", "pay_by")


def _migration(name: str) -> ModuleType:
    """Return an earlier migration, whose functions this one replaced."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
