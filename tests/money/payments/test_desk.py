"""Payments at the back office: fundings, reports, disputes and chargebacks."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from api.dev.sandbox.paystack.webhooks import sign
from api.foundation.core.config import DEVELOPMENT_FLW_HASH, DEVELOPMENT_PAYSTACK_KEY
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.payments import rules
from api.money.payments.enums import FundingState

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.money.payments.test_flutterwave import force, prepare
from tests.shop.test_transfers import agreed

WHY = {"reason": "The bank says so"}


@pytest.fixture
async def finance(office: RunningApp) -> OperatorClient:
    return await operator_client(office, "olu", Role.FINANCE)


async def funded(app: RunningApp, member: SignedIn, naira: float = 5000) -> str:
    """Fund a wallet through Paystack and return the reference."""
    prepared = await prepare(member, amount=naira, gateway="paystack")
    reference: str = prepared["reference"]
    provider = _paystack(app)
    provider.pay_with_wallet(provider.store.read_by_reference(reference))
    await provider.webhooks.settle()
    return reference


def _paystack(app: RunningApp) -> Any:
    mounts = {route.path: route.app for route in app.asgi.state.services.sandbox.routes}
    return mounts["/paystack"].state.provider


async def report(app: RunningApp, content: dict[str, Any]) -> httpx.Response:
    body = json.dumps(content).encode()
    headers = {"x-paystack-signature": sign(body, DEVELOPMENT_PAYSTACK_KEY)}
    path = "/api/v1/payment/webhook/paystack"
    return await app.client.post(path, content=body, headers=headers)


def success(reference: str, kobo: int = 500_000) -> dict[str, Any]:
    content = {
        **{"id": new_id().int % 10**12, "status": "success", "reference": reference},
        **{"amount": kobo, "currency": "NGN", "domain": "test"},
    }
    return {"event": "charge.success", "data": content}


def dispute(reference: str, *, case: int = 77, event: str = "create", **more: Any) -> Any:
    transaction = {"reference": reference, "amount": 500_000}
    data = {"id": case, "refund_amount": 200_000, "status": "awaiting-merchant-feedback"}
    return {"event": f"charge.dispute.{event}", "data": data | {"transaction": transaction} | more}


async def rows(operator_client: OperatorClient, path: str) -> list[dict[str, Any]]:
    answer = await operator_client.get(f"{ADMIN}/{path}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["data"]["rows"]
    return found


async def audited(app: RunningApp, action: str) -> int:
    statement = "SELECT count(*) FROM audit_entry WHERE action = $1"
    return int(await app.database.fetch_value(statement, action))


def chargeback(reference: str, amount: float = 2000, case: str = "77") -> dict[str, Any]:
    return {"fundingReference": reference, "amount": amount, "caseId": case, **WHY}


async def test_fundings_are_found_by_state_gateway_reference_and_member(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    paid = await funded(office, member)
    open_one = (await prepare(member))["reference"]

    (found,) = await rows(finance, "fundings?state=success")

    assert (found["reference"], found["gateway"], found["amount"]) == (paid, "paystack", 5000)
    assert found["member"] == {"id": str(member.id), "firstName": "Ada", "lastName": "Obi"}
    for query in ("gateway=flutterwave", f"q={open_one}", "state=prepared&q=ada@"):
        assert [row["reference"] for row in await rows(finance, f"fundings?{query}")] == [open_one]
    assert await rows(finance, "fundings?gateway=stripe") == []
    for nothing in ("", "%20", "%09%20", "x" * 101):
        answer = await finance.get(f"{ADMIN}/fundings?q={nothing}")
        assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["q"])
    first = (await finance.get(f"{ADMIN}/fundings?limit=1")).json()["data"]
    (second,) = await rows(finance, f"fundings?limit=1&before={first['next']}")
    assert (first["rows"][0]["reference"], second["reference"]) == (open_one, paid)


# The stored state, whether the member cancelled the checkout, and the shown status.
STATUSES = [
    ("prepared", False, "prepared"),
    ("pending", False, "pending"),
    ("failed", False, "failed"),
    ("expired", False, "failed"),
    ("prepared", True, "cancelled"),
    ("pending", True, "cancelled"),
    ("failed", True, "cancelled"),
    ("expired", True, "cancelled"),
    ("review", False, "review"),
    ("review", True, "review"),
    ("succeeded", False, "success"),
    ("succeeded", True, "success"),
]


async def test_a_funding_has_one_name_for_its_state_in_every_list(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    wanted: dict[str, str] = {}
    for stored, is_cancelled, status in STATUSES:
        reference = (await prepare(member, amount=100))["reference"]
        wanted[reference] = status
        await office.database.execute(
            "UPDATE funding SET state = cast($2 AS text), "
            "cancelled_at = CASE WHEN $3 THEN now() END, "
            "review_reason = CASE WHEN cast($2 AS text) = 'review' THEN 'amount' END, "
            "decided_at = CASE WHEN cast($2 AS text) IN ('review', 'succeeded') THEN now() END "
            "WHERE reference = $1",
            reference,
            stored,
            is_cancelled,
        )
    assert {row["reference"]: row["state"] for row in await rows(finance, "fundings")} == wanted
    for status in {status for _, _, status in STATUSES}:
        found = await rows(finance, f"fundings?state={status}")
        assert {row["reference"] for row in found} == {
            reference for reference, given in wanted.items() if given == status
        }
    for former in ("succeeded", "expired"):
        assert (await finance.get(f"{ADMIN}/fundings?state={former}")).status_code == 422
    exported = await member.get(f"/api/v1/users/{member.id}/export")
    assert {
        row["reference"]: row["state"] for row in exported.json()["data"]["records"]["funding"]
    } == wanted
    for stored, is_cancelled, status in STATUSES:
        assert rules.status(FundingState(stored), is_cancelled=is_cancelled) == status


async def test_asking_settles_a_funding_whose_report_was_lost(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = (await prepare(member, amount=5000, gateway="paystack"))["reference"]
    store = _paystack(office).store
    path = f"{ADMIN}/fundings/{reference}/ask"

    before = await finance.post(path)
    transaction = store.read_by_reference(reference)
    _paystack(office).webhooks.dispatch = lambda *_: None
    _paystack(office).pay_with_wallet(transaction)
    after = [await finance.post(path) for _ in range(2)]

    assert before.json()["data"] == {"state": "prepared"}
    assert [one.json()["data"] for one in after] == [{"state": "success"}] * 2
    assert await office.balance(member) == 5000
    assert await audited(office, "ask") == 3
    assert (await finance.post(f"{ADMIN}/fundings/FW-nowhere/ask")).status_code == 404


async def test_asking_a_gateway_that_is_away_says_so_and_changes_nothing(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = (await prepare(member))["reference"]
    gateway = office.asgi.state.services.payments.more[0].gateway

    async def drop(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("away")

    gateway._client = httpx.AsyncClient(transport=httpx.MockTransport(drop))
    answer = await finance.post(f"{ADMIN}/fundings/{reference}/ask")

    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "gateway_unavailable")
    assert await audited(office, "ask") == 0


async def test_every_report_with_a_good_signature_is_listed_with_what_became_of_it(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    paid = await funded(office, member)
    assert (await report(office, success("FW-NOWHERE"))).status_code == 200
    bad = await office.client.post("/api/v1/payment/webhook/paystack", content=b"{}")

    listed = await rows(finance, "webhooks")

    assert bad.status_code == 400
    assert [(row["reference"], row["state"], row["fundingState"]) for row in listed] == [
        ("FW-NOWHERE", "unmatched", None),
        (paid, "matched", "success"),
    ]
    assert [row["reference"] for row in await rows(finance, "webhooks?state=unmatched")] == [
        "FW-NOWHERE"
    ]
    waiting = (await finance.get(f"{ADMIN}/today")).json()["data"]["waiting"]
    assert waiting["webhooks"] == 1


async def test_a_replay_settles_the_stored_bytes_once(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = (await prepare(member, amount=5000, gateway="paystack"))["reference"]
    early = reference.replace("FW-", "FX-")
    await office.database.execute("UPDATE funding SET reference = $1", early)
    await report(office, success(reference))
    (listed,) = await rows(finance, "webhooks")
    path = f"{ADMIN}/webhooks/{listed['id']}/replay"

    nothing = await finance.post(path)
    await office.database.execute("UPDATE funding SET reference = $1", reference)
    answers = [await finance.post(path) for _ in range(3)]

    assert nothing.json()["data"] == {"state": "unmatched", "fundingState": None}
    expected = {"state": "matched", "fundingState": "success"}
    assert [answer.json()["data"] for answer in answers] == [expected] * 3
    assert await office.balance(member) == 5000
    assert await audited(office, "replay") == 4
    assert await broken_invariants_in(office.database) == []


async def test_a_hint_that_could_not_be_asked_about_has_failed_and_is_replayed(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = (await prepare(member))["reference"]
    gateway = office.asgi.state.services.payments.more[0].gateway
    client = gateway._client

    async def drop(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("away")

    gateway._client = httpx.AsyncClient(transport=httpx.MockTransport(drop))
    body = {"event": "charge.completed", "data": {"id": 1, "tx_ref": reference, "status": "x"}}
    answer = await office.client.post(
        "/api/v1/payment/webhook/flutterwave",
        json=body,
        headers={"verif-hash": DEVELOPMENT_FLW_HASH},
    )
    (failed,) = await rows(finance, "webhooks?state=failed")
    path = f"{ADMIN}/webhooks/{failed['id']}/replay"
    away = await finance.post(path)
    gateway._client = client
    await force(office, reference, status="pending")
    replayed = await finance.post(path)

    assert (answer.status_code, away.status_code) == (503, 503)
    assert replayed.json()["data"] == {"state": "matched", "fundingState": "pending"}


async def test_an_ignored_report_is_off_the_list_until_it_fits_after_all(
    office: RunningApp, finance: OperatorClient
) -> None:
    content = success("FW-NOWHERE")
    await report(office, content)
    (listed,) = await rows(finance, "webhooks")
    path = f"{ADMIN}/webhooks/{listed['id']}"

    ignored = await finance.post(f"{path}/ignore", WHY)
    again = [await finance.post(f"{path}/ignore", WHY), await finance.post(f"{path}/replay")]
    await report(office, content)

    assert ignored.json()["data"] == {"state": "ignored", "fundingState": None}
    assert [(one.status_code, one.json()["data"]) for one in again] == [
        (409, {"status": "ignored"})
    ] * 2
    (kept,) = await rows(finance, "webhooks?state=ignored")
    assert kept["reason"] == WHY["reason"]
    assert (await finance.post(f"{path}/ignore", {})).status_code == 422
    missing = f"{ADMIN}/webhooks/{new_id()}"
    assert (await finance.post(f"{missing}/ignore", WHY)).status_code == 404
    assert (await finance.post(f"{missing}/replay")).status_code == 404


async def test_a_settled_report_cannot_be_ignored(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await funded(office, member)
    (listed,) = await rows(finance, "webhooks")

    answer = await finance.post(f"{ADMIN}/webhooks/{listed['id']}/ignore", WHY)

    assert (answer.status_code, answer.json()["data"]) == (409, {"status": "matched"})


async def test_a_complaint_is_listed_as_its_provider_tells_it_and_moves_nothing(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = await funded(office, member)

    await report(office, dispute(reference))
    (opened,) = await rows(finance, "disputes?state=open")
    over = dispute(reference, event="resolve", status="resolved", resolution="merchant-accepted")
    await report(office, over)
    await report(office, dispute(reference, event="remind"))

    assert (opened["caseId"], opened["amount"], opened["fundingReference"]) == (
        *("77", 2000),
        reference,
    )
    assert opened["member"]["id"] == str(member.id)
    assert await rows(finance, "disputes?state=open") == []
    (closed,) = await rows(finance, "disputes")
    assert (closed["status"], closed["resolution"], closed["state"]) == (
        *("resolved", "merchant-accepted"),
        "closed",
    )
    assert await office.balance(member) == 5000
    assert await broken_invariants_in(office.database) == []


async def test_a_chargeback_takes_what_the_wallet_has_and_the_rest_is_a_debt(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = await funded(office, member)
    await spend(office, member, 4500)

    answer = await finance.post(f"{ADMIN}/chargebacks", chargeback(reference))

    data = answer.json()["data"]
    assert answer.status_code == 201
    assert (data["taken"], data["debt"]) == (500, 1500)
    assert await office.balance(member) == 0
    (debt,) = await rows(finance, "debts")
    assert (debt["amount"], debt["debt"], debt["state"], debt["caseId"]) == (
        *(1500, 1500),
        *("open", "77"),
    )
    (case,) = await rows(finance, "review-cases")
    assert (case["id"], case["kind"], case["amount"]) == (
        *(data["reviewCaseId"], "chargeback_short"),
        1500,
    )
    assert (case["fundingReference"], case["orderNumber"], case["reports"]) == (reference, None, [])
    notices = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert [row["kind"] for row in notices] == ["wallet_adjusted", "wallet_credited"]
    accepted = await finance.post(f"{ADMIN}/review-cases/{case['id']}/accept", WHY)
    assert accepted.json()["data"]["state"] == "accepted"
    assert await office.balance(member) == 0
    assert await broken_invariants_in(office.database) == []


async def spend(app: RunningApp, member: SignedIn, naira: int) -> None:
    place = f"spent:{new_id()}"
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO operator_credit (id, kind, user_id, document_id, reference, amount_kobo, "
            "counted_kobo, limit_kobo, day_limit_kobo, is_imported, created_at) "
            "VALUES ($1, 'adjustment', $2, $1, $3, $4, 0, 0, 0, true, now())",
            *(new_id(), member.id, place, -naira * 100),
        )
        await tx.execute(
            "SELECT post_wallet_transfer($1, $2, 'adjust', $3, $4, NULL)",
            *(new_id(), member.id, place, -naira * 100),
        )


async def test_a_wallet_that_holds_it_all_leaves_no_debt(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = await funded(office, member)

    first = await finance.post(
        f"{ADMIN}/chargebacks", chargeback(reference), key="charge-back-once"
    )
    again = await finance.post(
        f"{ADMIN}/chargebacks", chargeback(reference), key="charge-back-once"
    )

    assert first.json()["data"] == {"taken": 2000, "debt": 0, "reviewCaseId": None}
    assert again.json() == first.json()
    assert await office.balance(member) == 3000
    assert await rows(finance, "debts") == []


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"caseId": "77"}, 409, "case_used"),
        ({"caseId": " 77 "}, 409, "case_used"),
        ({"amount": 3000.01}, 409, "chargeback_too_much"),
        ({"fundingReference": "FW-NOWHERE"}, 404, "not_found"),
        ({"amount": 0}, 422, "validation_failed"),
        ({"amount": 0.001}, 422, "validation_failed"),
        ({"caseId": ""}, 422, "validation_failed"),
        ({"reason": ""}, 422, "validation_failed"),
        ({"more": 1}, 422, "validation_failed"),
    ],
)
async def test_a_chargeback_that_does_not_fit_moves_nothing(
    office: RunningApp,
    member: SignedIn,
    finance: OperatorClient,
    changes: dict[str, Any],
    status: int,
    code: str,
) -> None:
    reference = await funded(office, member)
    await finance.post(f"{ADMIN}/chargebacks", chargeback(reference))

    answer = await finance.post(
        f"{ADMIN}/chargebacks", chargeback(reference, case="other") | changes
    )

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert await office.balance(member) == 3000
    assert await audited(office, "charge-back") == 1


async def test_what_was_never_credited_is_not_charged_back(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = (await prepare(member))["reference"]

    answer = await finance.post(f"{ADMIN}/chargebacks", chargeback(reference))

    assert (answer.status_code, answer.json()["data"]) == (409, {"status": "prepared"})


async def test_a_funding_that_a_person_accepted_has_succeeded_and_can_be_charged_back(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = (await prepare(member, gateway="paystack"))["reference"]
    provider = _paystack(office)
    provider.pay_with_wallet(provider.store.read_by_reference(reference))
    await office.database.execute("UPDATE funding SET amount_kobo = amount_kobo + 1")
    await provider.webhooks.settle()
    (case,) = await rows(finance, "review-cases")
    waiting = await finance.post(f"{ADMIN}/chargebacks", chargeback(reference))
    second = await operator_client(office, "bisi", Role.OWNER)

    await agreed(second, await finance.post(f"{ADMIN}/review-cases/{case['id']}/accept", WHY))
    (shown,) = await rows(finance, "fundings")
    verified = await member.get(f"/api/v1/payment/verify-transaction/{reference}")
    charged = await finance.post(f"{ADMIN}/chargebacks", chargeback(reference))

    assert (waiting.status_code, waiting.json()["data"]) == (409, {"status": "review"})
    assert (shown["state"], verified.json()["data"]["status"]) == ("success", "success")
    assert (charged.status_code, charged.json()["data"]["taken"]) == (201, 2000), charged.text
    assert await broken_invariants_in(office.database) == []


async def test_a_chargeback_wants_a_fresh_code(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = await funded(office, member)
    await office.database.execute("UPDATE admin_session SET code_at = code_at - interval '1 hour'")

    answer = await finance.post(f"{ADMIN}/chargebacks", chargeback(reference))

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "fresh_code_needed")
    assert await office.balance(member) == 5000


async def test_reports_replays_and_questions_at_once_credit_once(live_server: RunningApp) -> None:
    member = await live_server.member("ada")
    operator = await operator_client(live_server, "olu", Role.FINANCE)
    prepared = await member.post("/api/v1/payment/prepare-wallet-funding", {"amount": 5000})
    reference = prepared.json()["data"]["reference"]
    await live_server.database.execute("UPDATE funding SET reference = 'FX-LATER'")
    content = success(reference)
    await report(live_server, content)
    (listed,) = await rows(operator, "webhooks?state=unmatched")
    await live_server.database.execute("UPDATE funding SET reference = $1", reference)
    replay = f"{ADMIN}/webhooks/{listed['id']}/replay"
    ask = f"{ADMIN}/fundings/{reference}/ask"

    answers = await asyncio.gather(
        *(operator.post(replay) for _ in range(10)),
        *(report(live_server, content) for _ in range(10)),
        *(operator.post(ask) for _ in range(5)),
    )

    assert {answer.status_code for answer in answers} == {200}
    assert await live_server.balance(member) == 5000
    assert await audited(live_server, "replay") == 10
    assert await rows(operator, "webhooks?state=unmatched") == []
    assert await broken_invariants_in(live_server.database) == []


async def test_a_payment_of_another_amount_waits_for_two_people_and_is_credited_once(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    other = await operator_client(office, "ife", Role.FINANCE)
    reference = (await prepare(member, amount=5000, gateway="paystack"))["reference"]
    await report(office, success(reference, 499_900))

    (case,) = (await finance.get(f"{ADMIN}/review-cases")).json()["data"]["rows"]
    assert (case["kind"], case["amount"], case["subject"]) == ("amount", 5000, reference)
    path = f"{ADMIN}/review-cases/{case['id']}/accept"
    proposed = await finance.post(path, WHY)
    approval = proposed.json()["data"]["approval"]
    assert (proposed.status_code, approval["content"]["amount"]) == (202, "₦5,000")
    assert await office.balance(member) == 0
    decide = f"{ADMIN}/approvals/{approval['id']}/decide"
    body = {"digest": approval["digest"], "decision": "approve", "reason": "Seen"}
    decided = await asyncio.gather(*(other.post(decide, body) for _ in range(10)))

    assert sorted(one.status_code for one in decided) == [200] + [409] * 9
    assert await office.balance(member) == 5000
    again = await finance.post(path, WHY)
    assert (again.status_code, again.json()["data"]) == (409, {"status": "accepted"})
    notices = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert [row["kind"] for row in notices] == ["wallet_credited"]
    proof = (await finance.post(f"{ADMIN}/proofs")).json()["data"]
    assert proof["ok"], proof


async def test_a_case_says_what_the_provider_reported_of_its_funding(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    other = await office.member("uche")
    reference = (await prepare(member, amount=5000, gateway="paystack"))["reference"]
    content = success(reference, 499_900)
    content["data"] |= {"currency": "GHS", "metadata": {"user_id": str(other.id)}}
    failed = {"event": "charge.failed", "data": content["data"] | {"status": "failed"}}
    for each in (failed, content, content):
        await report(office, each)

    (case,) = await rows(finance, "review-cases")

    assert (case["fundingReference"], case["orderNumber"]) == (reference, None)
    (told,) = case["reports"]
    assert told.pop("receivedAt") is not None
    assert told == {
        "amount": 4999,
        "requested": None,
        "currency": "GHS",
        "mode": "test",
        "memberId": str(other.id),
        "member": {"id": str(other.id), "firstName": "Uche", "lastName": "Obi"},
    }
    one = await finance.get(f"{ADMIN}/review-cases/{case['id']}")
    assert one.json()["data"]["reports"][0]["amount"] == 4999
    refused = await finance.post(f"{ADMIN}/review-cases/{case['id']}/refuse", WHY)
    assert refused.json()["data"]["reports"][0]["amount"] == 4999
    nothing = await finance.get(f"{ADMIN}/review-cases/{new_id()}")
    assert (nothing.status_code, nothing.json()["error"]["code"]) == (404, "not_found")


async def test_what_a_provider_said_only_when_asked_is_not_stored_and_not_made_up(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = (await prepare(member))["reference"]
    await office.database.execute("UPDATE funding SET amount_kobo = amount_kobo + 1")
    await force(office, reference, status="successful")

    (case,) = await rows(finance, "review-cases")

    assert (case["fundingReference"], case["reports"]) == (reference, [])


async def test_money_of_another_mode_waits_for_a_person_who_can_only_refuse_it(
    office: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    reference = (await prepare(member, amount=5000, gateway="paystack"))["reference"]
    content = success(reference)
    content["data"]["domain"] = "live"
    await report(office, content)

    (case,) = (await finance.get(f"{ADMIN}/review-cases")).json()["data"]["rows"]
    assert (case["kind"], case["reasons"], case["subject"]) == ("mode", ["mode"], reference)
    path = f"{ADMIN}/review-cases/{case['id']}"
    accepted = await finance.post(f"{path}/accept", WHY)
    assert (accepted.status_code, accepted.json()["error"]["code"]) == (409, "not_creditable")
    assert await office.balance(member) == 0
    assert (await finance.post(f"{path}/refuse", WHY)).status_code == 200
    proof = (await finance.post(f"{ADMIN}/proofs")).json()["data"]
    assert proof["ok"], proof


@pytest.mark.parametrize(
    ("differences", "reasons"),
    [
        ({"amount": 499_900, "currency": "GHS"}, ["amount", "currency"]),
        ({"amount": 499_900, "metadata": {"user_id": "another"}}, ["amount", "member"]),
        ({"currency": "GHS", "metadata": {"user_id": "another"}}, ["currency", "member"]),
        (
            {"amount": 1, "currency": "GHS", "metadata": {"user_id": "another"}, "domain": "live"},
            ["amount", "currency", "member", "mode"],
        ),
    ],
    ids=["amount and currency", "amount and member", "currency and member", "all"],
)
async def test_a_payment_that_differs_in_several_respects_has_one_case_with_all_of_them(
    office: RunningApp,
    member: SignedIn,
    finance: OperatorClient,
    differences: dict[str, object],
    reasons: list[str],
) -> None:
    other = await operator_client(office, "ife", Role.FINANCE)
    reference = (await prepare(member, amount=5000, gateway="paystack"))["reference"]
    content = success(reference)
    content["data"] |= differences
    for _ in range(2):
        await report(office, content)

    (case,) = (await finance.get(f"{ADMIN}/review-cases")).json()["data"]["rows"]
    assert (case["kind"], case["reasons"]) == (reasons[0], reasons)
    answer = await finance.post(f"{ADMIN}/review-cases/{case['id']}/accept", WHY)
    if "mode" in reasons:
        assert answer.status_code == 409
        return
    assert answer.status_code == 202, "two people decide about another amount or currency"
    approval = answer.json()["data"]["approval"]
    body = {"digest": approval["digest"], "decision": "approve", "reason": "Seen"}
    decided = await other.post(f"{ADMIN}/approvals/{approval['id']}/decide", body)
    assert decided.status_code == 200
    assert await office.balance(member) == 5000
    proof = (await finance.post(f"{ADMIN}/proofs")).json()["data"]
    assert proof["ok"], proof
