"""Who is calling: tokens, the sessions behind them, and password hashes.

python-jose and passlib are used here and nowhere else. A token proves who signed in; the session
row it names decides whether that still holds. Verified tokens are remembered for a short while,
and forgotten the moment a revocation is announced, so that a request need not ask the database.
"""

import asyncio
import hmac
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from jose import jwt
from passlib.context import CryptContext

from api.core import clock
from api.core.errors import NotFoundError, TokenError, TokenMissingError, UnavailableError
from api.core.events import DomainEvent
from api.core.ids import new_id

ALGORITHM = "HS256"
ISSUER = "king-of-fans"
AUDIENCE = "fanclub-api"
TOKEN_LIFE = timedelta(days=7)
LONGEST_TOKEN = 4096
CLOCK_SKEW_SECONDS = 30
REMEMBERED_TOKENS = 20_000
REMEMBER_SECONDS = 30.0
HASHING_THREADS = 2
HASHING_QUEUE = 32
HASHING_NICENESS = 10
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

    def require_self(self, user_id: object) -> None:
        """Refuse another member's id as if it did not exist (contract B-4, B-8).

        Raises:
            NotFoundError: ``user_id`` is not this member's.
        """
        if str(user_id) != str(self.user_id):
            raise NotFoundError

    def require_operator(self) -> None:
        """Refuse plain members as if the call did not exist (contract B-4).

        Raises:
            NotFoundError: the member does not run the club.
        """
        if not self.is_operator:
            raise NotFoundError


@dataclass(frozen=True)
class SessionRevoked(DomainEvent):
    """A session has ended; its token is dead and its sockets must close."""

    session_id: UUID


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """What the database says of a live session."""

    user_id: UUID
    club_id: UUID
    club_name: str
    is_operator: bool
    expires_at: datetime


ReadSession = Callable[[UUID], Awaitable[SessionRecord | None]]


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
        except Exception as error:  # the library leaks RecursionError and others on hostile input
            raise TokenError from error
        issued_at, expires_at = claims["iat"], claims["exp"]
        if type(issued_at) is not int or type(expires_at) is not int:
            raise TokenError
        if issued_at > clock.now().timestamp() + CLOCK_SKEW_SECONDS:
            raise TokenError
        return user_id, session_id


class Identity:
    """Turns tokens into members, asking the database at most once in a while per token.

    ``remembers`` is switched off while revocations cannot be heard: every request then reads its
    session row.
    """

    def __init__(self, codec: TokenCodec, read_session: ReadSession) -> None:
        self._codec = codec
        self._read_session = read_session
        self._remembered: OrderedDict[str, tuple[Member, float]] = OrderedDict()
        self._tokens_of: dict[UUID, set[str]] = {}
        self._generation = 0
        self._remembers = False

    def start_remembering(self) -> None:
        """Trust remembered tokens from now on: revocations are being heard."""
        self._remembers = True

    def stop_remembering(self) -> None:
        """Forget everything and ask the database each time, until told otherwise."""
        self._remembers = False
        self._generation += 1
        self._remembered.clear()
        self._tokens_of.clear()

    async def forget(self, event: SessionRevoked) -> None:
        """Drop what is remembered of a revoked session."""
        self._generation += 1
        for token in self._tokens_of.pop(event.session_id, ()):
            self._remembered.pop(token, None)

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
        return await self._read_member(token)

    async def _read_member(self, token: str) -> Member:
        user_id, session_id = self._codec.read(token)
        generation = self._generation
        record = await self._read_session(session_id)
        if record is None or record.user_id != user_id or record.expires_at <= clock.now():
            raise TokenError
        member = Member(
            user_id=user_id,
            club_id=record.club_id,
            club_name=record.club_name,
            session_id=session_id,
            is_operator=record.is_operator,
            expires_at=record.expires_at,
        )
        if self._remembers and generation == self._generation:
            self._remember(token, member)
        return member

    def _remember(self, token: str, member: Member) -> None:
        until = asyncio.get_running_loop().time() + REMEMBER_SECONDS
        self._remembered[token] = (member, until)
        self._remembered.move_to_end(token)
        self._tokens_of.setdefault(member.session_id, set()).add(token)
        if len(self._remembered) > REMEMBERED_TOKENS:
            oldest, (forgotten, _) = self._remembered.popitem(last=False)
            tokens = self._tokens_of.get(forgotten.session_id)
            if tokens is not None:
                tokens.discard(oldest)
                if not tokens:
                    del self._tokens_of[forgotten.session_id]


class PasswordHasher:
    """Argon2id (19 MiB, 2 passes, 1 lane) on threads of its own, so that reads stay quick."""

    def __init__(self, *, memory_kib: int = 19_456) -> None:
        self._context = CryptContext(
            schemes=["argon2"],
            argon2__type="ID",
            argon2__memory_cost=memory_kib,
            argon2__time_cost=2,
            argon2__parallelism=1,
        )
        self._threads = ThreadPoolExecutor(
            HASHING_THREADS, thread_name_prefix="password", initializer=give_way
        )
        self._waiting = 0
        self._dummy_hash: str = self._context.hash("nobody has this password")

    async def hash(self, password: str) -> str:
        """Return the encoded hash of ``password``.

        Raises:
            UnavailableError: too many people are waiting.
        """
        hashed: str = await self._run(self._context.hash, password)
        return hashed

    async def verify(self, password: str, hashed: str | None) -> bool:
        """Say whether ``password`` fits; None costs the same time and never fits.

        Raises:
            UnavailableError: too many people are waiting.
        """
        fits = await self._run(self._context.verify, password, hashed or self._dummy_hash)
        return bool(fits) and hashed is not None

    async def _run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        if self._waiting >= HASHING_QUEUE:
            raise UnavailableError(retry_after_seconds=5)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, work, *arguments)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def give_way() -> None:
    """Let the scheduler prefer everything else to this thread; Linux keeps niceness by thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), HASHING_NICENESS)


def keyed_digest(key: str, *parts: str) -> str:
    """Return the hex HMAC-SHA256 of ``parts``, for codes that must not be stored in clear."""
    return hmac.new(key.encode(), "\x1f".join(parts).encode(), "sha256").hexdigest()


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
