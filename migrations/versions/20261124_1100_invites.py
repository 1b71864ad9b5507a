"""Invites, who came by them, and the browsers that members come with."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_1100"
down_revision = "20261124_1000"
branch_labels = None
depends_on = None

SOURCE = "ck_point_entry_point_source"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _change_sources("source IN ('trivia', 'battle', 'prediction', 'invite')")
    op.add_column("sign_up_attempt", sa.Column("invite", sa.String(length=32)))
    op.add_column("sign_up_attempt", sa.Column("browser", sa.String()))
    op.create_table(
        "known_browser",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("browser", sa.String(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        _key("known_browser", "user_id", "user_account"),
        sa.PrimaryKeyConstraint("user_id", "browser", name=op.f("pk_known_browser")),
    )
    op.create_index("ix_known_browser_seen_at", "known_browser", ["seen_at"])
    op.create_table(
        "invite",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("code", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        _key("invite", "user_id", "user_account"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_invite")),
        sa.UniqueConstraint("code", name=op.f("uq_invite_code")),
    )
    op.create_table(
        "invitation",
        sa.Column("invited_id", sa.Uuid(), nullable=False),
        sa.Column("inviter_id", sa.Uuid(), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("rewarded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("season_id", sa.Uuid(), nullable=True),
        sa.CheckConstraint("inviter_id <> invited_id", name=op.f("ck_invitation_of_two")),
        sa.CheckConstraint(
            "rewarded_at IS NULL OR settled_at IS NOT NULL",
            name=op.f("ck_invitation_settled_first"),
        ),
        _key("invitation", "invited_id", "user_account"),
        _key("invitation", "inviter_id", "user_account"),
        _key("invitation", "season_id", "season"),
        sa.PrimaryKeyConstraint("invited_id", name=op.f("pk_invitation")),
    )
    op.create_index(
        "ix_invitation_inviter_id",
        "invitation",
        ["inviter_id", sa.text("rewarded_at NULLS FIRST")],
    )


def _key(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{other}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name)


def _change_sources(rule: str) -> None:
    op.drop_constraint(op.f(SOURCE), "point_entry", type_="check")
    # The rule only grows, so that the rows need not be read while everybody waits.
    op.create_check_constraint(op.f(SOURCE), "point_entry", rule, postgresql_not_valid=True)
    op.execute(f"ALTER TABLE point_entry VALIDATE CONSTRAINT {SOURCE}")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("invitation")
    op.drop_table("invite")
    op.drop_table("known_browser")
    op.drop_column("sign_up_attempt", "browser")
    op.drop_column("sign_up_attempt", "invite")
    _change_sources("source IN ('trivia', 'battle', 'prediction')")
