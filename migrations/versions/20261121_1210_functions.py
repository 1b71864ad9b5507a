"""What the database itself keeps true: the ledger's posting, checkout, keys, revocations."""

from alembic import op
from api.core.config import Settings

revision = "20261121_1210"
down_revision = "20261121_1200"
branch_labels = None
depends_on = None

# Fixed ids: the house's own accounts exist once, in every database.
HOUSE_ACCOUNTS = {
    "gateway": "00000000-0000-7000-8000-000000000001",
    "sales": "00000000-0000-7000-8000-000000000002",
    "subscriptions": "00000000-0000-7000-8000-000000000003",
    "adjustments": "00000000-0000-7000-8000-000000000004",
}

OPEN_EMPTY = """
CREATE FUNCTION open_account_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.type = 'wallet' THEN
    NEW.balance_kobo := 0;
  END IF;
  NEW.entries := 0;
  RETURN NEW;
END $$
"""

# The row is written with what it did to the wallet. The guarded update is also the lock that
# orders everything that happens to one wallet.
POST_TRANSFER = """
CREATE FUNCTION post_ledger_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  original ledger_transfer%ROWTYPE;
  refunded bigint;
BEGIN
  IF NEW.kind = 'refund' THEN
    SELECT * INTO original FROM ledger_transfer WHERE id = NEW.reverses_id FOR UPDATE;
    IF NOT FOUND OR original.kind NOT IN ('purchase', 'subscription')
       OR original.debit_id <> NEW.credit_id OR original.credit_id <> NEW.debit_id THEN
      RAISE EXCEPTION 'refund does not mirror its original' USING ERRCODE = 'KF410';
    END IF;
    SELECT coalesce(sum(amount_kobo), 0) INTO refunded
      FROM ledger_transfer WHERE reverses_id = NEW.reverses_id;
    IF refunded + NEW.amount_kobo > original.amount_kobo THEN
      RAISE EXCEPTION 'refunds exceed the original' USING ERRCODE = 'KF410';
    END IF;
  END IF;
  IF NEW.debit_type = 'wallet' THEN
    NEW.wallet_id := NEW.debit_id;
    NEW.wallet_change_kobo := -NEW.amount_kobo;
  ELSE
    NEW.wallet_id := NEW.credit_id;
    NEW.wallet_change_kobo := NEW.amount_kobo;
  END IF;
  UPDATE ledger_account
     SET balance_kobo = balance_kobo + NEW.wallet_change_kobo, entries = entries + 1
   WHERE id = NEW.wallet_id AND balance_kobo + NEW.wallet_change_kobo >= 0
  RETURNING balance_kobo, entries INTO NEW.wallet_after_kobo, NEW.wallet_entry;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the wallet does not hold enough' USING ERRCODE = 'KF402',
      DETAIL = jsonb_build_object(
        'needed', NEW.amount_kobo,
        'held', coalesce((SELECT balance_kobo FROM ledger_account WHERE id = NEW.wallet_id), 0)
      )::text;
  END IF;
  RETURN NEW;
END $$
"""

REFUSE_CHANGE = """
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'KF423';
END $$
"""

