"""What each kind says, what mail may wait for, and how facts are written for people.

A *fact* is what a notification knows, under a name: ``amount_kobo``, ``ends_at``, ``plan``. Stored
they are JSON: kobo as integers, instants as text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import TypeAlias, TypeVar
from uuid import UUID

from pydantic.alias_generators import to_camel

from api.core.clock import LAGOS, lagos_day, midnight
from api.core.money import format_naira, naira_from_kobo
from api.notifications.enums import (
    AtNight,
    NotificationCause,
    NotificationGroup,
    NotificationKind,
)
from api.operators.rules import QUIET_FROM, QUIET_TO

Fact: TypeAlias = str | int | UUID | datetime | None
StoredFact: TypeAlias = str | int | None
Words = TypeVar("Words")

FACT = re.compile(r"\{(\w+)\}")  # where a template names one
KOBO = "_kobo"
SIGNED = "change_kobo"
AMOUNTS = frozenset({"amount", "missing", "received", "change", "taken", "owed", "repaid"})
INSTANTS = ("_at", "until", "pay_by")  # endings of names
WALLET, PLANS = "/wallet", "/subscriptions"
ORDER = "/shopping/{order_id}"
CHATS, BOARD, QUEST = "/chats", "/leaderboard", "/trivia-questions"
TOP = 50  # places of a club; who loses theirs is told
DISTURBS_AT_NIGHT = frozenset({NotificationGroup.MONEY})  # by mail
# What a member without a row of their own is spared: what comes often, and is of the moment.
WITHOUT_MAIL = (NotificationGroup.GAMES, NotificationGroup.MATCHES)
WITHOUT_PUSH = (NotificationGroup.GAMES,)
# What the night held back of these goes out as one push.
AS_ONE = frozenset({NotificationKind.REPLY, NotificationKind.MENTION})
LATE = timedelta(seconds=30)  # what is pushed later than that may have come into the night
# A chat would fill a mailbox: these stay in the app and on the phone.
NEVER_MAILED = AS_ONE


@dataclass(frozen=True)
class NotificationText:
    """What a kind is told as: ``{name}`` stands for a fact; ``link`` is a screen's path."""

    group: NotificationGroup
    title: str
    body: str
    link: str


@dataclass(frozen=True)
class Told:
    """A notification in words."""

    title: str
    body: str
    link: str


def _money(title: str, body: str, link: str = WALLET) -> NotificationText:
    return NotificationText(NotificationGroup.MONEY, title, body, link)


def _orders(title: str, body: str, link: str = ORDER) -> NotificationText:
    return NotificationText(NotificationGroup.ORDERS, title, body, link)


def _plans(title: str, body: str, link: str = PLANS) -> NotificationText:
    return NotificationText(NotificationGroup.PLANS, title, body, link)


def _community(title: str, body: str, link: str) -> NotificationText:
    return NotificationText(NotificationGroup.COMMUNITY, title, body, link)


def _games(title: str, body: str, link: str) -> NotificationText:
    return NotificationText(NotificationGroup.GAMES, title, body, link)


