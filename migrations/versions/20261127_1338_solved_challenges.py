"""A solved challenge is used once: its number is stored until no clock believes it any more."""

import sqlalchemy as sa
from alembic import op

revision = "20261127_1338"
down_revision = "20261127_0340"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "solved_challenge",
        sa.Column("nonce", sa.String(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("nonce", name=op.f("pk_solved_challenge")),
    )
    op.create_index("ix_solved_challenge_expires_at", "solved_challenge", ["expires_at"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_solved_challenge_expires_at", table_name="solved_challenge")
    op.drop_table("solved_challenge")
