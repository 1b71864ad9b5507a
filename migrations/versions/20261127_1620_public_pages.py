"""A question for visitors, and the points that they bring along."""

import sqlalchemy as sa
from alembic import op

revision = "20261127_1620"
down_revision = "20261127_1610"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    sources = ("trivia", "battle", "prediction", "invite")
    _allow("point_entry", "point_source", "source", *sources, "welcome")
    _allow("question", "question_kind", "kind", "trivia", "battle", "visitor")
    op.add_column("sign_up_attempt", sa.Column("claim", sa.String(length=200)))
    op.create_index("ix_known_browser_browser", "known_browser", ["browser"])
    op.create_table(
        "used_claim",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_used_claim")),
    )
    op.create_index("ix_used_claim_expires_at", "used_claim", ["expires_at"])


def _allow(table: str, rule: str, column: str, *values: str) -> None:
    """Allow more values of a column; its rows need not be read while everybody waits."""
    name = f"ck_{table}_{rule}"
    op.drop_constraint(op.f(name), table, type_="check")
    allowed = ", ".join(f"'{value}'" for value in values)
    op.create_check_constraint(
        op.f(name), table, f"{column} IN ({allowed})", postgresql_not_valid=True
    )
    op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("used_claim")
    op.drop_index("ix_known_browser_browser", table_name="known_browser")
    op.drop_column("sign_up_attempt", "claim")
    _allow("question", "question_kind", "kind", "trivia", "battle")
    _allow("point_entry", "point_source", "source", "trivia", "battle", "prediction", "invite")
