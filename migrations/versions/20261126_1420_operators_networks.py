"""Operators are known by the networks they sign in from, and others lock nobody out there."""

import sqlalchemy as sa
from alembic import op

revision = "20261126_1420"
down_revision = "20261126_1410"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "known_operator_network",
        sa.Column("operator_id", sa.Uuid(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["operator_id"],
            ["operator.id"],
            name=op.f("fk_known_operator_network_operator_id_operator"),
        ),
        sa.PrimaryKeyConstraint("operator_id", "origin", name=op.f("pk_known_operator_network")),
    )
    op.create_index("ix_known_operator_network_seen_at", "known_operator_network", ["seen_at"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("known_operator_network")
