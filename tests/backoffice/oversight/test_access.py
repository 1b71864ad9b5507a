"""Access: every route of the back office with every role, and without any."""

from typing import Any

import httpx
import pytest
from api.foundation.http.admin_calls import (
    Access,
    AdminRoute,
    UndeclaredRightError,
    admin_router,
    admin_routes,
    may_read,
)
from api.foundation.http.middleware import ADMIN
from api.foundation.security.rights import RIGHTS_OF, Right, Role, rights_of
from fastapi import Request

from tests.back_office import operator_client, operator_client_of
from tests.conftest import RunningApp, SignedIn

UNKNOWN = "00000000-0000-7000-8000-0000000000ff"
SIGN_IN = f"{ADMIN}/sign-in"
MALFORMED = b"{"


def calls(app: RunningApp) -> list[tuple[str, str, Access]]:
    """Return method, path and access of every route of the back office except sign-in."""
    found = []
    for route in admin_routes(list(app.asgi.router.routes)):
        if route.path == SIGN_IN:
            continue
        assert isinstance(route, AdminRoute), f"{route.path} is no AdminRoute"
        path = route.path.format(**dict.fromkeys(route.param_convertors, UNKNOWN))
        found += [(method, path, route.access) for method in sorted(route.methods or ())]
    return found


async def ask(app: RunningApp, method: str, path: str, token: str | None) -> httpx.Response:
    """Send a call whose body is not even JSON: reading it causes an error."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    if method == "GET":
        return await app.client.request(method, path, headers=headers)
    headers["Content-Type"] = "application/json"
    return await app.client.request(method, path, headers=headers, content=MALFORMED)


def without_id(answer: httpx.Response) -> tuple[int, dict[str, str], bytes]:
    """Return a response without its request id."""
    request_id = answer.headers["x-request-id"]
    headers = {name: value for name, value in answer.headers.items() if name != "x-request-id"}
    return answer.status_code, headers, answer.content.replace(request_id.encode(), b"")


async def test_every_call_declares_a_right_that_exists(app: RunningApp) -> None:
    found = calls(app)
    assert len(found) >= 13
    assert {access.right for _, _, access in found} <= {None, *Right}


def test_a_call_without_a_right_does_not_start() -> None:
    router = admin_router()

    async def forgotten() -> None:
        """A route that declares no right."""

    with pytest.raises(UndeclaredRightError):
        router.get(f"{ADMIN}/forgotten")(forgotten)


@pytest.mark.parametrize("role", list(Role))
async def test_a_role_gets_in_where_its_rights_say_and_nowhere_else(
    app: RunningApp, role: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_in: list[str] = []

    async def noting(access: Access, request: Request) -> None:
        await admit(access, request)
        let_in.append(request.url.path)

    admit = Access.admit
    monkeypatch.setattr(Access, "admit", noting)
    operator = await operator_client(app, "olu", role)
    for method, path, access in calls(app):
        let_in.clear()
        if path.endswith("/sign-out"):
            continue
        unknown = without_id(await ask(app, method, f"{ADMIN}/no-such-call", operator.token))
        answer = await ask(app, method, path, operator.token)
        if access.right is not None and access.right not in RIGHTS_OF[role]:
            assert without_id(answer) == unknown, (method, path)
            assert let_in == [], (method, path)
            continue
        # An admitted call that finds nothing gets the same response as an unknown route; seen here.
        assert let_in == [path], (method, path)
        assert answer.status_code != 401, (method, path)
        if method == "GET" and UNKNOWN not in path:
            assert answer.status_code == 200, (method, path)
        elif method != "GET" and reads_a_body(app, method, path):
            assert answer.status_code == 400, (method, path)


def reads_a_body(app: RunningApp, method: str, path: str) -> bool:
    """Return whether a route reads a body."""
    return any(
        route.body_field is not None
        for route in admin_routes(list(app.asgi.router.routes))
        if method in (route.methods or ())
        and route.path.format(**dict.fromkeys(route.param_convertors, UNKNOWN)) == path
    )


@pytest.mark.parametrize("whose", ["nobody", "a member", "an operator as a member", "nonsense"])
async def test_without_an_admin_token_every_call_is_the_route_that_does_not_exist(
    app: RunningApp, member: SignedIn, rival: SignedIn, whose: str
) -> None:
    await operator_client_of(app, rival, Role.OWNER)
    token = {
        "nobody": None,
        "a member": member.token,
        "an operator as a member": rival.token,
        "nonsense": "x.y.z",
    }[whose]
    for method, path, _ in calls(app):
        unknown = without_id(await ask(app, method, f"{ADMIN}/no-such-call", token))
        assert unknown[0] == 404
        assert without_id(await ask(app, method, path, token)) == unknown, (method, path)
        other = "PUT" if method != "PUT" else "DELETE"
        assert without_id(await ask(app, other, path, token))[0] == 404

    assert (await member.get(f"/api/v1/users/{member.id}")).status_code == 200
    assert (await rival.get(f"/api/v1/users/{rival.id}")).status_code == 200


async def test_a_body_is_not_read_before_the_right_is_held(
    app: RunningApp, member: SignedIn
) -> None:
    asked = []

    async def body() -> Any:
        asked.append(True)
        yield b'{"email": "x"}'

    answer = await app.client.post(
        f"{ADMIN}/operators",
        content=body(),
        headers=member.headers | {"Content-Type": "application/json"},
    )
    assert answer.status_code == 404
    assert asked == []


async def test_the_roles_are_as_they_were_agreed(app: RunningApp) -> None:
    assert rights_of([Role.OWNER]) == set(Right)
    assert RIGHTS_OF[Role.FINANCE] == {
        *("members:read", "money:read", "money:write", "adjust:propose", "refund:ask"),
        *("refund:send", "orders:confirm", "shop:read", "plans:write", "system:read"),
        "audit:read",
    }
    assert RIGHTS_OF[Role.SHOP] == {
        *("members:read", "shop:read", "shop:write", "orders:confirm", "refund:ask"),
        "audit:read",
    }
    assert RIGHTS_OF[Role.MODERATOR] == {
        *("members:read", "members:suspend", "chat:write", "audit:read"),
    }
    assert RIGHTS_OF[Role.EDITOR] == {"news:write", "games:read", "audit:read"}
    assert RIGHTS_OF[Role.GAME_MASTER] == {"games:read", "games:write", "audit:read"}
    assert may_read(None).dependency.right is None
