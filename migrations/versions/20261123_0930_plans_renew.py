"""Plans renew by choice: what a period needs for that, and the prices before a change."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_0930"
down_revision = "20261123_0810"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
INSTANTS = ("first_starts_at", "priced_at", "reminded_at", "warned_at", "ended_at")
FREE_ONCE = "amount_kobo = 0"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    # They stand in the way of what follows; the objects are written anew after the migrations.
    op.execute("DROP TRIGGER IF EXISTS keep_subscription ON subscription")
    op.execute("DROP TRIGGER IF EXISTS keep_replaced ON subscription")
    op.add_column(
        "plan", sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False)
    )
    for name in ("is_gift", "renews"):
        op.add_column(
            "subscription",
            sa.Column(name, sa.Boolean(), server_default=sa.text("false"), nullable=False),
        )
    op.add_column(
        "subscription",
        sa.Column("credited_kobo", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
    )
    op.add_column(
        "subscription",
        sa.Column("renewal_tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
    )
    op.add_column("subscription", sa.Column("wanted_kobo", sa.BigInteger(), nullable=True))
    for name in INSTANTS:
        op.add_column("subscription", sa.Column(name, INSTANT, nullable=True))
    # What is over stays over, and nobody is told of it now.
    op.execute(
        "UPDATE subscription SET ended_at = ends_at WHERE replaced_at IS NULL AND ends_at <= now()"
    )
    op.execute(
        "UPDATE subscription s SET credited_kobo = t.amount_kobo FROM ledger_transfer t "
        "WHERE t.kind = 'refund' AND t.reference = 'unused:' || s.id"
    )
    for name, condition in (
        ("gifts_cost_nothing", "NOT is_gift OR amount_kobo = 0"),
        ("credited_in_range", "credited_kobo BETWEEN 0 AND amount_kobo"),
        ("ended_after_its_end", "ended_at >= ends_at"),
    ):
        op.create_check_constraint(op.f(f"ck_subscription_{name}"), "subscription", condition)
    op.drop_index("uq_subscription_free_once", table_name="subscription")
    op.create_index(
        "uq_subscription_free_once",
        "subscription",
        ["user_id", "plan_id"],
        unique=True,
        postgresql_where=sa.text("amount_kobo = 0 AND NOT is_gift"),
    )
    op.create_index("ix_subscription_user_id_id", "subscription", ["user_id", "id"])
    op.create_index(
        "ix_subscription_ends_at_open",
        "subscription",
        ["ends_at"],
        postgresql_where=sa.text("replaced_at IS NULL AND ended_at IS NULL"),
    )
    op.create_table(
        "plan_price_change",
        sa.Column("plan_id", sa.Uuid(), nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False),
        sa.Column("amount_before_kobo", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["plan.id"], name=op.f("fk_plan_price_change_plan_id_plan")
        ),
        sa.PrimaryKeyConstraint("plan_id", "changed_at", name=op.f("pk_plan_price_change")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("DROP TRIGGER IF EXISTS keep_subscription ON subscription")
    op.execute("DROP TRIGGER IF EXISTS keep_replaced ON subscription")
    op.execute("DROP FUNCTION IF EXISTS plan_allows_battle(uuid, timestamptz)")
    op.execute("DROP FUNCTION IF EXISTS current_plan_id(uuid, timestamptz)")
    op.drop_table("plan_price_change")
    op.drop_index("ix_subscription_ends_at_open", table_name="subscription")
    op.drop_index("ix_subscription_user_id_id", table_name="subscription")
    op.drop_index("uq_subscription_free_once", table_name="subscription")
    op.create_index(
        "uq_subscription_free_once",
        "subscription",
        ["user_id", "plan_id"],
        unique=True,
        postgresql_where=sa.text(FREE_ONCE),
    )
    for name in ("gifts_cost_nothing", "credited_in_range", "ended_after_its_end"):
        op.drop_constraint(op.f(f"ck_subscription_{name}"), "subscription")
    dropped = (*INSTANTS, "wanted_kobo", "renewal_tries", "credited_kobo", "renews", "is_gift")
    for name in dropped:
        op.drop_column("subscription", name)
    op.drop_column("plan", "version")
