"""Receipts: numbers without gaps, and who they were made out to."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261123_1240"
down_revision = "20261123_1230"
branch_labels = None
depends_on = None

KINDS = ("order", "funding", "subscription", "refund")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "receipt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                *KINDS, name="receipt_kind", native_enum=False, create_constraint=True, length=32
            ),
            nullable=False,
        ),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("year", sa.SmallInteger(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("buyer", postgresql.JSONB(), nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_receipt_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipt")),
        sa.UniqueConstraint("kind", "subject_id", name=op.f("uq_receipt_kind_subject_id")),
        sa.UniqueConstraint("year", "sequence", name=op.f("uq_receipt_year_sequence")),
    )
    op.create_index("ix_receipt_user_id", "receipt", ["user_id"])
    op.create_table(
        "receipt_counter",
        sa.Column("year", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("year", name=op.f("pk_receipt_counter")),
    )


def downgrade() -> None:
    op.drop_table("receipt_counter")
    op.drop_table("receipt")