# The one door to the ledger. It opens the wallet when money first comes in, waits for whoever
# holds the wallet, and only then looks for the reference: of two calls with one reference the
# second finds the first's row. An insert that skipped conflicts instead would move the balance
# twice, because a BEFORE trigger runs before the conflict is found.
POST_WALLET_TRANSFER = """
CREATE FUNCTION post_wallet_transfer(
  p_id uuid, p_owner uuid, p_kind text, p_reference text, p_change bigint, p_reverses uuid
) RETURNS TABLE (transfer_id uuid, posted boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  wallet uuid;
  house ledger_account%ROWTYPE;
  known ledger_transfer%ROWTYPE;
BEGIN
  SELECT id INTO wallet FROM ledger_account WHERE owner_id = p_owner FOR NO KEY UPDATE;
  IF wallet IS NULL THEN
    IF p_change <= 0 THEN
      RAISE EXCEPTION 'no wallet yet' USING ERRCODE = 'KF402',
        DETAIL = jsonb_build_object('needed', -p_change, 'held', 0)::text;
    END IF;
    INSERT INTO ledger_account (id, type, owner_id) VALUES (gen_random_uuid(), 'wallet', p_owner)
      ON CONFLICT (owner_id) DO NOTHING;
    SELECT id INTO wallet FROM ledger_account WHERE owner_id = p_owner FOR NO KEY UPDATE;
  END IF;

  SELECT * INTO known FROM ledger_transfer WHERE kind = p_kind AND reference = p_reference;
  IF FOUND THEN
    IF known.wallet_id <> wallet OR known.wallet_change_kobo <> p_change
       OR known.reverses_id IS DISTINCT FROM p_reverses THEN
      RAISE EXCEPTION 'the reference names another transfer' USING ERRCODE = 'KF409';
    END IF;
    RETURN QUERY SELECT known.id, false;
    RETURN;
  END IF;

  IF p_kind = 'refund' THEN
    SELECT account.* INTO house FROM ledger_account account
      JOIN ledger_transfer original ON original.credit_id = account.id
     WHERE original.id = p_reverses;
  ELSE
    SELECT * INTO house FROM ledger_account WHERE type = CASE p_kind
      WHEN 'fund' THEN 'gateway' WHEN 'chargeback' THEN 'gateway'
      WHEN 'purchase' THEN 'sales' WHEN 'subscription' THEN 'subscriptions'
      WHEN 'adjust' THEN 'adjustments' END;
  END IF;
  IF house.id IS NULL THEN
    RAISE EXCEPTION 'no account on the other side' USING ERRCODE = 'KF410';
  END IF;

  INSERT INTO ledger_transfer
    (id, kind, reference, debit_id, debit_type, credit_id, credit_type, amount_kobo, reverses_id)
  VALUES (
    p_id, p_kind, p_reference,
    CASE WHEN p_change < 0 THEN wallet ELSE house.id END,
    CASE WHEN p_change < 0 THEN 'wallet' ELSE house.type END,
    CASE WHEN p_change < 0 THEN house.id ELSE wallet END,
    CASE WHEN p_change < 0 THEN house.type ELSE 'wallet' END,
    abs(p_change), p_reverses);
  RETURN QUERY SELECT p_id, true;
END $$
"""

CLAIM_KEY = """
CREATE FUNCTION claim_idempotency_key(p_user uuid, p_key text, p_route text, p_fingerprint text)
RETURNS TABLE (claimed boolean, matches boolean, answer jsonb) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO idempotency_key (user_id, key, route, fingerprint)
  VALUES (p_user, p_key, p_route, p_fingerprint) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    RETURN QUERY SELECT true, true, NULL::jsonb;
  ELSE
    RETURN QUERY SELECT false, k.route = p_route AND k.fingerprint = p_fingerprint, k.answer
      FROM idempotency_key k WHERE k.user_id = p_user AND k.key = p_key;
  END IF;
END $$
"""

STORE_ANSWER = """
CREATE FUNCTION store_idempotent_answer(p_user uuid, p_key text, p_answer jsonb)
RETURNS void LANGUAGE sql AS $$
  UPDATE idempotency_key SET answer = p_answer WHERE user_id = p_user AND key = p_key
$$
"""

