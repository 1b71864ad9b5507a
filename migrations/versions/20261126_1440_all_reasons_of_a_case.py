"""A review case names all reasons of its funding, and every funding in review has one."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261126_1440"
down_revision = "20261126_1420"
branch_labels = None
depends_on = None

OLD = ("amount", "currency", "member", "daily_limit", "surplus", "chargeback_short")
NEW = (*OLD[:4], "mode", "transaction", *OLD[4:])
# Until now several reasons of a funding were one text, and such a funding had no case.
ADD_MISSING = """
INSERT INTO review_case (id, kind, reasons, user_id, amount_kobo, subject, source, state, opened_at)
SELECT gen_random_uuid(), reasons[1], reasons, user_id, amount_kobo, reference, reference, 'open',
       decided_at
  FROM (SELECT f.*, string_to_array(replace(review_reason, 'member_left', 'member'), ', ')
               AS reasons FROM funding f) AS f
 WHERE state = 'review'
   AND NOT EXISTS (SELECT FROM review_case r WHERE r.source = f.reference)
"""


def replace_kinds(kinds: tuple[str, ...]) -> None:
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    op.execute("ALTER TABLE review_case DROP CONSTRAINT ck_review_case_review_kind")
    op.execute(
        "ALTER TABLE review_case ADD CONSTRAINT ck_review_case_review_kind "
        f"CHECK (kind IN ({listed})) NOT VALID"
    )
    op.execute("ALTER TABLE review_case VALIDATE CONSTRAINT ck_review_case_review_kind")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    replace_kinds(NEW)
    op.add_column("review_case", sa.Column("reasons", postgresql.ARRAY(sa.Text())))
    op.execute("UPDATE review_case SET reasons = ARRAY[kind]")
    op.execute("ALTER TABLE review_case ALTER reasons SET NOT NULL")
    op.create_check_constraint(
        op.f("ck_review_case_kind_is_first_reason"), "review_case", "reasons[1] = kind"
    )
    op.execute(ADD_MISSING)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("DELETE FROM review_case WHERE kind IN ('mode', 'transaction')")
    op.drop_column("review_case", "reasons")
    replace_kinds(OLD)
