"""Plans, bought periods of them, and buying one in a single statement."""

import sqlalchemy as sa
from alembic import op
from api.core.config import Settings

revision = "20261121_1310"
down_revision = "20261121_1300"
branch_labels = None
depends_on = None

MEMBER_LOCK = 7_226_331_107  # any number, so that a member's lock here is nobody else's

# Locks are taken in one order everywhere: the key, the member's subscriptions, the wallet. Unused
# days come back before the new plan is paid, so that they help to pay it.
SUBSCRIBE = f"""
CREATE FUNCTION subscribe_to_plan(
  p_id uuid, p_credit_id uuid, p_user uuid, p_plan uuid, p_now timestamptz,
  p_key text, p_fingerprint text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  claim record;
  wanted plan%ROWTYPE;
  latest subscription%ROWTYPE;
  ending timestamptz;
  credit bigint := 0;
  transfer uuid;
  answer jsonb;
BEGIN
  IF p_key IS NOT NULL THEN
    SELECT * INTO claim FROM claim_idempotency_key(p_user, p_key, 'subscription', p_fingerprint);
    IF NOT claim.matches THEN
      RAISE EXCEPTION 'the key named another request' USING ERRCODE = 'KF422';
    END IF;
    IF NOT claim.claimed THEN
      RETURN claim.answer || '{{"replayed": true}}'::jsonb;
    END IF;
  END IF;

  PERFORM pg_advisory_xact_lock(hashtextextended(p_user::text, {MEMBER_LOCK}));
  SELECT * INTO wanted FROM plan WHERE id = p_plan AND NOT hidden;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no such plan is on offer' USING ERRCODE = 'KF431';
  END IF;
  SELECT * INTO latest FROM subscription WHERE user_id = p_user AND replaced_at IS NULL;
  IF latest.plan_id = p_plan AND latest.ends_at > p_now THEN
    RAISE EXCEPTION 'the plan is the current one' USING ERRCODE = 'KF432';
  END IF;
  IF wanted.amount_kobo = 0 AND EXISTS (
    SELECT FROM subscription WHERE user_id = p_user AND plan_id = p_plan AND amount_kobo = 0
  ) THEN
    RAISE EXCEPTION 'a free plan is taken once' USING ERRCODE = 'KF433';
  END IF;

  credit := unused_kobo(latest, p_now);
  IF credit > 0 THEN
    PERFORM post_wallet_transfer(p_credit_id, p_user, 'refund', 'unused:' || latest.id,
                                 credit, latest.transfer_id);
  END IF;
  IF wanted.amount_kobo > 0 THEN
    SELECT transfer_id INTO transfer FROM post_wallet_transfer(
      p_id, p_user, 'subscription', 'plan:' || p_id, -wanted.amount_kobo, NULL);
  END IF;

  UPDATE subscription SET replaced_at = greatest(p_now, starts_at) WHERE id = latest.id;
  ending := (p_now AT TIME ZONE 'Africa/Lagos' + make_interval(
    days => CASE wanted.period WHEN 'day' THEN wanted.duration ELSE 0 END,
    weeks => CASE wanted.period WHEN 'week' THEN wanted.duration ELSE 0 END,
    months => CASE wanted.period WHEN 'month' THEN wanted.duration ELSE 0 END,
    years => CASE wanted.period WHEN 'year' THEN wanted.duration ELSE 0 END
  )) AT TIME ZONE 'Africa/Lagos';
  INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, amount_kobo, transfer_id)
  VALUES (p_id, p_user, p_plan, p_now, ending, wanted.amount_kobo, transfer);

  answer := jsonb_build_object('plan_id', p_plan, 'plan', wanted.plan, 'starts_at', p_now,
                               'ends_at', ending, 'credited_kobo', credit);
  IF p_key IS NOT NULL THEN
    PERFORM store_idempotent_answer(p_user, p_key, answer);
  END IF;
  RETURN answer || '{{"replayed": false}}'::jsonb;
END $$
"""

# What the whole days that are left were paid, rounded down, and never more than is still to give
# back of that payment. Lagos has no daylight saving: a period is a whole number of days.
UNUSED_KOBO = """
CREATE FUNCTION unused_kobo(p_latest subscription, p_now timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_latest.transfer_id IS NULL OR p_latest.ends_at <= p_now THEN 0 ELSE least(
    p_latest.amount_kobo
      * floor(extract(epoch FROM p_latest.ends_at - greatest(p_now, p_latest.starts_at))
              / 86400)::bigint
      / floor(extract(epoch FROM p_latest.ends_at - p_latest.starts_at) / 86400)::bigint,
    p_latest.amount_kobo - (SELECT coalesce(sum(amount_kobo), 0) FROM ledger_transfer
                             WHERE reverses_id = p_latest.transfer_id))
  END
$$
"""