TEXTS: Mapping[NotificationKind, NotificationText] = {
    NotificationKind.WALLET_CREDITED: _money(
        "{amount} is in your wallet", "Your wallet has been credited with {amount}."
    ),
    NotificationKind.WALLET_ADJUSTED: _money(
        "Your wallet was adjusted", "Our team changed what your wallet holds by {change}."
    ),
    NotificationKind.REFUND_SENT: _money(
        "{amount} was refunded", "{amount} for {bought} is back in your wallet."
    ),
    NotificationKind.ORDER_PAID: _orders(
        "Order {number} is paid", "We have received {amount} and are preparing your order."
    ),
    NotificationKind.ORDER_SHIPPED: _orders(
        "Order {number} is on its way", "Your order has been shipped."
    ),
    NotificationKind.ORDER_DELIVERED: _orders(
        "Order {number} was delivered", "Your order has arrived. Enjoy it!"
    ),
    NotificationKind.ORDER_CANCELLED: _orders(
        "Order {number} was cancelled", "What you have paid for it goes to your wallet."
    ),
    NotificationKind.ORDER_EXPIRING: _orders(
        "Pay for order {number} soon",
        "We keep your order until {pay_by}. Upload your proof of payment before then.",
    ),
    NotificationKind.ORDER_EXPIRED: _orders(
        "Order {number} has expired",
        "We could not confirm a payment in time, and let your order go. Money that arrives later "
        "pays for it or goes to your wallet.",
    ),
    NotificationKind.PROOF_REJECTED: _orders(
        "Your proof for order {number} was not accepted", "{reason}"
    ),
    NotificationKind.TRANSFER_SHORT: _orders(
        "{missing} is missing for order {number}",
        "We received {received}. Transfer the missing {missing} to complete your order.",
    ),
    NotificationKind.TRANSFER_LATE: _orders(
        "Your transfer for order {number} came late",
        "The order could not be kept, so {amount} is in your wallet.",
    ),
    NotificationKind.PLAN_ENDING: _plans(
        "{plan} ends soon", "Your plan ends on {ends_at}. Renew it to stay on."
    ),
    NotificationKind.PLAN_RENEWING: _plans(
        "{plan} renews soon", "Your plan renews on {ends_at} for {amount} from your wallet."
    ),
    NotificationKind.PLAN_FUND_TO_KEEP: _plans(
        "Fund your wallet to keep {plan}",
        "{missing} is missing in your wallet to renew your plan on {ends_at}.",
        WALLET,
    ),
    NotificationKind.PLAN_RENEWED: _plans(
        "{plan} was renewed", "We took {amount} from your wallet. Your plan runs until {ends_at}."
    ),
    NotificationKind.PLAN_GRACE: _plans(
        "{plan} could not be renewed",
        "Your wallet does not hold {amount}. Fund it by {grace_ends_at} to keep your plan.",
        WALLET,
    ),
    NotificationKind.PLAN_ENDED: _plans(
        "{plan} has ended", "Your plan ended on {ends_at}. Subscribe to come back."
    ),
    NotificationKind.PLAN_GIFT: _plans(
        "You were given {plan}", "It is free for you until {ends_at}. Enjoy it!"
    ),
    NotificationKind.PLAN_PRICE_CHANGED: _plans(
        "The price of {plan} changes",
        "{plan} costs {amount} from {changes_at} on. Your running period stays as it is.",
    ),
    NotificationKind.CHAT_MUTED: _community(
        "You cannot write in the chat for now",
        "A moderator has paused you. You can write again from {until} on.",
        "/chats",
    ),
    NotificationKind.CHAT_BANNED: _community(
        "You cannot enter the chat for now",
        "A moderator has closed the chat to you, until {until}.",
        "/chats",
    ),
    NotificationKind.MOMENT_HIDDEN: _community(
        "A moment of yours was hidden",
        "“{moment}” is hidden from everybody. Our moderators decide whether it is shown again.",
        "/posts",
    ),
    NotificationKind.CLUB_CHANGED: _community(
        "You are a member of {club} now", "Our team has changed your club. Welcome to {club}!", "/"
    ),
    # Whoever wrote may leave one day: their name is not kept with others.
    NotificationKind.REPLY: _community(
        "Somebody answered you in {club}", "Open the chat to read the answer.", CHATS
    ),
    NotificationKind.MENTION: _community(
        "Somebody mentioned you in {club}", "Open the chat to read what they wrote.", CHATS
    ),
    NotificationKind.PROMOTION: _games(
        "You are now {rank}", "Your battle points have lifted your rank.", "/points"
    ),
    NotificationKind.QUEST_OPEN: _games(
        "Today's quest is open", "Answer today's questions before midnight.", QUEST
    ),
    NotificationKind.OVERTAKEN: _games(
        f"You left the top {TOP} of {{club}}", "Others have passed you. Play to come back.", BOARD
    ),
    NotificationKind.FIXTURE_SOON: NotificationText(
        NotificationGroup.MATCHES,
        "{home} against {away} kicks off soon",
        "Kick-off is on {kick_off_at}.",
        "/match/{fixture_id}",
    ),
}
# Texts of a kind that say more, for a fact ``cause``.
CAUSED_TEXTS: Mapping[tuple[NotificationKind, NotificationCause], NotificationText] = {
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.CHARGEBACK): _money(
        "{amount} was charged back",
        "Your bank or card provider took back {amount} that you had paid. "
        "We took it from your wallet.",
    ),
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.SHORT_CHARGEBACK): _money(
        "{amount} was charged back",
        "Your bank or card provider took back {amount} that you had paid. "
        "Your wallet covered {taken}. "
        "You now owe {owed}; the next money that comes into your wallet repays it.",
    ),
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.DEBT_COLLECTED): _money(
        "{taken} repaid what you owed", "We took {taken} from your wallet. You still owe {owed}."
    ),
    (NotificationKind.WALLET_CREDITED, NotificationCause.DEBT_REPAID): _money(
        "{amount} came into your wallet",
        "{repaid} of it repaid what you owed. You still owe {owed}.",
    ),
}
NIGHT_OF_GROUP = {
    NotificationGroup.MONEY: AtNight.SENT,
    NotificationGroup.ORDERS: AtNight.SENT,
    NotificationGroup.MATCHES: AtNight.DROPPED,
}
NIGHT_OF_KIND = {NotificationKind.PROMOTION: AtNight.SENT}  # who is promoted is playing


def names_of(kind: NotificationKind) -> set[str]:
    """Return the names of the facts that a kind's words need."""
    text = TEXTS[kind]
    return {
        f"{name}{KOBO}" if name in AMOUNTS else name
        for template in (text.title, text.body, text.link)
        for name in FACT.findall(template)
    }


def group_of(kind: NotificationKind) -> NotificationGroup:
    """Return which switches a kind's mail and push go by."""
    return TEXTS[kind].group


