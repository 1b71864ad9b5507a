"""Sign-up attempts of their own, codes that belong to one of them, and networks members come from.

A record without an account is no member: sign-ups that were never activated are removed, and so
are the codes under way. Whoever has not activated signs up again; whoever waits for a code asks for
another one. Nothing of a member is lost.
"""

import sqlalchemy as sa
from alembic import op

revision = "20261122_1625"
down_revision = "20261122_1620"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.execute("DELETE FROM mailed_code")
    op.execute(
        "DELETE FROM credential WHERE user_id IN "
        "(SELECT id FROM user_account WHERE activated_at IS NULL)"
    )
    op.execute("DELETE FROM user_account WHERE activated_at IS NULL")
    op.alter_column(
        "user_account", "activated_at", existing_type=sa.DateTime(timezone=True), nullable=False
    )
    op.drop_index("uq_user_account_phone", table_name="user_account")
    op.create_index("uq_user_account_phone", "user_account", ["phone"], unique=True)
    op.create_table(
        "sign_up_attempt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "phone ~ '^\\+[0-9]{8,15}$'", name=op.f("ck_sign_up_attempt_phone_is_e164")
        ),
        sa.ForeignKeyConstraint(
            ["club_id"], ["club.id"], name=op.f("fk_sign_up_attempt_club_id_club")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_up_attempt")),
    )
    op.create_index("ix_sign_up_attempt_address", "sign_up_attempt", ["address", "created_at"])
    op.create_table(
        "known_origin",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_known_origin_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "origin", name=op.f("pk_known_origin")),
    )
    op.drop_index("uq_mailed_code_open", table_name="mailed_code")
    op.drop_index("ix_mailed_code_user_id_created_at", table_name="mailed_code")
    op.add_column("mailed_code", sa.Column("subject_id", sa.Uuid(), nullable=False))
    op.add_column("mailed_code", sa.Column("address", sa.String(), nullable=False))
    op.alter_column("mailed_code", "user_id", existing_type=sa.Uuid(), nullable=True)
    op.add_column("mailed_code", sa.Column("is_from_known", sa.Boolean(), nullable=False))
    op.add_column(
        "mailed_code",
        sa.Column("known_tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
    )
    op.drop_constraint("ck_mailed_code_tries_are_bounded", "mailed_code")
    op.create_check_constraint(
        op.f("ck_mailed_code_tries_are_bounded"),
        "mailed_code",
        "tries BETWEEN 0 AND 5 AND known_tries BETWEEN 0 AND 5",
    )
    op.create_index(
        "uq_mailed_code_open",
        "mailed_code",
        ["subject_id", "purpose", "is_from_known"],
        unique=True,
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_index("ix_mailed_code_address", "mailed_code", ["address", "purpose", "created_at"])
    op.create_index(
        "ix_mailed_code_user_id",
        "mailed_code",
        ["user_id"],
        postgresql_where=sa.text("user_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.execute("DELETE FROM mailed_code")
    op.drop_index("ix_mailed_code_user_id", table_name="mailed_code")
    op.drop_index("ix_mailed_code_address", table_name="mailed_code")
    op.drop_index("uq_mailed_code_open", table_name="mailed_code")
    op.alter_column("mailed_code", "user_id", existing_type=sa.Uuid(), nullable=False)
    op.drop_constraint("ck_mailed_code_tries_are_bounded", "mailed_code")
    op.create_check_constraint(
        op.f("ck_mailed_code_tries_are_bounded"), "mailed_code", "tries BETWEEN 0 AND 5"
    )
    op.drop_column("mailed_code", "known_tries")
    op.drop_column("mailed_code", "is_from_known")
    op.drop_column("mailed_code", "address")
    op.drop_column("mailed_code", "subject_id")
    op.create_index(
        "ix_mailed_code_user_id_created_at", "mailed_code", ["user_id", "purpose", "created_at"]
    )
    op.create_index(
        "uq_mailed_code_open",
        "mailed_code",
        ["user_id", "purpose"],
        unique=True,
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.drop_table("known_origin")
    op.drop_table("sign_up_attempt")
    op.drop_index("uq_user_account_phone", table_name="user_account")
    op.create_index(
        "uq_user_account_phone",
        "user_account",
        ["phone"],
        unique=True,
        postgresql_where=sa.text("activated_at IS NOT NULL"),
    )
    op.alter_column(
        "user_account", "activated_at", existing_type=sa.DateTime(timezone=True), nullable=True
    )
