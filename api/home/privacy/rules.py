"""Every table, and how account deletion treats its personal data.

The tests compare these lists with the schema: a new table has to be added here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from api.home.privacy.enums import ErasurePolicy
from api.money.payments.service.explaining import FUNDING_STATUS_SQL


@dataclass(frozen=True)
class PersonalTable:
    """A table: which rows are a member's ($1), columns excluded from the export, and the policy.

    ``cleared`` maps columns to the SQL they are set to, ``shown`` to the SQL exported instead of
    them, over the row ``t``.
    """

    name: str
    policy: ErasurePolicy
    whose: str = "user_id = $1"
    hidden: tuple[str, ...] = ()
    cleared: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)


OF_OPERATOR = "operator_id IN (SELECT id FROM operator WHERE user_id = $1)"
OF_FUNDING = "funding_id IN (SELECT id FROM funding WHERE user_id = $1)"

PERSONAL_TABLES: tuple[PersonalTable, ...] = (
    # The users domain erases the record itself.
    PersonalTable("user_account", ErasurePolicy.KEPT, whose="id = $1"),
    # Kept without a name, as proof of what was agreed.
    PersonalTable("terms_acceptance", ErasurePolicy.KEPT),
    # Sealed: the export includes both in clear text, as part of the profile.
    PersonalTable("private_detail", ErasurePolicy.DELETED, hidden=("settlement", "next_of_kin")),
    PersonalTable("credential", ErasurePolicy.DELETED, hidden=("password_hash",)),
    # Belongs to a person without an account to export or delete; activation ends it, as does
    # housekeeping after 24 hours. A member's rows are those with the member's email.
    PersonalTable(
        "sign_up_attempt",
        ErasurePolicy.DELETED,
        whose="email = (SELECT email FROM user_account WHERE id = $1)",
        hidden=("address", "origin", "password_hash"),
    ),
    PersonalTable("mailed_code", ErasurePolicy.DELETED, hidden=("digest", "address")),
    PersonalTable(
        "sms_message",
        ErasurePolicy.DELETED,
        whose="subject_id = $1",
        hidden=("number", "provider_id"),
    ),
    PersonalTable("known_browser", ErasurePolicy.DELETED, hidden=("browser",)),
    PersonalTable("known_origin", ErasurePolicy.DELETED, hidden=("origin",)),
    PersonalTable("session", ErasurePolicy.CLEARED, cleared={"device": "NULL"}),
    PersonalTable("idempotency_key", ErasurePolicy.DELETED, hidden=("fingerprint",)),
    PersonalTable("moment_share", ErasurePolicy.DELETED),
    PersonalTable("moment_applause", ErasurePolicy.DELETED),
    PersonalTable("moment_report", ErasurePolicy.KEPT),
    PersonalTable("moment", ErasurePolicy.DELETED),
    PersonalTable(
        "chat_message",
        ErasurePolicy.CLEARED,
        cleared={"content": "''", "hidden_at": "coalesce(hidden_at, now())"},
    ),
    PersonalTable("chat_reaction", ErasurePolicy.DELETED),
    PersonalTable("chat_membership", ErasurePolicy.DELETED),
    PersonalTable("chat_presence", ErasurePolicy.DELETED, hidden=("worker_id",)),
    # Names other members, and is recomputed every few seconds.
    PersonalTable(
        "chat_online", ErasurePolicy.DELETED, whose="$1 = ANY (listed)", hidden=("listed",)
    ),
    PersonalTable("chat_report", ErasurePolicy.KEPT),
    PersonalTable("chat_mute", ErasurePolicy.KEPT),
    PersonalTable("chat_ban", ErasurePolicy.KEPT),
    # Deleted with the account, except messages with open complaints.
    PersonalTable(
        "chat_evidence",
        ErasurePolicy.KEPT,
        whose="message_id IN (SELECT id FROM chat_message WHERE user_id = $1)",
    ),
    PersonalTable("club_change", ErasurePolicy.KEPT, hidden=("operator_id",)),
    PersonalTable("chat_moderation", ErasurePolicy.KEPT, hidden=("operator_id",)),
    PersonalTable("operator", ErasurePolicy.KEPT, hidden=("totp_secret", "created_by")),
    PersonalTable(
        "known_operator_network", ErasurePolicy.DELETED, whose=OF_OPERATOR, hidden=("origin",)
    ),
    PersonalTable("admin_session", ErasurePolicy.KEPT, whose=OF_OPERATOR),
    # Back office actions are kept, also for deleted accounts. The row names other members:
    # operators read it in the back office instead.
    PersonalTable(
        "audit_entry",
        ErasurePolicy.KEPT,
        whose=OF_OPERATOR,
        hidden=("target_id", "before_state", "after_state", "reason"),
    ),
    PersonalTable(
        "approval",
        ErasurePolicy.KEPT,
        whose="proposed_by IN (SELECT id FROM operator WHERE user_id = $1)",
        hidden=("decided_by", "content", "digest", "reason", "reasons", "result"),
    ),
    PersonalTable(
        "push_delivery",
        ErasurePolicy.DELETED,
        whose="subscription_id IN (SELECT id FROM push_subscription WHERE user_id = $1)",
    ),
    # Sealed: the browser's push address is not exported.
    PersonalTable("push_subscription", ErasurePolicy.DELETED, hidden=("sealed", "endpoint_digest")),
    # Senders are other members: their ids are not part of the recipient's export.
    PersonalTable("push_day", ErasurePolicy.DELETED, hidden=("senders",)),
    PersonalTable("fixture_reminder", ErasurePolicy.DELETED),
    # Names other members, and is recomputed the next evening.
    PersonalTable(
        "club_top", ErasurePolicy.DELETED, whose="$1 = ANY (user_ids)", hidden=("user_ids",)
    ),
    PersonalTable("notification", ErasurePolicy.DELETED, hidden=("sender_id",)),
    PersonalTable("notification_setting", ErasurePolicy.DELETED),
    PersonalTable("shop_order", ErasurePolicy.CLEARED, cleared={"billing": "'{}'::jsonb"}),
    PersonalTable(
        "order_event",
        ErasurePolicy.CLEARED,
        whose="order_id IN (SELECT id FROM shop_order WHERE user_id = $1)",
        hidden=("actor",),
        cleared={"note": "NULL"},
    ),
    PersonalTable("saved_address", ErasurePolicy.DELETED),
    PersonalTable(
        "transfer_proof",
        ErasurePolicy.DELETED,
        whose="order_id IN (SELECT id FROM shop_order WHERE user_id = $1)",
        hidden=("media_key",),
    ),
    PersonalTable(
        "bank_receipt",
        ErasurePolicy.KEPT,
        whose="order_id IN (SELECT id FROM shop_order WHERE user_id = $1)",
    ),
    # The bank's own record of money. Without its text the line would count as new in the next
    # import.
    PersonalTable(
        "bank_line",
        ErasurePolicy.KEPT,
        whose="receipt_id IN (SELECT r.id FROM bank_receipt r JOIN shop_order o"
        " ON o.id = r.order_id WHERE o.user_id = $1)",
        hidden=("words", "matched_by", "reason"),
    ),
    PersonalTable("refund_case", ErasurePolicy.KEPT, hidden=("asked_by", "decided_by", "refusal")),
    PersonalTable(
        "refund_line",
        ErasurePolicy.KEPT,
        whose="refund_id IN (SELECT id FROM refund_case WHERE user_id = $1)",
    ),
    # Who wrote it is the club's business, what it says the member's.
    PersonalTable(
        "operator_note",
        ErasurePolicy.DELETED,
        whose="user_id = $1 OR order_id IN (SELECT id FROM shop_order WHERE user_id = $1)",
        hidden=("written_by",),
    ),
    PersonalTable("receipt", ErasurePolicy.CLEARED, cleared={"buyer": "'{}'::jsonb"}),
    PersonalTable("review_case", ErasurePolicy.KEPT, hidden=("reason",)),
    PersonalTable(
        "operator_credit",
        ErasurePolicy.KEPT,
        hidden=(
            *("initiator_id", "approval_id", "counted_kobo", "confirmed_kobo"),
            *("limit_kobo", "day_limit_kobo", "confirm_limit_kobo", "is_imported"),
        ),
    ),
    PersonalTable("wallet_adjustment", ErasurePolicy.KEPT, hidden=("operator_id", "reason")),
    PersonalTable(
        "order_line",
        ErasurePolicy.KEPT,
        whose="order_id IN (SELECT id FROM shop_order WHERE user_id = $1)",
    ),
    PersonalTable("ledger_account", ErasurePolicy.KEPT, whose="owner_id = $1"),
    PersonalTable(
        "ledger_transfer",
        ErasurePolicy.KEPT,
        whose="wallet_id IN (SELECT id FROM ledger_account WHERE owner_id = $1)",
    ),
    PersonalTable(
        "ledger_seal",
        ErasurePolicy.KEPT,
        whose="wallet_id IN (SELECT id FROM ledger_account WHERE owner_id = $1)",
    ),
    PersonalTable(
        "ledger_seal_month",
        ErasurePolicy.KEPT,
        whose="wallet_id IN (SELECT id FROM ledger_account WHERE owner_id = $1)",
    ),
    PersonalTable("funding", ErasurePolicy.KEPT, shown={"state": FUNDING_STATUS_SQL}),
    PersonalTable("dispute", ErasurePolicy.KEPT, whose=OF_FUNDING),
    PersonalTable("chargeback", ErasurePolicy.KEPT, whose=OF_FUNDING, hidden=("reason",)),
    PersonalTable("debt", ErasurePolicy.KEPT),
    # The provider's report names the payer; that it was sent, and for what, is evidence of money.
    PersonalTable(
        "payment_event",
        ErasurePolicy.CLEARED,
        whose="reference IN (SELECT reference FROM funding WHERE user_id = $1)",
        hidden=("raw", "reason"),
        cleared={"raw": "''::bytea"},
    ),
    PersonalTable("subscription", ErasurePolicy.KEPT),
    PersonalTable("point_entry", ErasurePolicy.KEPT),
    PersonalTable("points_pending", ErasurePolicy.KEPT),
    PersonalTable("member_season", ErasurePolicy.KEPT),
    PersonalTable("rank_promotion", ErasurePolicy.KEPT),
    PersonalTable("board_total", ErasurePolicy.KEPT),
    PersonalTable("battle_seat", ErasurePolicy.KEPT, hidden=("sid",)),
    PersonalTable("battle_attempt", ErasurePolicy.KEPT),
    PersonalTable("trivia_attempt", ErasurePolicy.KEPT),
    PersonalTable("streak", ErasurePolicy.DELETED),
    PersonalTable("streak_day", ErasurePolicy.DELETED),
    PersonalTable("streak_freeze", ErasurePolicy.DELETED),
    PersonalTable("earned_badge", ErasurePolicy.DELETED),
    # Deleted accounts predict nothing; points already won are kept.
    PersonalTable("prediction", ErasurePolicy.DELETED),
    PersonalTable("prediction_total", ErasurePolicy.KEPT),
    PersonalTable("invite", ErasurePolicy.DELETED),
    # Contains two ids, of the inviting and the invited member; counted for the cap of rewards.
    PersonalTable(
        "invitation",
        ErasurePolicy.KEPT,
        whose="$1 IN (invited_id, inviter_id)",
        hidden=("invited_id", "inviter_id"),
    ),
)

# Tables without personal data, each with the reason.
IMPERSONAL_TABLES: Mapping[str, str] = {
    "office_setting": "settings of the back office",
    "bank_statement": "column names of imported bank statements",
    "club": "the clubs on offer",
    "plan": "the plans on offer",
    "plan_price_change": "prices of the plans",
    "product": "the products on offer",
    "product_variant": "sizes of the products",
    "former_picture": "former pictures of products",
    "delivery_fee": "the price of a delivery",
    "day_figure": "sums of each day, without members",
    "receipt_counter": "the number of receipts in a year",
    "article": "news by the back office",
    "question": "questions of the games",
    "question_statistic": "counts of answers, without members",
    "import_run": "files of questions",
    "team": "names of the teams",
    "competition": "names of competitions",
    "former_competition_name": "former names of competitions",
    "fixture": "matches and their results",
    "feed_progress": "the progress of match feeds",
    "fixture_call": "the progress of a kick-off's reminders",
    "prediction_decision": "the effects of results on predictions",
    "prediction_crowd": "counts of predictions, without members",
    "season": "dates and rules of the seasons",
    "battle_rank": "dates and thresholds of the ranks",
    "trivia_schedule": "scheduled questions of the clubs",
    "trivia_set": "questions a club was asked",
    "board": "periods of the boards, without members",
    "rank_histogram": "counts of members by points",
    "chat_room": "names of the rooms, without members",
    "chat_worker": "the server's own processes",
    "club_size": "the number of a club's members",
    "club_size_change": "counts of members who joined or left a club",
    "heartbeat": "a worker's test write",
    "job_kind": "when each kind of job last ran",
    "job_run": "outcomes of backups and their checks",
    "job_worker": "the worker's own processes",
    "ledger_proof": "results of ledger checks, with ids of what did not balance",
    "rate_limit": "keyed digests of addresses and accounts, deleted after a day",
    "solved_challenge": "random numbers, deleted after an hour",
    "used_claim": "random numbers, deleted after a day",
    "sign_in_guard": "keyed digests of emails, deleted after a day",
}
