"""Every kind of proposal: decided once, as it was read, by another operator."""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import api.app.back_office
import httpx
import pytest
from api.foundation.approvals.kinds import ApprovalKind
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.backoffice.oversight.proposals import PROPOSALS, Proposal
from tests.backoffice.oversight.test_second_person import APPROVALS, audit, decision
from tests.backoffice.oversight.test_settings import holds, put
from tests.backoffice.oversight.writes import WHY, Stage
from tests.conftest import RunningApp, SignedIn, open_running_app
from tests.money.payments.conftest import TWO_GATEWAYS
from tests.money.wallet.test_adjustments import adjust


def kinds() -> list[str]:
    """Return the kinds defined anywhere in the product."""
    assert api.app.back_office.__name__ in sys.modules  # it imports every domain
    modules = [module for name, module in sys.modules.items() if name.startswith("api.")]
    return sorted(
        {
            each.name
            for module in modules
            for each in vars(module).values()
            if isinstance(each, ApprovalKind)
        }
    )


@pytest.fixture
async def stage(settings: Settings, _empty_tables: None) -> AsyncIterator[Stage]:
    async with open_running_app(
        settings.model_copy(update={"payment_gateways": TWO_GATEWAYS})
    ) as app:
        olu, bisi = [await operator_client(app, name, Role.OWNER) for name in ("olu", "bisi")]
        yield Stage(app, await app.member("ada"), olu, bisi)


def example(kind: str) -> Proposal:
    if kind not in PROPOSALS:
        pytest.fail(
            f"{kind} has no example: add a function for it to "
            "tests/backoffice/oversight/proposals.py, so that its approval is proven."
        )
    return PROPOSALS[kind]


async def proposed(stage: Stage, shown: Proposal) -> dict[str, Any]:
    answer = await shown.propose(stage)
    assert answer.status_code == 202, answer.text
    approval: dict[str, Any] = answer.json()["data"]["approval"]
    return approval


async def state_of(app: RunningApp, shown: Proposal) -> tuple[int, int]:
    """Return the values that the kind changes, and the number of ledger transfers."""
    transfers = await app.database.fetch_value("SELECT count(*) FROM ledger_transfer")
    return int(await app.database.fetch_value(shown.effect)), int(transfers)


def done_once(shown: Proposal, before: tuple[int, int]) -> tuple[int, int]:
    return before[0] + shown.adds, before[1] + shown.transfers


async def decide_all(
    deciders: list[OperatorClient], approval: dict[str, Any], word: str = "approve"
) -> list[httpx.Response]:
    path = f"{APPROVALS}/{approval['id']}/decide"
    wish = decision(approval, word)
    return await asyncio.gather(*(decider.post(path, wish) for decider in deciders))


def codes(answers: list[httpx.Response]) -> Counter[str]:
    return Counter(
        "done" if answer.status_code == 200 else f"{answer.status_code} {_code(answer)}"
        for answer in answers
    )


def _code(answer: httpx.Response) -> str:
    found: str = answer.json()["error"]["code"]
    return found


async def ten(stage: Stage) -> list[OperatorClient]:
    return [
        await operator_client(stage.app, f"decider{number}", Role.OWNER) for number in range(10)
    ]


async def leave_office(stage: Stage, who: OperatorClient) -> None:
    """Disable an operator as the second owner."""
    (row,) = [row for row in await stage.rows("operators") if row["id"] == str(who.id)]
    body = {"version": row["version"], "disabled": True} | WHY
    answer = await stage.bisi.patch(f"{ADMIN}/operators/{who.id}", body)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("kind", kinds())
async def test_ten_operators_who_approve_at_once_do_it_once(stage: Stage, kind: str) -> None:
    shown = example(kind)
    deciders = await ten(stage)
    approval = await proposed(stage, shown)
    assert approval["kind"] == kind
    before = await state_of(stage.app, shown)

    answers = await decide_all(deciders, approval)

    assert codes(answers) == {"done": 1, "409 wrong_state": 9}
    assert await state_of(stage.app, shown) == done_once(shown, before)
    assert (await audit(stage.app)).count("approve") == 1
    assert await broken_invariants_in(stage.app.database) == []


