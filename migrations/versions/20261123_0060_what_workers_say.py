"""What is watched: workers, how often each kind of work went how, fundings set aside."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_0060"
down_revision = "20261123_0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("successes", "failures"):
        op.add_column(
            "job_kind",
            sa.Column(name, sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        )
    op.create_table(
        "job_worker",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("resident_bytes", sa.BigInteger(), nullable=False),
        sa.Column("open_files", sa.BigInteger(), nullable=False),
        sa.Column("loop_lag_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job_worker")),
    )

    op.create_index(
        "ix_funding_in_review",
        "funding",
        ["decided_at"],
        postgresql_where=sa.text("state = 'review'"),
    )


def downgrade() -> None:
    op.drop_index("ix_funding_in_review", table_name="funding")
    op.drop_table("job_worker")
    op.drop_column("job_kind", "failures")
    op.drop_column("job_kind", "successes")
