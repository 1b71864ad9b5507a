"""The HTTP surface: the envelope on every response, hostile input, headers, and access."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from api.app.routers import BODY_LIMITS
from api.foundation.http.body_limits import BodyLimits
from api.foundation.http.middleware import WITHOUT_BODY
from api.foundation.http.openapi_components import expand_paths
from api.foundation.security.rights import Role
from fastapi.routing import APIRoute

from tests.back_office import ADMIN, operator_client
from tests.conftest import RunningApp, SignedIn

SIGN_IN = "/api/v1/sign-in/username-password"
JSON = {"Content-Type": "application/json"}


def assert_refusal(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check that a response is an error in the envelope, and return its body."""
    body: dict[str, Any] = answer.json()
    assert answer.status_code == body["status"] == status, body
    assert body["error"]["code"] == code
    assert body["error"]["requestId"] == answer.headers["X-Request-Id"]
    assert body["message"]
    assert "data" in body
    return body


async def test_framework_errors_leave_in_the_envelope_too(app: RunningApp) -> None:
    client = app.client

    assert_refusal(await client.get("/api/v1/nope"), 404, "not_found")
    wrong_method = await client.delete("/api/v1/products")
    assert_refusal(wrong_method, 405, "method_not_allowed")
    assert wrong_method.headers["Allow"] == "GET"
    page = await client.get("/api/v1/nope", headers={"Accept": "text/html"})
    assert_refusal(page, 404, "not_found")
    broken = await client.post(SIGN_IN, content=b'{"username": ', headers=JSON)
    assert_refusal(broken, 400, "malformed_json")
    not_utf8 = await client.post(SIGN_IN, content=b'{"username": "\xff\xfe"}', headers=JSON)
    assert_refusal(not_utf8, 400, "malformed_json")
    deep = await client.post(SIGN_IN, content=b"[" * 100_000, headers=JSON)
    assert_refusal(deep, 400, "malformed_json")
    large = await client.post(SIGN_IN, content=b'"' + b"x" * 300_000 + b'"', headers=JSON)
    assert_refusal(large, 413, "too_large")

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 65_536

    unannounced = await client.post(SIGN_IN, content=endless(), headers=JSON)
    assert_refusal(unannounced, 413, "too_large")
    assert_refusal(await client.post(SIGN_IN, content=b"a=b"), 422, "validation_failed")


async def test_every_write_refuses_an_announced_body_above_its_limit_unread(
    app: RunningApp, member: SignedIn
) -> None:
    owner = await operator_client(app, "olu", Role.OWNER)
    limits = BodyLimits(BODY_LIMITS)
    right, wrong = 0, []
    for route in app.asgi.routes:
        if not isinstance(route, APIRoute) or not route.path.startswith("/api/v1/"):
            continue
        path = route.path.format(**dict.fromkeys(route.param_convertors, str(member.id)))
        limit = limits.of(path)
        by = owner if path.startswith(f"{ADMIN}/") else member
        for method in sorted((route.methods or set()) - WITHOUT_BODY):
            request = app.client.build_request(
                method,
                path,
                headers=by.headers | {"Content-Length": str(limit.size_bytes + 1)},
                content=UnreadBody(),
            )
            answer = await app.client.send(request)
            if (answer.status_code, answer.json()["message"]) == (413, limit.sentence):
                right += 1
            else:
                wrong.append((method, path, answer.status_code, answer.text))

    assert wrong == []
    assert right > 100


