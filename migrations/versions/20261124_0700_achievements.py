"""Days that count, freezes, badges, and promotions that wait to be seen."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0700"
down_revision = "20261124_0400"
branch_labels = None
depends_on = None

KEYS = (
    *("first-quest", "perfect-quest", "streak-7", "streak-30", "first-battle", "super-fan"),
    *("king-of-fans", "first-exact", "five-exact", "full-round", "first-shared", "inviter"),
)
LISTED = ", ".join(f"'{key}'" for key in KEYS)
DAYS_PLAYED = """
INSERT INTO streak_day (user_id, day)
SELECT user_id, day FROM trivia_attempt WHERE submitted_at IS NOT NULL
UNION
SELECT user_id, day FROM battle_attempt WHERE answer IS NOT NULL
"""
# Days in a row have one and the same difference to their number.
BEST_SO_FAR = """
INSERT INTO streak (user_id, best, settled_on)
SELECT user_id, max(length), (now() AT TIME ZONE 'Africa/Lagos')::date - 1
  FROM (SELECT user_id, count(*)::int AS length
          FROM (SELECT user_id, day - row_number() OVER (PARTITION BY user_id ORDER BY day)::int
                       AS run FROM streak_day) numbered
         GROUP BY user_id, run) runs
 GROUP BY user_id
"""
BADGES_SO_FAR = """
INSERT INTO earned_badge (user_id, key, earned_at)
SELECT user_id, 'first-quest', min(submitted_at) FROM trivia_attempt
 WHERE submitted_at IS NOT NULL GROUP BY user_id
UNION ALL
SELECT user_id, 'perfect-quest', min(submitted_at) FROM trivia_attempt
 WHERE correct = jsonb_array_length(shown) GROUP BY user_id
UNION ALL
SELECT user_id, 'first-battle', min(closed_at) FROM battle_attempt
 WHERE answer IS NOT NULL GROUP BY user_id
UNION ALL
SELECT user_id, 'streak-7', now() FROM streak WHERE best >= 7
UNION ALL
SELECT user_id, 'streak-30', now() FROM streak WHERE best >= 30
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in ("streak_day", "streak_freeze"):
        op.create_table(
            name,
            sa.Column("user_id", sa.Uuid(), nullable=False),
            sa.Column("day", sa.Date(), nullable=False),
            sa.ForeignKeyConstraint(
                ["user_id"], ["user_account.id"], name=op.f(f"fk_{name}_user_id_user_account")
            ),
            sa.PrimaryKeyConstraint("user_id", "day", name=op.f(f"pk_{name}")),
        )
        op.create_index(f"ix_{name}_day", name, ["day"])
    op.create_table(
        "streak",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("settled_on", sa.Date(), nullable=False),
        sa.CheckConstraint("best >= 0", name=op.f("ck_streak_best_not_negative")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_streak_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_streak")),
    )
    op.create_table(
        "earned_badge",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(f"key IN ({LISTED})", name=op.f("ck_earned_badge_badge_key")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_earned_badge_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_earned_badge")),
    )
    op.execute(DAYS_PLAYED)
    op.execute(BEST_SO_FAR)
    op.execute(BADGES_SO_FAR)
    op.add_column(
        "rank_promotion",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
    )
    op.add_column("rank_promotion", sa.Column("seen_at", sa.DateTime(timezone=True)))
    # What was reached before is no news.
    op.execute("UPDATE rank_promotion SET seen_at = promoted_at")
    op.add_column("user_account", sa.Column("tour_seen_at", sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("user_account", "tour_seen_at")
    op.drop_column("rank_promotion", "seen_at")
    op.drop_column("rank_promotion", "id")
    for name in ("earned_badge", "streak", "streak_freeze", "streak_day"):
        op.drop_table(name)