def tell(kind: NotificationKind, facts: Mapping[str, StoredFact]) -> Told:
    """Return a notification in words.

    Raises:
        KeyError: the kind's words need a fact that is not there.
    """
    text = of_cause(kind, facts, CAUSED_TEXTS) or TEXTS[kind]
    words = dict(_in_words(name, fact) for name, fact in facts.items())
    title, body, link = (
        FACT.sub(lambda found: words[found[1]], template)
        for template in (text.title, text.body, text.link)
    )
    return Told(title, body, link)


def of_cause(
    kind: NotificationKind,
    facts: Mapping[str, StoredFact],
    each: Mapping[tuple[NotificationKind, NotificationCause], Words],
) -> Words | None:
    """Return the words of a kind for the cause that its facts name; None without one."""
    cause = facts.get("cause")
    return None if cause is None else each.get((kind, NotificationCause(str(cause))))


def stored(facts: Mapping[str, Fact]) -> dict[str, StoredFact]:
    """Return facts as they are stored."""
    return {name: _stored(fact) for name, fact in facts.items()}


def on_the_wire(facts: Mapping[str, StoredFact]) -> dict[str, str | int | float | None]:
    """Return facts as clients read them: camelCase, and amounts as naira without ``Kobo``."""
    return {to_camel(name.removesuffix(KOBO)): _wired(name, fact) for name, fact in facts.items()}


def mail_due_at(
    kind: NotificationKind,
    now: datetime,
    quiet_from: time = QUIET_FROM,
    quiet_to: time = QUIET_TO,
) -> datetime | None:
    """Return when mail of a kind may leave: now, or when it is not quiet; money does not wait.

    None: never, or not at all once the night has held it back.
    """
    if kind in NEVER_MAILED:
        return None
    if group_of(kind) in DISTURBS_AT_NIGHT:
        return now
    loud = _when_it_is_loud(now, quiet_from, quiet_to)
    return None if loud > now and at_night(kind) is AtNight.DROPPED else loud


def at_night(kind: NotificationKind) -> AtNight:
    """Return what becomes of a kind's push in the quiet hours (contract F-26)."""
    return NIGHT_OF_KIND.get(kind) or NIGHT_OF_GROUP.get(group_of(kind), AtNight.MORNING)


def push_due_at(
    kind: NotificationKind,
    now: datetime,
    quiet_from: time = QUIET_FROM,
    quiet_to: time = QUIET_TO,
) -> datetime | None:
    """Return when a kind's push may leave; None when the night drops it."""
    loud = _when_it_is_loud(now, quiet_from, quiet_to)
    if loud == now or at_night(kind) is AtNight.SENT:
        return now
    return loud if at_night(kind) is AtNight.MORNING else None


def push_leaves_at(
    kind: NotificationKind, due_at: datetime, now: datetime, quiet_from: time, quiet_to: time
) -> datetime | None:
    """Return when a push may leave that was due at ``due_at``; None when the night drops it."""
    if now - due_at <= LATE:
        return now
    return push_due_at(kind, now, quiet_from, quiet_to)


def _when_it_is_loud(now: datetime, quiet_from: time, quiet_to: time) -> datetime:
    """Return ``now``, or the end of the quiet hours that it is in."""
    local = now.astimezone(LAGOS).time()
    if quiet_from <= quiet_to:
        is_quiet = quiet_from <= local < quiet_to
    else:
        is_quiet = local >= quiet_from or local < quiet_to
    if not is_quiet:
        return now
    day = lagos_day(now) + timedelta(days=local >= quiet_to)
    return midnight(day) + timedelta(hours=quiet_to.hour, minutes=quiet_to.minute)


def write_instant(instant: datetime) -> str:
    """Write an instant for people, in Lagos: ``23 November 2026, 8:05 pm`` (spec 9)."""
    local = instant.astimezone(LAGOS)
    half = "am" if local.hour < 12 else "pm"
    return f"{local.day} {local:%B %Y}, {local.hour % 12 or 12}:{local:%M} {half}"


def _stored(fact: Fact) -> StoredFact:
    if isinstance(fact, datetime):
        return fact.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return str(fact) if isinstance(fact, UUID) else fact


def _wired(name: str, fact: StoredFact) -> str | int | float | None:
    if name.endswith(KOBO) and isinstance(fact, int):
        return naira_from_kobo(fact)
    return fact


def _in_words(name: str, fact: StoredFact) -> tuple[str, str]:
    if name.endswith(KOBO) and isinstance(fact, int):
        sign = ("-" if fact < 0 else "+") if name == SIGNED else ""
        return name.removesuffix(KOBO), sign + format_naira(abs(fact))
    if name.endswith(INSTANTS):
        is_set = isinstance(fact, str)
        return name, write_instant(
            datetime.fromisoformat(str(fact))
        ) if is_set else "further notice"
    return name, str(fact)


def words_of(kind: NotificationKind) -> str:
    """Return a kind in words, for whom what it says is none of their business."""
    return kind.value.replace("_", " ").capitalize()
