"""Figures of each day are kept, for charts."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0302"
down_revision = "20261124_0301"
branch_labels = None
depends_on = None

COUNTS = ("active_members", "quest_members", "battle_members", "battle_answers", "chat_messages")
MONEY = ("orders", "orders_kobo", "money_in_kobo", "money_out_kobo")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "day_figure",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("counted_at", sa.DateTime(timezone=True), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in (*COUNTS, *MONEY)),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_day_figure")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("day_figure")
