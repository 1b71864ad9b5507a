"""Statements by days, kinds and months, and as a file: whole, exact, and the member's own."""

import csv
import io
import itertools
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.money.wallet.enums import TransferKind
from api.money.wallet.rules import csv_text, latest_months
from api.money.wallet.service import ledger, operator_credits, statements
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, SignedIn
from tests.money.subscriptions.place import offer_plan, subscribe
from tests.shop.test_orders import buy

MOVED = """
INSERT INTO ledger_transfer (id, kind, reference, debit_id, debit_type, credit_id, credit_type,
                             amount_kobo, created_at)
SELECT gen_random_uuid(), 'adjust', :reference || n,
       CASE WHEN :is_in THEN h.id ELSE w.id END, CASE WHEN :is_in THEN h.type ELSE w.type END,
       CASE WHEN :is_in THEN w.id ELSE h.id END, CASE WHEN :is_in THEN w.type ELSE h.type END,
       :kobo, :at
  FROM ledger_account w, ledger_account h, generate_series(1, :times) n
 WHERE w.owner_id = :owner AND h.type = 'adjustments'
"""


async def opened(owner: AsyncEngine, member: SignedIn) -> None:
    """Open a wallet without any movement."""
    async with owner.begin() as connection:
        await connection.execute(
            text("INSERT INTO ledger_account (id, type, owner_id) VALUES (:id, 'wallet', :owner)"),
            {"id": new_id(), "owner": member.id},
        )


async def moved(
    owner: AsyncEngine, member: SignedIn, at: datetime, naira: int, *, times: int = 1
) -> None:
    """Insert a transfer at a chosen time, which only the tables' owner can do."""
    async with owner.begin() as connection:
        await connection.execute(
            text(MOVED),
            {
                "reference": f"past:{new_id()}:",
                "is_in": naira > 0,
                "kobo": abs(naira) * 100,
                "at": at,
                "times": times,
                "owner": member.id,
            },
        )


async def rows(member: SignedIn, **query: Any) -> list[dict[str, Any]]:
    answer = await member.get(f"/api/v1/payment/statement/{member.id}", params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def months(member: SignedIn, limit: int = 24) -> list[dict[str, Any]]:
    path = f"/api/v1/payment/statement/{member.id}/months?limit={limit}"
    answer = await member.get(path)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def test_a_day_is_lagos_and_both_its_ends_belong_to_it(
    app: RunningApp, owner: AsyncEngine, member: SignedIn
) -> None:
    await opened(owner, member)
    midnight = clock.midnight(date(2026, 3, 2))
    for at, naira in (
        (midnight - timedelta(seconds=1), 1),
        (midnight, 2),
        (midnight + timedelta(hours=23, minutes=59), 4),
        (midnight + timedelta(days=1), 8),
    ):
        await moved(owner, member, at, naira)

    async def amounts(**query: str) -> list[float]:
        return [row["amount"] for row in await rows(member, **query)]

    day = {"from": "2026-03-02", "to": "2026-03-02"}
    assert await amounts(**day) == [4, 2]
    assert await amounts(**{"from": "2026-03-02"}) == [8, 4, 2]
    assert await amounts(to="2026-03-01") == [1]
    assert await amounts(**day, kind="fund,refund") == []
    assert await amounts(**day, kind="adjust, fund") == [4, 2]
    newest = await rows(member, **day, limit="1")
    assert await amounts(**day, before=newest[0]["id"]) == [2]
    assert await amounts(**{"from": "2000-01-01", "to": "2999-12-31"}) == [8, 4, 2, 1]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("from=2026-03-02&to=2026-03-01", "from"),
        ("kind=fund,gift", "kind"),
        ("kind=", "kind"),
        ("from=soon", "from"),
    ],
)
async def test_days_the_wrong_way_round_and_unknown_kinds_are_refused(
    app: RunningApp, member: SignedIn, query: str, field: str
) -> None:
    for path in ("", "/csv"):
        answer = await member.get(f"/api/v1/payment/statement/{member.id}{path}?{query}")
        assert answer.status_code == 422
        assert field in answer.json()["error"]["fields"]


async def test_pages_of_one_kind_meet_without_a_gap(app: RunningApp, member: SignedIn) -> None:
    for number in range(1, 7):
        kind = TransferKind.FUND if number % 2 else TransferKind.ADJUST
        async with app.database.transaction() as tx:
            amount, reference = Kobo(number * 100), f"{number}"
            if kind is TransferKind.ADJUST:
                await operator_credits.import_credit(tx, member.id, amount, reference, clock.now())
            else:
                await ledger.credit(tx, member.id, amount, kind=kind, reference=reference)

    first = await rows(member, kind="fund", limit=2)
    second = await rows(member, kind="fund", limit=2, before=first[-1]["id"])
    both = await rows(member, kind="fund,adjust", limit=3)

    assert [row["amount"] for row in first + second] == [5, 3, 1]
    assert [row["amount"] for row in both] == [6, 5, 4]
    assert await rows(member, before=str(new_id())) == []


