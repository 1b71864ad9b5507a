"""Dependencies of routers: the caller, their address, and the services."""

import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Annotated, Protocol, TypeVar

from fastapi import Depends, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from api.foundation.core.config import Settings
from api.foundation.core.errors import (
    DatabaseUnavailableError,
    DomainError,
    TokenMissingError,
    TooManyRequestsError,
)
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority
from api.foundation.database.rate_limit import REFUSED_CALLS, Limit, RateLimiter
from api.foundation.http.request_log import USER_ID
from api.foundation.security.events import SecurityLog
from api.foundation.security.identity import Identity
from api.foundation.security.members import Member
from api.foundation.security.network import UNKNOWN, is_among
from api.foundation.wire.encoded import AnswerCache

MEMBER_WRITES = Limit("member-write", 60, timedelta(minutes=1))  # over all routes

ServiceT = TypeVar("ServiceT")


class Container(Protocol):
    """The services of one process, by type; ``api.app.services`` builds it."""

    def get(self, kind: type[ServiceT]) -> ServiceT:
        """Return the service of exactly this type."""


def container_of(request: Request) -> Container:
    """Return the services that serve a request."""
    container: Container = request.app.state.services
    return container


def provided(kind: type[ServiceT]) -> Callable[[Request], Awaitable[ServiceT]]:
    """Return a dependency on the process's service of ``kind``."""

    async def provide(request: Request) -> ServiceT:
        return container_of(request).get(kind)

    return provide


def may_watch(request: Request, settings: Settings) -> bool:
    """Return whether the caller may read metrics: in production by key or address."""
    if not settings.is_production or is_among(
        request.client.host if request.client else None, settings.metrics_addresses
    ):
        return True
    if settings.metrics_key is None:
        return False
    given = request.headers.get("authorization", "").encode()
    return hmac.compare_digest(given, b"Bearer " + settings.metrics_key.get_secret_value().encode())


async def _address(request: Request) -> str:
    """Return the caller's address; the server trusts only configured proxies."""
    return request.client.host if request.client else UNKNOWN


async def _boards(request: Request) -> Database:
    return container_of(request).get(Database).lane(Priority.BOARDS)


_bearer = HTTPBearer(auto_error=False, description="The access_token from a sign-in.")


async def _current_member(
    request: Request,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Member:
    if credentials is None or not credentials.credentials:
        raise TokenMissingError
    member = await container_of(request).get(Identity).member(credentials.credentials)
    request.scope[USER_ID] = member.user_id
    return member


CurrentMember = Annotated[Member, Depends(_current_member)]
SecurityDep = Annotated[SecurityLog, Depends(provided(SecurityLog))]
DatabaseDep = Annotated[Database, Depends(provided(Database))]
BoardsDep = Annotated[Database, Depends(_boards)]
SettingsDep = Annotated[Settings, Depends(provided(Settings))]
AnswersDep = Annotated[AnswerCache, Depends(provided(AnswerCache))]
LimiterDep = Annotated[RateLimiter, Depends(provided(RateLimiter))]
AddressDep = Annotated[str, Depends(_address)]


async def _writing_member(member: CurrentMember, limiter: LimiterDep) -> Member:
    """Return the member, unless they exceed the limit on writes."""
    await limiter.hit_member(MEMBER_WRITES, member.user_id)
    return member


WritingMember = Annotated[Member, Depends(_writing_member)]


def limit_refusals(limit: Limit) -> Callable[..., AsyncIterator[None]]:
    """Return a dependency that counts the refused calls of a network.

    Calls that succeed are neither counted nor refused, so neighbours behind one address cannot
    shut each other out. Above the limit a refusal becomes a 429.
    """

    async def count_refusals(limiter: LimiterDep, address: AddressDep) -> AsyncIterator[None]:
        try:
            yield
        except (DomainError, HTTPException, RequestValidationError) as error:
            if _is_refusal(error):
                seconds = await count_refusal(limiter, limit, address)
                if seconds is not None and not isinstance(error, TooManyRequestsError):
                    raise TooManyRequestsError(retry_after_seconds=seconds) from error
            raise

    return count_refusals


# Lookups without a token, by codes too long to be guessed.
limit_lookups = limit_refusals(REFUSED_CALLS)


async def count_refusal(limiter: RateLimiter, limit: Limit, address: str) -> int | None:
    """Count a refusal; return the seconds to wait above the limit, else None."""
    try:
        return await limiter.count(limit, address)
    except DatabaseUnavailableError:  # already logged, at most once a minute
        return None


def _is_refusal(error: Exception) -> bool:
    status = getattr(error, "status", getattr(error, "status_code", 422))
    return HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