# One checkout is one statement: key, stock, money and order stand or fall together. Locks are
# taken in one order everywhere: the key, products by id, the wallet.
PLACE_ORDER = """
CREATE FUNCTION place_order(
  p_id uuid, p_number text, p_user uuid, p_method text, p_lines jsonb, p_billing jsonb,
  p_key text, p_fingerprint text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  claim record;
  line record;
  current_lines jsonb := '[]'::jsonb;
  fits boolean := true;
  gone boolean := false;
  total bigint := 0;
  transfer uuid;
  answer jsonb;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT * INTO claim FROM claim_idempotency_key(p_user, p_key, 'checkout', p_fingerprint);
    IF NOT claim.matches THEN
      RAISE EXCEPTION 'the key named another request' USING ERRCODE = 'KF422';
    END IF;
    IF NOT claim.claimed THEN
      RETURN claim.answer || '{"replayed": true}'::jsonb;
    END IF;
  END IF;

  PERFORM 1 FROM product
    WHERE id IN (SELECT (l ->> 'id')::uuid FROM jsonb_array_elements(p_lines) l)
    ORDER BY id FOR NO KEY UPDATE;

  FOR line IN
    SELECT wish.position, wish.id AS wished_id, wish.quantity, wish.price_kobo AS seen_kobo,
           p.id, p.name, p.price_kobo, p.thumbnail,
           CASE WHEN p.hidden THEN 0 ELSE coalesce(p.stock, 0) END AS available
      FROM (SELECT ordinality AS position, (l ->> 'id')::uuid AS id,
                   (l ->> 'quantity')::int AS quantity, (l ->> 'price_kobo')::bigint AS price_kobo
              FROM jsonb_array_elements(p_lines) WITH ORDINALITY AS t(l, ordinality)) wish
      LEFT JOIN product p ON p.id = wish.id
     ORDER BY wish.position
  LOOP
    IF line.available < line.quantity THEN
      gone := true;
    END IF;
    IF line.seen_kobo IS NOT NULL AND line.seen_kobo IS DISTINCT FROM line.price_kobo THEN
      fits := false;
    END IF;
    total := total + coalesce(line.price_kobo, 0) * line.quantity;
    current_lines := current_lines || jsonb_build_object(
      'id', line.wished_id, 'name', line.name, 'price_kobo', line.price_kobo,
      'quantity', line.quantity, 'available', least(line.available, 99),
      'thumbnail', line.thumbnail);
  END LOOP;
  IF gone THEN
    RAISE EXCEPTION 'not everything is available' USING ERRCODE = 'KF411',
      DETAIL = current_lines::text;
  END IF;
  IF NOT fits THEN
    RAISE EXCEPTION 'a price has changed' USING ERRCODE = 'KF412', DETAIL = current_lines::text;
  END IF;

  UPDATE product p SET stock = p.stock - (l ->> 'quantity')::int
    FROM jsonb_array_elements(current_lines) l WHERE p.id = (l ->> 'id')::uuid;

  IF p_method = 'wallet' THEN
    SELECT transfer_id INTO transfer
      FROM post_wallet_transfer(p_id, p_user, 'purchase', p_number, -total, NULL);
  END IF;

  INSERT INTO shop_order
    (id, number, user_id, status, payment_method, is_paid, total_kobo, billing, transfer_id)
  VALUES (p_id, p_number, p_user,
          CASE p_method WHEN 'wallet' THEN 'processing' ELSE 'pending' END,
          p_method, p_method = 'wallet', total, p_billing, transfer);
  INSERT INTO order_line (order_id, line, product_id, name, price_kobo, quantity, thumbnail)
  SELECT p_id, ordinality, (l ->> 'id')::uuid, l ->> 'name', (l ->> 'price_kobo')::bigint,
         (l ->> 'quantity')::int, l ->> 'thumbnail'
    FROM jsonb_array_elements(current_lines) WITH ORDINALITY AS t(l, ordinality);

  answer := jsonb_build_object('id', p_id, 'number', p_number, 'total_kobo', total);
  IF p_key IS NOT NULL THEN
    PERFORM store_idempotent_answer(p_user, p_key, answer);
  END IF;
  RETURN answer || '{"replayed": false}'::jsonb;
END $$
"""

KEEP_ORDER_LINE = """
CREATE FUNCTION refuse_order_line_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an order line never changes' USING ERRCODE = 'KF423';
END $$
"""

ANNOUNCE_REVOCATION = """
CREATE FUNCTION announce_session_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_revoked', NEW.id::text);
  RETURN NULL;
END $$
"""