async def test_each_movement_says_what_it_was_for_and_which_receipt_it_has(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 20_000)
    plan_id = await offer_plan(app, "Terrace", amount_kobo=50_000)
    assert (await subscribe(member, plan_id)).status_code == 201
    placed = await buy(app, member)
    await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})

    refund, purchase, plan, gift = await rows(member)

    periods = (await member.get(f"/api/v1/users/subscription/{member.id}")).json()["data"]
    number = placed["orderNumber"]
    assert (purchase["title"], purchase["receipt"]) == (
        f"Order {number}",
        {"kind": "order", "id": placed["orderId"]},
    )
    assert (refund["title"], refund["receipt"]) == (
        f"Refund: Order {number}",
        {"kind": "refund", "id": refund["id"]},
    )
    assert (plan["title"], plan["receipt"]) == (
        "Terrace, 1 month",
        {"kind": "subscription", "id": periods[0]["id"]},
    )
    assert (gift["title"], gift["receipt"]) == ("Adjustment by our team", None)


async def test_the_file_is_oldest_first_exact_and_an_attachment(
    app: RunningApp, member: SignedIn
) -> None:
    for reference, kobo in (("=1+1", 100_050), ("-2", 5), ("plain", 100)):
        async with app.database.transaction() as tx:
            await ledger.credit(
                tx, member.id, Kobo(kobo), kind=TransferKind.FUND, reference=reference
            )
    async with app.database.transaction() as tx:
        kind = TransferKind.CHARGEBACK
        await ledger.debit(tx, member.id, Kobo(99_999), kind=kind, reference="@out")

    answer = await member.get(f"/api/v1/payment/statement/{member.id}/csv")

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="statement.csv"'
    day = clock.lagos_day(clock.now()).isoformat()
    assert list(csv.reader(io.StringIO(answer.text))) == [
        ["date", "kind", "reference", "amount", "balance_after"],
        [day, "fund", "'=1+1", "1000.50", "1000.50"],
        [day, "fund", "'-2", "0.05", "1000.55"],
        [day, "fund", "plain", "1.00", "1001.55"],
        [day, "chargeback", "'@out", "-999.99", "1.56"],
    ]
    only = await member.get(f"/api/v1/payment/statement/{member.id}/csv?kind=chargeback")
    assert len(only.text.splitlines()) == 2


async def test_the_file_names_the_days_of_lagos(
    app: RunningApp, owner: AsyncEngine, member: SignedIn
) -> None:
    await opened(owner, member)
    await moved(owner, member, clock.midnight(date(2026, 3, 2)), 4)

    answer = await member.get(f"/api/v1/payment/statement/{member.id}/csv")

    assert [row[0] for row in csv.reader(io.StringIO(answer.text))] == ["date", "2026-03-02"]


async def test_a_file_of_more_than_ten_thousand_rows_is_refused(
    app: RunningApp, owner: AsyncEngine, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert statements.MAX_CSV_ROWS == 10_000
    monkeypatch.setattr(statements, "MAX_CSV_ROWS", 100)
    await opened(owner, member)
    now = clock.now()
    await moved(owner, member, now - timedelta(days=40), 1)
    await moved(owner, member, now, 1, times=100)
    path = f"/api/v1/payment/statement/{member.id}/csv"

    refused = await member.get(path)
    taken = await member.get(path, params={"from": str(clock.lagos_day(now) - timedelta(days=9))})

    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "validation_failed")
    assert len(taken.text.splitlines()) == 101


async def test_months_meet_have_no_gap_and_begin_with_the_first_movement(
    app: RunningApp, owner: AsyncEngine, member: SignedIn
) -> None:
    await opened(owner, member)
    this = clock.lagos_day(clock.now()).replace(day=1)
    first, middle = latest_months(this - timedelta(days=100), this, 24)[0:3:2]
    await moved(owner, member, clock.midnight(first), 100)
    await moved(owner, member, clock.midnight(middle) - timedelta(seconds=1), -30)
    await moved(owner, member, clock.midnight(middle), 5)
    await app.give(member, 7)

    found = await months(member)

    assert [month["month"] for month in found] == [
        f"{day:%Y-%m}" for day in latest_months(first, this, 24)
    ]
    assert found[0] == {
        "month": f"{first:%Y-%m}",
        **{"opening": 0, "in": 100, "out": 0, "closing": 100, "count": 1},
    }
    assert [(month["in"], month["out"], month["count"]) for month in found[1:3]] == [
        (0, 30, 1),
        (5, 0, 1),
    ]
    for month, following in itertools.pairwise(found):
        assert month["closing"] == following["opening"]
    for month in found:
        assert month["closing"] == month["opening"] + month["in"] - month["out"]
    assert found[-1]["closing"] == await app.balance(member)
    assert await months(member, 2) == found[-2:]


async def test_a_wallet_that_nobody_funded_has_one_month_of_nothing(
    app: RunningApp, member: SignedIn
) -> None:
    (month,) = await months(member)

    assert (month["opening"], month["closing"], month["count"]) == (0, 0, 0)
    for limit in (0, 25, "x"):
        path = f"/api/v1/payment/statement/{member.id}/months?limit={limit}"
        assert (await member.get(path)).status_code == 422


async def test_nobody_reads_another_members_file_or_months(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(rival, 500)
    for part in ("csv", "months"):
        for other_id in (rival.id, new_id(), "1"):
            answer = await member.get(f"/api/v1/payment/statement/{other_id}/{part}")
            assert answer.status_code == 404


def test_only_what_begins_like_a_formula_is_quoted() -> None:
    assert [csv_text(cell) for cell in ("=a", "+a", "-a", "@a", "a=", "", "'a")] == [
        *("'=a", "'+a", "'-a", "'@a"),
        *("a=", "", "'a"),
    ]
