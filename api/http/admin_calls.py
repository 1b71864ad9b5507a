"""Calls of the back office: each declares the right it wants, and is refused before it is read.

Without that right, without an admin token, or with another method, a call is the route that does
not exist (contract B-103).
"""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Depends, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.routing import Match
from starlette.types import Scope
from typing_extensions import override

from api.http.dependencies import container_of
from api.http.idempotency_header import IdempotencyKeyHeader
from api.http.middleware import ADMIN
from api.http.request_log import USER_ID
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.security.operators import AdminRequest, Operator, OperatorIdentity
from api.security.rights import Right

OPERATOR = "operator"  # where a scope holds who was let in

_bearer = HTTPBearer(
    auto_error=False, scheme_name="OperatorToken", description="The token of admin/sign-in."
)
BearerDoc: TypeAlias = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


class Access:
    """What a call wants of who calls: a right, a fresh code; and whether it counts as use."""

    def __init__(self, right: Right | None, *, fresh: bool, is_use: bool) -> None:
        self.right = right
        self.fresh = fresh
        self._is_use = is_use

    async def admit(self, request: Request) -> None:
        """Let an operator in, or refuse.

        Raises:
            NotFoundError: it is no operator with the right.
            TokenError: the admin session is over.
            FreshCodeNeededError: the last code was entered too long ago.
        """
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        operator = (
            await container_of(request)
            .get(OperatorIdentity)
            .operator(token if scheme.lower() == "bearer" else "", self.right, is_use=self._is_use)
        )
        if self.fresh:
            operator.require_fresh()
        request.scope[OPERATOR] = operator
        request.scope[USER_ID] = operator.user_id

    def admin(self, request: Request, key: str | None = None) -> AdminRequest:
        """Return who was let in, at this call."""
        operator: Operator = request.scope[OPERATOR]
        call = f"{request.method} {request.url.path}"
        return AdminRequest(operator, self.right, request.scope.get("request_id", ""), call, key)


class ReadAccess(Access):
    """Access to what only reads."""

    async def __call__(self, request: Request, _token: BearerDoc) -> AdminRequest:
        """Return who reads."""
        return self.admin(request)


class WriteAccess(Access):
    """Access to what writes, under an idempotency key when one is given."""

    async def __call__(
        self, request: Request, _token: BearerDoc, key: IdempotencyKeyHeader
    ) -> AdminRequest:
        """Return who writes."""
        return self.admin(request, key)


def may_read(right: Right | None, *, is_use: bool = True) -> Any:
    """Return the dependency on an ``Acting`` operator who holds ``right``; None is any operator."""
    return Depends(ReadAccess(right, fresh=False, is_use=is_use))


def may_write(right: Right | None, *, fresh: bool = False) -> Any:
    """Return the dependency as above, of a write; ``fresh`` wants a code entered a moment ago."""
    return Depends(WriteAccess(right, fresh=fresh, is_use=True))


class UndeclaredRightError(TypeError):
    """A call of the back office does not say what right it wants."""


class AdminRoute(StrictRoute):
    """A route that lets nobody in, and reads nothing, before its right is held."""

    @property
    def access(self) -> Access:
        """What the call wants of who calls.

        Raises:
            UndeclaredRightError: it says nothing, or several things.
        """
        calls: list[object] = [one.call for one in _all_of(self.dependant)]
        found = [call for call in calls if isinstance(call, Access)]
        if len(found) != 1:
            raise UndeclaredRightError(self.path)
        return found[0]

    @override
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match a call whole or not at all: 405 would say that there is something."""
        match, child = super().matches(scope)
        return (Match.NONE, {}) if match is Match.PARTIAL else (match, child)

    @override
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the strict handler behind the access."""
        handler, access = super().get_route_handler(), self.access

        async def guarded_handler(request: Request) -> Response:
            await access.admit(request)
            return await handler(request)

        return guarded_handler


def _all_of(dependant: Dependant) -> list[Dependant]:
    found = [dependant]
    for one in dependant.dependencies:
        found += _all_of(one)
    return found


def admin_router() -> APIRouter:
    """Return a router of calls of the back office."""
    return APIRouter(tags=["back office"], route_class=AdminRoute)


def documented_admin(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return OpenAPI responses for ``statuses`` and what any call of the back office can meet."""
    return documented(401, 404, *statuses)


def admin_routes(routes: list[Any]) -> list[APIRoute]:
    """Return those of ``routes`` that are calls of the back office."""
    return [one for one in routes if isinstance(one, APIRoute) and one.path.startswith(ADMIN)]
