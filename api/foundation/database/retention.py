"""Retention periods that housekeeping and triggers enforce.

Tests check that every table is here or in ``retention_exceptions.py``, and that docs/operations.md
matches.
"""

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
    """Rows that are removed when they are no longer needed.

    ``served`` is the SQL condition: $1 is the time ``age`` ago, $2 the smallest id of that time.
    Ids are ordered by time, so the primary key finds old rows and no index on their date is needed.
    The date is compared as well, because ids may come from elsewhere. ``order`` are the columns of
    the index that is scanned, oldest first. A table that ``is_small`` may be scanned completely.
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
        "1 day after the last failed sign-in",
        "attempted_at < $1",
        "attempted_at",
    ),
    Retention(
        "solved_challenge",
        timedelta(hours=1),
        "1 hour after it would have expired: longer than servers' clocks differ",
        "expires_at < $1",
        "expires_at",
    ),
    Retention(
        "used_claim",
        timedelta(hours=1),
        "1 hour after it would have expired: longer than servers' clocks differ",
        "expires_at < $1",
        "expires_at",
    ),
    Retention("mailed_code", timedelta(days=30), "30 days", "id < $2 AND created_at < $1", "id"),
    Retention("sms_message", timedelta(days=30), "30 days", "id < $2 AND created_at < $1", "id"),
    Retention(
        "sign_up_attempt",
        NOTHING,
        "24 hours, or until activation",
        "expires_at < $1",
        "expires_at",
    ),
    Retention(
        "known_origin",
        timedelta(days=30),
        "30 days after the member last used it",
        "seen_at < $1",
        "seen_at",
    ),
    Retention(
        "known_browser",
        timedelta(days=400),
        "400 days after the member last used it",
        "seen_at < $1",
        "seen_at",
    ),
    Retention(
        "known_operator_network",
        timedelta(days=30),
        "30 days after the operator last signed in from there",
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
        "1 day; one row per process",
        "beat_at < $1",
        "beat_at",
        is_small=True,
    ),
    Retention(
        "job_worker",
        timedelta(days=1),
        "1 day after its last beat; one row per worker process",
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
        "2 years; a few rows per day",
        "started_at < $1",
        "id",
        is_small=True,
    ),
    Retention(
        "ledger_proof",
        2 * YEAR,
        "2 years; one row per hour",
        "id < $2 AND at < $1",
        "id",
    ),
    Retention(
        "import_run",
        timedelta(days=14),
        "14 days; imported data stays",
        "id < $2 AND created_at < $1",
        "id",
    ),
    Retention(
        "push_delivery",
        timedelta(days=2),
        "until delivered, at most 2 days",
        "id < $2 AND created_at < $1",
        "id",
    ),
    Retention(
        "push_subscription",
        YEAR,
        "until sign-out in that browser, or 1 year after its last use",
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
        "2 years, the maximum streak",
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
        "2 days: used for the daily limit",
        "day < $1::date",
        "day",
    ),
    Retention(
        "chat_report",
        MESSAGES_STAY,
        "2 years after a moderator closed it",
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
        "2 years; reported or moderated ones as long as those records exist",
        "id < $2 AND sent_at < $1"
        " AND NOT EXISTS (SELECT FROM chat_report r WHERE r.message_id = chat_message.id)"
        " AND NOT EXISTS (SELECT FROM chat_moderation m WHERE m.message_id = chat_message.id)"
        " AND NOT EXISTS (SELECT FROM chat_evidence e WHERE e.message_id = chat_message.id)",
        "id",
    ),
    Retention(
        "board_total",
        NOTHING,
        "a day's board 90 days, a week's and a month's 400 days, a season's indefinitely",
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
