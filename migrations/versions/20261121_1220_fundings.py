"""Money from outside: what was asked for, and what the provider reported."""

import sqlalchemy as sa
from alembic import op
from api.core.config import Settings

revision = "20261121_1220"
down_revision = "20261121_1210"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.create_table(
        "payment_event",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("gateway", sa.String(), nullable=False),
        sa.Column("dedupe_key", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column(
            "received_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_event")),
        sa.UniqueConstraint("dedupe_key", name=op.f("uq_payment_event_dedupe_key")),
    )
    op.create_index("ix_payment_event_reference", "payment_event", ["reference"], unique=False)
    op.create_table(
        "funding",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("gateway", sa.String(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "prepared",
                "pending",
                "failed",
                "succeeded",
                "review",
                "expired",
                name="funding_state",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("idempotency_key", sa.String(), nullable=True),
        sa.Column("opening_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("gateway_transaction_id", sa.String(), nullable=True),
        sa.Column("review_reason", sa.String(), nullable=True),
        sa.Column("next_check_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("notified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(state = 'review') = (review_reason IS NOT NULL)",
            name=op.f("ck_funding_review_has_reason"),
        ),
        sa.CheckConstraint(
            "(state IN ('succeeded', 'review')) = (decided_at IS NOT NULL)",
            name=op.f("ck_funding_decided_is_dated"),
        ),
        sa.CheckConstraint(
            "amount_kobo BETWEEN 1 AND 100000000000", name=op.f("ck_funding_amount_in_range")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_funding_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_funding")),
        sa.UniqueConstraint(
            "gateway",
            "gateway_transaction_id",
            name=op.f("uq_funding_gateway_gateway_transaction_id"),
        ),
        sa.UniqueConstraint("reference", name=op.f("uq_funding_reference")),
        sa.UniqueConstraint(
            "user_id", "idempotency_key", name=op.f("uq_funding_user_id_idempotency_key")
        ),
    )
    op.create_index(
        "ix_funding_next_check_at",
        "funding",
        ["next_check_at"],
        unique=False,
        postgresql_where=sa.text("state IN ('prepared', 'pending', 'failed')"),
    )
    op.create_index(
        "ix_funding_unnotified",
        "funding",
        ["user_id"],
        unique=False,
        postgresql_where=sa.text("notified_at IS NULL AND decided_at IS NOT NULL"),
    )
    op.create_index(
        "ix_funding_user_id_created_at", "funding", ["user_id", "created_at"], unique=False
    )
    role = Settings().database_runtime_role
    if role:
        # A report is evidence and an intent is never forgotten.
        op.execute(f"REVOKE UPDATE, DELETE ON payment_event FROM {role}")
        op.execute(f"REVOKE DELETE ON funding FROM {role}")


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.drop_index("ix_funding_user_id_created_at", table_name="funding")
    op.drop_index(
        "ix_funding_unnotified",
        table_name="funding",
        postgresql_where=sa.text("notified_at IS NULL AND decided_at IS NOT NULL"),
    )
    op.drop_index(
        "ix_funding_next_check_at",
        table_name="funding",
        postgresql_where=sa.text("state IN ('prepared', 'pending', 'failed')"),
    )
    op.drop_table("funding")
    op.drop_index("ix_payment_event_reference", table_name="payment_event")
    op.drop_table("payment_event")
