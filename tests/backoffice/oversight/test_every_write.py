"""Every write of the back office: one audit entry, in its transaction, and idempotent."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.foundation.core.config import Settings
from api.foundation.http.admin_calls import WriteAccess, admin_routes
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, operator_client
from tests.backoffice.oversight.writes import Sent, Stage, load
from tests.conftest import RunningApp, open_running_app
from tests.money.payments.conftest import TWO_GATEWAYS

DESCRIPTION = Path(__file__).parents[3] / "openapi.json"
# They start, renew and end the operator's own session, and write no other data.
OF_THE_SESSION = {"POST sign-in", "POST fresh", "POST sign-out"}
# They only preview the effect of the input.
PREVIEWS = {"POST articles/preview", "POST questions/{question_id}/preview"}
WITHOUT_ROW = OF_THE_SESSION | PREVIEWS
# These credits come from a provider, not from an operator.
BY_THE_PROVIDER = {"POST fundings/{reference}/ask", "POST webhooks/{webhook_id}/replay"}
UNCLAIMED = """
SELECT t.reference FROM ledger_transfer t
 WHERE t.credit_type = 'wallet'
   AND NOT EXISTS (SELECT FROM operator_credit c WHERE c.reference = t.reference)
"""


def writes() -> list[str]:
    """Return the writes of the back office in the API description."""
    paths = json.loads(DESCRIPTION.read_text(encoding="utf-8"))["paths"]
    found = [
        f"{method.upper()} {path.removeprefix(ADMIN + '/')}"
        for path, methods in paths.items()
        if path.startswith(ADMIN)
        for method in methods
        if method != "get"
    ]
    return sorted(set(found) - WITHOUT_ROW)


@pytest.fixture
async def stage(settings: Settings, _empty_tables: None) -> AsyncIterator[Stage]:
    async with open_running_app(
        settings.model_copy(update={"payment_gateways": TWO_GATEWAYS})
    ) as app:
        olu, bisi = [await operator_client(app, name, Role.OWNER) for name in ("olu", "bisi")]
        ready = Stage(app, await app.member("ada"), olu, bisi)
        yield ready
        for task in ready.background:
            task.cancel()


async def send(stage: Stage, call: str, sent: Sent, key: str) -> httpx.Response:
    method, _, path = call.partition(" ")
    more: dict[str, Any] = {"files": sent.files} if sent.files else {"json": sent.body}
    return await stage.app.client.request(
        method,
        f"{ADMIN}/{path.format(**sent.names)}",
        headers=stage.olu.headers | {"Idempotency-Key": key},
        **more,
    )


async def entries(app: RunningApp) -> list[Any]:
    return list(
        await app.database.fetch_rows("SELECT operator_id, right_used FROM audit_entry ORDER BY id")
    )


@pytest.mark.parametrize("call", writes())
async def test_a_write_leaves_one_audit_row_and_a_record_of_its_credit_and_happens_once(
    stage: Stage, call: str
) -> None:
    prepare = load().get(call)
    if prepare is None:
        pytest.fail(
            f"{call} has no example: add a function for it to the file of its domain in "
            "tests/backoffice/oversight/writes, so that its row of the audit is proven."
        )
    sent = await prepare(stage)
    before = await entries(stage.app)
    unclaimed = await stage.app.database.fetch_rows(UNCLAIMED)

    first = await send(stage, call, sent, "the-same-wish")
    after = await entries(stage.app)
    again = await send(stage, call, sent, "the-same-wish")

    assert first.status_code in {200, 201, 202}, first.text
    assert len(after) == len(before) + 1
    assert (after[-1]["operator_id"], bool(after[-1]["right_used"])) == (stage.olu.id, True)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert await entries(stage.app) == after
    if call not in BY_THE_PROVIDER:
        assert await stage.app.database.fetch_rows(UNCLAIMED) == unclaimed


def choices() -> dict[str, list[str]]:
    """Return the routes that change only given fields, with fields that may be omitted or null."""
    described = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    found = {}
    for call in writes():
        method, _, path = call.partition(" ")
        if method == "PATCH":
            body = described["paths"][f"{ADMIN}/{path}"]["patch"]["requestBody"]
            name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            form = described["components"]["schemas"][name]
            found[call] = [
                field
                for field, schema in form["properties"].items()
                if {"type": "null"} in schema.get("anyOf", ())
            ]
    del found["PATCH approvals/{approval_id}"]  # its content is sent completely
    return found


@pytest.mark.parametrize(("call", "fields"), choices().items())
async def test_a_field_left_out_and_a_field_cleared_are_two_wishes(
    stage: Stage, call: str, fields: list[str]
) -> None:
    sent = await load()[call](stage)
    field = next(field for field in fields if field not in sent.body)
    cleared = replace(sent, body=sent.body | {field: None})

    done = await send(stage, call, sent, "one-wish")
    other = await send(stage, call, cleared, "one-wish")

    assert done.status_code in {200, 202}, done.text
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_key_reused")


async def test_what_writes_and_what_only_shows_or_renews_a_session_is_told_apart_by_its_access(
    stage: Stage,
) -> None:
    found = {
        f"{method} {route.path.removeprefix(ADMIN + '/')}": route
        for route in admin_routes(list(stage.app.asgi.router.routes))
        for method in route.methods or ()
        if method != "GET"
    }
    without_key = {
        call
        for call, route in found.items()
        if not isinstance(getattr(route, "access", None), WriteAccess)
    }
    assert without_key == WITHOUT_ROW
    assert sorted(set(found) - WITHOUT_ROW) == writes()


def test_no_example_is_of_a_call_that_is_gone() -> None:
    assert sorted(set(load()) - set(writes())) == []
