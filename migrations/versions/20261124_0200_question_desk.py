"""Questions are looked for, imported from files that were looked at, and counted at night."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261124_0200"
down_revision = "20261124_0303"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index("ix_question_topic", "question", ["topic", "id"])
    op.create_index("ix_question_club_id", "question", ["club_id", "id"])
    op.create_index(
        "ix_question_retired",
        "question",
        ["id"],
        postgresql_where=sa.text("retired_at IS NOT NULL"),
    )
    op.create_index(
        "ix_question_words",
        "question",
        [sa.text("to_tsvector('simple'::regconfig, question)")],
        postgresql_using="gin",
    )
    op.create_table(
        "question_statistic",
        sa.Column("question_id", sa.Uuid(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("right_count", sa.Integer(), nullable=False),
        sa.Column("median_ms", sa.Integer(), nullable=True),
        sa.Column("by_rank", postgresql.JSONB(), nullable=False),
        sa.Column("flags", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("counted_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "right_count BETWEEN 0 AND asked", name=op.f("ck_question_statistic_right_are_asked")
        ),
        sa.ForeignKeyConstraint(
            ["question_id"],
            ["question.id"],
            name=op.f("fk_question_statistic_question_id_question"),
        ),
        sa.PrimaryKeyConstraint("question_id", name=op.f("pk_question_statistic")),
    )
    op.create_index(
        "ix_question_statistic_flagged",
        "question_statistic",
        ["question_id"],
        postgresql_where=sa.text("cardinality(flags) > 0"),
    )
    op.create_table(
        "import_run",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("bank_digest", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("problems", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("applied_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_import_run")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("import_run")
    op.drop_table("question_statistic")
    for name in ("words", "retired", "club_id", "topic"):
        op.drop_index(f"ix_question_{name}", "question")
