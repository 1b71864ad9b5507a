"""One example of every kind of proposal: how to propose it, and what it changes.

A new kind needs one function, which prepares its subject and proposes it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, operator_client
from tests.backoffice.oversight.test_settings import ACCOUNT, put
from tests.backoffice.oversight.writes import WHY, Stage
from tests.backoffice.refunds.test_refunds import PRICE, ask, jerseys, send
from tests.community.chat.conftest import fill, history, join
from tests.community.moments.test_moderation import posted
from tests.money.payments.test_debts import owe
from tests.money.payments.test_desk import report, success
from tests.money.payments.test_flutterwave import prepare
from tests.money.subscriptions.place import offer_plan
from tests.shop.test_transfers import confirm, order

Propose = Callable[[Stage], Awaitable[httpx.Response]]
WALLETS = "SELECT coalesce(sum(balance_kobo), 0)::bigint FROM ledger_account"


@dataclass(frozen=True)
class Proposal:
    """How to propose a kind, and what executing it once adds to the values read by ``effect``.

    ``edit`` changes the content to another valid one; empty if the content has only one form.
    """

    propose: Propose
    effect: str
    adds: int
    edit: dict[str, Any]

    @property
    def transfers(self) -> int:
        """The number of ledger transfers that executing it once creates."""
        return int(self.effect == WALLETS)


PROPOSALS: dict[str, Proposal] = {}


def proposal(
    kind: str, effect: str, adds: int, edit: dict[str, Any]
) -> Callable[[Propose], Propose]:
    """Register a function as the example of a kind."""

    def register(propose: Propose) -> Propose:
        assert kind not in PROPOSALS, f"{kind} has two examples"
        PROPOSALS[kind] = Proposal(propose, effect, adds, edit)
        return propose

    return register


@proposal("operator.create", "SELECT count(*) FROM operator", 1, {"roles": ["editor"]})
async def create_operator(stage: Stage) -> httpx.Response:
    body = {"email": stage.member.email, "roles": ["shop"]} | WHY
    return await stage.olu.post(f"{ADMIN}/operators", body)


@proposal("operator.roles", "SELECT sum(version) FROM operator", 1, {"roles": ["finance"]})
async def change_roles(stage: Stage) -> httpx.Response:
    keeper = await operator_client(stage.app, "keeper", Role.SHOP)
    (version,) = [
        row["version"] for row in await stage.rows("operators") if row["id"] == str(keeper.id)
    ]
    body = {"version": version, "roles": ["editor"]} | WHY
    return await stage.olu.patch(f"{ADMIN}/operators/{keeper.id}", body)


@proposal(
    "operator.enable",
    "SELECT count(*) FROM operator WHERE disabled_at IS NULL",
    1,
    {},
)
async def enable_operator(stage: Stage) -> httpx.Response:
    keeper = await operator_client(stage.app, "keeper", Role.SHOP)
    path = f"{ADMIN}/operators/{keeper.id}"
    (row,) = [row for row in await stage.rows("operators") if row["id"] == str(keeper.id)]
    out = await stage.olu.patch(path, {"version": row["version"], "disabled": True} | WHY)
    version = out.json()["data"]["version"]
    return await stage.olu.patch(path, {"version": version, "disabled": False} | WHY)


@proposal(
    "transfer-account",
    "SELECT coalesce(sum(version), 1) FROM office_setting",
    1,
    {"transferAccount": ACCOUNT | {"accountNumber": "9876543210"}},
)
async def move_account(stage: Stage) -> httpx.Response:
    return await put(stage.olu, version=1, transferAccount=ACCOUNT)


@proposal(
    "raise-limits",
    "SELECT coalesce(sum(version), 1) FROM office_setting",
    1,
    {"adjustmentLimit": 25_000},
)
async def raise_limits(stage: Stage) -> httpx.Response:
    return await put(stage.olu, version=1, adjustmentLimit=20_000.5, giftLimit=30)


@proposal("confirm-transfer", "SELECT count(*) FROM bank_receipt", 1, {"amount": 6000})
async def confirm_transfer(stage: Stage) -> httpx.Response:
    await put(stage.olu, version=1, confirmDayLimit=0)
    return await confirm(stage.olu, await order(stage.app, stage.member), amount=100)


@proposal("moderate-own-message", "SELECT count(*) FROM chat_moderation", 1, {"action": "dismiss"})
async def moderate_own_message(stage: Stage) -> httpx.Response:
    await join(stage.app, stage.olu.member)
    await fill(stage.app, stage.olu.member, 1)
    (message,) = await history(stage.app, stage.olu.member)
    return await stage.olu.post(f"{ADMIN}/chat/messages/{message['id']}/hide")


@proposal("lift-own-measure", "SELECT -count(*) FROM chat_mute", 1, {"action": "unban"})
async def lift_own_measure(stage: Stage) -> httpx.Response:
    own = str(stage.olu.member.id)
    await stage.bisi.post(f"{ADMIN}/chat/mutes", {"userId": own, "minutes": 5} | WHY)
    path = f"{ADMIN}/chat/mutes/{own}"
    return await stage.app.client.delete(path, headers=stage.olu.headers)


@proposal(
    "moderate-own-moment",
    "SELECT count(*) FROM moment WHERE hidden_at IS NOT NULL",
    1,
    {"state": "shown"},
)
async def moderate_own_moment(stage: Stage) -> httpx.Response:
    moment = (await posted(stage.olu.member))["id"]
    return await stage.olu.post(f"{ADMIN}/moments/{moment}/hide", WHY)


@proposal("give-plans", "SELECT count(*) FROM subscription WHERE is_gift", 1, {"periods": 2})
async def give_plans(stage: Stage) -> httpx.Response:
    users = [str(stage.member.id), *(str(new_id()) for _ in range(20))]
    path = f"{ADMIN}/plans/{await offer_plan(stage.app)}/gifts"
    return await stage.olu.post(path, {"userIds": users, "periods": 1} | WHY)


@proposal("send-refund", WALLETS, round(PRICE * 100), {})
async def send_refund(stage: Stage) -> httpx.Response:
    await put(stage.olu, version=1, refundLimit=0)
    await stage.app.give(stage.member, 20_000)
    placed, _ = await jerseys(stage.app, stage.member)
    refund = (await ask(stage.olu, placed, (1, 1))).json()["data"]["id"]
    return await send(stage.olu, refund)


@proposal(
    "write-off-debt",
    "SELECT count(*) FROM debt WHERE state = 'written_off'",
    1,
    {"reason": "They have moved away"},
)
async def write_off(stage: Stage) -> httpx.Response:
    debt = await owe(stage.app, stage.member, stage.olu)
    return await stage.olu.post(f"{ADMIN}/debts/{debt}/write-off", WHY)


@proposal("accept-review", WALLETS, 500_000, {})
async def accept_review(stage: Stage) -> httpx.Response:
    prepared = await prepare(stage.member, amount=5000, gateway="paystack")
    await report(stage.app, success(prepared["reference"], 499_999))
    (case,) = await stage.rows("review-cases")
    return await stage.olu.post(f"{ADMIN}/review-cases/{case['id']}/accept", WHY)


@proposal("wallet-adjustment", WALLETS, 1_000_050, {"amount": 12_000})
async def adjust_wallet(stage: Stage) -> httpx.Response:
    body = {"amount": 10_000.5, "category": "goodwill"} | WHY
    return await stage.olu.post(f"{ADMIN}/members/{stage.member.id}/adjustments", body)
