"""Who stands for what operators credit is written down before it is posted."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261126_1520"
down_revision = "20261126_1500"
branch_labels = None
depends_on = None

# What was posted before is written down, too, with who did it where that is known.
IMPORT = """
INSERT INTO operator_credit (id, kind, initiator_id, approval_id, user_id, document_id, reference,
                             amount_kobo, counted_kobo, confirmed_kobo, limit_kobo, day_limit_kobo,
                             is_imported, created_at)
SELECT gen_random_uuid(), 'adjustment', operator_id, approval_id, user_id, id,
       coalesce('approval:' || approval_id, 'adjust:' || id), amount_kobo, abs(amount_kobo), 0,
       0, 0, true, created_at
  FROM wallet_adjustment
 UNION ALL
SELECT gen_random_uuid(), 'refund', decided_by, NULL, user_id, id, 'refund:' || id,
       amount_kobo, amount_kobo, 0, 0, 0, true, decided_at
  FROM refund_case WHERE state = 'sent'
 UNION ALL
SELECT gen_random_uuid(), 'transfer',
       (SELECT a.operator_id FROM audit_entry a
         WHERE a.target_id = r.order_id::text AND a.action = 'confirm-transfer'
           AND a.after_state ->> 'bank' = r.bank AND a.after_state ->> 'reference' = r.reference
         LIMIT 1),
       NULL, o.user_id, r.id, 'transfer:' || r.bank || ':' || r.reference, r.amount_kobo, 0,
       r.amount_kobo, 0, 0, true, r.received_at
  FROM bank_receipt r JOIN shop_order o ON o.id = r.order_id
 UNION ALL
SELECT gen_random_uuid(), 'review_case',
       (SELECT a.operator_id FROM audit_entry a
         WHERE a.target_id = r.id::text AND a.action = 'accept' LIMIT 1),
       NULL, r.user_id, r.id, r.source, r.amount_kobo, r.amount_kobo, 0, 0, 0, true, r.decided_at
  FROM review_case r WHERE r.state = 'accepted' AND r.kind <> 'chargeback_short'
"""
SETTINGS = ("refund_day_limit_kobo", "confirm_day_limit_kobo")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "operator_credit",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("initiator_id", sa.Uuid(), nullable=True),
        sa.Column("approval_id", sa.Uuid(), nullable=True),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("document_id", sa.Uuid(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("counted_kobo", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_kobo", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("limit_kobo", sa.BigInteger(), nullable=False),
        sa.Column("day_limit_kobo", sa.BigInteger(), nullable=False),
        sa.Column(
            "confirm_limit_kobo", sa.BigInteger(), server_default=sa.text("0"), nullable=False
        ),
        sa.Column("is_imported", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('adjustment', 'gift', 'review_case', 'refund', 'transfer')",
            name=op.f("ck_operator_credit_credit_kind"),
        ),
        sa.CheckConstraint(
            "counted_kobo >= 0 AND confirmed_kobo >= 0",
            name=op.f("ck_operator_credit_counts_forward"),
        ),
        sa.CheckConstraint(
            "is_imported OR initiator_id IS NOT NULL", name=op.f("ck_operator_credit_has_initiator")
        ),
        sa.CheckConstraint(
            "is_imported OR approval_id IS NOT NULL"
            " OR counted_kobo <= limit_kobo AND counted_kobo <= day_limit_kobo"
            " AND confirmed_kobo <= confirm_limit_kobo",
            name=op.f("ck_operator_credit_alone_within_limits"),
        ),
        sa.ForeignKeyConstraint(
            ["initiator_id"],
            ["operator.id"],
            name=op.f("fk_operator_credit_initiator_id_operator"),
        ),
        sa.ForeignKeyConstraint(
            ["approval_id"],
            ["approval.id"],
            name=op.f("fk_operator_credit_approval_id_approval"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_operator_credit_user_id_user_account"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_credit")),
        sa.UniqueConstraint(
            "kind", "document_id", name=op.f("uq_operator_credit_kind_document_id")
        ),
        sa.UniqueConstraint("reference", name=op.f("uq_operator_credit_reference")),
    )
    op.create_index(
        "ix_operator_credit_initiator_id_created_at",
        "operator_credit",
        ["initiator_id", "created_at"],
    )
    op.create_index("ix_operator_credit_user_id", "operator_credit", ["user_id"])
    op.execute(IMPORT)
    op.add_column(
        "approval",
        sa.Column(
            "reasons", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False
        ),
    )
    for name in SETTINGS:
        op.add_column("office_setting", sa.Column(name, sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in SETTINGS:
        op.drop_column("office_setting", name)
    op.drop_column("approval", "reasons")
    op.drop_table("operator_credit")
