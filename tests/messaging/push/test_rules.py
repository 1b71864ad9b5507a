"""The texts of pushes: nothing that a locked screen or another company must not read."""

import json

import pytest
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.messaging.notifications.enums import AtNight, NotificationCause, NotificationKind
from api.messaging.notifications.rules.messages import (
    AMOUNTS,
    FACT,
    Fact,
    StoredFact,
    at_night,
    stored,
)
from api.messaging.notifications.rules.texts import CAUSED_TEXTS, TEXTS, TOP
from api.messaging.push import rules

SAID = {"club": "Enyimba", "plan": "Terrace", "rank": "Super Fan", "home": "A", "away": "B"}
MAX_CONTENT_BYTES = 3 * 1024
MAX_NAME_LENGTH = 60  # allowed: the name of a club, a team or a plan


def facts_of(
    kind: NotificationKind, cause: NotificationCause | None = None
) -> dict[str, StoredFact]:
    """Return a kind's facts, where each that must not be said is a secret."""
    text = TEXTS[kind] if cause is None else CAUSED_TEXTS[kind, cause]
    names = FACT.findall(text.title + text.body + text.link)
    facts = {name: SAID.get(name, f"secret-{name}") for name in names if not _is_amount(name)}
    amounts = {f"{name}_kobo": Kobo(123_456_700) for name in names if _is_amount(name)}
    instants = {name: None for name in names if name.endswith(("_at", "until", "pay_by"))}
    caused: dict[str, Fact] = {} if cause is None else {"cause": cause}
    others: dict[str, Fact] = {"name": "Bello Obi", "content": "See you!"}
    return stored({**facts, **amounts, **instants, **caused, **others})


def _is_amount(name: str) -> bool:
    return name in AMOUNTS


@pytest.mark.parametrize(
    ("kind", "cause"), [*((kind, None) for kind in NotificationKind), *CAUSED_TEXTS]
)
def test_no_push_has_an_amount_a_message_or_a_person(
    kind: NotificationKind, cause: NotificationCause | None
) -> None:
    tag = new_id()
    content = rules.content_of(kind, facts_of(kind, cause), 1, tag)

    shown = json.loads(content)
    assert set(shown) == {"title", "body", "path", "tag"}
    assert (shown["tag"], shown["path"][0]) == (tag.hex, "/")
    words = f"{shown['title']} {shown['body']}"
    for private in ("secret", "1,234,567", "123456700", "₦", "Bello", "See you"):
        assert private not in words
    assert "{" not in words
    assert len(content) <= MAX_CONTENT_BYTES
    assert cause is None or shown["title"] != rules.WORDS[kind][0]


@pytest.mark.parametrize("kind", NotificationKind)
def test_the_longest_names_still_fit(kind: NotificationKind) -> None:
    long_facts = dict.fromkeys(SAID, "🏟" * MAX_NAME_LENGTH)
    content = rules.content_of(kind, {**facts_of(kind), **long_facts}, 1, new_id())

    assert len(content) <= MAX_CONTENT_BYTES


def test_answers_of_a_night_are_one_push() -> None:
    shown = json.loads(rules.content_of(NotificationKind.REPLY, {"club": "Enyimba"}, 7, new_id()))

    assert shown["body"] == "7 answers and mentions wait for you."
    assert shown["path"] == "/chats"


def test_a_place_lost_is_told_of_as_many_places_in_the_app_and_on_the_phone() -> None:
    kind = NotificationKind.OVERTAKEN

    assert TEXTS[kind].title == rules.WORDS[kind][0] == f"You left the top {TOP} of {{club}}"


def test_every_group_of_the_settings_is_counted_with_one_of_push() -> None:
    groups = {kind: rules.push_group_of(kind) for kind in NotificationKind}

    assert groups[NotificationKind.REPLY] == groups[NotificationKind.PROMOTION] == "social"
    assert groups[NotificationKind.FIXTURE_SOON] == "football"
    assert (
        groups[NotificationKind.PLAN_ENDED] == groups[NotificationKind.CLUB_CHANGED] == "personal"
    )
    limits = {group.value: limit for group, limit in rules.DAY_LIMITS.items()}
    assert limits == {"personal": None, "social": 4, "football": 12}
    assert rules.SENDER_LIMIT == 2


def test_pushes_are_of_use_for_as_long_as_the_contract_says() -> None:
    found = {kind: rules.ttl_of(kind).total_seconds() / 60 for kind in NotificationKind}

    assert found.pop(NotificationKind.FIXTURE_SOON) == 30
    assert found.pop(NotificationKind.QUEST_OPEN) == 6 * 60
    assert set(found.values()) == {24 * 60}


@pytest.mark.parametrize(
    ("kind", "fate"),
    [
        (NotificationKind.REFUND_SENT, AtNight.SENT),
        (NotificationKind.ORDER_SHIPPED, AtNight.SENT),
        (NotificationKind.PLAN_ENDED, AtNight.MORNING),
        (NotificationKind.REPLY, AtNight.MORNING),
        (NotificationKind.MENTION, AtNight.MORNING),
        (NotificationKind.FIXTURE_SOON, AtNight.DROPPED),
        (NotificationKind.OVERTAKEN, AtNight.MORNING),
        (NotificationKind.PROMOTION, AtNight.SENT),
    ],
)
def test_the_night_is_for_money_orders_and_who_is_playing(
    kind: NotificationKind, fate: AtNight
) -> None:
    assert at_night(kind) is fate
