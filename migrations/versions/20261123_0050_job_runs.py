"""Runs of work whose every outcome is kept: backups, and their proofs."""

import sqlalchemy as sa
from alembic import op

revision = "20261123_0050"
down_revision = "20261123_0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "job_run",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("succeeded", sa.Boolean(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_job_run"),
    )
    op.create_index("ix_job_run_kind_started_at", "job_run", ["kind", "started_at"])


def downgrade() -> None:
    op.drop_table("job_run")
