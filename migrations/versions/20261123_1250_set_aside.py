"""Fundings that were set aside wait as review cases."""

from alembic import op

revision = "20261123_1250"
down_revision = "20261123_1240"
branch_labels = None
depends_on = None

OLD = ("surplus", "chargeback_short")
NEW = ("amount", "currency", "member", "daily_limit", *OLD)


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
    op.execute(
        "INSERT INTO review_case "
        "(id, kind, user_id, amount_kobo, subject, source, state, opened_at) "
        "SELECT gen_random_uuid(), CASE review_reason WHEN 'member_left' THEN 'member' "
        "ELSE review_reason END, user_id, amount_kobo, reference, reference, 'open', decided_at "
        "FROM funding WHERE state = 'review' "
        "AND review_reason IN ('amount', 'currency', 'member', 'member_left', 'daily_limit')"
    )


def downgrade() -> None:
    op.execute("DELETE FROM review_case WHERE kind NOT IN ('surplus', 'chargeback_short')")
    replace_kinds(OLD)
