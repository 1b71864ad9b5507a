"""Operators have rows of their own, with sessions, an audit, and approvals."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261123_0500"
down_revision = "20261123_0130"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "operator",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("roles", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("totp_secret", sa.LargeBinary(), nullable=True),
        sa.Column("last_code_step", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("created_at", INSTANT, server_default=sa.text("now()"), nullable=False),
        sa.Column("disabled_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "roles <@ ARRAY['owner', 'finance', 'shop', 'moderator', 'editor', 'game-master']"
            "::text[] AND cardinality(roles) > 0",
            name=op.f("ck_operator_roles_exist"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_operator_user_id_user_account")
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["operator.id"], name=op.f("fk_operator_created_by_operator")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator")),
        sa.UniqueConstraint("user_id", name=op.f("uq_operator_user_id")),
    )
    op.create_table(
        "admin_session",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("operator_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("last_used_at", INSTANT, nullable=False),
        sa.Column("code_at", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["operator_id"], ["operator.id"], name=op.f("fk_admin_session_operator_id_operator")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admin_session")),
    )
    op.create_index(
        "ix_admin_session_operator_id_open",
        "admin_session",
        ["operator_id"],
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("operator_id", sa.Uuid(), nullable=True),
        sa.Column("right_used", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("target_type", sa.String(), nullable=False),
        sa.Column("target_id", sa.String(), nullable=False),
        sa.Column("before_state", postgresql.JSONB(), nullable=True),
        sa.Column("after_state", postgresql.JSONB(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["operator_id"], ["operator.id"], name=op.f("fk_audit_entry_operator_id_operator")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    for column in ("operator_id", "target_id"):
        op.create_index(f"ix_audit_entry_{column}", "audit_entry", [column, "id"])
    op.create_table(
        "approval",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("content", postgresql.JSONB(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("right_needed", sa.String(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                *("open", "approved", "refused", "expired"),
                name="approval_state",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            server_default=sa.text("'open'"),
            nullable=False,
        ),
        sa.Column("proposed_by", sa.Uuid(), nullable=False),
        sa.Column("proposed_at", INSTANT, nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("decided_by", sa.Uuid(), nullable=True),
        sa.Column("decided_at", INSTANT, nullable=True),
        sa.Column("decision_reason", sa.String(), nullable=True),
        sa.Column("result", postgresql.JSONB(), nullable=True),
        sa.CheckConstraint(
            "decided_by <> proposed_by", name=op.f("ck_approval_second_person_decides")
        ),
        sa.CheckConstraint(
            "(state IN ('approved', 'refused')) = (decided_by IS NOT NULL)",
            name=op.f("ck_approval_decision_says_who"),
        ),
        sa.ForeignKeyConstraint(
            ["proposed_by"], ["operator.id"], name=op.f("fk_approval_proposed_by_operator")
        ),
        sa.ForeignKeyConstraint(
            ["decided_by"], ["operator.id"], name=op.f("fk_approval_decided_by_operator")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_approval")),
    )
    op.create_index(
        "ix_approval_open",
        "approval",
        ["expires_at"],
        postgresql_where=sa.text("state = 'open'"),
    )
    # Who ran the club goes on: the command line sets up a phone, without which nobody signs in.
    op.execute(
        "INSERT INTO operator (id, user_id, roles) "
        "SELECT id, id, ARRAY['owner'] FROM user_account WHERE is_operator"
    )
    # It stands on the column; the objects are written anew after the migrations.
    op.execute("DROP TRIGGER IF EXISTS announce_change ON user_account")
    op.drop_column("user_account", "is_operator")


def downgrade() -> None:
    op.add_column(
        "user_account",
        sa.Column("is_operator", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.execute(
        "UPDATE user_account SET is_operator = true "
        "WHERE id IN (SELECT user_id FROM operator WHERE disabled_at IS NULL)"
    )
    for table in ("approval", "audit_entry", "admin_session", "operator"):
        op.drop_table(table)
