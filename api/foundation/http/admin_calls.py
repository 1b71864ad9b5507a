"""Routes of the back office: each declares its right, which is checked before the request is read.

Without that right or an admin token, or with another method, a call gets the same response as an
unknown route (contract B-103).
"""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeAlias, cast

from fastapi import APIRouter, Depends, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.routing import Match
from starlette.types import Scope
from typing_extensions import override

from api.foundation.http.dependencies import container_of
from api.foundation.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.foundation.http.middleware import ADMIN
from api.foundation.http.request_log import USER_ID
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security.operators import AdminRequest, Operator, OperatorIdentity
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import (
    Envelope,
)

OPERATOR = "operator"  # the scope's key of the authenticated operator

_bearer = HTTPBearer(
    auto_error=False, scheme_name="OperatorToken", description="The token from admin/sign-in."
)
BearerDoc: TypeAlias = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


class Access:
    """Requirements of a route: a right, a fresh code; and whether it counts as use."""

    def __init__(self, right: Right | None, *, fresh: bool, is_use: bool) -> None:
        self.right = right
        self.fresh = fresh
        self._is_use = is_use

    async def admit(self, request: Request) -> None:
        """Authenticate the operator and store it in the scope.

        Raises:
            NotFoundError: the caller is no operator with the right.
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
        """Return the authenticated operator's request."""
        operator: Operator = request.scope[OPERATOR]
        call = f"{request.method} {request.url.path}"
        return AdminRequest(operator, self.right, request.scope.get("request_id", ""), call, key)


class ReadAccess(Access):
    """Access to a route that only reads."""

    async def __call__(self, request: Request, _token: BearerDoc) -> AdminRequest:
        """Return the request of a read."""
        return self.admin(request)


class WriteAccess(Access):
    """Access to a route that writes, with an optional idempotency key."""

    async def __call__(
        self, request: Request, _token: BearerDoc, key: IdempotencyKeyHeader
    ) -> AdminRequest:
        """Return the request of a write."""
        return self.admin(request, key)


def may_read(right: Right | None, *, is_use: bool = True) -> Any:
    """Return a dependency for an operator who holds ``right``; None means any operator."""
    return Depends(ReadAccess(right, fresh=False, is_use=is_use))


def may_write(right: Right | None, *, fresh: bool = False) -> Any:
    """Return the dependency of a write; ``fresh`` requires a recently entered code."""
    return Depends(WriteAccess(right, fresh=fresh, is_use=True))


class UndeclaredRightError(TypeError):
    """A route of the back office does not declare its right."""


class AdminRoute(StrictRoute):
    """A route that reads nothing of a request before its right is checked."""

    @property
    def access(self) -> Access:
        """The route's requirements.

        Raises:
            UndeclaredRightError: none are declared, or several.
        """
        calls: list[object] = [one.call for one in _all_of(self.dependant)]
        found = [call for call in calls if isinstance(call, Access)]
        if len(found) != 1:
            raise UndeclaredRightError(self.path)
        return found[0]

    @override
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match method and path together: a 405 would reveal that the path exists."""
        match, child = super().matches(scope)
        return (Match.NONE, {}) if match is Match.PARTIAL else (match, child)

    @override
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the strict handler, preceded by the access check."""
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
    """Return a router for routes of the back office."""
    return APIRouter(tags=["back office"], route_class=AdminRoute)


def documented_admin(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return OpenAPI responses for ``statuses`` and those common to back-office routes."""
    return documented(401, 404, *statuses)


def admin_routes(routes: list[Any]) -> list[APIRoute]:
    """Return those of ``routes`` that belong to the back office."""
    return [one for one in routes if isinstance(one, APIRoute) and one.path.startswith(ADMIN)]


def to_response(done: AdminResult) -> Envelope[Any]:
    """Return the response of ``done``; the route's annotation is only for the description."""
    content = {"status": done.status, "message": done.message, "data": done.data}
    headers = {REPLAYED_HEADER: "true"} if done.is_replayed else None
    response = JSONResponse(content, status_code=done.status, headers=headers)
    return cast("Envelope[Any]", response)  # sent unchanged by the framework
