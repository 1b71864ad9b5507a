"""An index of results alone, the last one first."""

import sqlalchemy as sa
from alembic import op

revision = "20261125_0310"
down_revision = "20261124_1100"
branch_labels = None
depends_on = None

TABLE, INDEX = "prediction_decision", "ix_prediction_decision_decided_at"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index(INDEX, table_name=TABLE)
    columns = [sa.literal_column("decided_at DESC"), "fixture_id"]
    op.create_index(INDEX, TABLE, columns, postgresql_where=sa.text("home_goals IS NOT NULL"))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_index(INDEX, table_name=TABLE)
    op.create_index(INDEX, TABLE, ["decided_at"])
