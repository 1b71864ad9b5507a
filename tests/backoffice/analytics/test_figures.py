"""Daily figures: counted by the worker, read for charts, money only with the right."""

from datetime import date, timedelta
from typing import Any

import pytest
from api.backoffice.analytics.service import count_days
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.chat.conftest import join
from tests.conftest import RunningApp, SignedIn
from tests.shop.test_orders import buy

FIGURES = f"{ADMIN}/figures"
DAY = timedelta(days=1)
UNCOUNTED = {
    **dict.fromkeys(("activeMembers", "questMembers", "battleMembers", "battleAnswers")),
    **dict.fromkeys(("chatMessages", "orders", "ordersTotal", "moneyIn", "moneyOut")),
}


@pytest.fixture
async def fola(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "fola", Role.FINANCE)


def today() -> date:
    return clock.lagos_day(clock.now())


async def days(operator: OperatorClient, query: str = "") -> list[dict[str, Any]]:
    answer = await operator.get(f"{FIGURES}{query}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["data"]["days"]
    return found


async def write(app: RunningApp, member: SignedIn, count: int) -> None:
    """Post messages in the public room now."""
    for seq in range(1, count + 1):
        await app.database.execute(
            "INSERT INTO chat_message (id, room_id, seq, user_id, client_id, content, sent_at) "
            "VALUES ($1, '00000000-0000-0000-0000-000000000000', $2, $3, $1, 'Up', now())",
            new_id(),
            seq,
            member.id,
        )


async def test_a_day_has_what_was_done_in_it_and_money_for_who_may_read_it(
    app: RunningApp, fola: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(member, 10_000)
    await buy(app, member)
    await join(app, rival)
    await write(app, rival, 3)
    before = await days(fola, f"?from={today()}&to={today()}")

    await count_days(app.database, clock.now())

    assert before == [{"day": f"{today()}"} | UNCOUNTED]
    (day,) = await days(fola, f"?from={today()}&to={today()}")
    assert day == {
        "day": f"{today()}",
        "activeMembers": 2,
        "questMembers": 0,
        "battleMembers": 0,
        "battleAnswers": 0,
        "chatMessages": 3,
        "orders": 1,
        "ordersTotal": 5001,
        "moneyIn": 10_000,
        "moneyOut": 5001,
    }
    editor = await operator_client(app, "ed", Role.EDITOR)
    (seen,) = await days(editor, f"?from={today()}&to={today()}")
    assert seen == day | dict.fromkeys(("ordersTotal", "moneyIn", "moneyOut"))


async def test_counting_again_changes_a_day_to_what_it_is_now(
    app: RunningApp, fola: OperatorClient, member: SignedIn
) -> None:
    await app.give(member, 100)
    await count_days(app.database, clock.now())
    await app.give(member, 50)
    for _ in range(2):
        await count_days(app.database, clock.now())

    assert [day["moneyIn"] for day in await days(fola)][-2:] == [0, 150]
    assert await app.database.fetch_value("SELECT count(*) FROM day_figure") == 2


async def test_days_since_the_first_member_that_were_never_counted_are(
    app: RunningApp, fola: OperatorClient
) -> None:
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE user_account SET created_at = now() - interval '40 days'")

    await count_days(app.database, clock.now())
    once = await app.database.fetch_value("SELECT count(*) FROM day_figure")
    await count_days(app.database, clock.now())

    assert once == 32
    assert await app.database.fetch_value("SELECT count(*) FROM day_figure") == 41
    shown = await days(fola, f"?from={today() - 41 * DAY}")
    assert shown[0]["orders"] is None
    assert {day["orders"] for day in shown[1:]} == {0}


@pytest.mark.parametrize(
    ("first", "last", "status"),
    [(0, 0, 200), (-365, 0, 200), (-366, 0, 422), (1, 0, 422), (-3, None, 200), (None, 5, 200)],
)
async def test_at_most_a_year_of_days_is_read(
    fola: OperatorClient, first: int | None, last: int | None, status: int
) -> None:
    named = {"from": first, "to": last}
    query = "&".join(f"{key}={today() + n * DAY}" for key, n in named.items() if n is not None)

    answer = await fola.get(f"{FIGURES}?{query}")

    assert answer.status_code == status
    assert (await fola.get(f"{FIGURES}?from=2026-13-01")).status_code == 422


async def test_the_earliest_day_there_is_can_be_asked_for(fola: OperatorClient) -> None:
    assert (await fola.get(f"{FIGURES}?to=2000-01-02")).status_code == 200
    assert (await fola.get(f"{FIGURES}?to=1999-12-31")).status_code == 422
    assert (await fola.get(f"{FIGURES}?from=0001-01-01&to=9999-12-31")).status_code == 422
