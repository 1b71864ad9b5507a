"""Members are told of games, matches and answers, and choose what is pushed."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261124_0800"
down_revision = "20261124_0600"
branch_labels = None
depends_on = None

KIND = "ck_notification_notification_kind"
GROUPS = "ck_notification_setting_groups_exist"
OLD = (
    *("wallet_credited", "wallet_adjusted", "refund_sent"),
    *("order_paid", "order_shipped", "order_delivered", "order_cancelled", "order_expiring"),
    *("order_expired", "proof_rejected", "transfer_short", "transfer_late"),
    *("plan_ending", "plan_renewing", "plan_fund_to_keep", "plan_renewed", "plan_grace"),
    *("plan_ended", "plan_gift", "plan_price_changed"),
    *("chat_muted", "chat_banned", "moment_hidden", "club_changed"),
)
NEW = ("reply", "mention", "promotion", "quest_open", "overtaken", "fixture_soon")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _allow_kinds((*OLD, *NEW))
    op.drop_constraint(op.f(GROUPS), "notification_setting", type_="check")
    op.add_column(
        "notification_setting",
        sa.Column(
            "without_push",
            postgresql.ARRAY(sa.Text()),
            nullable=False,
            server_default=sa.text("'{games}'"),
        ),
    )
    # Nobody has asked for mail of the new groups yet.
    op.execute(
        "UPDATE notification_setting SET without_mail = without_mail || ARRAY['games', 'matches']"
    )
    op.create_check_constraint(
        op.f(GROUPS),
        "notification_setting",
        "without_mail || without_push <@ "
        "ARRAY['money', 'orders', 'plans', 'community', 'games', 'matches']",
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_constraint(op.f(GROUPS), "notification_setting", type_="check")
    op.drop_column("notification_setting", "without_push")
    op.execute(
        "UPDATE notification_setting SET without_mail = "
        "array_remove(array_remove(without_mail, 'games'), 'matches')"
    )
    op.create_check_constraint(
        op.f(GROUPS),
        "notification_setting",
        "without_mail <@ ARRAY['money', 'orders', 'plans', 'community']",
    )
    listed = ", ".join(f"'{kind}'" for kind in NEW)
    op.execute(f"DELETE FROM notification WHERE kind IN ({listed})")
    _allow_kinds(OLD)


def _allow_kinds(kinds: tuple[str, ...]) -> None:
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    op.drop_constraint(op.f(KIND), "notification", type_="check")
    op.create_check_constraint(op.f(KIND), "notification", f"kind IN ({listed})")
