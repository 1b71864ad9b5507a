"""What the back office sets while the product runs: one row."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261123_1220"
down_revision = "20261123_1210"
branch_labels = None
depends_on = None

LIMITS = ("adjustment_limit_kobo", "adjustment_day_limit_kobo", "refund_limit_kobo")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "office_setting",
        sa.Column("is_one", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("transfer_account", postgresql.JSONB(none_as_null=True), nullable=True),
        sa.Column("state_required", sa.Boolean(), nullable=True),
        sa.Column("quiet_from", sa.Time(), nullable=True),
        sa.Column("quiet_to", sa.Time(), nullable=True),
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in LIMITS),
        sa.Column("gift_limit", sa.Integer(), nullable=True),
        sa.CheckConstraint("is_one", name=op.f("ck_office_setting_one_row")),
        sa.PrimaryKeyConstraint("is_one", name=op.f("pk_office_setting")),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("office_setting")
