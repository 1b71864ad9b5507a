"""Every table of the house; its functions, triggers and grants are files (``api/*/sql``).

The revision is the one that databases had before all migrations were put together into this one.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261122_1710"
down_revision = None
branch_labels = None
depends_on = None

# Fixed ids: the house's own accounts exist once, in every database.
HOUSE_ACCOUNTS = (
    {"id": "00000000-0000-7000-8000-000000000001", "type": "gateway"},
    {"id": "00000000-0000-7000-8000-000000000002", "type": "sales"},
    {"id": "00000000-0000-7000-8000-000000000003", "type": "subscriptions"},
    {"id": "00000000-0000-7000-8000-000000000004", "type": "adjustments"},
)

LEGAL_FLOW = " OR ".join(
    f"(kind = '{kind}' AND debit_type = '{debit}' AND credit_type = '{credit}')"
    for kind, debit, credit in (
        ("fund", "gateway", "wallet"),
        ("purchase", "wallet", "sales"),
        ("subscription", "wallet", "subscriptions"),
        ("refund", "sales", "wallet"),
        ("refund", "subscriptions", "wallet"),
        ("chargeback", "wallet", "gateway"),
        ("adjust", "adjustments", "wallet"),
        ("adjust", "wallet", "adjustments"),
    )
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "chat_presence",
        sa.Column("worker_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("worker_id", "user_id", name=op.f("pk_chat_presence")),
        prefixes=["UNLOGGED"],
    )
    op.create_table(
        "chat_worker",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_worker")),
        prefixes=["UNLOGGED"],
    )
    op.create_table(
        "club",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("cc_name", sa.String(), nullable=True),
        sa.Column("colour_a", sa.String(), nullable=False),
        sa.Column("colour_b", sa.String(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("colour_a ~ '^#[0-9A-F]{6}$'", name=op.f("ck_club_colour_a_is_hex")),
        sa.CheckConstraint("colour_b ~ '^#[0-9A-F]{6}$'", name=op.f("ck_club_colour_b_is_hex")),
        sa.CheckConstraint(
            "lower(name) NOT IN ('public', 'counts', 'last')", name=op.f("ck_club_name_is_no_tab")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_club")),
        sa.UniqueConstraint("name", name=op.f("uq_club_name")),
    )
    op.create_table(
        "club_size_change",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_club_size_change")),
    )
    op.create_table(
        "heartbeat",
        sa.Column("worker_id", sa.Uuid(), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("worker_id", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "idempotency_key",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("route", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("answer", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_idempotency_key")),
    )
    op.create_table(
        "payment_event",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("gateway", sa.String(), nullable=False),
        sa.Column("dedupe_key", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column(
            "received_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_event")),
        sa.UniqueConstraint("dedupe_key", name=op.f("uq_payment_event_dedupe_key")),
    )
    op.create_index("ix_payment_event_reference", "payment_event", ["reference"], unique=False)
    op.create_table(
        "plan",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("plan", sa.String(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("duration", sa.Integer(), nullable=False),
        sa.Column(
            "period",
            sa.Enum(
                "day",
                "week",
                "month",
                "year",
                name="plan_period",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("benefits", sa.ARRAY(sa.String()), nullable=False),
        sa.Column("battle_zone", sa.Boolean(), nullable=False),
        sa.Column("hidden", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "array_to_string(benefits, '', ',') NOT LIKE '%,%'",
            name=op.f("ck_plan_benefits_without_commas"),
        ),
        sa.CheckConstraint(
            "amount_kobo BETWEEN 0 AND 100000000000", name=op.f("ck_plan_amount_in_range")
        ),
        sa.CheckConstraint("duration BETWEEN 1 AND 1000", name=op.f("ck_plan_duration_in_range")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plan")),
        sa.UniqueConstraint("plan", name=op.f("uq_plan_plan")),
    )
    op.create_table(
        "points_pending",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=True),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("elapsed_ms", sa.Integer(), nullable=False),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_points_pending")),
    )
    op.create_table(
        "product",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("price_kobo", sa.BigInteger(), nullable=False),
        sa.Column("image", sa.String(), nullable=False),
        sa.Column("thumbnail", sa.String(), nullable=False),
        sa.Column("star", sa.SmallInteger(), nullable=False),
        sa.Column("stock", sa.Integer(), nullable=False),
        sa.Column("hidden", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "price_kobo BETWEEN 1 AND 100000000000", name=op.f("ck_product_price_in_range")
        ),
        sa.CheckConstraint("star BETWEEN 0 AND 10", name=op.f("ck_product_star_in_range")),
        sa.CheckConstraint("stock >= 0", name=op.f("ck_product_no_oversell")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_product")),
        postgresql_with={"fillfactor": "80"},
    )
    op.create_index(
        "ix_product_shelf",
        "product",
        ["position", "id"],
        unique=False,
        postgresql_where=sa.text("NOT hidden"),
    )
    op.create_table(
        "rate_limit",
        sa.Column("bucket", sa.String(), nullable=False),
        sa.Column(
            "window_started_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("hits", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_rate_limit")),
    )
    op.create_table(
        "season",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("point_per_question", sa.Integer(), nullable=False),
        sa.Column("question_time_limit", sa.Integer(), nullable=False),
        sa.Column("questions_per_day", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        postgresql.ExcludeConstraint(
            (sa.text("tstzrange(starts_at, ends_at)"), "&&"),
            using="gist",
            name="ex_season_no_overlap",
        ),
        sa.CheckConstraint(
            "point_per_question BETWEEN 1 AND 1000", name=op.f("ck_season_points_in_range")
        ),
        sa.CheckConstraint(
            "question_time_limit BETWEEN 3 AND 300", name=op.f("ck_season_time_limit_in_range")
        ),
        sa.CheckConstraint(
            "questions_per_day BETWEEN 1 AND 100", name=op.f("ck_season_quota_in_range")
        ),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("ck_season_ends_after_start")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("name", name=op.f("uq_season_name")),
    )
    op.create_table(
        "sign_in_guard",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("attempted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("locked_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("admitted", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_sign_in_guard")),
    )
    op.create_table(
        "battle_rank",
        sa.Column("season_id", sa.Uuid(), nullable=False),
        sa.Column("rank", sa.String(), nullable=False),
        sa.Column("threshold_point", sa.Integer(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("rank ~ '^[a-z]+(-[a-z]+)*$'", name=op.f("ck_battle_rank_rank_is_slug")),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("ck_battle_rank_ends_after_start")),
        sa.CheckConstraint("threshold_point > 0", name=op.f("ck_battle_rank_threshold_positive")),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_battle_rank_season_id_season")
        ),
        sa.PrimaryKeyConstraint("season_id", "rank", name=op.f("pk_battle_rank")),
        sa.UniqueConstraint(
            "season_id", "threshold_point", name=op.f("uq_battle_rank_season_id_threshold_point")
        ),
    )
    op.create_table(
        "board",
        sa.Column("id", sa.Integer(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "period",
            sa.Enum(
                "day",
                "week",
                "month",
                "season",
                name="period",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("starts_on", sa.Date(), nullable=True),
        sa.Column("season_id", sa.Uuid(), nullable=True),
        sa.CheckConstraint(
            "(period = 'season') = (season_id IS NOT NULL)", name=op.f("ck_board_season_named")
        ),
        sa.CheckConstraint(
            "(period = 'season') = (starts_on IS NULL)", name=op.f("ck_board_others_dated")
        ),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_board_season_id_season")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_board")),
        sa.UniqueConstraint(
            "period",
            "starts_on",
            "season_id",
            name=op.f("uq_board_period_starts_on_season_id"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_table(
        "chat_room",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=True),
        sa.Column("last_seq", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "id = coalesce(club_id, '00000000-0000-0000-0000-000000000000'::uuid)",
            name=op.f("ck_chat_room_id_says_club"),
        ),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_chat_room_club_id_club")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_room")),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_table(
        "club_size",
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_club_size_club_id_club")),
        sa.PrimaryKeyConstraint("club_id", name=op.f("pk_club_size")),
    )
    op.create_table(
        "question",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "trivia",
                "battle",
                name="question_kind",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("club_id", sa.Uuid(), nullable=True),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("options", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("right_option", sa.SmallInteger(), nullable=False),
        sa.Column("explanation", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("difficulty", sa.SmallInteger(), nullable=False),
        sa.Column("lot", sa.Double(), server_default=sa.text("random()"), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("cardinality(options) = 4", name=op.f("ck_question_four_options")),
        sa.CheckConstraint(
            "difficulty BETWEEN 1 AND 3", name=op.f("ck_question_difficulty_in_range")
        ),
        sa.CheckConstraint(
            "right_option BETWEEN 0 AND 3", name=op.f("ck_question_right_option_in_range")
        ),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_question_club_id_club")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question")),
    )
    op.create_index(
        "ix_question_live",
        "question",
        ["kind", "club_id"],
        unique=False,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_index(
        "ix_question_lot",
        "question",
        ["kind", "difficulty", "lot"],
        unique=False,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_index(
        "uq_question_live_slug",
        "question",
        ["slug"],
        unique=True,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_table(
        "sign_up_attempt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "phone ~ '^\\+[0-9]{8,15}$'", name=op.f("ck_sign_up_attempt_phone_is_e164")
        ),
        sa.ForeignKeyConstraint(
            ["club_id"], ["club.id"], name=op.f("fk_sign_up_attempt_club_id_club")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_up_attempt")),
    )
    op.create_index(
        "ix_sign_up_attempt_address", "sign_up_attempt", ["address", "created_at"], unique=False
    )
    op.create_table(
        "trivia_set",
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("question_ids", sa.ARRAY(sa.Uuid()), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("cardinality(question_ids) > 0", name=op.f("ck_trivia_set_not_empty")),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_trivia_set_club_id_club")),
        sa.PrimaryKeyConstraint("club_id", "day", name=op.f("pk_trivia_set")),
    )
    op.create_table(
        "user_account",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column(
            "gender",
            sa.Enum(
                "male",
                "female",
                name="gender",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=True,
        ),
        sa.Column("born_on", sa.Date(), nullable=True),
        sa.Column("avatar", sa.String(), nullable=True),
        sa.Column("badge", sa.String(), server_default="rookie", nullable=False),
        sa.Column("is_operator", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("terms_accepted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("activated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("suspended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "phone ~ '^\\+[0-9]{8,15}$'", name=op.f("ck_user_account_phone_is_e164")
        ),
        sa.ForeignKeyConstraint(
            ["club_id"], ["club.id"], name=op.f("fk_user_account_club_id_club")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_account")),
    )
    op.create_index(
        "ix_user_account_avatar",
        "user_account",
        ["avatar"],
        unique=False,
        postgresql_where=sa.text("avatar IS NOT NULL"),
    )
    op.create_index("ix_user_account_club_id", "user_account", ["club_id"], unique=False)
    op.create_index(
        "uq_user_account_email", "user_account", [sa.literal_column("lower(email)")], unique=True
    )
    op.create_index("uq_user_account_phone", "user_account", ["phone"], unique=True)
    op.create_table(
        "battle_attempt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("n", sa.SmallInteger(), nullable=False),
        sa.Column("question_id", sa.Uuid(), nullable=False),
        sa.Column("rank", sa.String(), nullable=False),
        sa.Column("shown", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("anchored", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("answer", sa.SmallInteger(), nullable=True),
        sa.Column(
            "outcome",
            sa.Enum(
                "right",
                "wrong",
                "timeout",
                name="outcome",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=True,
        ),
        sa.Column("points", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("elapsed_ms", sa.Integer(), nullable=True),
        sa.Column("promoted_to", sa.String(), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(coalesce(outcome, '') IN ('right', 'wrong')) = (answer IS NOT NULL)",
            name=op.f("ck_battle_attempt_answered"),
        ),
        sa.CheckConstraint(
            "points = 0 OR outcome = 'right'", name=op.f("ck_battle_attempt_points_for_right")
        ),
        sa.CheckConstraint(
            "(outcome IS NULL) = (closed_at IS NULL)",
            name=op.f("ck_battle_attempt_closed_with_outcome"),
        ),
        sa.CheckConstraint(
            "answer BETWEEN 0 AND 3", name=op.f("ck_battle_attempt_answer_in_range")
        ),
        sa.CheckConstraint("cardinality(shown) = 4", name=op.f("ck_battle_attempt_four_options")),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_battle_attempt_question_id_question")
        ),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_battle_attempt_season_id_season")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_battle_attempt_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_battle_attempt")),
        sa.UniqueConstraint("user_id", "day", "n", name=op.f("uq_battle_attempt_user_id_day_n")),
        sa.UniqueConstraint(
            "user_id", "day", "question_id", name=op.f("uq_battle_attempt_user_id_day_question_id")
        ),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_index(
        "ix_battle_attempt_deadline",
        "battle_attempt",
        ["deadline_at"],
        unique=False,
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_index(
        "uq_battle_attempt_open",
        "battle_attempt",
        ["user_id"],
        unique=True,
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_table(
        "battle_seat",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("sid", sa.String(), nullable=False),
        sa.Column("visit_from", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_battle_seat_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_battle_seat")),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_table(
        "board_total",
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("elapsed_ms", sa.BigInteger(), nullable=False),
        sa.Column("reached_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["board.id"], name=op.f("fk_board_total_board_id_board")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_board_total_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("board_id", "user_id", name=op.f("pk_board_total")),
        postgresql_with={"fillfactor": "80"},
    )
    op.create_index(
        "ix_board_total_all",
        "board_total",
        ["board_id", sa.literal_column("points DESC"), "elapsed_ms", "reached_at", "user_id"],
        unique=False,
    )
    op.create_index(
        "ix_board_total_club",
        "board_total",
        [
            "board_id",
            "club_id",
            sa.literal_column("points DESC"),
            "elapsed_ms",
            "reached_at",
            "user_id",
        ],
        unique=False,
    )
    op.create_table(
        "chat_membership",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("last_read_seq", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["room_id"], ["chat_room.id"], name=op.f("fk_chat_membership_room_id_chat_room")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_membership_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "room_id", name=op.f("pk_chat_membership")),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_table(
        "chat_message",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hidden_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "char_length(content) BETWEEN 1 AND 1000 OR hidden_at IS NOT NULL AND content = ''",
            name=op.f("ck_chat_message_content_in_range"),
        ),
        sa.ForeignKeyConstraint(
            ["room_id"], ["chat_room.id"], name=op.f("fk_chat_message_room_id_chat_room")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_message_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_message")),
        sa.UniqueConstraint("room_id", "seq", name=op.f("uq_chat_message_room_id_seq")),
        sa.UniqueConstraint("user_id", "client_id", name=op.f("uq_chat_message_user_id_client_id")),
    )
    op.create_index(
        "ix_chat_message_hidden",
        "chat_message",
        ["room_id", "hidden_at"],
        unique=False,
        postgresql_where=sa.text("hidden_at IS NOT NULL"),
    )
    op.create_index(
        "ix_chat_message_user_id_sent_at", "chat_message", ["user_id", "sent_at"], unique=False
    )
    op.create_table(
        "chat_mute",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_mute_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_chat_mute")),
    )
    op.create_table(
        "credential",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column(
            "changed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_credential_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_credential")),
    )
    op.create_table(
        "funding",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("gateway", sa.String(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "prepared",
                "pending",
                "failed",
                "succeeded",
                "review",
                "expired",
                name="funding_state",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("idempotency_key", sa.String(), nullable=True),
        sa.Column("opening_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("gateway_transaction_id", sa.String(), nullable=True),
        sa.Column("review_reason", sa.String(), nullable=True),
        sa.Column("next_check_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("notified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(state = 'review') = (review_reason IS NOT NULL)",
            name=op.f("ck_funding_review_has_reason"),
        ),
        sa.CheckConstraint(
            "(state IN ('succeeded', 'review')) = (decided_at IS NOT NULL)",
            name=op.f("ck_funding_decided_is_dated"),
        ),
        sa.CheckConstraint(
            "amount_kobo BETWEEN 1 AND 100000000000", name=op.f("ck_funding_amount_in_range")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_funding_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_funding")),
        sa.UniqueConstraint(
            "gateway",
            "gateway_transaction_id",
            name=op.f("uq_funding_gateway_gateway_transaction_id"),
        ),
        sa.UniqueConstraint("reference", name=op.f("uq_funding_reference")),
    )
    op.create_index(
        "ix_funding_being_opened",
        "funding",
        ["user_id", "idempotency_key"],
        unique=False,
        postgresql_where=sa.text("opening_until IS NOT NULL"),
    )
    op.create_index(
        "ix_funding_next_check_at",
        "funding",
        ["next_check_at"],
        unique=False,
        postgresql_where=sa.text("state IN ('prepared', 'pending', 'failed')"),
    )
    op.create_index(
        "ix_funding_unnotified",
        "funding",
        ["user_id"],
        unique=False,
        postgresql_where=sa.text("notified_at IS NULL AND decided_at IS NOT NULL"),
    )
    op.create_index(
        "ix_funding_user_id_created_at", "funding", ["user_id", "created_at"], unique=False
    )
    op.create_table(
        "known_origin",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_known_origin_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "origin", name=op.f("pk_known_origin")),
    )
    op.create_table(
        "ledger_account",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "type",
            sa.Enum(
                "wallet",
                "gateway",
                "sales",
                "subscriptions",
                "adjustments",
                name="account_type",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("owner_id", sa.Uuid(), nullable=True),
        sa.Column("balance_kobo", sa.BigInteger(), nullable=True),
        sa.Column("entries", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(type = 'wallet') = (balance_kobo IS NOT NULL)",
            name=op.f("ck_ledger_account_only_wallets_cache"),
        ),
        sa.CheckConstraint(
            "(type = 'wallet') = (owner_id IS NOT NULL)",
            name=op.f("ck_ledger_account_wallet_has_owner"),
        ),
        sa.CheckConstraint("balance_kobo >= 0", name=op.f("ck_ledger_account_no_overdraft")),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["user_account.id"], name=op.f("fk_ledger_account_owner_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_account")),
        sa.UniqueConstraint("id", "type", name=op.f("uq_ledger_account_id_type")),
        sa.UniqueConstraint("owner_id", name=op.f("uq_ledger_account_owner_id")),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_table(
        "mailed_code",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column(
            "purpose",
            sa.Enum(
                "activation",
                "password_reset",
                name="code_purpose",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("known_tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("is_from_known", sa.Boolean(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "tries BETWEEN 0 AND 5 AND known_tries BETWEEN 0 AND 5",
            name=op.f("ck_mailed_code_tries_are_bounded"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_mailed_code_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mailed_code")),
    )
    op.create_index(
        "ix_mailed_code_address", "mailed_code", ["address", "purpose", "created_at"], unique=False
    )
    op.create_index(
        "ix_mailed_code_user_id",
        "mailed_code",
        ["user_id"],
        unique=False,
        postgresql_where=sa.text("user_id IS NOT NULL"),
    )
    op.create_index(
        "uq_mailed_code_open",
        "mailed_code",
        ["subject_id", "purpose", "is_from_known"],
        unique=True,
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "member_season",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("battle_points", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("answered_correctly", sa.Integer(), nullable=False),
        sa.Column("badge", sa.String(), nullable=False),
        sa.CheckConstraint(
            "answered_correctly <= answered", name=op.f("ck_member_season_right_are_answered")
        ),
        sa.CheckConstraint(
            "battle_points <= points", name=op.f("ck_member_season_battle_points_are_points")
        ),
        sa.ForeignKeyConstraint(
            ["club_id"], ["club.id"], name=op.f("fk_member_season_club_id_club")
        ),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_member_season_season_id_season")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_member_season_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "season_id", name=op.f("pk_member_season")),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_table(
        "moment",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("thumbnail_key", sa.String(), nullable=False),
        sa.Column("video_key", sa.String(), nullable=False),
        sa.Column("video_type", sa.String(), nullable=False),
        sa.Column("video_bytes", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("title <> ''", name=op.f("ck_moment_title_not_blank")),
        sa.CheckConstraint(
            "video_bytes BETWEEN 1 AND 4194304", name=op.f("ck_moment_video_in_range")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_moment_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moment")),
        sa.UniqueConstraint("thumbnail_key", name=op.f("uq_moment_thumbnail_key")),
        sa.UniqueConstraint("video_key", name=op.f("uq_moment_video_key")),
    )
    op.create_index("ix_moment_user_id_id", "moment", ["user_id", "id"], unique=False)
    op.create_table(
        "point_entry",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=True),
        sa.Column(
            "source",
            sa.Enum(
                "trivia",
                "battle",
                name="point_source",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("source_id", sa.Uuid(), nullable=False),
        sa.Column("question_id", sa.Uuid(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("elapsed_ms", sa.Integer(), nullable=False),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("points > 0", name=op.f("ck_point_entry_points_positive")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_point_entry_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_point_entry")),
        sa.UniqueConstraint("source", "source_id", name=op.f("uq_point_entry_source_source_id")),
    )
    op.create_index("ix_point_entry_user_id", "point_entry", ["user_id", "id"], unique=False)
    op.create_table(
        "private_detail",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("settlement", sa.LargeBinary(), nullable=True),
        sa.Column("next_of_kin", sa.LargeBinary(), nullable=True),
        sa.Column(
            "changed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_private_detail_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_private_detail")),
    )
    op.create_table(
        "rank_histogram",
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("bucket", sa.Integer(), nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["board.id"], name=op.f("fk_rank_histogram_board_id_board")
        ),
        sa.PrimaryKeyConstraint(
            "board_id", "club_id", "level", "bucket", name=op.f("pk_rank_histogram")
        ),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_table(
        "rank_promotion",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("season_id", sa.Uuid(), nullable=False),
        sa.Column("rank", sa.String(), nullable=False),
        sa.Column("promoted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_rank_promotion_season_id_season")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_rank_promotion_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "season_id", "rank", name=op.f("pk_rank_promotion")),
    )
    op.create_table(
        "session",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("device", sa.String(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "last_seen_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_session_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
    )
    op.create_index(
        "ix_session_user_id_open",
        "session",
        ["user_id", "created_at"],
        unique=False,
        postgresql_where=sa.text("revoked_at IS NULL"),
    )
    op.create_table(
        "trivia_attempt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.Column("shown", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("choices", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("correct", sa.SmallInteger(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "(submitted_at IS NULL) = (choices IS NULL) "
            "AND (submitted_at IS NULL) = (correct IS NULL) "
            "AND (submitted_at IS NULL) = (points IS NULL)",
            name=op.f("ck_trivia_attempt_judged_when_submitted"),
        ),
        sa.CheckConstraint(
            "correct BETWEEN 0 AND jsonb_array_length(shown)",
            name=op.f("ck_trivia_attempt_correct_in_range"),
        ),
        sa.CheckConstraint("points >= 0", name=op.f("ck_trivia_attempt_points_not_negative")),
        sa.ForeignKeyConstraint(
            ["club_id"], ["club.id"], name=op.f("fk_trivia_attempt_club_id_club")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_trivia_attempt_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trivia_attempt")),
        sa.UniqueConstraint("user_id", "day", name=op.f("uq_trivia_attempt_user_id_day")),
    )
    op.create_table(
        "chat_moderation",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("operator_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("message_id", sa.Uuid(), nullable=True),
        sa.Column(
            "deed",
            sa.Enum(
                "hide",
                "restore",
                "dismiss",
                "mute",
                "unmute",
                name="deed",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["chat_message.id"],
            name=op.f("fk_chat_moderation_message_id_chat_message"),
        ),
        sa.ForeignKeyConstraint(
            ["operator_id"],
            ["user_account.id"],
            name=op.f("fk_chat_moderation_operator_id_user_account"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_moderation_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_moderation")),
    )
    op.create_table(
        "chat_report",
        sa.Column("message_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "reason",
            sa.Enum(
                "spam",
                "abuse",
                "hate",
                "other",
                name="report_reason",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("reported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["message_id"], ["chat_message.id"], name=op.f("fk_chat_report_message_id_chat_message")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_report_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("message_id", "user_id", name=op.f("pk_chat_report")),
    )
    op.create_index(
        "ix_chat_report_open",
        "chat_report",
        ["reported_at"],
        unique=False,
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.create_table(
        "ledger_transfer",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "fund",
                "purchase",
                "subscription",
                "refund",
                "chargeback",
                "adjust",
                name="transfer_kind",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("debit_id", sa.Uuid(), nullable=False),
        sa.Column("debit_type", sa.String(), nullable=False),
        sa.Column("credit_id", sa.Uuid(), nullable=False),
        sa.Column("credit_type", sa.String(), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("reverses_id", sa.Uuid(), nullable=True),
        sa.Column("wallet_id", sa.Uuid(), nullable=False),
        sa.Column("wallet_entry", sa.BigInteger(), nullable=False),
        sa.Column("wallet_change_kobo", sa.BigInteger(), nullable=False),
        sa.Column("wallet_after_kobo", sa.BigInteger(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            LEGAL_FLOW,
            name=op.f("ck_ledger_transfer_legal_flow"),
        ),
        sa.CheckConstraint(
            "(kind = 'refund') = (reverses_id IS NOT NULL)",
            name=op.f("ck_ledger_transfer_refund_reverses"),
        ),
        sa.CheckConstraint(
            "amount_kobo BETWEEN 1 AND 100000000000",
            name=op.f("ck_ledger_transfer_amount_in_range"),
        ),
        sa.CheckConstraint("debit_id <> credit_id", name=op.f("ck_ledger_transfer_two_accounts")),
        sa.ForeignKeyConstraint(
            ["credit_id", "credit_type"],
            ["ledger_account.id", "ledger_account.type"],
            name="fk_ledger_transfer_credit",
        ),
        sa.ForeignKeyConstraint(
            ["debit_id", "debit_type"],
            ["ledger_account.id", "ledger_account.type"],
            name="fk_ledger_transfer_debit",
        ),
        sa.ForeignKeyConstraint(
            ["reverses_id"],
            ["ledger_transfer.id"],
            name=op.f("fk_ledger_transfer_reverses_id_ledger_transfer"),
        ),
        sa.ForeignKeyConstraint(
            ["wallet_id"],
            ["ledger_account.id"],
            name=op.f("fk_ledger_transfer_wallet_id_ledger_account"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_transfer")),
        sa.UniqueConstraint("kind", "reference", name=op.f("uq_ledger_transfer_kind_reference")),
    )
    op.create_index(
        "ix_ledger_transfer_reverses_id", "ledger_transfer", ["reverses_id"], unique=False
    )
    op.create_index(
        "uq_ledger_transfer_wallet_entry",
        "ledger_transfer",
        ["wallet_id", "wallet_entry"],
        unique=True,
    )
    op.create_table(
        "shop_order",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "status",
            sa.Enum(
                "pending",
                "processing",
                "shipped",
                "delivered",
                "cancelled",
                "expired",
                "refunded",
                name="order_status",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column(
            "payment_method",
            sa.Enum(
                "wallet",
                "bank-transfer",
                name="payment_method",
                native_enum=False,
                create_constraint=True,
                length=32,
            ),
            nullable=False,
        ),
        sa.Column("is_paid", sa.Boolean(), nullable=False),
        sa.Column("total_kobo", sa.BigInteger(), nullable=False),
        sa.Column("billing", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("transfer_id", sa.Uuid(), nullable=True),
        sa.Column("pay_by", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(payment_method = 'bank-transfer') = (pay_by IS NOT NULL)",
            name=op.f("ck_shop_order_transfer_has_deadline"),
        ),
        sa.CheckConstraint(
            "payment_method <> 'wallet' OR (is_paid AND transfer_id IS NOT NULL)",
            name=op.f("ck_shop_order_wallet_order_is_paid"),
        ),
        sa.CheckConstraint(
            "total_kobo BETWEEN 1 AND 100000000000", name=op.f("ck_shop_order_total_in_range")
        ),
        sa.ForeignKeyConstraint(
            ["transfer_id"],
            ["ledger_transfer.id"],
            name=op.f("fk_shop_order_transfer_id_ledger_transfer"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_shop_order_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shop_order")),
        sa.UniqueConstraint("number", name=op.f("uq_shop_order_number")),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_shop_order_transfer_id")),
    )
    op.create_index(
        "ix_shop_order_open_pay_by",
        "shop_order",
        ["pay_by"],
        unique=False,
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index("ix_shop_order_user_id", "shop_order", ["user_id", "id"], unique=False)
    op.create_table(
        "subscription",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("plan_id", sa.Uuid(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("amount_kobo", sa.BigInteger(), nullable=False),
        sa.Column("transfer_id", sa.Uuid(), nullable=True),
        sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(amount_kobo = 0) = (transfer_id IS NULL)",
            name=op.f("ck_subscription_paid_by_transfer"),
        ),
        sa.CheckConstraint("amount_kobo >= 0", name=op.f("ck_subscription_amount_not_negative")),
        sa.CheckConstraint("ends_at > starts_at", name=op.f("ck_subscription_ends_after_start")),
        sa.CheckConstraint(
            "replaced_at >= starts_at", name=op.f("ck_subscription_replaced_after_start")
        ),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["plan.id"], name=op.f("fk_subscription_plan_id_plan")
        ),
        sa.ForeignKeyConstraint(
            ["transfer_id"],
            ["ledger_transfer.id"],
            name=op.f("fk_subscription_transfer_id_ledger_transfer"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_subscription_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscription")),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_subscription_transfer_id")),
    )
    op.create_index(
        "uq_subscription_free_once",
        "subscription",
        ["user_id", "plan_id"],
        unique=True,
        postgresql_where=sa.text("amount_kobo = 0"),
    )
    op.create_index(
        "uq_subscription_latest",
        "subscription",
        ["user_id"],
        unique=True,
        postgresql_where=sa.text("replaced_at IS NULL"),
    )
    op.create_table(
        "order_line",
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("line", sa.SmallInteger(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("price_kobo", sa.BigInteger(), nullable=False),
        sa.Column("quantity", sa.SmallInteger(), nullable=False),
        sa.Column("thumbnail", sa.String(), nullable=False),
        sa.CheckConstraint("price_kobo >= 1", name=op.f("ck_order_line_price_positive")),
        sa.CheckConstraint(
            "quantity BETWEEN 1 AND 99", name=op.f("ck_order_line_quantity_in_range")
        ),
        sa.ForeignKeyConstraint(
            ["order_id"], ["shop_order.id"], name=op.f("fk_order_line_order_id_shop_order")
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["product.id"], name=op.f("fk_order_line_product_id_product")
        ),
        sa.PrimaryKeyConstraint("order_id", "line", name=op.f("pk_order_line")),
    )
    for account in HOUSE_ACCOUNTS:
        op.execute(
            "INSERT INTO ledger_account (id, type) VALUES ('{id}', '{type}')".format(**account)
        )


def downgrade() -> None:
    raise NotImplementedError("there is nothing before the first migration: drop the database")
