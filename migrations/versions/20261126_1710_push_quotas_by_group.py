"""Pushes are counted by group, and those that members cause also by who caused them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261126_1710"
down_revision = "20261126_1705"
branch_labels = None
depends_on = None

GROUPS = ("personal", "social", "football")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("notification", sa.Column("sender_id", sa.Uuid()))
    op.execute(
        "ALTER TABLE notification ADD CONSTRAINT fk_notification_sender_id_user_account "
        "FOREIGN KEY (sender_id) REFERENCES user_account (id) NOT VALID"
    )
    op.execute(
        "ALTER TABLE notification VALIDATE CONSTRAINT fk_notification_sender_id_user_account"
    )
    # Counts of the day that it is are worth less than a rule for what they were of.
    op.drop_table("push_day")
    op.create_table(
        "push_day",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "push_group",
            sa.Enum(
                *GROUPS, name="push_group", native_enum=False, create_constraint=True, length=32
            ),
            nullable=False,
        ),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("pushed", sa.Integer(), nullable=False),
        sa.Column("senders", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_push_day_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "push_group", name=op.f("pk_push_day")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("push_day")
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
    op.drop_column("notification", "sender_id")
