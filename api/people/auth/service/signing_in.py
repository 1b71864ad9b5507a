"""Signing in."""

from dataclasses import dataclass
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import (
    NotFoundError,
    TokenError,
)
from api.foundation.core.ids import new_id
from api.foundation.database.rate_limit import FAILED_SIGN_INS
from api.foundation.database.sign_in_limits import SignInDelayedError
from api.foundation.security.events import SecurityEvent
from api.foundation.security.passwords import (
    LaneName,
)
from api.foundation.security.tokens import TOKEN_LIFE
from api.people.auth import rules
from api.people.auth.errors import (
    NotActivatedError,
    SuspendedError,
    WrongCredentialsError,
)
from api.people.auth.repository import passwords, sessions, sign_ups
from api.people.auth.repository.sessions import NewSession
from api.people.auth.schemas import SignInAnswer
from api.people.auth.service.codes import resend
from api.people.auth.service.context import AuthContext, Caller, is_caller_known, record
from api.people.auth.service.sessions import revoke
from api.people.users.repository import UserRecord
from api.people.users.service import account as users_account


@dataclass(frozen=True)
class VerifiedMember:
    """A member, and the hash the password was verified against."""

    user: UserRecord
    password_hash: str


class _PendingSignUp(Exception):  # noqa: N818 not an error
    """The password is that of a pending sign-up."""

    def __init__(self, attempt_id: UUID) -> None:
        self.attempt_id = attempt_id


async def sign_in(
    context: AuthContext, username: str, password: str, caller: Caller
) -> SignInAnswer:
    """Open a session and return its token; the browser's name identifies the device.

    An unknown email costs the same time and gets the same response as a wrong password. Only
    failures count against a network. After too many of them, members who have signed in from it
    before still sign in with the right password alone; everybody else solves a challenge first.
    Guesses from other networks, and queues filled by them, never keep out a member on a known
    network.

    Raises:
        SignInDelayedError: too many wrong passwords for this account; at most a minute.
        ChallengeRequiredError: too many sign-ins failed on this network.
        NotActivatedError: a pending sign-up has this password.
        PhoneTakenError: the sign-up is pending, and another member activated its phone.
    """
    challenges = context.challenges
    async with challenges.failures(FAILED_SIGN_INS, caller.address, caller.solution) as is_open:
        try:
            verified = await _authenticate(context, username, password, caller, is_open=is_open)
        except _PendingSignUp as found:
            raise await _not_activated(context, found.attempt_id) from None
        except SignInDelayedError:
            record(context, SecurityEvent.SIGN_IN_LOCKED, caller, reason="account")
            raise
        except WrongCredentialsError:
            record(context, SecurityEvent.SIGN_IN_REFUSED, caller, reason="wrong credentials")
            if not is_open:
                raise await challenges.refusal(FAILED_SIGN_INS, caller.address) from None
            raise
    user = verified.user
    _require_not_suspended(context, user, caller)
    answer = await _open_session(context, verified, caller)
    await _end_held_session(context, caller.token)
    return answer


def _require_not_suspended(context: AuthContext, user: UserRecord, caller: Caller) -> None:
    if user.suspended_at is not None:
        record(context, SecurityEvent.SIGN_IN_REFUSED, caller, user_id=user.id, reason="suspended")
        raise SuspendedError


async def _end_held_session(context: AuthContext, token: str) -> None:
    """End the browser's previous session, which the browser could not end any more."""
    try:
        _, session_id = context.codec.read(token)
    except TokenError:
        return
    async with context.database.transaction() as tx:
        await revoke(tx, session_id)


async def _authenticate(
    context: AuthContext, username: str, password: str, caller: Caller, *, is_open: bool
) -> VerifiedMember:
    """Return the member with this email and password.

    ``is_open`` is False if the network has failed too often and no challenge was solved.

    Raises:
        ChallengeRequiredError: not open, and the member is not known on this network.
        _PendingSignUp: it is the password of a pending sign-up.
    """
    user = await users_account.find_by_email(context.database, username)
    is_known = await is_caller_known(context, user, caller)
    if not is_open and not is_known:
        raise await context.challenges.refusal(FAILED_SIGN_INS, caller.address)
    turn = caller.turn(LaneName.RETURNING if is_known else LaneName.SIGN_IN)
    account = username if user is None else str(user.id)
    async with context.gate.attempt(account, caller.address, is_known=is_known):
        if user is not None:
            hashed = await passwords.read_password_hash(context.database, user.id)
            fits = await context.hasher.verify(password, hashed, turn)
            if hashed is None or not fits:
                raise WrongCredentialsError
            if context.hasher.is_outdated(hashed):
                renewed = await context.hasher.hash(password, turn)
                await passwords.renew_hash(context.database, user.id, hashed, renewed)
                hashed = renewed
            return VerifiedMember(user, hashed)
        attempts = await sign_ups.list_attempts(
            context.database, context.address(username), clock.now(), rules.ATTEMPTS_PER_ADDRESS
        )
        hashes = [row.password_hash for row in attempts]
        place = await context.hasher.find(password, hashes, turn, salt=context.salt(username))
        if place is None:
            raise WrongCredentialsError
        raise _PendingSignUp(attempts[place].id)


async def _not_activated(context: AuthContext, attempt_id: UUID) -> NotActivatedError:
    """Mail the sign-up's code if its email may be sent one; return the error to raise."""
    try:
        seconds = await resend(context, attempt_id)
    except NotFoundError:  # just activated, with its own code or another's
        raise WrongCredentialsError from None
    content = {"id": str(attempt_id), "retryAfter": seconds}
    if seconds > 0:
        return NotActivatedError(NotActivatedError.message_without_code, content=content)
    return NotActivatedError(content=content)


async def _open_session(
    context: AuthContext, verified: VerifiedMember, caller: Caller
) -> SignInAnswer:
    user, session_id, now = verified.user, new_id(), clock.now()
    session = NewSession(
        session_id,
        user.id,
        TOKEN_LIFE,
        rules.describe_device(caller.user_agent),
        context.limiter.origin(caller.address),
        verified.password_hash,
        context.browser(caller),
    )
    if not await sessions.open_session(context.database, session, now, rules.SESSIONS_PER_MEMBER):
        # Meanwhile the password was changed, or the account suspended or deleted.
        known = await users_account.find_by_email(context.database, user.email)
        if known is not None:
            _require_not_suspended(context, known, caller)
        raise WrongCredentialsError
    record(context, SecurityEvent.SIGNED_IN, caller, user_id=user.id, session_id=str(session_id))
    token = context.codec.issue(user.id, session_id, now)
    return SignInAnswer(user=users_account.describe(user), access_token=token)
