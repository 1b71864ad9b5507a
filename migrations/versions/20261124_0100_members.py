"""Members are looked up by how their data begins, suspended for a while, and moved to clubs."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0100"
down_revision = "20261123_1250"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
BEGINNINGS = {
    "ix_user_account_name": "lower(first_name || ' ' || last_name)",
    "ix_user_account_last_name": "lower(last_name)",
    "ix_user_account_email": "lower(email)",
    "ix_user_account_phone": "phone",
}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("user_account", sa.Column("suspended_until", INSTANT, nullable=True))
    op.create_check_constraint(
        op.f("ck_user_account_suspension_has_begun"),
        "user_account",
        "suspended_until IS NULL OR suspended_at IS NOT NULL",
    )
    for name, beginning in BEGINNINGS.items():
        op.execute(f"CREATE INDEX {name} ON user_account ({beginning} text_pattern_ops)")
    op.create_table(
        "club_change",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("from_club_id", sa.Uuid(), nullable=False),
        sa.Column("to_club_id", sa.Uuid(), nullable=False),
        sa.Column("operator_id", sa.Uuid(), nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_club_change_user_id_user_account")
        ),
        sa.ForeignKeyConstraint(
            ["from_club_id"], ["club.id"], name=op.f("fk_club_change_from_club_id_club")
        ),
        sa.ForeignKeyConstraint(
            ["to_club_id"], ["club.id"], name=op.f("fk_club_change_to_club_id_club")
        ),
        sa.ForeignKeyConstraint(
            ["operator_id"], ["operator.id"], name=op.f("fk_club_change_operator_id_operator")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_club_change")),
    )
    op.create_index("ix_club_change_user_id_id", "club_change", ["user_id", "id"])


def downgrade() -> None:
    op.drop_table("club_change")
    for name in BEGINNINGS:
        op.drop_index(name, "user_account")
    op.drop_constraint(op.f("ck_user_account_suspension_has_begun"), "user_account", type_="check")
    op.drop_column("user_account", "suspended_until")
