"""Enumerations of notifications (contracts B-109 and F-26)."""

from enum import StrEnum


class NotificationGroup(StrEnum):
    """Groups for which members switch mail and push on and off."""

    MONEY = "money"
    ORDERS = "orders"
    PLANS = "plans"
    COMMUNITY = "community"
    GAMES = "games"
    MATCHES = "matches"


class AtNight(StrEnum):
    """How a push that is caused in the quiet hours is handled."""

    SENT = "sent"
    MORNING = "morning"
    DROPPED = "dropped"


class NotificationKind(StrEnum):
    """The kind of a notification."""

    WALLET_CREDITED = "wallet_credited"
    WALLET_ADJUSTED = "wallet_adjusted"
    REFUND_SENT = "refund_sent"

    ORDER_PAID = "order_paid"
    ORDER_SHIPPED = "order_shipped"
    ORDER_DELIVERED = "order_delivered"
    ORDER_CANCELLED = "order_cancelled"
    ORDER_EXPIRING = "order_expiring"
    ORDER_EXPIRED = "order_expired"
    PROOF_REJECTED = "proof_rejected"
    TRANSFER_SHORT = "transfer_short"
    TRANSFER_LATE = "transfer_late"

    PLAN_ENDING = "plan_ending"
    PLAN_RENEWING = "plan_renewing"
    PLAN_FUND_TO_KEEP = "plan_fund_to_keep"
    PLAN_RENEWED = "plan_renewed"
    PLAN_GRACE = "plan_grace"
    PLAN_ENDED = "plan_ended"
    PLAN_GIFT = "plan_gift"
    PLAN_PRICE_CHANGED = "plan_price_changed"

    CHAT_MUTED = "chat_muted"
    CHAT_BANNED = "chat_banned"
    MOMENT_HIDDEN = "moment_hidden"
    CLUB_CHANGED = "club_changed"
    REPLY = "reply"
    MENTION = "mention"

    PROMOTION = "promotion"
    QUEST_OPEN = "quest_open"
    OVERTAKEN = "overtaken"

    FIXTURE_SOON = "fixture_soon"


class NotificationCause(StrEnum):
    """Why a wallet changed, if the kind does not imply it: the fact ``cause``."""

    CHARGEBACK = "chargeback"
    SHORT_CHARGEBACK = "short_chargeback"
    DEBT_COLLECTED = "debt_collected"
    DEBT_REPAID = "debt_repaid"