def changeable() -> list[str]:
    """Return the kinds whose content can be changed."""
    return [kind for kind in kinds() if kind not in PROPOSALS or PROPOSALS[kind].edit]


def unknown(content: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the contents with each subject replaced by an unknown one."""
    return [{name: str(new_id())} for name in content if name.endswith("Id")]


@pytest.mark.parametrize("kind", kinds())
async def test_a_changed_proposal_is_judged_by_the_rules_of_a_new_one(
    stage: Stage, kind: str
) -> None:
    approval = await proposed(stage, example(kind))
    path = f"{APPROVALS}/{approval['id']}"
    keys = ("content", "digest", "reasons")
    await stage.app.database.execute("UPDATE approval SET reasons = '{unlikely}'")

    same = await stage.olu.patch(path, {"content": approval["content"], "reason": "Again"})
    others = [
        await stage.olu.patch(path, {"content": approval["content"] | edit, "reason": "Slip"})
        for edit in unknown(approval["content"])
    ]

    kept = same.json()["data"]["approval"]
    assert [kept[part] for part in keys] == [approval[part] for part in keys]
    assert {answer.status_code for answer in others} <= {404, 409, 422}, others
    (row,) = await stage.rows("approvals")
    assert [row[part] for part in keys] == [approval[part] for part in keys]


@pytest.mark.parametrize("kind", changeable())
async def test_who_approves_while_it_is_changed_approves_what_they_have_read_or_nothing(
    stage: Stage, kind: str
) -> None:
    shown = example(kind)
    deciders = await ten(stage)
    approval = await proposed(stage, shown)
    before = await state_of(stage.app, shown)
    body = {"content": approval["content"] | shown.edit, "reason": "Otherwise"}

    changed, answers = await asyncio.gather(
        stage.olu.patch(f"{APPROVALS}/{approval['id']}", body), decide_all(deciders, approval)
    )

    if changed.status_code == 200:
        assert codes(answers) == {"409 stale": 10}
        assert changed.json()["data"]["approval"]["digest"] != approval["digest"]
        assert await state_of(stage.app, shown) == before
    else:
        assert codes([changed]) == {"409 wrong_state": 1}
        assert codes(answers) == {"done": 1, "409 wrong_state": 9}
        assert await state_of(stage.app, shown) == done_once(shown, before)


@pytest.mark.parametrize("kind", changeable())
async def test_the_proposer_an_old_reading_and_a_proposer_who_is_out_approve_nothing(
    stage: Stage, kind: str
) -> None:
    shown = example(kind)
    approval = await proposed(stage, shown)
    before = await state_of(stage.app, shown)
    own = await decide_all([stage.olu], approval)
    body = {"content": approval["content"] | shown.edit, "reason": "Otherwise"}
    changed = await stage.olu.patch(f"{APPROVALS}/{approval['id']}", body)
    old = await decide_all([stage.bisi], approval)
    renewed = changed.json()["data"]["approval"]
    rows = await state_of(stage.app, shown)
    await leave_office(stage, stage.olu)
    left = await state_of(stage.app, shown)
    out = await decide_all([stage.bisi], renewed)

    assert codes([*own, *old, *out]) == {
        "409 own_proposal": 1,
        "409 stale": 1,
        "409 proposer_lost_right": 1,
    }
    assert rows == before
    assert await state_of(stage.app, shown) == left
    assert codes(await decide_all([stage.bisi], renewed, "refuse")) == {"done": 1}
    assert await state_of(stage.app, shown) == left
    assert "approve" not in await audit(stage.app)


async def test_every_kind_is_done_by_somebody_and_no_example_is_of_a_kind_that_is_gone(
    stage: Stage,
) -> None:
    done = stage.app.asgi.state.services.oversight.executors.names

    assert done == set(kinds()), (
        "A kind without an executor in api/app/back_office.py is never done."
    )
    assert sorted(set(PROPOSALS) - set(kinds())) == []


LOST = {
    "another role": "UPDATE operator SET roles = '{shop}' WHERE id = $1",
    "a suspension": (
        "UPDATE user_account SET suspended_at = now() "
        "WHERE id = (SELECT user_id FROM operator WHERE id = $1)"
    ),
}


@pytest.mark.parametrize("how", LOST)
async def test_what_somebody_proposed_who_lost_the_right_waits_until_they_have_it_again(
    stage: Stage, how: str
) -> None:
    efe = await operator_client(stage.app, "efe", Role.FINANCE)
    approval = (await adjust(efe, stage.member, 20_000)).json()["data"]["approval"]
    await stage.app.database.execute(LOST[how], efe.id)

    answers = await decide_all([stage.bisi], approval)

    assert codes(answers) == {"409 proposer_lost_right": 1}
    assert await stage.app.balance(stage.member) == 0
    await stage.app.database.execute(
        "UPDATE operator SET roles = '{finance}' WHERE id = $1", efe.id
    )
    await stage.app.database.execute("UPDATE user_account SET suspended_at = NULL")
    assert codes(await decide_all([stage.bisi], approval)) == {"done": 1}


async def two_proposals(
    operator: OperatorClient, member: SignedIn, amount: float
) -> list[tuple[str, dict[str, Any]]]:
    answers = [await adjust(operator, member, amount) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202]
    approvals = [answer.json()["data"]["approval"] for answer in answers]
    return [(f"{APPROVALS}/{one['id']}/decide", decision(one)) for one in approvals]


async def test_two_approvals_above_the_limit_of_a_day_are_both_done_once_and_leave_it_whole(
    stage: Stage,
) -> None:
    wishes = await two_proposals(stage.olu, stage.member, 30_000)

    answers = await asyncio.gather(
        *(stage.bisi.post(path, body) for path, body in wishes for _ in range(5))
    )

    assert codes(list(answers)) == {"done": 2, "409 wrong_state": 8}
    assert await stage.app.balance(stage.member) == 60_000
    # The day's sum counts single operators' actions; this one was approved.
    alone = [(await adjust(stage.olu, stage.member, 10_000)).status_code for _ in range(6)]
    assert alone == [201] * 5 + [202]
    assert await broken_invariants_in(stage.app.database) == []


async def test_of_two_approvals_that_the_wallet_cannot_both_pay_one_is_done(stage: Stage) -> None:
    await stage.app.give(stage.member, 30_000)
    wishes = await two_proposals(stage.olu, stage.member, -20_000)

    answers = await asyncio.gather(*(stage.bisi.post(path, body) for path, body in wishes))

    assert codes(list(answers)) == {"done": 1, "402 insufficient_funds": 1}
    assert await stage.app.balance(stage.member) == 10_000
    states = [row["state"] for row in await stage.rows("approvals")]
    assert sorted(states) == ["approved", "open"]
    assert await broken_invariants_in(stage.app.database) == []


async def test_an_owner_lowers_limits_alone_but_only_with_a_fresh_code(stage: Stage) -> None:
    aged = "UPDATE admin_session SET code_at = code_at - interval '1 hour' WHERE operator_id = $1"
    await stage.app.database.execute(aged, stage.olu.id)

    old = await put(stage.olu, version=1, adjustmentLimit=9000)
    kept = await holds(stage.bisi)
    fresh = await put(stage.bisi, version=1, adjustmentLimit=9000)

    assert codes([old]) == {"409 fresh_code_needed": 1}
    assert (kept["adjustmentLimit"], kept["version"]) == (10_000, 1)
    assert (fresh.status_code, fresh.json()["data"]["adjustmentLimit"]) == (200, 9000)
    assert await audit(stage.app) == ["change"]
