"""Rules for every route of the API, read from its description and tested by calling it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from api.foundation.http.openapi_components import expand_paths

from tests.conftest import RunningApp, SignedIn

OPEN_CALLS = {
    "POST /api/v1/sign-in/username-password",
    "POST /api/v1/admin/sign-in",
    "POST /api/v1/signup",
    "POST /api/v1/signup/validate-token",
    "POST /api/v1/signup/activate/{user_id}",
    "POST /api/v1/signup/resend-code",
    "GET /api/v1/signup",
    "GET /api/v1/signup/{user_id}",
    "POST /api/v1/sms/reports",
    "POST /api/v1/signup/{user_id}/email",
    "POST /api/v1/password/forgot",
    "POST /api/v1/password/reset",
    "GET /api/v1/clubs",
    "GET /api/v1/public/moments/{moment_id}",
    "POST /api/v1/client-errors",
    "POST /api/v1/payment/webhook/{gateway}",
    "POST /api/v1/fixtures/feed/push",
    "GET /api/v1/payment/callback/{gateway}",
    "GET /api/v1/receipt-pages/{name}",
    "GET /api/v1/invites/code/{name}",
    "GET /api/v1/public/clubs/{club_id}",
    "GET /api/v1/public/home",
    "GET /api/v1/public/matches/{match_id}",
    "GET /api/v1/public/news/{slug}",
    "GET /api/v1/public/products/{product_id}",
    "POST /api/v1/public/question/{question_id}/answer",
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
}
READS = {
    "/api/v1/badges/{user_id}",
    "/api/v1/battle-ground-config",
    "/api/v1/battlezone-rank-config",
    "/api/v1/calendar",
    "/api/v1/calendar/export",
    "/api/v1/chat-messages/{club}",
    "/api/v1/chat-people/{club}",
    "/api/v1/chat-unread",
    "/api/v1/clubs",
    "/api/v1/competitions",
    "/api/v1/competitions/{competition_id}/table",
    "/api/v1/dashboard/statistics/{user_id}",
    "/api/v1/fixtures",
    "/api/v1/fixtures/{fixture_id}",
    "/api/v1/fixtures/{fixture_id}/export",
    "/api/v1/invites/code/{name}",
    "/api/v1/invites/{user_id}",
    "/api/v1/fixtures/{fixture_id}/reminder",
    "/api/v1/leaderboard",
    "/api/v1/moment/post/user/{user_id}",
    "/api/v1/banks",
    "/api/v1/moment/feed",
    "/api/v1/public/moments/{moment_id}",
    "/api/v1/news",
    "/api/v1/news/{slug}",
    "/api/v1/notifications",
    "/api/v1/notifications/settings",
    "/api/v1/notifications/unread",
    "/api/v1/push/key",
    "/api/v1/push/subscriptions",
    "/api/v1/orders/{order}",
    "/api/v1/orders/{order_id}/proofs/{proof_id}",
    "/api/v1/payment/callback/{gateway}",
    "/api/v1/payment/funding-limits",
    "/api/v1/payment/statement/{user_id}",
    "/api/v1/payment/statement/{user_id}/csv",
    "/api/v1/payment/statement/{user_id}/months",
    "/api/v1/payment/verify-transaction/{reference}",
    "/api/v1/payment/wallet-balance/{user_id}",
    "/api/v1/points/{user_id}",
    "/api/v1/predictions",
    "/api/v1/predictions/board",
    "/api/v1/public/clubs/{club_id}",
    "/api/v1/public/home",
    "/api/v1/public/matches/{match_id}",
    "/api/v1/public/news/{slug}",
    "/api/v1/public/products/{product_id}",
    "/api/v1/products",
    "/api/v1/receipt-pages/{name}",
    "/api/v1/signup",
    "/api/v1/signup/{user_id}",
    "/api/v1/receipts/{kind}/{name}",
    "/api/v1/products/checkout-options",
    "/api/v1/products/user/{user_id}",
    "/api/v1/products/{product_id}",
    "/api/v1/question/attempted-daily-trivial-question/{club}/{user_id}",
    "/api/v1/question/daily-trivial-question/{club}/{user_id}",
    "/api/v1/sessions/{user_id}",
    "/api/v1/subscription",
    "/api/v1/today",
    "/api/v1/users/plan/validate/{user_id}",
    "/api/v1/users/subscription/{user_id}",
    "/api/v1/users/{user_id}",
    "/api/v1/users/{user_id}/export",
    "/healthz",
    "/metrics",
    "/readyz",
}
# A day's questions are drawn when first read; limits, sightings and heartbeats are no member's
# data; a job sums up the clubs' sizes; an invite is created when it is first requested.
MAY_CHANGE = {
    *("session", "rate_limit", "trivia_set", "trivia_attempt", "heartbeat"),
    *("club_size", "club_size_change", "invite"),
    *("chat_worker", "chat_online"),  # by the process itself, every few seconds
}
PAGE = Path(__file__).parents[2] / "docs" / "security.md"
UNDESCRIBED = {"/media/…", "/docs", "/openapi.json"}
CONTACTS = (
    *("email", "phone", "dateofbirth", "gender", "address"),
    *("accountnumber", "bankcode", "nextofkin"),
)
# All of these concern the caller alone; an order names the shop's account, not a member's.
CONTACT_CALLS = {
    "GET /api/v1/signup/{user_id}",  # the sign-up whose id the caller has
    "GET /api/v1/orders/{order}",
    "GET /api/v1/products/checkout-options",
    "GET /api/v1/receipts/{kind}/{name}",
    "GET /api/v1/users/{user_id}",
    "GET /api/v1/users/{user_id}/export",
    "POST /api/v1/sign-in/username-password",
    "POST /api/v1/users/updatekyc",
}
SECRET_WORDS = ("token", "password", "code", "email", "phone", "secret", "key")


async def described(app: RunningApp) -> dict[str, Any]:
    return expand_paths((await app.client.get("/openapi.json")).json())


async def test_the_calls_that_need_no_token_are_exactly_these(app: RunningApp) -> None:
    found = {
        f"{method.upper()} {path}"
        for path, methods in (await described(app)).items()
        for method, operation in methods.items()
        if not operation.get("security")
    }

    assert found == OPEN_CALLS


def test_the_security_page_lists_the_calls_that_need_no_token() -> None:
    (listed,) = re.findall(r"^These calls need no token: (.+?)\. ", PAGE.read_text("utf-8"), re.M)
    calls = {call.partition(" ")[2].removeprefix("/api/v1/") for call in OPEN_CALLS}

    assert set(re.findall(r"`([^`]+)`", listed)) == calls - {"/metrics"} | UNDESCRIBED


def fields(schema: Any, schemas: dict[str, Any], seen: set[str]) -> Iterator[str]:
    """Yield the names of all fields of a schema, at any depth."""
    if isinstance(schema, list):
        for part in schema:
            yield from fields(part, schemas, seen)
    elif isinstance(schema, dict):
        name = schema.get("$ref", "").rpartition("/")[2]
        if name and name not in seen:
            seen.add(name)
            yield from fields(schemas[name], schemas, seen)
        for field, content in schema.get("properties", {}).items():
            yield field
            yield from fields(content, schemas, seen)
        for key in ("items", "additionalProperties", "anyOf", "oneOf", "allOf"):
            yield from fields(schema.get(key), schemas, seen)


async def test_contacts_are_told_to_their_member_alone(app: RunningApp) -> None:
    description = (await app.client.get("/openapi.json")).json()
    schemas = description["components"]["schemas"]
    found = {
        f"{method.upper()} {path}"
        for path, methods in description["paths"].items()
        if "/admin/" not in path and "/dev/" not in path
        for method, operation in methods.items()
        for status, answer in operation["responses"].items()
        if status < "300"
        for content in answer.get("content", {}).values()
        if any(
            word in field.lower()
            for field in fields(content.get("schema"), schemas, set())
            for word in CONTACTS
        )
    }

    assert found == CONTACT_CALLS


async def test_no_list_has_more_than_a_hundred_rows_a_page(app: RunningApp) -> None:
    max_lengths = {
        f"{method} {path}": parameter["schema"].get("maximum", 101)
        for path, methods in (await described(app)).items()
        for method, operation in methods.items()
        for parameter in operation.get("parameters", [])
        if parameter["name"] == "limit"
    }

    assert len(max_lengths) > 20
    assert {call for call, length in max_lengths.items() if length > 100} == set()


async def test_a_body_with_only_optional_fields_may_be_omitted(
    app: RunningApp, member: SignedIn
) -> None:
    description = (await app.client.get("/openapi.json")).json()
    schemas = description["components"]["schemas"]

    def needs(schema: dict[str, Any]) -> bool:
        if "anyOf" in schema:
            return all(needs(one) for one in schema["anyOf"])
        named = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
        return bool(named.get("required")) or named.get("type") not in {"object", "null"}

    wanting = {
        f"{method} {path}"
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
        if (body := operation.get("requestBody", {})).get("required")
        and not needs(
            body["content"].get("application/json", {"schema": {"required": ["file"]}})["schema"]
        )
    }
    assert wanting == set()

    settings = "/api/v1/notifications/settings"
    left_out = await app.client.put(settings, headers=member.headers)
    assert left_out.status_code == 200
    assert left_out.json()["data"] == (await member.get(settings)).json()["data"]


async def test_reads_change_nothing(app: RunningApp) -> None:
    ada = await app.member("ada")
    await app.stock_product()
    await app.add_questions(6, kind="trivia")
    paths = {path for path, methods in (await described(app)).items() if "get" in methods}
    names = await tables(app)
    before = await contents(app, names)

    for path in sorted(paths):
        filled = path.format(
            user_id=ada.id,
            club="Enyimba",
            reference="FW-X",
            gateway="paystack",
            product_id=ada.id,
            order="FC-X",
            slug="derby",
            article_id=ada.id,
            import_id=ada.id,
            season_id=ada.id,
            fixture_id=ada.id,
            match_id=ada.id,
            club_id=ada.id,
            competition_id=ada.id,
            day="2026-11-24",
            kind="order",
            name="FC-X",
            order_id=ada.id,
            proof_id=ada.id,
            message_id=ada.id,
            moment_id=ada.id,
            case_id=ada.id,
            part="video",
        )
        assert (await ada.get(filled)).status_code in {200, 404, 422}, path

    assert paths - {path for path in paths if "/admin/" in path} == READS
    after = await contents(app, names)
    assert {name for name in names if after[name] != before[name]} <= MAY_CHANGE


async def tables(app: RunningApp) -> list[str]:
    rows = await app.database.fetch_rows(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' "
        "AND has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT') ORDER BY 1"
    )
    return [row["tablename"] for row in rows]


async def contents(app: RunningApp, names: list[str]) -> dict[str, str]:
    """Return a digest of each table's content."""
    found = {}
    async with app.database.transaction() as tx:
        for name in names:
            statement = (
                f"SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM {name} t"
            )
            found[name] = str(await tx.fetch_value(statement))
    return found


