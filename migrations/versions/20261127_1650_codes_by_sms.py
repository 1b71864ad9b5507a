"""Codes by SMS: the channel of a sign-up, and a row for each message and what became of it."""

import sqlalchemy as sa
from alembic import op

revision = "20261127_1650"
down_revision = "20261127_1640"
branch_labels = None
depends_on = None

CHANNELS = ("email", "sms")
STATES = ("queued", "sending", "sent", "delivered", "undelivered", "failed", "unknown")


def _checked(name: str, values: tuple[str, ...]) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=32)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column(
        "sign_up_attempt",
        sa.Column(
            "channel",
            _checked(op.f("ck_sign_up_attempt_code_channel"), CHANNELS),
            server_default=sa.text("'email'"),
            nullable=False,
        ),
    )
    op.create_table(
        "sms_message",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("state", _checked(op.f("ck_sms_message_sms_state"), STATES), nullable=False),
        sa.Column("provider_id", sa.String(length=64), nullable=True),
        sa.Column("report", sa.String(length=80), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("place BETWEEN 1 AND 3", name=op.f("ck_sms_message_few_a_day")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sms_message")),
        sa.UniqueConstraint("number", "day", "place", name=op.f("uq_sms_message_number_day_place")),
        sa.UniqueConstraint("provider_id", name=op.f("uq_sms_message_provider_id")),
    )
    op.create_index("ix_sms_message_created_at", "sms_message", ["created_at"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_sms_message_created_at", table_name="sms_message")
    op.drop_table("sms_message")
    op.drop_column("sign_up_attempt", "channel")
