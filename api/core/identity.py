"""Who is calling: tokens, and the sessions behind them.

python-jose is used here and nowhere else. A token proves who signed in; the session row it names
decides whether that still holds, and the account's row who that is now. Verified tokens are
remembered for a short while, and forgotten the moment a change is announced, so that a request need
not ask the database.
"""

import asyncio
import hmac
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, NoReturn
from uuid import UUID

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from jose import jwt
from jose.exceptions import ExpiredSignatureError

from api.core import clock
from api.core.errors import NotFoundError, TokenError, TokenMissingError
from api.core.events import DomainEvent
from api.core.ids import new_id, parse_id
from api.core.security import SecurityEvent, SecurityLog

ALGORITHM = "HS256"
ISSUER = "king-of-fans"
AUDIENCE = "fanclub-api"
TOKEN_LIFE = timedelta(days=7)
LONGEST_TOKEN = 4096
CLOCK_SKEW_SECONDS = 30
REMEMBERED_TOKENS = 20_000
REMEMBER_SECONDS = 30.0
SALT_BYTES = 16
ANOTHER_CLUB = "another club"  # why access was refused
REQUIRED_CLAIMS = {
    f"require_{claim}": True for claim in ("aud", "iat", "exp", "nbf", "iss", "sub", "jti")
}


@dataclass(frozen=True, slots=True)
class Member:
    """The signed-in person, as the database knows them."""

    user_id: UUID
    club_id: UUID
    club_name: str
    session_id: UUID
    is_operator: bool
    expires_at: datetime
    security: SecurityLog | None = field(default=None, compare=False, repr=False)

    def require_self(self, user_id: UUID | None) -> None:
        """Refuse another member's id as if it did not exist (contract B-4, B-8).

        Raises:
            NotFoundError: ``user_id`` is not this member's.
        """
        if user_id != self.user_id:
            self.refuse("another member")

    def require_club(self, club: str) -> None:
        """Refuse another club as if it did not exist (contract B-17).

        Raises:
            NotFoundError: ``club`` is neither the id nor the exact name of this member's.
        """
        if club != self.club_name and parse_id(club) != self.club_id:
            self.refuse(ANOTHER_CLUB)

    def require_operator(self) -> None:
        """Refuse plain members as if the call did not exist (contract B-4).

        Raises:
            NotFoundError: the member does not run the club.
        """
        if not self.is_operator:
            self.refuse("operators only")

    def refuse(self, reason: str) -> NoReturn:
        """Refuse what is not this member's as if it did not exist, and record it.

        Raises:
            NotFoundError: always.
        """
        if self.security is not None:
            self.security.record(SecurityEvent.ACCESS_REFUSED, user_id=self.user_id, reason=reason)
        raise NotFoundError


@dataclass(frozen=True)
class SessionRevoked(DomainEvent):
    """This worker has ended a session; ``IdentityChanged`` follows on every worker."""

    session_id: UUID


@dataclass(frozen=True)
class IdentityChanged(DomainEvent):
    """The database says that a member is no longer who they were, or that a session ended.

    Suspension, club, role and erasure change the member: ``session_id`` is None then. A club's new
    name changes all its members: only ``club_id`` is given then.
    """

    user_id: UUID | None = None
    session_id: UUID | None = None
    club_id: UUID | None = None

    @classmethod
    def read(cls, payload: str) -> "IdentityChanged":
        """Return what the database's announcement says."""
        said = {name: UUID(value) for name, value in json.loads(payload).items()}
        if "club" in said:
            return cls(club_id=said["club"])
        return cls(said["user"], said.get("session"))

    def is_about(self, member: Member) -> bool:
        """Say whether ``member`` is no longer to be trusted as they are."""
        if self.club_id is not None:
            return member.club_id == self.club_id
        return member.user_id == self.user_id and self.session_id in {None, member.session_id}


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """What the database says of a live session."""

    user_id: UUID
    club_id: UUID
    club_name: str
    is_operator: bool
    expires_at: datetime

    def describes(self, member: Member) -> bool:
        """Say whether ``member`` is still who the database says."""
        return (
            self.user_id == member.user_id
            and self.club_id == member.club_id
            and self.club_name == member.club_name
            and self.is_operator == member.is_operator
            and self.expires_at == member.expires_at
        )


ReadSession = Callable[[UUID], Awaitable[SessionRecord | None]]


class ExpiredTokenError(TokenError):
    """The token is ours and its time is over; it is told like any dead token."""


