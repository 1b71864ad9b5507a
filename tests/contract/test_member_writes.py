"""The limit on members' writes: sixty a minute over all limited routes together."""

import re
from typing import Any

from api.foundation.core.ids import new_id
from api.foundation.database.rate_limit import RateLimiter
from api.foundation.http.dependencies import MEMBER_WRITES

from tests.conftest import RunningApp, SignedIn
from tests.contract.test_call_rules import OPEN_CALLS

SETTINGS = "/api/v1/notifications/settings"
# Each has its own limit: money, stock, a daily quest, a validated form, a session.
BOUND_OTHERWISE = {
    "DELETE /api/v1/users/{user_id}",
    "DELETE /api/v1/users/{user_id}/address",
    "POST /api/v1/chat-reports",
    "POST /api/v1/join-chat",
    "POST /api/v1/orders/{order_id}/cancel",
    "POST /api/v1/orders/{order_id}/proof",
    "POST /api/v1/payment/cancel-funding",
    "POST /api/v1/payment/prepare-wallet-funding",
    "POST /api/v1/products/checkout",
    "POST /api/v1/question/submit-trivia-question",
    "POST /api/v1/sessions/revoke-others",
    "POST /api/v1/sign-out",
    "POST /api/v1/users/subscription",
    "POST /api/v1/users/updatekyc",
    "PUT /api/v1/users/subscription/{user_id}/renewal",
}
NO_MEMBERS = ("/api/v1/admin/", "/api/v1/dev/")


def writes(app: RunningApp) -> dict[str, dict[str, Any]]:
    """Return the description of the members' writes that share the limit."""
    paths = app.asgi.openapi()["paths"]
    found = {
        f"{method.upper()} {path}": call
        for path, calls in paths.items()
        if path.startswith("/api/") and not path.startswith(NO_MEMBERS)
        for method, call in calls.items()
        if method in {"post", "put", "patch", "delete"}
    }
    assert set(found) >= BOUND_OTHERWISE
    return {call: found[call] for call in found.keys() - BOUND_OTHERWISE - OPEN_CALLS}


async def write(app: RunningApp, member: SignedIn, call: str) -> tuple[int, str]:
    """Send an empty call; return its status and ``Retry-After``."""
    method, path = call.split()
    path = re.sub(r"{\w+}", str(new_id()), path.replace("{user_id}", str(member.id)))
    answer = await app.client.request(method, path, headers=member.headers)
    return answer.status_code, answer.headers.get("Retry-After", "")


async def test_the_sixty_first_write_of_a_minute_waits_and_others_go_on(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    body = {"mail": {"money": True, "orders": True, "plans": True, "community": True}}
    for _ in range(59):
        saved = await member.client.put(SETTINGS, json=body, headers=member.headers)
        assert saved.status_code == 200
        assert (await member.get(SETTINGS)).status_code == 200
    last = await member.post("/api/v1/notifications/read-all")

    refused = await member.client.put(SETTINGS, json=body, headers=member.headers)
    others = await member.client.put(SETTINGS, json=body, headers=rival.headers)
    aged = await member.post("/api/v1/dev/points", {"source": "trivia", "points": 1})

    assert last.status_code == 200
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many_requests")
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    assert (await member.get(SETTINGS)).status_code == 200
    assert (others.status_code, aged.status_code) == (200, 200)


async def test_every_call_that_writes_is_counted_or_bound_otherwise(
    app: RunningApp, member: SignedIn
) -> None:
    limiter: RateLimiter = app.asgi.state.services.get(RateLimiter)
    for _ in range(MEMBER_WRITES.hits):
        await limiter.hit_member(MEMBER_WRITES, member.id)

    for call, described in writes(app).items():
        status, retry_after = await write(app, member, call)
        assert (call, status) == (call, 429)
        assert int(retry_after) > 0
        assert "429" in described["responses"], call
