"""Legal pages: who runs the app, what happens on new terms, and what each member accepted."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261127_1640"
down_revision = "20261127_1620"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "terms_acceptance",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_terms_acceptance_user_id_user_account"),
        ),
        sa.PrimaryKeyConstraint("user_id", "version", name=op.f("pk_terms_acceptance")),
    )
    op.add_column("sign_up_attempt", sa.Column("terms_version", sa.String()))
    op.add_column(
        "office_setting",
        sa.Column("legal", postgresql.JSONB(none_as_null=True, astext_type=sa.Text())),
    )
    op.add_column("office_setting", sa.Column("new_terms", sa.String(length=32)))
    op.create_check_constraint(
        op.f("ck_office_setting_new_terms"), "office_setting", "new_terms IN ('ask', 'inform')"
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_constraint(op.f("ck_office_setting_new_terms"), "office_setting")
    op.drop_column("office_setting", "new_terms")
    op.drop_column("office_setting", "legal")
    op.drop_column("sign_up_attempt", "terms_version")
    op.drop_table("terms_acceptance")