CURRENT_PLAN = """
CREATE FUNCTION current_plan_id(p_user uuid, p_now timestamptz) RETURNS uuid
LANGUAGE sql STABLE AS $$
  SELECT plan_id FROM subscription
   WHERE user_id = p_user AND replaced_at IS NULL AND ends_at > p_now
$$
"""

ALLOWS_BATTLE = """
CREATE FUNCTION plan_allows_battle(p_user uuid, p_now timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT battle_zone FROM plan WHERE id = current_plan_id(p_user, p_now)), false)
$$
"""

KEEP_SUBSCRIPTION = """
CREATE FUNCTION keep_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR OLD.replaced_at IS NOT NULL
     OR to_jsonb(OLD) - 'replaced_at' <> to_jsonb(NEW) - 'replaced_at' THEN
    RAISE EXCEPTION 'a subscription is only ever replaced' USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$
"""

FUNCTIONS = (
    ("unused_kobo(subscription, timestamptz)", UNUSED_KOBO),
    ("current_plan_id(uuid, timestamptz)", CURRENT_PLAN),
    ("plan_allows_battle(uuid, timestamptz)", ALLOWS_BATTLE),
    ("keep_subscription()", KEEP_SUBSCRIPTION),
    ("subscribe_to_plan(uuid, uuid, uuid, uuid, timestamptz, text, text)", SUBSCRIBE),
)


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.create_table(
        "plan",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("plan", sa.String(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("duration", sa.Integer(), nullable=False),
        sa.Column(
            "period",
            sa.Enum(
                "day",
                "week",
                "month",
                "year",
                name="plan_period",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("benefits", sa.ARRAY(sa.String()), nullable=False),
        sa.Column("battle_zone", sa.Boolean(), nullable=False),
        sa.Column("hidden", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "array_to_string(benefits, '', ',') NOT LIKE '%,%'",
            name=op.f("ck_plan_benefits_without_commas"),
        ),
        sa.CheckConstraint(
            "amount_kobo BETWEEN 0 AND 100000000000", name=op.f("ck_plan_amount_in_range")
        ),
        sa.CheckConstraint("duration BETWEEN 1 AND 1000", name=op.f("ck_plan_duration_in_range")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plan")),
        sa.UniqueConstraint("plan", name=op.f("uq_plan_plan")),
    )
    op.create_table(
        "subscription",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("plan_id", sa.Uuid(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("transfer_id", sa.Uuid(), nullable=True),
        sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(amount_kobo = 0) = (transfer_id IS NULL)",
            name=op.f("ck_subscription_paid_by_transfer"),
        ),
        sa.CheckConstraint("amount_kobo >= 0", name=op.f("ck_subscription_amount_not_negative")),
        sa.CheckConstraint("ends_at > starts_at", name=op.f("ck_subscription_ends_after_start")),
        sa.CheckConstraint(
            "replaced_at >= starts_at", name=op.f("ck_subscription_replaced_after_start")
        ),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["plan.id"], name=op.f("fk_subscription_plan_id_plan")
        ),
        sa.ForeignKeyConstraint(
            ["transfer_id"],
            ["ledger_transfer.id"],
            name=op.f("fk_subscription_transfer_id_ledger_transfer"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_subscription_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscription")),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_subscription_transfer_id")),
    )
    op.create_index(
        "uq_subscription_free_once",
        "subscription",
        ["user_id", "plan_id"],
        unique=True,
        postgresql_where=sa.text("amount_kobo = 0"),
    )
    op.create_index(
        "uq_subscription_latest",
        "subscription",
        ["user_id"],
        unique=True,
        postgresql_where=sa.text("replaced_at IS NULL"),
    )
    for _, definition in FUNCTIONS:
        op.execute(definition)
    op.execute(
        "CREATE TRIGGER keep_subscription BEFORE UPDATE OR DELETE ON subscription "
        "FOR EACH ROW EXECUTE FUNCTION keep_subscription()"
    )
    role = Settings().database_runtime_role
    if role:
        # What was bought is evidence; a plan that is no longer sold is hidden.
        op.execute(f"REVOKE DELETE ON plan, subscription FROM {role}")


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.execute("DROP TRIGGER keep_subscription ON subscription")
    for signature, _ in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {signature}")
    op.drop_index(
        "uq_subscription_latest",
        table_name="subscription",
        postgresql_where=sa.text("replaced_at IS NULL"),
    )
    op.drop_index(
        "uq_subscription_free_once",
        table_name="subscription",
        postgresql_where=sa.text("amount_kobo = 0"),
    )
    op.drop_table("subscription")
    op.drop_table("plan")
