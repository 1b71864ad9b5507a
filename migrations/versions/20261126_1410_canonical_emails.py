"""E-mails are kept in their canonical form, so that comparing them needs no folding."""

from alembic import op

revision = "20261126_1410"
down_revision = "20261125_0810"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    # Only ASCII was taken so far, and it was unique in any case of letters.
    op.execute("UPDATE user_account SET email = lower(email) WHERE email <> lower(email)")
    op.execute("UPDATE sign_up_attempt SET email = lower(email) WHERE email <> lower(email)")
    name = op.f("ck_user_account_email_is_canonical")
    op.create_check_constraint(name, "user_account", "email = lower(email)")
    op.drop_index("uq_user_account_email", "user_account")
    op.create_index("uq_user_account_email", "user_account", ["email"], unique=True)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_constraint(op.f("ck_user_account_email_is_canonical"), "user_account")
    op.drop_index("uq_user_account_email", "user_account")
    op.execute("CREATE UNIQUE INDEX uq_user_account_email ON user_account (lower(email))")
