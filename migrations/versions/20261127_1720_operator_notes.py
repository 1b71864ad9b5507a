"""Operators write notes about orders and members."""

import sqlalchemy as sa
from alembic import op

revision = "20261127_1720"
down_revision = "20261127_1710"
branch_labels = None
depends_on = None

SUBJECTS = {"order_id": "shop_order", "user_id": "user_account"}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "operator_note",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=True),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("written_by", sa.Uuid(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "num_nonnulls(order_id, user_id) = 1", name=op.f("ck_operator_note_one_subject")
        ),
        sa.CheckConstraint(
            "char_length(text) BETWEEN 1 AND 1000", name=op.f("ck_operator_note_text_length")
        ),
        *(
            sa.ForeignKeyConstraint(
                [column],
                [f"{table}.id"],
                name=op.f(f"fk_operator_note_{column}_{table}"),
            )
            for column, table in {**SUBJECTS, "written_by": "operator"}.items()
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_note")),
    )
    for column in SUBJECTS:
        op.create_index(
            f"ix_operator_note_{column}",
            "operator_note",
            [column],
            postgresql_where=sa.text(f"{column} IS NOT NULL"),
        )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("operator_note")
