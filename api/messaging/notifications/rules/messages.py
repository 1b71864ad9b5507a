"""Rendering of notifications, and how long their mail and pushes are delayed.

A *fact* is a named value of a notification: ``amount_kobo``, ``ends_at``, ``plan``. Facts are
stored as JSON: kobo as integers, instants as text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import TypeAlias, TypeVar
from uuid import UUID

from pydantic.alias_generators import to_camel

from api.foundation.core.clock import LAGOS, lagos_day, midnight
from api.foundation.core.money import format_naira, naira_from_kobo
from api.foundation.office_settings.rules import QUIET_FROM, QUIET_TO
from api.messaging.notifications.enums import (
    AtNight,
    NotificationCause,
    NotificationGroup,
    NotificationKind,
)
from api.messaging.notifications.rules.texts import CAUSED_TEXTS, TEXTS

Fact: TypeAlias = str | int | UUID | datetime | None
StoredFact: TypeAlias = str | int | None
Words = TypeVar("Words")

FACT = re.compile(r"\{(\w+)\}")  # a fact's name in a template
KOBO = "_kobo"
SIGNED = "change_kobo"
AMOUNTS = frozenset({"amount", "missing", "received", "change", "taken", "owed", "repaid"})
INSTANTS = ("_at", "until", "pay_by")  # suffixes of names
DISTURBS_AT_NIGHT = frozenset({NotificationGroup.MONEY})  # by mail
# Off by default: kinds that are frequent and short-lived.
WITHOUT_MAIL = (NotificationGroup.GAMES, NotificationGroup.MATCHES)
WITHOUT_PUSH = (NotificationGroup.GAMES,)
# Postponed pushes of these kinds are sent as one.
AS_ONE = frozenset({NotificationKind.REPLY, NotificationKind.MENTION})
MAX_LATENESS = timedelta(seconds=30)  # later pushes are checked again: it may be night by now
# A chat would fill a mailbox: these are shown in the app and pushed only.
NEVER_MAILED = AS_ONE


# What the button of a mail says, by the first part of its link.
LABELS = {
    "wallet": "Open your wallet",
    "shopping": "See your order",
    "subscriptions": "See your plan",
    "chats": "Open the chat",
    "posts": "See your moments",
    "points": "See your points",
    "trivia-questions": "Play today's quest",
    "leaderboard": "See the leader board",
    "match": "See the match",
}


@dataclass(frozen=True)
class Message:
    title: str
    body: str
    link: str


NIGHT_OF_GROUP = {
    NotificationGroup.MONEY: AtNight.SENT,
    NotificationGroup.ORDERS: AtNight.SENT,
    NotificationGroup.MATCHES: AtNight.DROPPED,
}
NIGHT_OF_KIND = {NotificationKind.PROMOTION: AtNight.SENT}  # the member is playing


def names_of(kind: NotificationKind) -> set[str]:
    """Return the names of the facts that a kind's texts need."""
    text = TEXTS[kind]
    return {
        f"{name}{KOBO}" if name in AMOUNTS else name
        for template in (text.title, text.body, text.link)
        for name in FACT.findall(template)
    }


def group_of(kind: NotificationKind) -> NotificationGroup:
    """Return the group whose switches apply to a kind's mail and push."""
    return TEXTS[kind].group


def render(kind: NotificationKind, facts: Mapping[str, StoredFact]) -> Message:
    """Return a notification's text; a missing fact is a ``KeyError``."""
    text = of_cause(kind, facts, CAUSED_TEXTS) or TEXTS[kind]
    words = dict(_in_words(name, fact) for name, fact in facts.items())
    title, body, link = (
        FACT.sub(lambda found: words[found[1]], template)
        for template in (text.title, text.body, text.link)
    )
    return Message(title, body, link)


def label_of(link: str) -> str:
    """Return what the button of a mail with this link says."""
    return LABELS.get(link.split("/")[1], "Open King of Fans")


def of_cause(
    kind: NotificationKind,
    facts: Mapping[str, StoredFact],
    each: Mapping[tuple[NotificationKind, NotificationCause], Words],
) -> Words | None:
    """Return a kind's texts for the cause in its facts; None without one."""
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
    """Return when a kind's mail may be sent: now, or after the quiet hours; money does not wait.

    None: it is never mailed, or dropped in the quiet hours.
    """
    if kind in NEVER_MAILED:
        return None
    if group_of(kind) in DISTURBS_AT_NIGHT:
        return now
    allowed_at = _after_quiet_hours(now, quiet_from, quiet_to)
    return None if allowed_at > now and at_night(kind) is AtNight.DROPPED else allowed_at


def at_night(kind: NotificationKind) -> AtNight:
    """Return how a kind's push is handled in the quiet hours (contract F-26)."""
    return NIGHT_OF_KIND.get(kind) or NIGHT_OF_GROUP.get(group_of(kind), AtNight.MORNING)


def push_due_at(
    kind: NotificationKind,
    now: datetime,
    quiet_from: time = QUIET_FROM,
    quiet_to: time = QUIET_TO,
) -> datetime | None:
    """Return when a kind's push may be sent; None when the quiet hours drop it."""
    allowed_at = _after_quiet_hours(now, quiet_from, quiet_to)
    if allowed_at == now or at_night(kind) is AtNight.SENT:
        return now
    return allowed_at if at_night(kind) is AtNight.MORNING else None


def push_leaves_at(
    kind: NotificationKind, due_at: datetime, now: datetime, quiet_from: time, quiet_to: time
) -> datetime | None:
    """Return when a push that was due at ``due_at`` may be sent; None when it is dropped."""
    if now - due_at <= MAX_LATENESS:
        return now
    return push_due_at(kind, now, quiet_from, quiet_to)


def _after_quiet_hours(now: datetime, quiet_from: time, quiet_to: time) -> datetime:
    """Return ``now``, or the end of the quiet hours around it."""
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
    """Format an instant for people, in Lagos time: ``23 November 2026, 8:05 pm`` (spec 9)."""
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
    """Return a kind's name in words, for readers who must not see the content."""
    return kind.value.replace("_", " ").capitalize()
