"""Endpoints, texts and lifetimes of pushes (contract F-24 to F-26).

A push appears on locked screens and passes through other companies: it contains no amount, no
message text and no person.
"""

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from api.messaging.notifications.enums import NotificationCause, NotificationGroup, NotificationKind
from api.messaging.notifications.rules.messages import FACT, StoredFact, group_of, of_cause, render
from api.messaging.notifications.rules.texts import CHATS, TOP
from api.messaging.push.enums import PushGroup

MAX_SUBSCRIPTIONS = 5
DAY_LIMITS: Mapping[PushGroup, int | None] = {
    PushGroup.PERSONAL: None,
    PushGroup.SOCIAL: 4,
    PushGroup.FOOTBALL: 12,
}
SENDER_LIMIT = 2  # pushes per day to one member that another causes
TTL = timedelta(hours=24)
TTL_OF_KIND = {
    NotificationKind.FIXTURE_SOON: timedelta(minutes=30),
    NotificationKind.QUEST_OPEN: timedelta(hours=6),
}
HOSTS = frozenset({"fcm.googleapis.com"})
HOST_ENDINGS = (".push.services.mozilla.com", ".notify.windows.com", ".push.apple.com")
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
HTTPS_PORTS = frozenset({None, "443"})
# No credentials, backslash or fragment: nothing that two URL parsers read differently.
ENDPOINT = re.compile(r"(https?)://([a-z0-9][a-z0-9.-]*|\[::1\])(?::([0-9]{1,5}))?/[!\"$-\[\]-~]*")
SAYABLE = frozenset({"club", "plan", "rank", "home", "away"})

# Each kind's title and sentence, which use facts of ``SAYABLE`` alone.
WORDS: Mapping[NotificationKind, tuple[str, str]] = {
    NotificationKind.WALLET_CREDITED: (
        "Money is in your wallet",
        "Your wallet has been credited.",
    ),
    NotificationKind.WALLET_ADJUSTED: (
        "Your wallet was adjusted",
        "Our team changed your wallet balance.",
    ),
    NotificationKind.REFUND_SENT: ("You have a refund", "It is back in your wallet."),
    NotificationKind.ORDER_PAID: ("Your order is paid", "We are preparing it."),
    NotificationKind.ORDER_SHIPPED: ("Your order is on its way", "It has been shipped."),
    NotificationKind.ORDER_DELIVERED: ("Your order was delivered", "Enjoy it!"),
    NotificationKind.ORDER_CANCELLED: ("Your order was cancelled", "Open it to see why."),
    NotificationKind.ORDER_EXPIRING: (
        "Pay for your order soon",
        "We keep it a little longer. Open it to see until when.",
    ),
    NotificationKind.ORDER_EXPIRED: (
        "Your order has expired",
        "We could not confirm a payment in time.",
    ),
    NotificationKind.PROOF_REJECTED: (
        "Your proof of payment was not accepted",
        "Open your order to see why.",
    ),
    NotificationKind.TRANSFER_SHORT: (
        "Your transfer was too little",
        "Open your order to see what is missing.",
    ),
    NotificationKind.TRANSFER_LATE: ("Your transfer arrived late", "It is in your wallet."),
    NotificationKind.PLAN_ENDING: ("{plan} ends soon", "Renew your plan to keep it."),
    NotificationKind.PLAN_RENEWING: ("{plan} renews soon", "It is paid from your wallet."),
    NotificationKind.PLAN_FUND_TO_KEEP: (
        "Fund your wallet to keep {plan}",
        "It renews within the hour.",
    ),
    NotificationKind.PLAN_RENEWED: ("{plan} was renewed", "It was paid from your wallet."),
    NotificationKind.PLAN_GRACE: (
        "{plan} could not be renewed",
        "Fund your wallet within a day to keep it.",
    ),
    NotificationKind.PLAN_ENDED: ("{plan} has ended", "Subscribe to come back."),
    NotificationKind.PLAN_GIFT: ("You've been given {plan}", "It is free for you. Enjoy it!"),
    NotificationKind.PLAN_PRICE_CHANGED: (
        "The price of {plan} is changing",
        "Your current period is not affected.",
    ),
    NotificationKind.CHAT_MUTED: (
        "You cannot write in the chat for now",
        "A moderator has muted you.",
    ),
    NotificationKind.CHAT_BANNED: (
        "You cannot enter the chat for now",
        "A moderator has blocked you from it.",
    ),
    NotificationKind.MOMENT_HIDDEN: (
        "Your moment was hidden",
        "A moderator has hidden it from everybody.",
    ),
    NotificationKind.CLUB_CHANGED: ("You are a member of {club} now", "Welcome!"),
    NotificationKind.REPLY: ("Somebody answered you in {club}", "Open the chat to read it."),
    NotificationKind.MENTION: ("Somebody mentioned you in {club}", "Open the chat to read it."),
    NotificationKind.PROMOTION: ("You are now {rank}", "Your battle points have lifted you."),
    NotificationKind.QUEST_OPEN: ("Today's quest is open", "Answer it before midnight."),
    NotificationKind.OVERTAKEN: (
        f"You left the top {TOP} of {{club}}",
        "Others have passed you. Play to come back.",
    ),
    NotificationKind.FIXTURE_SOON: ("{home} against {away}", "Kick-off is within the hour."),
}
CHARGED_BACK = ("A payment was charged back", "Open your wallet to see what it means for you.")
# A kind's alternative texts, by the fact ``cause``.
CAUSED_WORDS: Mapping[tuple[NotificationKind, NotificationCause], tuple[str, str]] = {
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.CHARGEBACK): CHARGED_BACK,
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.SHORT_CHARGEBACK): CHARGED_BACK,
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.DEBT_COLLECTED): (
        "Your wallet repaid what you owed",
        "Open your wallet to see what is left.",
    ),
    (NotificationKind.WALLET_CREDITED, NotificationCause.DEBT_REPAID): (
        "Money came into your wallet",
        "It repaid what you owed first.",
    ),
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.DEBT_REPAID): (
        "An adjustment repaid what you owed",
        "Open your wallet to see what is left.",
    ),
    (NotificationKind.REFUND_SENT, NotificationCause.DEBT_REPAID): (
        "A refund repaid what you owed",
        "Open your wallet to see what is left.",
    ),
    (NotificationKind.TRANSFER_LATE, NotificationCause.DEBT_REPAID): (
        "Your late transfer repaid what you owed",
        "Open your wallet to see what is left.",
    ),
}
PUSH_GROUPS: Mapping[NotificationGroup, PushGroup] = {
    NotificationGroup.MONEY: PushGroup.PERSONAL,
    NotificationGroup.ORDERS: PushGroup.PERSONAL,
    NotificationGroup.PLANS: PushGroup.PERSONAL,
    NotificationGroup.COMMUNITY: PushGroup.SOCIAL,
    NotificationGroup.GAMES: PushGroup.SOCIAL,
    NotificationGroup.MATCHES: PushGroup.FOOTBALL,
}
# Our team's actions on a member's account; the settings show them in the community group.
OF_ACCOUNT = frozenset(
    {
        NotificationKind.CHAT_MUTED,
        NotificationKind.CHAT_BANNED,
        NotificationKind.MOMENT_HIDDEN,
        NotificationKind.CLUB_CHANGED,
    }
)
TOGETHER = "Your club has been talking"
TOGETHER_BODY = "{count} answers and mentions wait for you."


