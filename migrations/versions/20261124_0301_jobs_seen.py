"""Jobs say when they are due and whether they run, and may be asked for; mails are listed."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0301"
down_revision = "20261124_0300"
branch_labels = None
depends_on = None

MOMENTS = ("failed_at", "due_at", "runs_until", "asked_at")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in MOMENTS:
        op.add_column("job_kind", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_notification_mail_waiting",
        "notification",
        ["id"],
        postgresql_where=sa.text("mail_due_at IS NOT NULL"),
    )
    # Beside the library's own: dead letters are listed among however many wait.
    op.create_index(
        "ix_pgqueuer_failed",
        "pgqueuer",
        ["id"],
        postgresql_where=sa.text("status = 'failed'::pgqueuer_status"),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_pgqueuer_failed", "pgqueuer")
    op.drop_index("ix_notification_mail_waiting", "notification")
    for name in MOMENTS:
        op.drop_column("job_kind", name)
