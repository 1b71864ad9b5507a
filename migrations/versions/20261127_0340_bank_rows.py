"""A row of the bank's statement is the same line whatever its columns are taken for."""

import sqlalchemy as sa
from alembic import op

revision = "20261127_0340"
down_revision = "20261127_0330"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("bank_line", sa.Column("row_digest", sa.String(), nullable=True))
    op.add_column("bank_line", sa.Column("row_ordinal", sa.Integer(), nullable=True))
    op.create_unique_constraint(
        op.f("uq_bank_line_row_digest_row_ordinal"), "bank_line", ["row_digest", "row_ordinal"]
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_constraint(op.f("uq_bank_line_row_digest_row_ordinal"), "bank_line", type_="unique")
    op.drop_column("bank_line", "row_ordinal")
    op.drop_column("bank_line", "row_digest")
