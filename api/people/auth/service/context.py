"""The dependencies of signing up and in, and the caller."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.database.challenges import ChallengeGate
from api.foundation.database.database import Database
from api.foundation.database.rate_limit import RateLimiter
from api.foundation.database.sign_in_limits import KNOWN_NETWORK_TTL, SignInGate
from api.foundation.jobs.queue import JobQueue
from api.foundation.security.digests import keyed_digest, keyed_salt
from api.foundation.security.events import SecurityEvent, SecurityLog
from api.foundation.security.network import site_of
from api.foundation.security.passwords import (
    HashingTurn,
    LaneName,
    PasswordHasher,
)
from api.foundation.security.tokens import TokenCodec
from api.people.auth.enums import CodeChannel, CodePurpose
from api.people.auth.ports import Claims, DeliveryReports, Invitations
from api.people.auth.repository import passwords
from api.people.auth.repository.codes import Code
from api.people.users.repository import UserRecord

NO_USER_ID = UUID(int=0)


@dataclass(frozen=True)
class AuthContext:
    """The dependencies of signing up and in, created once per process."""

    database: Database
    hasher: PasswordHasher
    codec: TokenCodec
    code_key: str
    limiter: RateLimiter
    challenges: ChallengeGate
    security: SecurityLog
    queue: JobQueue
    session_idle: timedelta
    invitations: Invitations
    claims: Claims
    channels: tuple[CodeChannel, ...] = (CodeChannel.EMAIL,)
    reports: DeliveryReports | None = None
    sms_per_day: int = 0

    @property
    def gate(self) -> SignInGate:
        """The gate that limits sign-ins."""
        flooded = SecurityEvent.LIMIT_REACHED
        return SignInGate("sign-in", self.database, self.limiter, self.security, flooded=flooded)

    def digest(self, *parts: str) -> str:
        """Return the keyed digest of ``parts``, as stored in the database."""
        return keyed_digest(self.code_key, *parts)

    def code(self, subject_id: UUID, purpose: CodePurpose, digits: str) -> Code:
        """Return a code in its stored form, valid for one subject and purpose."""
        return Code(subject_id, purpose, self.digest(str(subject_id), purpose, digits))

    def address(self, email: str) -> str:
        """Return the stored digest of an email."""
        return self.digest("address", email)

    def number(self, phone: str) -> str:
        """Return the stored digest of a phone number."""
        return self.digest("number", phone)

    def salt(self, email: str) -> bytes:
        """Return the salt of all sign-ups with an email, so that one hash suffices."""
        return keyed_salt(self.code_key, "sign-up", email)

    def browser(self, caller: "Caller") -> str | None:
        """Return the digest of the caller's device id, or None without a cookie."""
        return self.digest("browser", caller.device) if caller.device else None

    def handle(self, email: str) -> UUID:
        """Return the handle of a password reset, whether the email has an account or not."""
        return UUID(hex=self.digest("reset", email)[:32], version=4)


@dataclass(frozen=True)
class Caller:
    """A client that signs up or in: its address, its browser, and any token it sent.

    ``device`` is the browser's id from the server's cookie; empty outside HTTP. ``solution`` is the
    one of a challenge, if it sent one.
    """

    address: str
    user_agent: str = ""
    token: str = ""
    device: str = ""
    solution: str = ""

    def turn(self, lane: LaneName) -> HashingTurn:
        """Return the caller's turn in the hashing queue; a site has one at a time."""
        return HashingTurn(lane, site_of(self.address))


def record(
    context: AuthContext,
    event: SecurityEvent,
    caller: Caller | None,
    *,
    user_id: UUID | None = None,
    **details: str,
) -> None:
    """Record a security event with the caller's address."""
    if caller is not None:
        details["origin"] = context.limiter.origin(caller.address)
    context.security.record(event, user_id=user_id, **details)


async def is_caller_known(context: AuthContext, user: UserRecord | None, caller: Caller) -> bool:
    """Return whether the member signed in from this network lately; same work without a member."""
    origin = context.limiter.origin(caller.address)
    user_id = NO_USER_ID if user is None else user.id
    since = clock.now() - KNOWN_NETWORK_TTL
    return await passwords.is_origin_known(context.database, user_id, origin, since)


def seconds_until(instant: datetime) -> int:
    """Return the whole seconds left, rounded up; 0 if past."""
    left = (instant - clock.now()).total_seconds()
    return int(left) + 1 if left > 0 else 0