class TokenCodec:
    """Signs and checks tokens: HS256 with the claims of contract B-13."""

    def __init__(self, key: str) -> None:
        self._key = key

    def issue(self, user_id: UUID, session_id: UUID, issued_at: datetime) -> str:
        """Return a token that lives seven days."""
        moment = int(issued_at.timestamp())
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": str(user_id),
            "sid": str(session_id),
            "jti": str(new_id()),
            "iat": moment,
            "nbf": moment,
            "exp": moment + int(TOKEN_LIFE.total_seconds()),
        }
        token: str = jwt.encode(claims, self._key, algorithm=ALGORITHM)
        return token

    def read(self, token: str) -> tuple[UUID, UUID]:
        """Return the user and session that ``token`` names.

        Raises:
            ExpiredTokenError: it was one of ours.
            TokenError: it is not one of ours, or not valid now.
        """
        if len(token) > LONGEST_TOKEN:
            raise TokenError
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                self._key,
                algorithms=[ALGORITHM],
                audience=AUDIENCE,
                issuer=ISSUER,
                options=REQUIRED_CLAIMS,
            )
            user_id, session_id = UUID(claims["sub"]), UUID(claims["sid"])
        except ExpiredSignatureError as error:
            raise ExpiredTokenError from error
        except Exception as error:  # the library leaks RecursionError and others on hostile input
            raise TokenError from error
        issued_at, expires_at = claims["iat"], claims["exp"]
        if type(issued_at) is not int or type(expires_at) is not int:
            raise TokenError
        if issued_at > clock.now().timestamp() + CLOCK_SKEW_SECONDS:
            raise TokenError
        return user_id, session_id


@dataclass(eq=False)
class Reading:
    """A session row that is being read; ``is_stale`` when it may be from before a change."""

    user_id: UUID
    session_id: UUID
    is_stale: bool = False


class Identity:
    """Turns tokens into members, asking the database at most once in a while per token.

    Nothing is remembered while changes cannot be heard: every request then reads its session row.
    """

    def __init__(
        self, codec: TokenCodec, read_session: ReadSession, *, security: SecurityLog
    ) -> None:
        self._codec = codec
        self._read_session = read_session
        self._security = security
        self._remembered: OrderedDict[str, tuple[Member, float]] = OrderedDict()
        self._tokens_of: dict[UUID, set[str]] = {}  # by session, and by member
        self._readings: set[Reading] = set()
        self._remembers = False

    def start_remembering(self) -> None:
        """Trust remembered tokens from now on: changes are being heard.

        What is being read right now may have been read before they were.
        """
        self._remembers = True
        self._read_again()

    def stop_remembering(self) -> None:
        """Forget everything and ask the database each time, until told otherwise."""
        self._remembers = False
        self._remembered.clear()
        self._tokens_of.clear()
        self._read_again()

    def _read_again(self) -> None:
        for reading in self._readings:
            reading.is_stale = True

    async def forget(self, event: SessionRevoked | IdentityChanged) -> None:
        """Drop what is remembered of a session, of a member, or of a club's members."""
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
        """Drop what is remembered of a club's members; whose readings those are, nobody knows."""
        about = [token for token, found in self._remembered.items() if event.is_about(found[0])]
        for token in about:
            self._drop(token)
        self._read_again()

    async def member(self, token: str) -> Member:
        """Return the member that ``token`` speaks for.

        Raises:
            TokenError: the token or its session is dead.
            DatabaseUnavailableError: the session could not be read.
        """
        found = self._remembered.get(token)
        if found is not None:
            member, until = found
            if asyncio.get_running_loop().time() < until and clock.now() < member.expires_at:
                return member
        reading = Reading(*self._read_token(token))
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

    async def _read_member(self, reading: Reading) -> Member:
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
            is_operator=record.is_operator,
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


def keyed_digest(key: str, *parts: str) -> str:
    """Return the hex HMAC-SHA256 of ``parts``, for codes that must not be stored in clear."""
    return hmac.new(key.encode(), "\x1f".join(parts).encode(), "sha256").hexdigest()


def keyed_salt(key: str, *parts: str) -> bytes:
    """Return the salt of ``parts`` under ``key``: unlike any other, always the same."""
    return bytes.fromhex(keyed_digest(key, "salt", *parts))[:SALT_BYTES]


_bearer = HTTPBearer(auto_error=False, description="The access_token of a sign-in.")


async def _current_member(
    request: Request,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> Member:
    if credentials is None or not credentials.credentials:
        raise TokenMissingError
    identity: Identity = request.app.state.identity
    return await identity.member(credentials.credentials)


CurrentMember = Annotated[Member, Depends(_current_member)]
