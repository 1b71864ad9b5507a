"""Writes about money: refunds, adjustments, reviews, chargebacks, reports, proofs."""

from tests.backoffice.oversight.writes import WHY, Sent, Stage, example
from tests.backoffice.refunds.test_refunds import ask, jerseys
from tests.money.payments.test_debts import owe
from tests.money.payments.test_desk import chargeback, funded, report, success
from tests.money.payments.test_flutterwave import prepare
from tests.money.subscriptions.place import offer_plan, subscribe
from tests.shop import test_bank as bank
from tests.shop.test_transfers import order

NOBODYS = "FW-NOWHERE"


async def bought(stage: Stage) -> str:
    await stage.app.give(stage.member, 20_000)
    placed: str = (await jerseys(stage.app, stage.member))[0]["orderId"]
    return placed


async def asked(stage: Stage) -> str:
    order = {"orderId": await bought(stage)}
    refund: str = (await ask(stage.olu, order, (1, 1))).json()["data"]["id"]
    return refund


async def reviewed(stage: Stage) -> str:
    await owe(stage.app, stage.member, stage.olu)
    (case,) = await stage.rows("review-cases")
    found: str = case["id"]
    return found


async def reported(stage: Stage) -> str:
    await report(stage.app, success(NOBODYS))
    (listed,) = await stage.rows("webhooks")
    found: str = listed["id"]
    return found


@example("POST orders/{order_id}/refunds")
async def ask_refund(stage: Stage) -> Sent:
    body = {"lines": [{"line": 1, "quantity": 1}], "restock": True}
    return Sent({"order_id": await bought(stage)}, body | WHY)


@example("POST subscriptions/{subscription_id}/refunds")
async def ask_refund_of_plan(stage: Stage) -> Sent:
    await stage.app.give(stage.member, 20_000)
    await subscribe(stage.member, await offer_plan(stage.app))
    path = f"/api/v1/users/subscription/{stage.member.id}"
    (period,) = (await stage.member.get(path)).json()["data"]
    return Sent({"subscription_id": period["id"]}, {"amount": 100, "end": False} | WHY)


@example("POST refunds/{refund_id}/send")
async def send_refund(stage: Stage) -> Sent:
    return Sent({"refund_id": await asked(stage)})


@example("POST refunds/{refund_id}/refuse")
async def refuse_refund(stage: Stage) -> Sent:
    return Sent({"refund_id": await asked(stage)}, WHY)


@example("POST orders/{order_id}/cancel")
async def cancel_order(stage: Stage) -> Sent:
    return Sent({"order_id": await bought(stage)}, WHY)


@example("POST review-cases/{case_id}/accept")
async def accept_review(stage: Stage) -> Sent:
    return Sent({"case_id": await reviewed(stage)}, WHY)


@example("POST review-cases/{case_id}/refuse")
async def refuse_review(stage: Stage) -> Sent:
    return Sent({"case_id": await reviewed(stage)}, WHY)


@example("POST members/{user_id}/adjustments")
async def adjust(stage: Stage) -> Sent:
    return Sent({"user_id": stage.member.id}, {"amount": 50, "category": "goodwill"} | WHY)


@example("POST fundings/{reference}/ask")
async def ask_about_funding(stage: Stage) -> Sent:
    prepared = await prepare(stage.member, amount=5000, gateway="paystack")
    return Sent({"reference": prepared["reference"]})


@example("POST webhooks/{webhook_id}/replay")
async def replay(stage: Stage) -> Sent:
    return Sent({"webhook_id": await reported(stage)})


@example("POST webhooks/{webhook_id}/ignore")
async def ignore(stage: Stage) -> Sent:
    return Sent({"webhook_id": await reported(stage)}, WHY)


@example("POST chargebacks")
async def charge_back(stage: Stage) -> Sent:
    return Sent(body=chargeback(await funded(stage.app, stage.member)))


@example("POST debts/{debt_id}/collect")
async def collect(stage: Stage) -> Sent:
    debt = await owe(stage.app, stage.member, stage.olu)
    await stage.app.give(stage.member, 100)
    return Sent({"debt_id": debt}, WHY)


@example("POST debts/{debt_id}/write-off")
async def write_off(stage: Stage) -> Sent:
    return Sent({"debt_id": await owe(stage.app, stage.member, stage.olu)}, WHY)


@example("POST bank-statements")
async def import_bank_statement(stage: Stage) -> Sent:
    content = bank.sheet(bank.line())
    review = await bank.checked(stage.olu, content)
    file = ("statement.csv", content, "text/csv")
    return Sent(files={"file": file, "digest": (None, review["digest"])})


@example("POST bank-lines/{line_id}/match")
async def match_bank_line(stage: Stage) -> Sent:
    placed = await order(stage.app, stage.member)
    await bank.confirmed(stage.bisi, placed)
    await bank.imported(stage.olu, bank.line(), bank.line())
    found = (await bank.lines(stage.olu, "ambiguous"))[0]
    return Sent({"line_id": found["id"]}, {"orderId": placed["orderId"]} | WHY)


@example("POST proofs")
async def prove(_stage: Stage) -> Sent:
    return Sent()
