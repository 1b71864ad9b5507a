"""Authentication of members: verified tokens, cached for a short time.

A published change invalidates them immediately, so that a request need not query the database.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import TokenError
from api.foundation.security.events import SecurityEvent, SecurityLog
from api.foundation.security.members import IdentityChanged, Member, ReadSession, SessionRevoked
from api.foundation.security.tokens import ExpiredTokenError, TokenCodec

REMEMBERED_TOKENS = 20_000
REMEMBER_SECONDS = 30.0


@dataclass(eq=False)
class SessionReading:
    """A session row that is being read; ``is_stale`` if it may predate a change."""

    user_id: UUID
    session_id: UUID
    is_stale: bool = False


class Identity:
    """Resolves tokens to members, with a short-lived cache per token.

    Nothing is cached while changes are not received: every request then reads its session row.
    """

    def __init__(
        self, codec: TokenCodec, read_session: ReadSession, *, security: SecurityLog
    ) -> None:
        self._codec = codec
        self._read_session = read_session
        self._security = security
        self._remembered: OrderedDict[str, tuple[Member, float]] = OrderedDict()
        self._tokens_of: dict[UUID, set[str]] = {}  # by session id and by member id
        self._readings: set[SessionReading] = set()
        self._remembers = False

    def enable_cache(self) -> None:
        """Start caching, because changes are received from now on.

        Reads in progress may predate that and are not cached.
        """
        self._remembers = True
        self._read_again()

    def disable_cache(self) -> None:
        """Clear the cache and query the database each time until caching starts again."""
        self._remembers = False
        self._remembered.clear()
        self._tokens_of.clear()
        self._read_again()

    def _read_again(self) -> None:
        for reading in self._readings:
            reading.is_stale = True

    async def forget(self, event: SessionRevoked | IdentityChanged) -> None:
        """Invalidate a session, a member, or all members of a club."""
        if isinstance(event, IdentityChanged) and event.club_id is not None:
            self._forget_club(event)
            return
        if isinstance(event, SessionRevoked):
            whose: UUID | None = event.session_id
        else:
            whose = event.session_id or event.user_id
        for token in list(self._tokens_of.get(whose, ())) if whose else ():
            self._drop(token)
        for reading in self._readings:
            if whose in {reading.user_id, reading.session_id}:
                reading.is_stale = True

    def _forget_club(self, event: IdentityChanged) -> None:
        """Invalidate a club's members, and all reads in progress: their members are not known."""
        about = [token for token, found in self._remembered.items() if event.is_about(found[0])]
        for token in about:
            self._drop(token)
        self._read_again()

    async def member(self, token: str) -> Member:
        """Return the member that ``token`` authenticates.

        Raises:
            TokenError: the token or its session is no longer valid.
            DatabaseUnavailableError: the session could not be read.
        """
        found = self._remembered.get(token)
        if found is not None:
            member, until = found
            if asyncio.get_running_loop().time() < until and clock.now() < member.expires_at:
                return member
        reading = SessionReading(*self._read_token(token))
        self._readings.add(reading)
        try:
            member = await self._read_member(reading)
            while reading.is_stale:
                reading.is_stale = False
                member = await self._read_member(reading)
        finally:
            self._readings.discard(reading)
        if self._remembers:
            self._remember(token, member)
        return member

    def _read_token(self, token: str) -> tuple[UUID, UUID]:
        try:
            return self._codec.read(token)
        except TokenError as error:
            reason = "expired" if isinstance(error, ExpiredTokenError) else "not ours"
            self._security.record(SecurityEvent.TOKEN_REFUSED, reason=reason)
            raise

    async def _read_member(self, reading: SessionReading) -> Member:
        record = await self._read_session(reading.session_id)
        if record is None or record.user_id != reading.user_id or record.expires_at <= clock.now():
            self._security.record(
                SecurityEvent.TOKEN_REFUSED, user_id=reading.user_id, reason="session ended"
            )
            raise TokenError
        return Member(
            user_id=record.user_id,
            club_id=record.club_id,
            club_name=record.club_name,
            session_id=reading.session_id,
            expires_at=record.expires_at,
            security=self._security,
        )

    def _remember(self, token: str, member: Member) -> None:
        self._drop(token)
        self._remembered[token] = (member, asyncio.get_running_loop().time() + REMEMBER_SECONDS)
        for whose in (member.session_id, member.user_id):
            self._tokens_of.setdefault(whose, set()).add(token)
        if len(self._remembered) > REMEMBERED_TOKENS:
            self._drop(next(iter(self._remembered)))

    def _drop(self, token: str) -> None:
        found = self._remembered.pop(token, None)
        if found is None:
            return
        for whose in (found[0].session_id, found[0].user_id):
            tokens = self._tokens_of[whose]
            tokens.discard(token)
            if not tokens:
                del self._tokens_of[whose]