def is_supported(endpoint: str, *, allows_loopback: bool) -> bool:
    """Return whether an endpoint is at a known push service, or local where that is allowed."""
    found = ENDPOINT.fullmatch(endpoint)
    if found is None:
        return False
    scheme, host, port = found.groups()
    if allows_loopback and host in LOOPBACK:
        return True
    is_known = host in HOSTS or host.endswith(HOST_ENDINGS)
    return scheme == "https" and port in HTTPS_PORTS and is_known


def push_group_of(kind: NotificationKind) -> PushGroup:
    """Return the group that a kind's pushes are counted in."""
    return PushGroup.PERSONAL if kind in OF_ACCOUNT else PUSH_GROUPS[group_of(kind)]


def ttl_of(kind: NotificationKind) -> timedelta:
    """Return how long a kind's push is worth delivering."""
    return TTL_OF_KIND.get(kind, TTL)


def content_of(
    kind: NotificationKind, facts: Mapping[str, StoredFact], together: int, tag: UUID
) -> bytes:
    """Return a push's content: ``{title, body, path, tag}`` as JSON.

    A phone replaces a push of the same ``tag``, so a repetition is not noticed.
    """
    if together > 1:
        title, body = TOGETHER, TOGETHER_BODY.format(count=together)
        path = CHATS
    else:
        known = {name: str(fact) for name, fact in facts.items() if name in SAYABLE}
        words = of_cause(kind, facts, CAUSED_WORDS) or WORDS[kind]
        title, body = (FACT.sub(lambda found: known[found[1]], template) for template in words)
        path = render(kind, facts).link
    content: dict[str, Any] = {"title": title, "body": body, "path": path, "tag": tag.hex}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