TRIGGERS = (
    "CREATE TRIGGER open_empty BEFORE INSERT ON ledger_account "
    "FOR EACH ROW EXECUTE FUNCTION open_account_empty()",
    "CREATE TRIGGER post BEFORE INSERT ON ledger_transfer "
    "FOR EACH ROW EXECUTE FUNCTION post_ledger_transfer()",
    "CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer "
    "FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()",
    "CREATE TRIGGER keep_accounts BEFORE DELETE OR TRUNCATE ON ledger_account "
    "FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()",
    "CREATE TRIGGER keep_lines BEFORE UPDATE ON order_line "
    "FOR EACH ROW EXECUTE FUNCTION refuse_order_line_change()",
    "CREATE TRIGGER announce_revocation AFTER UPDATE OF revoked_at ON session FOR EACH ROW "
    "WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) "
    "EXECUTE FUNCTION announce_session_revocation()",
)

FUNCTIONS = (
    ("open_account_empty()", OPEN_EMPTY),
    ("post_ledger_transfer()", POST_TRANSFER),
    ("refuse_ledger_change()", REFUSE_CHANGE),
    ("refuse_order_line_change()", KEEP_ORDER_LINE),
    ("announce_session_revocation()", ANNOUNCE_REVOCATION),
    ("claim_idempotency_key(uuid, text, text, text)", CLAIM_KEY),
    ("store_idempotent_answer(uuid, text, jsonb)", STORE_ANSWER),
    ("post_wallet_transfer(uuid, uuid, text, text, bigint, uuid)", POST_WALLET_TRANSFER),
    ("place_order(uuid, text, uuid, text, jsonb, jsonb, text, text)", PLACE_ORDER),
)

MAKE_ROLE = """
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
    CREATE ROLE {role} NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$
"""

JOIN_ROLE = """
DO $$ BEGIN
  IF NOT pg_has_role(current_user, '{role}', 'MEMBER') THEN
    EXECUTE format('GRANT {role} TO %I', current_user);
  END IF;
END $$
"""


def grants(role: str) -> tuple[str, ...]:
    """Return what lets the running role work, and keeps it from writing the ledger's tables."""
    return (
        MAKE_ROLE.format(role=role),
        JOIN_ROLE.format(role=role),
        f"GRANT USAGE ON SCHEMA public TO {role}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public "
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}",
        f"REVOKE INSERT, UPDATE, DELETE ON ledger_account, ledger_transfer FROM {role}",
        f"REVOKE INSERT, UPDATE, DELETE ON alembic_version FROM {role}",
        "REVOKE EXECUTE ON FUNCTION post_wallet_transfer(uuid, uuid, text, text, bigint, uuid) "
        "FROM PUBLIC",
        "GRANT EXECUTE ON FUNCTION post_wallet_transfer(uuid, uuid, text, text, bigint, uuid) "
        f"TO {role}",
    )


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    for _, definition in FUNCTIONS:
        op.execute(definition)
    for trigger in TRIGGERS:
        op.execute(trigger)
    for account_type, account_id in HOUSE_ACCOUNTS.items():
        op.execute(
            f"INSERT INTO ledger_account (id, type) VALUES ('{account_id}', '{account_type}')"
        )
    role = Settings().database_runtime_role
    if role:
        for statement in grants(role):
            op.execute(statement)


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    for trigger, table in (
        ("announce_revocation", "session"),
        ("keep_lines", "order_line"),
        ("keep_accounts", "ledger_account"),
        ("append_only", "ledger_transfer"),
        ("post", "ledger_transfer"),
        ("open_empty", "ledger_account"),
    ):
        op.execute(f"DROP TRIGGER {trigger} ON {table}")
    for signature, _ in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {signature}")
    op.execute("DELETE FROM ledger_account WHERE type <> 'wallet'")
    role = Settings().database_runtime_role
    if role:
        op.execute(f"ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON TABLES FROM {role}")
        op.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}")
        op.execute(f"REVOKE ALL ON SCHEMA public FROM {role}")
