"""Members' browsers are pushed to."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0810"
down_revision = "20261124_0800"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("notification", sa.Column("push_due_at", INSTANT))
    op.create_index(
        "ix_notification_push_due_at",
        "notification",
        ["push_due_at"],
        postgresql_where=sa.text("push_due_at IS NOT NULL"),
    )
    op.create_table(
        "push_subscription",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("endpoint_digest", sa.LargeBinary(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("seen_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_push_subscription_user_id_user_account")
        ),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["session.id"],
            name=op.f("fk_push_subscription_session_id_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_subscription")),
        sa.UniqueConstraint("endpoint_digest", name=op.f("uq_push_subscription_endpoint_digest")),
    )
    op.create_index("ix_push_subscription_user_id", "push_subscription", ["user_id", "seen_at"])
    op.create_index("ix_push_subscription_session_id", "push_subscription", ["session_id"])
    op.create_index("ix_push_subscription_seen_at", "push_subscription", ["seen_at"])
    op.create_table(
        "push_delivery",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("subscription_id", sa.Uuid(), nullable=False),
        sa.Column("notification_id", sa.Uuid(), nullable=False),
        sa.Column("together", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT),
        sa.Column("claimed_at", INSTANT),
        sa.CheckConstraint("together >= 1", name=op.f("ck_push_delivery_together_positive")),
        sa.ForeignKeyConstraint(
            ["subscription_id"],
            ["push_subscription.id"],
            name=op.f("fk_push_delivery_subscription_id_push_subscription"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["notification_id"],
            ["notification.id"],
            name=op.f("fk_push_delivery_notification_id_notification"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_delivery")),
        sa.UniqueConstraint(
            "subscription_id",
            "notification_id",
            name=op.f("uq_push_delivery_subscription_id_notification_id"),
        ),
    )
    op.create_index("ix_push_delivery_notification_id", "push_delivery", ["notification_id"])
    op.create_index(
        "ix_push_delivery_due_at",
        "push_delivery",
        ["due_at"],
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_table(
        "push_day",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("pushed", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_push_day_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_push_day")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in ("push_day", "push_delivery", "push_subscription"):
        op.drop_table(name)
    op.drop_column("notification", "push_due_at")
