"""Every kind of operator credit: alone within limits, above them with a second person."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.errors import DatabaseRefusal
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.ledger_audit.repository.checks import CHECKS
from api.money.wallet.enums import ReviewKind
from api.money.wallet.service import reviews
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.backoffice.oversight.test_second_person import APPROVALS, decision
from tests.backoffice.refunds.test_refunds import ask, send
from tests.conftest import RunningApp, SignedIn
from tests.money.subscriptions.place import offer_plan, subscribe
from tests.money.wallet.test_adjustments import adjust
from tests.shop.carts import BILLING, CHECKOUT
from tests.shop.test_transfers import agreed, confirm

LIMIT, DAY_LIMIT = 100, 150  # naira
WHY = {"reason": "It has to be"}
# An order costs twice the limit, so that a payment above the limit is not unlikely.
PRICE = 2 * LIMIT
Credit = Callable[[], Awaitable[httpx.Response]]
Prepare = Callable[[RunningApp, SignedIn, OperatorClient, float], Awaitable[Credit]]
WAYS: dict[str, Prepare] = {}


def way(name: str) -> Callable[[Prepare], Prepare]:
    """Register a function that prepares a credit and returns the call that makes it."""

    def register(prepare: Prepare) -> Prepare:
        WAYS[name] = prepare
        return prepare

    return register


async def product(app: RunningApp, naira: float) -> UUID:
    product_id = new_id()
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO product (id, name, description, price_kobo, image, thumbnail, star, "
            "position) VALUES ($1, 'Scarf', '', $2, '', '', 5, 1)",
            product_id,
            round(naira * 100),
        )
        await tx.execute(
            "INSERT INTO product_variant (id, product_id, is_default, stock) "
            "VALUES ($1, $1, true, 99)",
            product_id,
        )
    return product_id


async def ordered(
    app: RunningApp, member: SignedIn, naira: float, method: str = "wallet"
) -> dict[str, Any]:
    if method == "wallet":
        await app.give(member, int(naira) + 1)
    cart = [{"id": str(await product(app, naira)), "quantity": 1}]
    wish = {"carts": cart, "billing": BILLING, "paymentMethod": method}
    placed = await member.post(CHECKOUT, wish)
    assert placed.status_code == 201, placed.text
    found: dict[str, Any] = placed.json()["data"]
    return found


@way("adjustment")
async def adjustment(_: RunningApp, member: SignedIn, by: OperatorClient, naira: float) -> Credit:
    return lambda: adjust(by, member, naira)


@way("gift")
async def gift(app: RunningApp, member: SignedIn, by: OperatorClient, naira: float) -> Credit:
    plan = await offer_plan(app, f"Plan {new_id()}", amount_kobo=round(naira * 100))
    path = f"{ADMIN}/members/{member.id}/gift"
    return lambda: by.post(path, {"planId": str(plan), "periods": 1, "replace": True} | WHY)


@way("review case")
async def review_case(
    app: RunningApp, member: SignedIn, by: OperatorClient, naira: float
) -> Credit:
    async with app.database.transaction() as tx:
        case = await reviews.open_review(
            tx,
            [ReviewKind.SURPLUS],
            member.id,
            Kobo(round(naira * 100)),
            subject=new_id(),
            source=f"transfer:058:{new_id()}:surplus",
            now=clock.now(),
        )
    return lambda: by.post(f"{ADMIN}/review-cases/{case}/accept", WHY)


@way("refund")
async def refund(app: RunningApp, member: SignedIn, by: OperatorClient, naira: float) -> Credit:
    placed = await ordered(app, member, naira)
    asked = (await ask(by, placed, (1, 1))).json()["data"]["id"]
    return lambda: send(by, asked)


@way("cancellation")
async def cancellation(
    app: RunningApp, member: SignedIn, by: OperatorClient, naira: float
) -> Credit:
    placed = await ordered(app, member, naira)
    return lambda: by.post(f"{ADMIN}/orders/{placed['orderId']}/cancel", WHY)


@way("transfer for an order that is over")
async def late_transfer(
    app: RunningApp, member: SignedIn, by: OperatorClient, naira: float
) -> Credit:
    placed = await ordered(app, member, naira, "bank-transfer")
    await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})
    return lambda: confirm(by, placed, amount=naira, reference=str(new_id())[:30])


async def limit(app: RunningApp, **naira: float) -> None:
    """Set limits as if two owners had agreed."""
    limits: dict[str, float] = {"adjustment": LIMIT, "refund": LIMIT}
    limits |= {"adjustment_day": DAY_LIMIT, "refund_day": DAY_LIMIT, "confirm_day": 10**6} | naira
    columns = ", ".join(f"{name}_limit_kobo" for name in limits)
    values = ", ".join(str(round(amount * 100)) for amount in limits.values())
    async with app.database.transaction() as tx:
        await tx.execute("INSERT INTO office_setting DEFAULT VALUES ON CONFLICT DO NOTHING")
        await tx.execute(f"UPDATE office_setting SET ({columns}) = ({values})")


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    await limit(app)
    return await operator_client(app, "olu", Role.OWNER)


@pytest.fixture
async def bisi(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "bisi", Role.OWNER)


def outcome(answer: httpx.Response) -> list[str] | str:
    """Return the outcome of a credit: done, the reasons of its approval, or an error code."""
    if answer.status_code in {200, 201}:
        return "done"
    if answer.status_code == 202:
        reasons: list[str] = answer.json()["data"]["approval"]["reasons"]
        return reasons
    code: str = answer.json()["error"]["code"]
    return code


async def worth(app: RunningApp) -> int:
    """Return how many kobo operators have credited or given."""
    return int(
        await app.database.fetch_value(
            "SELECT coalesce(sum(amount_kobo), 0)::bigint FROM operator_credit "
            "WHERE NOT is_imported"
        )
    )


@pytest.mark.parametrize("name", WAYS)
async def test_below_and_at_the_limit_one_person_is_enough_above_it_and_for_oneself_not(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient, name: str
) -> None:
    await limit(app, adjustment_day=10_000, refund_day=10_000)

    for whose, own in ((member, []), (olu.member, ["own"])):
        for naira, more in ((LIMIT - 0.01, []), (LIMIT, []), (LIMIT + 0.01, ["limit"])):
            before = await worth(app)
            credit = await WAYS[name](app, whose, olu, naira)
            held = await app.balance(whose)
            answer = await credit()

            assert outcome(answer) == (own + more or "done")
            moved = 0 if own or more else naira
            assert await worth(app) - before == round(moved * 100)
            if name != "gift":
                assert round(await app.balance(whose) - held, 2) == moved
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize("name", WAYS)
async def test_a_proposal_is_executed_once_by_another_operator_and_not_by_its_owner(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, name: str
) -> None:
    alone = await (await WAYS[name](app, bisi.member, olu, LIMIT + 1))()
    kemi = await operator_client(app, "kemi", Role.OWNER)
    waiting = await (await WAYS[name](app, bisi.member, olu, LIMIT + 1))()
    own = await agreed(bisi, waiting)
    done, again = await agreed(kemi, waiting), await agreed(kemi, waiting)

    # The only other operator owns it, and may not decide it.
    if name == "cancellation":  # the order is cancelled anyway; its refund waits to be sent
        assert (alone.status_code, alone.json()["data"]["refund"]["state"]) == (200, "asked")
    else:
        assert outcome(alone) == "second_person_needed"
    assert (own.status_code, outcome(own)) == (409, "own_proposal")
    assert done.status_code == 200, done.text
    assert (again.status_code, outcome(again)) == (409, "wrong_state")
    assert await worth(app) == (LIMIT + 1) * 100
    row = await app.database.fetch_row(
        "SELECT initiator_id, approval_id, user_id FROM operator_credit WHERE NOT is_imported"
    )
    assert row is not None
    assert (row["initiator_id"], row["user_id"]) == (olu.id, bisi.member.id)
    assert str(row["approval_id"]) == waiting.json()["data"]["approval"]["id"]
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize("name", WAYS)
async def test_credits_of_one_day_add_up_and_the_next_day_starts_at_zero(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient, name: str
) -> None:
    first = await (await WAYS[name](app, member, olu, LIMIT))()
    above = await (await WAYS[name](app, member, olu, DAY_LIMIT - LIMIT + 0.01))()
    at = await (await WAYS[name](app, member, olu, DAY_LIMIT - LIMIT))()
    nothing_left = await (await WAYS[name](app, member, olu, 0.01))()
    other = await (await WAYS[name](app, member, bisi, 0.01))()

    results = [outcome(answer) for answer in (first, above, at, nothing_left, other)]
    assert results == ["done", ["day_limit"], "done", ["day_limit"], "done"]
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize("name", WAYS)
async def test_of_twenty_at_once_the_days_limit_is_done_and_the_rest_waits(
    app: RunningApp, olu: OperatorClient, bisi: OperatorClient, name: str
) -> None:
    members = [await app.member(f"fan{number}") for number in range(20)]
    wishes = [await WAYS[name](app, one, olu, DAY_LIMIT / 15) for one in members]

    answers = await asyncio.gather(*(wish() for wish in wishes))

    assert Counter(str(outcome(answer)) for answer in answers) == {"done": 15, "['day_limit']": 5}
    assert await worth(app) == DAY_LIMIT * 100
    assert await broken_invariants_in(app.database) == []


async def test_a_gift_counts_with_all_its_periods_and_each_of_many_with_the_others(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    fans = [await app.member(f"fan{number}") for number in range(3)]
    plan = await offer_plan(app, amount_kobo=40 * 100)

    async def give(*members: SignedIn, periods: int) -> list[str] | str:
        body = {"userIds": [str(one.id) for one in members], "periods": periods} | WHY
        return outcome(await olu.post(f"{ADMIN}/plans/{plan}/gifts", body))

    assert await give(member, periods=3) == ["limit"]
    assert await give(*fans, member, periods=1) == ["day_limit"]
    assert await give(*fans, periods=1) == "done"
    assert await give(member, periods=1) == ["day_limit"]
    assert await worth(app) == 3 * 40 * 100


async def test_a_gift_counts_with_the_refund_of_the_plan_that_it_replaces(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    cheap = await offer_plan(app, "Cheap", amount_kobo=100)
    dear = await offer_plan(app, "Dear", amount_kobo=10 * LIMIT * 100)
    await app.give(member, 10 * LIMIT)
    await subscribe(member, dear)
    body = {"planId": str(cheap), "periods": 1, "replace": True} | WHY

    waiting = await olu.post(f"{ADMIN}/members/{member.id}/gift", body)
    held = await app.balance(member)
    await agreed(bisi, waiting)

    assert (outcome(waiting), held) == (["limit", "day_limit"], 0)
    returned = await app.balance(member)
    assert 9 * LIMIT < returned < 10 * LIMIT  # the whole days that are left
    assert await worth(app) == round(returned * 100) + 100
    assert await broken_invariants_in(app.database) == []


async def test_all_ways_but_refunds_share_one_day(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    shared = [name for name in WAYS if name not in {"refund", "cancellation"}]
    for name in shared[:3]:
        assert outcome(await (await WAYS[name](app, member, olu, DAY_LIMIT / 3))()) == "done"

    for name in shared:
        answer = await (await WAYS[name](app, member, olu, 1))()
        assert outcome(answer) == ["day_limit"], name
    assert outcome(await (await WAYS["refund"](app, member, olu, LIMIT))()) == "done"
    cancelled = await (await WAYS["cancellation"](app, member, olu, LIMIT))()
    assert outcome(cancelled) == ["day_limit"]


async def test_a_lone_operator_with_the_shops_rights_cannot_make_money(
    app: RunningApp, member: SignedIn
) -> None:
    """The shop creates a product, buys it by transfer, cancels, and confirms a transfer."""
    musa = await operator_client(app, "musa", Role.SHOP)
    ife = await operator_client(app, "ife", Role.SHOP)
    made = await musa.post(
        f"{ADMIN}/products",
        {"name": "Gold Cup", "description": "Dear", "price": 400_000, "star": 5},
    )
    assert made.status_code == 201, made.text
    made_id = made.json()["data"]["id"]
    await app.database.execute(
        "UPDATE product_variant SET stock = 99 WHERE product_id = $1", UUID(made_id)
    )
    await app.database.execute("UPDATE product SET image = 'x' WHERE id = $1", UUID(made_id))
    wish = {"billing": BILLING, "paymentMethod": "bank-transfer"}
    orders = []
    for buyer in (musa.member, member):
        cart = [{"id": made_id, "quantity": 1}]
        placed = await buyer.post(CHECKOUT, wish | {"carts": cart})
        assert placed.status_code == 201, placed.text
        orders.append(placed.json()["data"])

    own = await confirm(musa, orders[0], amount=400_000)
    friends = await confirm(musa, orders[1], amount=400_000, reference="NIP 2")
    others = await confirm(ife, orders[1], amount=400_000, reference="NIP 3")

    assert outcome(own) == ["own", "limit", "day_limit", "own_product"]
    assert outcome(friends) == ["limit", "day_limit", "own_product"]
    assert outcome(others) == "done"  # the exact price, and not their product
    assert await app.balance(musa.member) == 0
    assert await broken_invariants_in(app.database) == []


async def test_a_transfer_counts_with_its_surplus_which_counts_once_when_accepted(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    above = await ordered(app, member, PRICE, "bank-transfer")
    assert outcome(await confirm(olu, above, amount=PRICE + LIMIT + 0.01)) == ["limit"]
    for number in range(2):
        placed = await ordered(app, member, PRICE, "bank-transfer")
        answer = await confirm(olu, placed, amount=PRICE + 75, reference=f"NIP {number:04}")
        assert answer.json()["data"]["outcome"] == "surplus"
        (case,) = (await olu.get(f"{ADMIN}/review-cases?state=open")).json()["data"]["rows"]
        accepted = await olu.post(f"{ADMIN}/review-cases/{case['id']}/accept", WHY)
        assert outcome(accepted) == "done"

    assert outcome(await adjust(olu, member, 0.01)) == ["day_limit"]
    assert await app.balance(member) == 150
    assert await broken_invariants_in(app.database) == []


async def test_an_unlikely_amount_is_entered_twice_and_needs_a_second_person(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    await limit(app, adjustment=10**6, adjustment_day=10**6)
    placed = await ordered(app, member, PRICE, "bank-transfer")

    plain = await confirm(olu, placed, amount=2 * PRICE + 0.01)
    other = await confirm(olu, placed, amount=2 * PRICE + 0.01, confirmAmount=2 * PRICE)
    again = await confirm(olu, placed, amount=2 * PRICE + 0.01, confirmAmount=2 * PRICE + 0.01)
    likely = await confirm(olu, placed, amount=2 * PRICE, reference="NIP 9")

    assert [(one.status_code, outcome(one)) for one in (plain, other)] == [
        (422, "amount_unlikely"),
        (422, "amount_unlikely"),
    ]
    assert outcome(again) == ["unlikely"]
    assert outcome(likely) == "done"
    refused = await agreed(bisi, again)
    assert (refused.status_code, outcome(refused)) == (409, "wrong_state")  # it is paid by now


async def test_confirmed_transfers_of_a_day_have_a_limit_even_if_orders_are_paid_exactly(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    await limit(app, confirm_day=2 * PRICE)
    answers = []
    for number in range(3):
        placed = await ordered(app, member, PRICE, "bank-transfer")
        answers.append(await confirm(olu, placed, amount=PRICE, reference=f"NIP {number:04}"))

    assert [outcome(one) for one in answers] == ["done", "done", ["confirm_day_limit"]]
    done = await agreed(bisi, answers[-1])
    assert done.json()["data"]["result"]["outcome"] == "paid"
    assert await broken_invariants_in(app.database) == []


async def test_the_day_is_that_of_lagos_and_approved_credits_count_towards_no_day(
    app: RunningApp,
) -> None:
    await limit(app)
    midnight = clock.midnight(clock.lagos_day(clock.now()) + timedelta(days=2))
    with time_machine.travel(midnight - timedelta(minutes=2), tick=True):
        member = await app.member()
        olu, bisi = [await operator_client(app, name, Role.OWNER) for name in ("olu", "bisi")]
        assert outcome(await agreed(bisi, await adjust(olu, member, LIMIT + 1))) == "done"
        before = [outcome(await adjust(olu, member, naira)) for naira in (LIMIT, 50, 1)]
    with time_machine.travel(midnight + timedelta(minutes=2), tick=True):
        after = outcome(await adjust(olu, member, LIMIT))

    assert before == ["done", "done", ["day_limit"]]
    assert after == "done"
    assert await broken_invariants_in(app.database) == []


async def test_a_proposal_that_is_changed_to_another_member_is_not_theirs_to_approve(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    await operator_client(app, "uche", Role.OWNER)
    approval = (await adjust(olu, member, LIMIT + 1)).json()["data"]["approval"]
    content = approval["content"] | {"userId": str(bisi.member.id)}
    path = f"{APPROVALS}/{approval['id']}"
    changed = await olu.patch(path, {"content": content, "reason": "Another member"})

    own = await bisi.post(f"{path}/decide", decision(changed.json()["data"]["approval"]))

    assert (own.status_code, outcome(own)) == (409, "own_proposal")
    assert await app.balance(bisi.member) == 0


async def changed(
    operator: OperatorClient, proposed: httpx.Response, **edit: Any
) -> httpx.Response:
    """Change the content of one's own proposal."""
    approval = proposed.json()["data"]["approval"]
    body = {"content": approval["content"] | edit, "reason": "Otherwise"}
    return await operator.patch(f"{APPROVALS}/{approval['id']}", body)