class UnreadBody:
    """A body that must not be read."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        pytest.fail("the body was read")


async def test_a_crash_is_a_500_that_tells_nothing(app: RunningApp) -> None:
    @app.asgi.get("/api/v1/crash")
    async def crash() -> None:
        raise RuntimeError("the secret of the house")

    answer = await app.client.get("/api/v1/crash")

    assert_refusal(answer, 500, "internal_error")
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    "value",
    [
        "NaN",
        "-Infinity",
        "1e400",
        "1e999999999",
        "9" * 400,
        "true",
        '"5000"',
        "5000.001",
        "null",
        "[]",
        "{}",
    ],
)
async def test_hostile_numbers_are_a_422_and_never_echoed(member: SignedIn, value: str) -> None:
    body = (
        f'{{"carts": [{{"id": "1", "quantity": {value}, "price": {value}}}], "billing": {{}}, '
        '"paymentMethod": "wallet"}'
    )

    answer = await member.client.post(
        "/api/v1/products/checkout", content=body, headers=member.headers | JSON
    )

    assert_refusal(answer, 422, "validation_failed")
    assert value not in answer.text or value in {"null", "[]", "{}"}


@pytest.mark.parametrize(
    "text", ["\\u0000", "\\ud800", "x\\u0007", "\\u0000\\u0000", "a" * 5000, "\\udfff\\ud800"]
)
async def test_text_the_database_cannot_hold_is_a_422(app: RunningApp, text: str) -> None:
    body = f'{{"username": "{text}@example.com", "password": "{text}"}}'

    answer = await app.client.post(SIGN_IN, content=body, headers=JSON)

    assert_refusal(answer, 422, "validation_failed")


async def test_a_refused_form_never_repeats_what_was_typed(app: RunningApp) -> None:
    answer = await app.client.post(
        "/api/v1/signup", json={"password": "hunter2-secret", "email": 7, "extra": "hunter2-secret"}
    )

    assert_refusal(answer, 422, "validation_failed")
    assert "hunter2-secret" not in answer.text


@pytest.mark.parametrize(
    "user_id",
    ["1", str(2**63), "x" * 65, "9" * 200, "%00", "' OR 1=1 --", "1_000", "%ud800"],
)
async def test_what_can_be_no_id_is_not_found_like_any_unknown_id(
    member: SignedIn, user_id: str
) -> None:
    paths = ("payment/wallet-balance", "dashboard/statistics", "users", "products/user", "products")
    for path in paths:
        unknown, odd = [
            await member.get(f"/api/v1/{path}/{asked}")
            for asked in ("00000000-0000-7000-8000-0000000000ff", user_id)
        ]
        body = assert_refusal(odd, 404, "not_found")
        expected = assert_refusal(unknown, 404, "not_found")
        assert (body["message"], body["data"]) == (expected["message"], expected["data"]), path


async def test_a_strangers_things_and_nobodys_things_answer_alike(
    member: SignedIn, rival: SignedIn
) -> None:
    unknown_id = "00000000-0000-7000-8000-0000000000ff"
    for path in (
        "payment/wallet-balance",
        "payment/statement",
        "dashboard/statistics",
        "users",
        "products/user",
    ):
        bodies = []
        for user_id in (rival.id, unknown_id):
            answer = await member.get(f"/api/v1/{path}/{user_id}")
            body = assert_refusal(answer, 404, "not_found")
            body["error"]["requestId"] = ""
            bodies.append(json.dumps(body))
        assert bodies[0] == bodies[1]


HOSTILE_AUTHORISATIONS = [
    "Bearer",
    "Bearer ",
    "bearer x",
    "Basic YWRhOmFkYQ==",
    "Bearer a.b.c",
    "Bearer " + "a" * 5000,
    "Bearer " + "[" * 4000,
    "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.",
    "Bearer é",
]


@pytest.mark.parametrize("authorisation", HOSTILE_AUTHORISATIONS)
async def test_a_token_that_is_none_is_a_401(app: RunningApp, authorisation: str) -> None:
    answer = await app.client.get(
        "/api/v1/products", headers={b"Authorization": authorisation.encode("latin-1", "replace")}
    )

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_every_call_behind_a_sign_in_wants_a_token(app: RunningApp) -> None:
    open_calls = {
        "admin",
        "sign-in",
        "signup",
        "clubs",
        "password",
        "callback",
        "webhook",
        "feed",
        "client-errors",
        "receipt-pages",
        "code",
        "public",
        "sms",
    }
    description = app.asgi.openapi()
    checked = 0
    for path, methods in description["paths"].items():
        if not path.startswith("/api/") or any(part in path.split("/") for part in open_calls):
            continue
        for method, operation in methods.items():
            address = re.sub(r"\{.*?\}", "1", path)
            answer = await app.client.request(method, address)
            if answer.status_code != 422:  # the body is validated first
                body = assert_refusal(answer, 401, "token_missing")
                assert body["message"] == "User token is required."
                checked += 1
            assert operation["security"], path
    assert checked >= 8


async def test_every_operation_documents_its_errors_with_examples(app: RunningApp) -> None:
    for path, methods in expand_paths(app.asgi.openapi()).items():
        if not path.startswith("/api/"):
            continue
        for operation in methods.values():
            failures = {status for status in operation["responses"] if status >= "400"}
            assert {"400", "422", "503"} <= failures, path
            assert "403" not in failures
            for status in failures:
                content = operation["responses"][status]["content"]["application/json"]
                assert content["example"]["status"] == int(status)


async def every_kind_of_answer(app: RunningApp, member: SignedIn) -> dict[str, httpx.Response]:
    """Return a response of each kind, by name."""
    dist, media = app.settings.web_dist, app.settings.var_dir / "media" / "products"
    (dist / "assets").mkdir(parents=True, exist_ok=True)
    (dist / "index.html").write_text("<!doctype html><title>King of Fans</title>")
    (dist / "assets" / "app-1.js").write_text("console.log(1)")
    (dist / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    media.mkdir(parents=True, exist_ok=True)
    (media / "scarf.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    get, page = app.client.get, {"Accept": "text/html"}
    first = await member.get("/api/v1/products")
    big = b"{" + b" " * 300_000

    async def crash() -> None:
        raise RuntimeError

    app.asgi.add_api_route("/api/v1/crash", crash)
    app.asgi.router.routes.insert(0, app.asgi.router.routes.pop())
    return {
        "page": await get("/signin", headers=page),
        "asset": await get("/assets/app-1.js"),
        "drawing of the app": await get("/icon.svg"),
        "unknown": await get("/nope.txt"),
        "documentation": await get("/docs"),
        "description": await get("/openapi.json"),
        "health": await get("/healthz"),
        "readiness": await get("/readyz"),
        "figures": await get("/metrics"),
        "200": await member.get("/api/v1/today"),
        "304": await member.client.get(
            "/api/v1/products", headers=member.headers | {"If-None-Match": first.headers["ETag"]}
        ),
        "400": await app.client.post(
            "/api/v1/signup", content=b"{", headers={"Content-Type": "application/json"}
        ),
        "401": await get("/api/v1/products"),
        "404": await get("/api/v1/nope"),
        "405": await app.client.put("/api/v1/clubs"),
        "413": await app.client.post("/api/v1/signup", content=big),
        "422": await app.client.post("/api/v1/signup", json={}),
        "500": await get("/api/v1/crash"),
        "crest": await get(f"/media/crests/{member.club_id}.svg"),
        "ground": await get(f"/media/grounds/{member.club_id}.svg"),
        "picture": await get("/media/products/scarf.svg"),
        "part of a picture": await get("/media/products/scarf.svg", headers={"Range": "bytes=0-3"}),
        "no such part": await get("/media/products/scarf.svg", headers={"Range": "bytes=900-"}),
        "no picture": await get("/media/products/none.svg"),
        "poll": await get("/socket.io/?EIO=4&transport=polling"),
        "way back from the checkout": await get(
            "/api/v1/payment/callback/paystack?reference=FW-NONE"
        ),
    }


async def test_every_kind_of_answer_carries_every_security_header(
    app: RunningApp, member: SignedIn
) -> None:
    for kind, answer in (await every_kind_of_answer(app, member)).items():
        headers = answer.headers
        policy = headers["Content-Security-Policy"]
        assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains", kind
        assert headers["X-Content-Type-Options"] == "nosniff", kind
        assert headers["Referrer-Policy"] == "no-referrer", kind
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin-allow-popups", kind
        assert "geolocation=()" in headers["Permissions-Policy"], kind
        assert "object-src 'none'" in policy or "default-src 'none'" in policy, kind
        assert "base-uri 'none'" in policy, kind
        assert "frame-ancestors 'none'" in policy, kind
        assert "unsafe-eval" not in policy, kind
        assert "script-src 'self';" in policy or "script-src" not in policy, kind
        if kind.isdigit() and kind != "304":
            assert str(answer.status_code) == kind
            assert headers["Cache-Control"] == "no-store"


async def test_every_text_answer_names_its_character_set(app: RunningApp, member: SignedIn) -> None:
    for kind, answer in (await every_kind_of_answer(app, member)).items():
        said = answer.headers.get("Content-Type", "")
        media_type, _, rest = said.partition(";")
        if media_type.startswith("text/") or media_type in {"image/svg+xml"}:
            assert "charset=utf-8" in rest.lower(), (kind, said)
        else:
            # JSON is UTF-8 by definition and has no such parameter (RFC 8259, section 11).
            assert media_type in {"", "application/json"}, (kind, said)


async def test_the_product_list_is_not_sent_twice(app: RunningApp, member: SignedIn) -> None:
    await app.stock_product()
    first = await member.get("/api/v1/products")

    second = await member.client.get(
        "/api/v1/products", headers=member.headers | {"If-None-Match": first.headers["ETag"]}
    )

    assert first.json()["data"][0] | {"id": ""} == {
        "id": "",
        "name": "Club Scarf",
        "price": 2500.5,
        "description": "Warm",
        "image": "/media/a.svg",
        "thumbnail": "/media/a.svg",
        "star": 9,
        "available": 10,
        "variants": [],
    }
    assert (second.status_code, second.content) == (304, b"")


async def test_health_readiness_and_metrics_answer_without_a_token(app: RunningApp) -> None:
    assert (await app.client.get("/healthz")).json() == {"status": "alive"}
    assert (await app.client.get("/readyz")).json() == {"status": "ready", "database": True}
    await app.client.get("/api/v1/clubs")
    figures = (await app.client.get("/metrics")).text
    assert 'http_requests_total{route="/api/v1/clubs",status="200"}' in figures


async def test_an_address_that_calls_too_often_is_told_when_to_come_back(app: RunningApp) -> None:
    app.asgi.state.services.limiter._leniency = 1
    answers = [await app.client.get("/api/v1/invites/code/NOBODYS1") for _ in range(302)]

    assert [answer.status_code for answer in answers] == [404] * 300 + [429] * 2
    body = assert_refusal(answers[-1], 429, "too_many_requests")
    assert body["data"] is None
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
