"""Operators as stored in the database, and their sessions.

Nothing is cached: an operator who is disabled is rejected at their next call.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NoReturn
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import (
    DatabaseUnavailableError,
    DomainError,
    NotFoundError,
    TokenError,
)
from api.foundation.security.events import SecurityEvent, SecurityLog
from api.foundation.security.members import SUSPENDED_AT
from api.foundation.security.rights import Right, Role, rights_of
from api.foundation.security.tokens import ExpiredTokenError, TokenCodec

# The only definition of an operator who can sign in, decide, and count as an owner or as active.
IS_WORKING = f"""o.disabled_at IS NULL AND o.totp_secret IS NOT NULL
   AND {SUSPENDED_AT} IS NULL AND u.erased_at IS NULL"""


class FreshCodeNeededError(DomainError):
    """The call requires a recently entered code (contract B-104)."""

    status = 409
    code = "fresh_code_needed"
    message = "Please enter a new code first."


@dataclass(frozen=True)
class AdminSessionLife:
    """Limits of a back-office session: idle time, lifetime, and how long a code is fresh."""

    idle: timedelta
    life: timedelta
    fresh: timedelta


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator. ``user_id`` is their member account."""

    id: UUID
    user_id: UUID
    name: str
    roles: tuple[Role, ...]
    session_id: UUID
    idle_ends_at: datetime
    ends_at: datetime
    fresh_until: datetime

    @property
    def rights(self) -> frozenset[Right]:
        """The rights of their roles."""
        return rights_of(self.roles)

    def holds(self, right: Right | None) -> bool:
        """Return whether they have a right; None is open to every operator."""
        return right is None or right in self.rights

    def require_fresh(self) -> None:
        """Require a recently entered code."""
        if clock.now() >= self.fresh_until:
            raise FreshCodeNeededError


@dataclass(frozen=True, slots=True)
class AdminRequest:
    """An operator's request: its right, request id and idempotency key.

    ``right`` is None if open to every operator. ``call`` is method and path.
    """

    operator: Operator
    right: Right | None
    request_id: str
    call: str
    key: str | None = None


ReadAdminSession = Callable[[UUID], Awaitable[Operator | None]]
NoteUse = Callable[[UUID], Awaitable[None]]


class OperatorIdentity:
    """Resolves admin tokens to operators, reading the database at every call."""

    def __init__(
        self,
        codec: TokenCodec,
        read_session: ReadAdminSession,
        record_use: NoteUse,
        *,
        security: SecurityLog,
    ) -> None:
        self._codec = codec
        self._read_session = read_session
        self._record_use = record_use
        self._security = security

    async def operator(self, token: str, right: Right | None, *, is_use: bool) -> Operator:
        """Return the operator that ``token`` authenticates, who must hold ``right``.

        ``is_use`` means that the call keeps the session from expiring unused.

        Raises:
            NotFoundError: it is no admin token, or the operator lacks the right.
            TokenError: the admin session is over.
        """
        try:
            user_id, session_id = self._codec.read(token)
        except ExpiredTokenError:
            raise TokenError from None
        except TokenError:
            self._refuse("operators only")
        found = await self._read_session(session_id)
        if found is None or found.user_id != user_id:
            self._security.record(
                SecurityEvent.TOKEN_REFUSED, user_id=user_id, reason="admin session ended"
            )
            raise TokenError
        if not found.holds(right):
            self._refuse(f"lacks {right}", user_id)
        if is_use:
            with suppress(DatabaseUnavailableError):  # a read-only database can still be used
                await self._record_use(session_id)
        return found

    def _refuse(self, reason: str, user_id: UUID | None = None) -> NoReturn:
        self._security.record(SecurityEvent.ACCESS_REFUSED, user_id=user_id, reason=reason)
        raise NotFoundError from None