async def shown(operator: OperatorClient) -> list[list[str]]:
    """Return the reasons of all listed proposals, newest first."""
    rows = (await operator.get(APPROVALS)).json()["data"]["rows"]
    return [row["reasons"] for row in rows]


async def test_a_changed_adjustment_shows_its_new_reasons(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    proposed = await adjust(olu, member, LIMIT + 1)
    assert outcome(proposed) == ["limit"]

    own = await changed(olu, proposed, amount=900_000, userId=str(olu.member.id))
    after = await shown(bisi)
    emptied = await changed(olu, proposed, amount=-1)
    small = await changed(olu, proposed, amount=1)

    assert own.json()["data"]["approval"]["reasons"] == ["own", "limit", "day_limit"]
    assert after == [["own", "limit", "day_limit"]]
    assert (emptied.status_code, outcome(emptied)) == (402, "insufficient_funds")
    assert small.json()["data"]["approval"]["reasons"] == []


async def test_a_changed_proposal_needs_a_second_person_who_is_not_its_owner(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    proposed = await adjust(olu, member, LIMIT + 1)

    answer = await changed(olu, proposed, userId=str(bisi.member.id))

    assert (answer.status_code, outcome(answer)) == (409, "second_person_needed")
    assert (await shown(bisi)) == [["limit"]]


async def test_a_changed_transfer_is_weighed_as_a_new_one(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    await limit(app, confirm_day=PRICE - 1)
    known = await ordered(app, member, PRICE, "bank-transfer")
    placed = await ordered(app, member, PRICE, "bank-transfer")
    await agreed(bisi, await confirm(olu, known, amount=PRICE, reference="NIP KNOWN 1"))
    proposed = await confirm(olu, placed, amount=PRICE, reference="NIP 0002")
    assert outcome(proposed) == ["confirm_day_limit"]

    refused = [
        await changed(olu, proposed, amount=30 * PRICE),
        await changed(olu, proposed, amount=30 * PRICE, confirmAmount=29 * PRICE),
        await changed(olu, proposed, reference="nip known 1"),
        await changed(olu, proposed, reference="a  b"),
        await changed(olu, proposed, paidOn="2020-01-01"),
        await changed(olu, proposed, bank=""),
    ]
    unlikely = await changed(olu, proposed, amount=30 * PRICE, confirmAmount=30 * PRICE)
    plain = await changed(olu, proposed, reference="nip 00 ab")

    assert [outcome(one) for one in refused] == [
        *("amount_unlikely", "amount_unlikely", "bank_reference_used"),
        *("validation_failed", "validation_failed", "validation_failed"),
    ]
    reasons = unlikely.json()["data"]["approval"]["reasons"]
    assert reasons == ["limit", "day_limit", "confirm_day_limit", "unlikely"]
    approval = plain.json()["data"]["approval"]
    assert (approval["reasons"], approval["content"]["reference"]) == (
        ["confirm_day_limit"],
        "NIP00AB",
    )
    done = await bisi.post(f"{APPROVALS}/{approval['id']}/decide", decision(approval))
    assert done.status_code == 200, done.text
    assert await broken_invariants_in(app.database) == []


async def test_a_changed_gift_counts_with_its_new_value(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    give = await gift(app, member, olu, LIMIT + 1)
    proposed = await give()
    assert outcome(proposed) == ["limit"]

    more = await changed(olu, proposed, userIds=[str(olu.member.id)], periods=12)
    none = await changed(olu, proposed, userIds=[])
    long = await changed(olu, proposed, periods=13)

    assert more.json()["data"]["approval"]["reasons"] == ["own", "limit", "day_limit"]
    assert [outcome(none), outcome(long)] == ["validation_failed"] * 2


@pytest.mark.parametrize("reference", ["adjust:1", "transfer:058:NIP1", "anything"])
async def test_the_ledger_refuses_operator_credits_without_a_record(
    app: RunningApp, member: SignedIn, reference: str
) -> None:
    kind = "fund" if reference.startswith("transfer:") else "adjust"

    with pytest.raises(DatabaseRefusal, match="KF411"):
        await app.database.execute(
            "SELECT post_wallet_transfer($1, $2, $3, $4, 100, NULL)",
            *(new_id(), member.id, kind, reference),
        )

    assert await app.balance(member) == 0


async def test_the_proof_names_credits_without_a_valid_initiator_or_approval(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient, owner: AsyncEngine
) -> None:
    await adjust(olu, member, 50)
    await agreed(bisi, await adjust(olu, member, LIMIT + 1))
    await subscribe(member, await offer_plan(app, "Before", amount_kobo=31 * 100))
    await (await WAYS["gift"](app, member, olu, 1))()
    assert await broken_invariants_in(app.database) == []
    faults = [
        ("DELETE FROM operator_credit", "its row is gone"),
        (
            "UPDATE operator_credit SET initiator_id = NULL, is_imported = true, user_id = (SELECT "
            "user_id FROM operator WHERE id <> initiator_id LIMIT 1)",
            "another member's",
        ),
        ("UPDATE operator_credit SET document_id = id", "no document"),
        (
            "UPDATE operator_credit SET user_id = (SELECT user_id FROM operator o WHERE o.id = "
            "initiator_id)",
            "their own, alone",
        ),
        ("UPDATE approval SET state = 'refused'", "nobody agreed"),
        ("UPDATE operator_credit SET amount_kobo = 1 WHERE kind = 'gift'", "less than came back"),
        ("UPDATE operator_credit SET day_limit_kobo = 1 WHERE approval_id IS NULL", "the day's"),
        (
            "UPDATE operator_credit SET confirmed_kobo = 1, confirm_limit_kobo = 0 "
            "WHERE approval_id IS NULL",
            "confirmed too much",
        ),
    ]
    for statement, what in faults:
        async with owner.connect() as connection:
            await connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
            await connection.exec_driver_sql(
                "ALTER TABLE operator_credit DROP CONSTRAINT ck_operator_credit_alone_within_limits"
            )
            await connection.exec_driver_sql(statement)
            raw = await connection.get_raw_connection()
            found = await caused_credits(raw.driver_connection)
            await connection.rollback()
        assert found, what


async def caused_credits(connection: Any) -> bool:
    return await connection.fetchrow(CHECKS["caused_credits"]) is not None


async def test_an_operator_who_changed_a_plan_cannot_give_it_alone(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    plan = await offer_plan(app, "Terrace", amount_kobo=LIMIT * 100)
    body = {"planId": str(plan), "periods": 12, "replace": True} | WHY
    many = {"userIds": [str(member.id)], "periods": 12} | WHY
    dear = await olu.post(f"{ADMIN}/members/{member.id}/gift", body)
    await olu.patch(f"{ADMIN}/plans/{plan}", {"version": 1, "amount": 0})

    cheap = await olu.post(f"{ADMIN}/members/{member.id}/gift", body)
    spread = await olu.post(f"{ADMIN}/plans/{plan}/gifts", many)
    other = await bisi.post(f"{ADMIN}/members/{member.id}/gift", body)

    assert outcome(dear) == ["limit", "day_limit"]
    assert outcome(cheap) == ["own_product"]
    assert outcome(spread) == ["own_product"]
    assert outcome(other) == "done"


@pytest.mark.parametrize("part", [LIMIT, LIMIT + 1])
async def test_parts_of_an_order_that_the_club_cancels_are_credited_within_the_limit_of_refunds(
    app: RunningApp, member: SignedIn, olu: OperatorClient, part: int
) -> None:
    await limit(app, adjustment=1, adjustment_day=1)
    placed = await ordered(app, member, PRICE, "bank-transfer")
    await confirm(olu, placed, amount=part)

    cancelled = await olu.post(f"{ADMIN}/orders/{placed['orderId']}/cancel", WHY)

    cases = (await olu.get(f"{ADMIN}/review-cases?state=open")).json()["data"]["rows"]
    assert cancelled.status_code == 200, cancelled.text
    is_alone = part == LIMIT
    assert await app.balance(member) == (part if is_alone else 0)
    assert [case["amount"] for case in cases] == ([] if is_alone else [part])
    assert await broken_invariants_in(app.database) == []


async def test_parts_of_cancelled_orders_count_as_the_days_refunds_and_need_their_right(
    app: RunningApp, member: SignedIn, olu: OperatorClient
) -> None:
    await limit(app, refund=PRICE, refund_day=2 * PRICE - 3)
    shop = await operator_client(app, "shade", Role.SHOP)

    async def cancel_part(by: OperatorClient) -> float:
        before = await app.balance(member)
        placed = await ordered(app, member, PRICE, "bank-transfer")
        part = await confirm(by, placed, amount=PRICE - 1, reference=str(new_id())[:30])
        assert part.json()["data"]["outcome"] == "short", part.text
        cancelled = await by.post(f"{ADMIN}/orders/{placed['orderId']}/cancel", WHY)
        assert cancelled.status_code == 200, cancelled.text
        return await app.balance(member) - before

    credited = [await cancel_part(by) for by in (shop, olu, olu, olu)]
    cases = (await olu.get(f"{ADMIN}/review-cases?state=open")).json()["data"]["rows"]
    refund = await (await WAYS["refund"](app, member, olu, 1))()

    assert credited == [0, PRICE - 1, 0, 0]
    assert [case["amount"] for case in cases] == [PRICE - 1] * 3
    assert outcome(refund) == "done"
    assert await broken_invariants_in(app.database) == []


@pytest.mark.parametrize("paid", [PRICE, PRICE - 1])
async def test_a_transfer_counts_in_full_once_its_member_has_cancelled_the_order(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient, paid: int
) -> None:
    placed = await ordered(app, member, PRICE, "bank-transfer")
    await confirm(olu, placed, amount=paid)
    before = await (await WAYS["adjustment"](app, member, olu, 1))()

    cancelled = await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})
    after = await (await WAYS["adjustment"](app, member, olu, 1))()

    assert cancelled.json()["data"]["refunded"] == paid
    assert (outcome(before), outcome(after)) == ("done", ["day_limit"])


async def test_an_order_cancelled_by_the_club_counts_as_a_refund_and_not_as_a_credit_too(
    app: RunningApp, member: SignedIn, olu: OperatorClient, bisi: OperatorClient
) -> None:
    await limit(app, refund=PRICE, refund_day=2 * PRICE)
    placed = await ordered(app, member, PRICE, "bank-transfer")
    await confirm(olu, placed, amount=PRICE)

    cancelled = await olu.post(f"{ADMIN}/orders/{placed['orderId']}/cancel", WHY)
    after = await (await WAYS["adjustment"](app, member, olu, 1))()

    assert cancelled.json()["data"]["refund"]["state"] == "sent", cancelled.text
    assert outcome(after) == "done"
