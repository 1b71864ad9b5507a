"""Statements of the bank are imported, and their lines matched to confirmed transfers."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261126_1900"
down_revision = "20261126_1870"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "bank_statement",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("mapping", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bank_statement")),
        sa.UniqueConstraint("digest", name=op.f("uq_bank_statement_digest")),
    )
    op.create_unique_constraint(
        op.f("uq_bank_receipt_id_amount_kobo"), "bank_receipt", ["id", "amount_kobo"]
    )
    op.create_index(
        "ix_bank_receipt_amount_kobo_paid_on", "bank_receipt", ["amount_kobo", "paid_on"]
    )
    op.create_table(
        "bank_line",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("statement_id", sa.Uuid(), nullable=False),
        sa.Column("booked_on", sa.Date(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("narration", sa.String(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("words", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("receipt_id", sa.Uuid(), nullable=True),
        sa.Column("matched_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("matched_by", sa.Uuid(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.CheckConstraint(
            "amount_kobo BETWEEN 1 AND 100000000000", name=op.f("ck_bank_line_amount_in_range")
        ),
        sa.CheckConstraint("ordinal >= 1", name=op.f("ck_bank_line_counts_from_one")),
        sa.CheckConstraint(
            "(receipt_id IS NULL) = (matched_at IS NULL)",
            name=op.f("ck_bank_line_match_has_moment"),
        ),
        sa.CheckConstraint(
            "(matched_by IS NULL) = (reason IS NULL)",
            name=op.f("ck_bank_line_by_hand_has_reason"),
        ),
        sa.CheckConstraint(
            "matched_by IS NULL OR receipt_id IS NOT NULL",
            name=op.f("ck_bank_line_by_hand_is_match"),
        ),
        sa.ForeignKeyConstraint(
            ["statement_id"],
            ["bank_statement.id"],
            name=op.f("fk_bank_line_statement_id_bank_statement"),
        ),
        sa.ForeignKeyConstraint(
            ["matched_by"], ["operator.id"], name=op.f("fk_bank_line_matched_by_operator")
        ),
        sa.ForeignKeyConstraint(
            ["receipt_id", "amount_kobo"],
            ["bank_receipt.id", "bank_receipt.amount_kobo"],
            name=op.f("fk_bank_line_receipt_id_bank_receipt"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bank_line")),
        sa.UniqueConstraint(
            "booked_on",
            "amount_kobo",
            "reference",
            "narration",
            "ordinal",
            name=op.f("uq_bank_line_booked_on_amount_kobo_reference_narration_ordinal"),
        ),
        sa.UniqueConstraint("receipt_id", name=op.f("uq_bank_line_receipt_id")),
    )
    op.create_index(
        "ix_bank_line_open",
        "bank_line",
        ["amount_kobo"],
        postgresql_where=sa.text("receipt_id IS NULL"),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("bank_line")
    op.drop_index("ix_bank_receipt_amount_kobo_paid_on", table_name="bank_receipt")
    op.drop_constraint(op.f("uq_bank_receipt_id_amount_kobo"), "bank_receipt", type_="unique")
    op.drop_table("bank_statement")