async def test_no_call_takes_a_secret_in_its_address(app: RunningApp, member: SignedIn) -> None:
    named = [
        f"{path}: {parameter['name']}"
        for path, methods in (await described(app)).items()
        for operation in methods.values()
        for parameter in operation.get("parameters", [])
        if parameter["in"] in {"path", "query"}
        and any(word in parameter["name"].lower() for word in SECRET_WORDS)
    ]
    answer = await app.client.get(f"/api/v1/users/{member.id}?token={member.token}")

    assert named == []
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""],
)
async def test_a_body_that_is_not_called_json_is_not_read_as_json(
    app: RunningApp, member: SignedIn, content_type: str
) -> None:
    product = await app.stock_product()
    body = (
        f'{{"carts": [{{"id": "{product}", "quantity": 1}}], "paymentMethod": "bank-transfer", '
        '"billing": {"firstName": "A", "lastName": "O", "phone": "08031234567", "address": "Aba"}}'
    )

    async def ask(named: str) -> int:
        headers = member.headers | ({"Content-Type": named} if named else {})
        answer = await app.client.post("/api/v1/products/checkout", content=body, headers=headers)
        return answer.status_code

    assert await ask(content_type) in {415, 422}
    assert await ask("application/json") == 201


@pytest.mark.parametrize("path", ["/", "/api/v1/clubs", "/media/x", "/healthz", "/docs"])
async def test_trace_is_refused_and_echoes_nothing(app: RunningApp, path: str) -> None:
    answer = await app.client.request("TRACE", path, headers={"X-Canary": "canary"})

    assert answer.status_code in {404, 405}
    assert "canary" not in answer.text


@pytest.mark.parametrize(
    "path",
    ["/", "/signin", "/api/v1/clubs/", "//api/v1/clubs", "/api/v1/users/", "/media/", "/docs/"],
)
async def test_the_server_sends_nobody_elsewhere(app: RunningApp, path: str) -> None:
    answer = await app.client.get(path, headers={"X-Forwarded-Proto": "http", "Host": "evil.test"})

    assert not 300 <= answer.status_code < 400
    assert "location" not in answer.headers
