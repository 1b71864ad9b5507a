"""How long the rows of each table stay: the one place, which housekeeping and triggers go by.

Tests hold that every table is here, and that docs/operations.md says the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

YEAR = timedelta(days=365)
DAY_BOARDS_STAY = timedelta(days=90)
LONGER_BOARDS_STAY = timedelta(days=400)
BOARD_STAYS = f"""starts_on < $1::date - CASE period
  WHEN 'day' THEN {DAY_BOARDS_STAY.days} ELSE {LONGER_BOARDS_STAY.days} END"""
BOARDS_OVER = f"board_id = ANY (ARRAY(SELECT id FROM board WHERE {BOARD_STAYS}))"  # noqa: S608 our own words

UNUSED = """NOT EXISTS (SELECT FROM board_total t WHERE t.board_id = board.id)
 AND NOT EXISTS (SELECT FROM rank_histogram h WHERE h.board_id = board.id)"""


@dataclass(frozen=True)
class Retention:
    """Rows that are removed once they have served.

    ``served`` is SQL about a row: $1 is the moment ``age`` ago, $2 the first id that could have
    been drawn then; ids are ordered by time, so the primary key leads to old rows and no index
    on their date is needed. The date is asked as well: an id drawn elsewhere says nothing.
    ``order`` is the index that is walked, oldest first. A table that ``is_small`` always has so
    few rows that reading them all is as well.
    """

    table: str
    age: timedelta
    words: str
    served: str
    order: str
    is_small: bool = False


NOTHING = timedelta()
PAYMENT_EVENTS_STAY = 6 * YEAR
MESSAGES_STAY = 2 * YEAR
EVIDENCE_STAYS = timedelta(days=180)
QUESTS_STAY = 2 * YEAR
BATTLES_STAY = YEAR
STREAKS_STAY = 2 * YEAR
PREDICTIONS_STAY = 2 * YEAR

# Children come before what they point to.
REMOVED: tuple[Retention, ...] = (
    Retention(
        "idempotency_key",
        timedelta(days=2),
        "2 days: longer than any retry",
        "created_at < $1",
        "created_at",
    ),
    Retention(
        "rate_limit",
        timedelta(days=1),
        "1 day after the window began",
        "window_started_at < $1",
        "window_started_at",
    ),
    Retention(
        "sign_in_guard",
        timedelta(days=1),
        "1 day after the last wrong password",
        "attempted_at < $1",
        "attempted_at",
    ),
    Retention("mailed_code", timedelta(days=30), "30 days", "id < $2 AND created_at < $1", "id"),
    Retention(
        "sign_up_attempt",
        NOTHING,
        "24 hours, or until it is activated",
        "expires_at < $1",
        "expires_at",
    ),
    Retention(
        "known_origin",
        timedelta(days=90),
        "90 days after the member last came from there",
        "seen_at < $1",
        "seen_at",
    ),
    Retention(
        "known_browser",
        timedelta(days=400),
        "400 days after the member last came with it",
        "seen_at < $1",
        "seen_at",
    ),
    Retention(
        "session",
        timedelta(days=30),
        "30 days after it expired",
        "id < $2 AND expires_at < $1",
        "id",
    ),
    Retention(
        "admin_session",
        timedelta(days=90),
        "90 days",
        "id < $2 AND created_at < $1",
        "id",
    ),
    Retention(
        "heartbeat",
        timedelta(days=1),
        "1 day; one row a process",
        "beat_at < $1",
        "beat_at",
        is_small=True,
    ),
    Retention(
        "job_worker",
        timedelta(days=1),
        "1 day after its last beat; one row a worker process",
        "beat_at < $1",
        "beat_at",
        is_small=True,
    ),
    Retention("pgqueuer_log", timedelta(days=30), "30 days", "created < $1", "created"),
    Retention(
        "pgqueuer",
        timedelta(days=30),
        "until done; a dead letter for 30 days",
        "status = 'failed' AND updated < $1",
        "id",
        is_small=True,
    ),
    Retention(
        "job_run",
        2 * YEAR,
        "2 years; a few rows a day",
        "started_at < $1",
        "id",
        is_small=True,
    ),
    Retention(
        "ledger_proof",
        2 * YEAR,
        "2 years; a row an hour",
        "id < $2 AND at < $1",
        "id",
    ),
    Retention(
        "import_run",
        timedelta(days=14),
        "14 days; what it imported stays",
        "id < $2 AND created_at < $1",
        "id",
    ),
    Retention(
        "push_delivery",
        timedelta(days=2),
        "until it has arrived, 2 days at most",
        "id < $2 AND created_at < $1",
        "id",
    ),
    Retention(
        "push_subscription",
        YEAR,
        "until the member signs out there, 1 year after the browser was seen last",
        "seen_at < $1",
        "seen_at",
    ),
    Retention(
        "notification",
        timedelta(days=180),
        "180 days",
        "id < $2 AND created_at < $1",
        "id",
    ),
    Retention(
        "fixture_reminder",
        YEAR,
        "1 year",
        "created_at < $1",
        "created_at",
    ),
    Retention(
        "payment_event",
        PAYMENT_EVENTS_STAY,
        "6 years, as accounting records",
        "id < $2 AND received_at < $1",
        "id",
    ),
    Retention(
        "battle_attempt",
        BATTLES_STAY,
        "1 year; its points stay",
        "id < $2 AND opened_at < $1",
        "id",
    ),
    Retention(
        "trivia_attempt",
        QUESTS_STAY,
        "2 years; its points stay",
        "id < $2 AND issued_at < $1",
        "id",
    ),
    Retention(
        "streak_day",
        STREAKS_STAY,
        "2 years, which is the longest streak",
        "day < $1::date",
        "day",
    ),
    Retention("streak_freeze", STREAKS_STAY, "as `streak_day`", "day < $1::date", "day"),
    Retention(
        "prediction",
        PREDICTIONS_STAY,
        "2 years; its points stay",
        "id < $2 AND saved_at < $1",
        "id",
    ),
    Retention(
        "prediction_total",
        LONGER_BOARDS_STAY,
        "400 days after the last points on that board",
        "settled_on < $1::date",
        "settled_on",
    ),
    Retention(
        "moment_share",
        timedelta(days=2),
        "2 days: those of today are counted",
        "day < $1::date",
        "day",
    ),
    Retention(
        "chat_report",
        MESSAGES_STAY,
        "2 years after a moderator settled it",
        "message_id < $2 AND settled_at < $1",
        "message_id",
    ),
    Retention("chat_mute", NOTHING, "until it ends or is lifted", "until < $1", "until"),
    Retention("chat_ban", NOTHING, "until it ends or is lifted", "until < $1", "until"),
    Retention(
        "chat_evidence",
        EVIDENCE_STAYS,
        "180 days after a report, or after a moderator acted",
        "kept_at < $1",
        "kept_at",
    ),
    Retention(
        "chat_reaction",
        MESSAGES_STAY,
        "as long as the message",
        "message_id < $2"
        " AND EXISTS (SELECT FROM chat_message m WHERE m.id = message_id AND m.sent_at < $1)",
        "message_id",
    ),
    Retention(
        "chat_message",
        MESSAGES_STAY,
        "2 years; reported or moderated ones for as long as that is known",
        "id < $2 AND sent_at < $1"
        " AND NOT EXISTS (SELECT FROM chat_report r WHERE r.message_id = chat_message.id)"
        " AND NOT EXISTS (SELECT FROM chat_moderation m WHERE m.message_id = chat_message.id)"
        " AND NOT EXISTS (SELECT FROM chat_evidence e WHERE e.message_id = chat_message.id)",
        "id",
    ),
    Retention(
        "board_total",
        NOTHING,
        "a day's board 90 days, a week's and a month's 400 days, a season's for ever",
        BOARDS_OVER,
        "board_id",
    ),
    Retention("rank_histogram", NOTHING, "as `board_total`", BOARDS_OVER, "board_id"),
    Retention(
        "board",
        NOTHING,
        "as `board_total`",
        f"{BOARD_STAYS} AND {UNUSED}",
        "id",
        is_small=True,
    ),
)

MEMBER = "one row a member"
OFFERED = "what is or was offered; few rows"
MONEY = "for ever: money, which every later balance rests on"
POINTS = "for ever: points, which explain every standing"
MOMENTARY = "until it is added up, a moment later"
# Tables whose rows housekeeping does not remove, and why.
STAYING: Mapping[str, str] = {
    "user_account": "for ever, emptied when the member leaves: the ledger points to it",
    "club_change": "for ever: whose fan a member was; few rows",
    "private_detail": f"until the member leaves; {MEMBER}",
    "notification_setting": f"until the member leaves; {MEMBER} at most",
    "push_day": f"until the member leaves; {MEMBER} at most",
    "credential": f"until the member leaves; {MEMBER}",
    "moment": "until the member deletes it or leaves; at most 100 a member",
    "moment_applause": "until it is taken back, the moment goes, or the member leaves",
    "moment_report": "as long as the moment",
    "chat_membership": "until the member leaves; two rows a member",
    "chat_moderation": "for ever: what operators did; few rows",
    "operator": "for ever: who worked at the back office; few rows",
    "audit_entry": "for ever: what operators did; no process may change or remove a row",
    "approval": "for ever: what a second person has decided",
    "office_setting": "for ever; one row",
    "chat_room": "for ever; one row a club",
    "chat_worker": "while the process lives",
    "chat_presence": "while a socket is open",
    "chat_online": "drawn anew all the time; one row a room",
    "ledger_account": MONEY,
    "ledger_transfer": MONEY,
    "funding": MONEY,
    "shop_order": MONEY,
    "bank_receipt": MONEY,
    "transfer_proof": "until the member leaves; three an order at most",
    "review_case": MONEY,
    "dispute": MONEY,
    "chargeback": MONEY,
    "debt": MONEY,
    "wallet_adjustment": MONEY,
    "order_event": MONEY,
    "refund_case": MONEY,
    "receipt": MONEY,
    "receipt_counter": "for ever; one row a year",
    "refund_line": MONEY,
    "order_line": MONEY,
    "subscription": MONEY,
    "point_entry": POINTS,
    "member_season": POINTS,
    "rank_promotion": POINTS,
    "points_pending": MOMENTARY,
    "club_size_change": MOMENTARY,
    "club_size": "for ever; one row a club",
    "streak": f"until the member leaves; {MEMBER}",
    "earned_badge": "until the member leaves; twelve a member at most",
    "battle_seat": f"for ever; {MEMBER}",
    "team": OFFERED,
    "competition": OFFERED,
    "fixture": "for ever: who played whom",
    "fixture_call": "for ever; one row a match",
    "club_top": "drawn anew every evening; one row a club",
    "prediction_decision": "for ever: what results meant; few rows a match",
    "prediction_crowd": "for ever; one row a match",
    "invite": "until the member leaves; one row a member",
    "invitation": "for ever; one row a member at most",
    "season": OFFERED,
    "battle_rank": OFFERED,
    "club": OFFERED,
    "plan": OFFERED,
    "plan_price_change": "for ever: what renewals were priced by; few rows",
    "product": OFFERED,
    "product_variant": OFFERED,
    "former_picture": "for ever: what orders show; one row a replaced picture",
    "delivery_fee": "for ever; one row a state",
    "day_figure": "for ever; one row a day",
    "saved_address": f"until forgotten or the member leaves; {MEMBER}",
    "article": "for ever: what members were told; few rows",
    "question": "for ever: what was asked; few rows",
    "question_statistic": "counted anew every night; one row a question at most",
    "trivia_schedule": "for ever: what was meant to be asked; a row a day at most, a club",
    "trivia_set": "for ever: what a club was asked; one row a club and day",
    "job_kind": "for ever; one row a kind of work",
}
