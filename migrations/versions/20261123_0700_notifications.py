"""Members are told what happens to them, and choose what is mailed."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261123_0700"
down_revision = "20261123_0500"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
KINDS = (
    *("wallet_credited", "wallet_adjusted", "refund_sent"),
    *("order_paid", "order_shipped", "order_delivered", "order_cancelled", "order_expiring"),
    *("order_expired", "proof_rejected", "transfer_short", "transfer_late"),
    *("plan_ending", "plan_renewing", "plan_fund_to_keep", "plan_renewed", "plan_grace"),
    *("plan_ended", "plan_gift", "plan_price_changed"),
    *("chat_muted", "chat_banned", "moment_hidden", "club_changed"),
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "notification",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                *KINDS,
                name="notification_kind",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("data", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("read_at", INSTANT, nullable=True),
        sa.Column("mail_due_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_notification_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification")),
        sa.UniqueConstraint(
            "user_id", "kind", "subject", name=op.f("uq_notification_user_id_kind_subject")
        ),
    )
    op.create_index("ix_notification_user_id_id", "notification", ["user_id", "id"])
    op.create_index(
        "ix_notification_user_id_unread",
        "notification",
        ["user_id"],
        postgresql_where=sa.text("read_at IS NULL"),
    )
    op.create_index(
        "ix_notification_mail_due_at",
        "notification",
        ["mail_due_at"],
        postgresql_where=sa.text("mail_due_at IS NOT NULL"),
    )
    op.create_table(
        "notification_setting",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("without_mail", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False),
        sa.CheckConstraint(
            "without_mail <@ ARRAY['money', 'orders', 'plans', 'community']",
            name=op.f("ck_notification_setting_groups_exist"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_notification_setting_user_id_user_account"),
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_notification_setting")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("notification_setting")
    op.drop_table("notification")
