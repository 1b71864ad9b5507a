"""The texts of the kinds, and when their mail may be sent."""

import string
from datetime import UTC, datetime
from uuid import UUID

import pytest
from api.foundation.core.money import Kobo
from api.messaging.notifications.enums import NotificationCause, NotificationGroup, NotificationKind
from api.messaging.notifications.rules import messages, texts

EVENING = datetime(2026, 11, 23, 20, 5, tzinfo=UTC)  # five past nine in Lagos
MORNING = datetime(2026, 11, 24, 6, 0, tzinfo=UTC)  # seven in Lagos
GROUPS = {
    NotificationGroup.MONEY: 3,
    NotificationGroup.ORDERS: 9,
    NotificationGroup.PLANS: 8,
    NotificationGroup.COMMUNITY: 6,
    NotificationGroup.GAMES: 3,
    NotificationGroup.MATCHES: 1,
}
SHOWN = {
    "amount": 500_000,
    "missing": 500_000,
    "received": 500_000,
    "change": -500_000,
    "taken": 500_000,
    "owed": 500_000,
    "repaid": 500_000,
}
NOTIFIED = [*((kind, None) for kind in NotificationKind), *texts.CAUSED_TEXTS]


def facts_of(
    kind: NotificationKind, cause: NotificationCause | None = None
) -> dict[str, messages.StoredFact]:
    """Return a fact for each name that a kind's texts use."""
    text = texts.TEXTS[kind] if cause is None else texts.CAUSED_TEXTS[kind, cause]
    names = {
        name
        for template in (text.title, text.body, text.link)
        for _, name, _, _ in string.Formatter().parse(template)
        if name
    }
    facts: dict[str, messages.Fact] = {}
    for name in names:
        if name in SHOWN:
            facts[name + messages.KOBO] = Kobo(SHOWN[name])
        elif name.endswith(messages.INSTANTS):
            facts[name] = EVENING
        else:
            facts[name] = f"the {name}"
    return messages.stored(facts if cause is None else facts | {"cause": cause})


def test_every_kind_of_the_contract_has_words_in_its_group() -> None:
    found = dict.fromkeys(NotificationGroup, 0)
    for kind in NotificationKind:
        found[messages.group_of(kind)] += 1

    assert found == GROUPS


@pytest.mark.parametrize(("kind", "cause"), NOTIFIED)
def test_every_kind_is_told_whole_and_leads_to_a_screen(
    kind: NotificationKind, cause: NotificationCause | None
) -> None:
    message = messages.render(kind, facts_of(kind, cause))

    assert message.title
    assert message.body
    assert not {"{", "}"} & set(message.title + message.body + message.link)
    assert message.link.startswith("/")
    assert "None" not in message.body


@pytest.mark.parametrize(("kind", "cause"), NOTIFIED)
def test_words_without_one_of_their_facts_are_an_error(
    kind: NotificationKind, cause: NotificationCause | None
) -> None:
    facts = facts_of(kind, cause)

    for name in facts.keys() - {"cause"}:
        with pytest.raises(KeyError):
            messages.render(kind, {other: fact for other, fact in facts.items() if other != name})


def test_amounts_and_instants_are_written_for_people() -> None:
    facts = messages.stored({"plan": "Terrace", "amount_kobo": 250_050, "ends_at": EVENING})

    message = messages.render(NotificationKind.PLAN_RENEWED, facts)

    assert message.title == "Terrace was renewed"
    assert message.body == (
        "We took ₦2,500.50 from your wallet. Your plan runs until 23 November 2026, 9:05 pm."
    )


@pytest.mark.parametrize(
    ("instant", "written"),
    [
        (datetime(2026, 11, 22, 23, 0, tzinfo=UTC), "23 November 2026, 12:00 am"),
        (datetime(2026, 11, 23, 11, 7, tzinfo=UTC), "23 November 2026, 12:07 pm"),
        (datetime(2026, 12, 31, 23, 30, tzinfo=UTC), "1 January 2027, 12:30 am"),
    ],
)
def test_an_instant_is_lagos_time_with_twelve_hours(instant: datetime, written: str) -> None:
    assert messages.write_instant(instant) == written


@pytest.mark.parametrize(("change", "shown"), [(50_000, "+₦500"), (-50_050, "-₦500.50")])
def test_an_adjustment_says_in_which_direction(change: int, shown: str) -> None:
    message = messages.render(
        NotificationKind.WALLET_ADJUSTED, messages.stored({"change_kobo": change})
    )

    assert shown in message.body


def test_a_ban_without_an_end_says_so() -> None:
    message = messages.render(NotificationKind.CHAT_BANNED, messages.stored({"until": None}))

    assert message.body == "A moderator has blocked you from the chat until further notice."


def test_facts_are_naira_and_camel_case_on_the_wire() -> None:
    order_id = UUID(int=7)
    facts = messages.stored(
        {"amount_kobo": 250_050, "order_id": order_id, "ends_at": EVENING, "number": "FC-7K3Q9X"}
    )

    assert messages.on_the_wire(facts) == {
        "amount": 2500.5,
        "orderId": str(order_id),
        "endsAt": "2026-11-23T20:05:00.000Z",
        "number": "FC-7K3Q9X",
    }


@pytest.mark.parametrize(
    ("written_at", "due_at"),
    [
        (datetime(2026, 11, 23, 20, 59, 59, tzinfo=UTC), None),
        (datetime(2026, 11, 23, 21, 0, tzinfo=UTC), MORNING),
        (datetime(2026, 11, 23, 23, 30, tzinfo=UTC), MORNING),
        (datetime(2026, 11, 24, 5, 59, 59, tzinfo=UTC), MORNING),
        (datetime(2026, 11, 24, 6, 0, tzinfo=UTC), None),
    ],
)
def test_mail_waits_from_ten_to_seven_and_money_does_not(
    written_at: datetime, due_at: datetime | None
) -> None:
    due = {kind: messages.mail_due_at(kind, written_at) for kind in NotificationKind}

    # Short-lived: replies are never mailed, and a kick-off not after the night.
    for kind in (NotificationKind.REPLY, NotificationKind.MENTION):
        assert due.pop(kind) is None
    assert due.pop(NotificationKind.FIXTURE_SOON) == (written_at if due_at is None else None)
    for kind, found in due.items():
        is_money = messages.group_of(kind) is NotificationGroup.MONEY
        assert found == (written_at if is_money or due_at is None else due_at), kind
