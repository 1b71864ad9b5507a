"""Proofs seal what they found to be right, so that the next one reads only what is new."""

import sqlalchemy as sa
from alembic import op

revision = "20261128_1145"
down_revision = "20261128_1010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "ledger_seal",
        sa.Column("wallet_id", sa.Uuid(), nullable=False),
        sa.Column("last_entry", sa.BigInteger(), nullable=False),
        sa.Column("after_kobo", sa.BigInteger(), nullable=False),
        sa.Column("sealed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("last_entry > 0", name=op.f("ck_ledger_seal_covers_entries")),
        sa.CheckConstraint("after_kobo >= 0", name=op.f("ck_ledger_seal_no_overdraft")),
        sa.PrimaryKeyConstraint("wallet_id", name=op.f("pk_ledger_seal")),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_table(
        "ledger_seal_month",
        sa.Column("wallet_id", sa.Uuid(), nullable=False),
        sa.Column("month", sa.Date(), nullable=False),
        sa.Column("entries", sa.BigInteger(), nullable=False),
        sa.Column("moved_kobo", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("entries > 0", name=op.f("ck_ledger_seal_month_covers_entries")),
        sa.CheckConstraint(
            "extract(day FROM month) = 1", name=op.f("ck_ledger_seal_month_month_by_first_day")
        ),
        sa.PrimaryKeyConstraint("wallet_id", "month", name=op.f("pk_ledger_seal_month")),
        postgresql_with={"fillfactor": "70"},
    )
    op.add_column(
        "ledger_proof",
        sa.Column("is_whole", sa.Boolean(), server_default=sa.true(), nullable=False),
    )
    op.add_column("ledger_proof", sa.Column("covered_until", sa.DateTime(timezone=True)))
    op.add_column("ledger_proof", sa.Column("cluster", sa.String()))
    # What was decided since a proof, without reading what was decided before.
    op.create_index(
        "ix_funding_decided_at",
        "funding",
        ["decided_at"],
        postgresql_where=sa.text("decided_at IS NOT NULL"),
    )
    op.create_index(
        "ix_review_case_decided_at",
        "review_case",
        ["decided_at"],
        postgresql_where=sa.text("decided_at IS NOT NULL"),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_review_case_decided_at", table_name="review_case")
    op.drop_index("ix_funding_decided_at", table_name="funding")
    op.drop_column("ledger_proof", "cluster")
    op.drop_column("ledger_proof", "covered_until")
    op.drop_column("ledger_proof", "is_whole")
    op.drop_table("ledger_seal_month")
    op.drop_table("ledger_seal")
