"""Networks of members are found by the network, whoever the member is."""

from alembic import op

revision = "20261126_1800"
down_revision = "20261126_1710"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index("ix_known_origin_origin", "known_origin", ["origin"])


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index("ix_known_origin_origin", table_name="known_origin")
