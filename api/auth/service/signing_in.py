"""Signing in."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from api.auth import repository, rules
from api.auth.errors import (
    NotActivatedError,
    SuspendedError,
    WrongCredentialsError,
)
from api.auth.repository import NewSession
from api.auth.schemas import SignInAnswer
from api.auth.service.codes import resend
from api.auth.service.context import AuthContext, Caller, is_caller_known, record
from api.auth.service.sessions import revoke
from api.core import clock
from api.core.errors import (
    NotFoundError,
    TokenError,
    TooManyRequestsError,
)
from api.core.ids import new_id
from api.database.rate_limit import FAILED_SIGN_INS, UNAUTHENTICATED
from api.database.sign_in_door import SignInDelayedError
from api.database.statements import Row
from api.security.events import SecurityEvent
from api.security.passwords import (
    LaneName,
)
from api.security.tokens import TOKEN_LIFE
from api.users import service as users


@dataclass(frozen=True)
class Judged:
    """A member, and the hash of theirs that a password was found to fit."""

    user: Row
    password_hash: str


class _OfSignUp(Exception):  # noqa: N818 it is what was found, not what failed
    """A password is that of a sign-up that waits for its code."""

    def __init__(self, attempt_id: UUID) -> None:
        self.attempt_id = attempt_id


async def sign_in(
    context: AuthContext, username: str, password: str, caller: Caller
) -> SignInAnswer:
    """Open a session and return its token; the browser's name tells the member's devices apart.

    An unknown e-mail costs the same time and gives the same answer as a wrong password. Only wrong
    passwords count against a network. Where there were too many, members who have come from it
    before may still sign in, and nobody else. What strangers try elsewhere keeps nobody out who
    comes from where they came from before: neither the guesses at their e-mail nor any queue.

    Raises:
        WrongCredentialsError: the two do not belong together.
        SignInDelayedError: too many wrong passwords for this account; at most a minute.
        TooManyRequestsError: too many wrong passwords from this network.
        NotActivatedError: a sign-up with this password waits for its code.
        PhoneTakenError: the sign-up is pending, and another member activated its phone.
        SuspendedError: operators have suspended the account.
    """
    calls_full_for, failures_full_for = await asyncio.gather(
        context.limiter.count(UNAUTHENTICATED, caller.address),
        context.limiter.count(FAILED_SIGN_INS, caller.address),
    )
    refused_for = failures_full_for or calls_full_for
    try:
        judged = await _judge(context, username, password, caller, refused_for)
    except _OfSignUp as found:
        await context.limiter.give_back(FAILED_SIGN_INS, caller.address)
        raise await _not_activated(context, found.attempt_id) from None
    except SignInDelayedError:
        record(context, SecurityEvent.SIGN_IN_LOCKED, caller, reason="account")
        raise
    except WrongCredentialsError:
        record(context, SecurityEvent.SIGN_IN_REFUSED, caller, reason="wrong credentials")
        if refused_for is not None:
            raise TooManyRequestsError(retry_after_seconds=refused_for) from None
        raise
    except Exception:  # whatever else it was, the password was not judged wrong
        await context.limiter.give_back(FAILED_SIGN_INS, caller.address)
        raise
    await context.limiter.give_back(FAILED_SIGN_INS, caller.address)
    user = judged.user
    _require_standing(context, user, caller)
    answer = await _open_session(context, judged, caller)
    await _end_held_session(context, caller.token)
    return answer


def _require_standing(context: AuthContext, user: Row, caller: Caller) -> None:
    if user["suspended_at"] is not None:
        record(
            context, SecurityEvent.SIGN_IN_REFUSED, caller, user_id=user["id"], reason="suspended"
        )
        raise SuspendedError


async def _end_held_session(context: AuthContext, token: str) -> None:
    """End the session that the browser held until now: nobody could end it any more."""
    try:
        _, session_id = context.codec.read(token)
    except TokenError:
        return
    async with context.database.transaction() as tx:
        await revoke(tx, session_id)


async def _judge(
    context: AuthContext, username: str, password: str, caller: Caller, refused_for: int | None
) -> Judged:
    """Return the member the password is of.

    ``refused_for`` is not None when the network has failed too often.

    Raises:
        _OfSignUp: it is the password of a sign-up that waits for its code.
        WrongCredentialsError: it is nobody's.
        SignInDelayedError: too many wrong ones for this account.
        TooManyRequestsError: too many wrong ones from this network.
    """
    user = await users.find_by_email(context.database, username)
    is_known = await is_caller_known(context, user, caller)
    if refused_for is not None and not is_known:
        raise TooManyRequestsError(retry_after_seconds=refused_for)
    turn = caller.turn(LaneName.RETURNING if is_known else LaneName.SIGN_IN)
    account = username if user is None else str(user["id"])
    async with context.door.attempt(account, caller.address, is_known=is_known):
        if user is not None:
            hashed = await repository.read_password_hash(context.database, user["id"])
            fits = await context.hasher.verify(password, hashed, turn)
            if hashed is None or not fits:
                raise WrongCredentialsError
            if context.hasher.is_outdated(hashed):
                renewed = await context.hasher.hash(password, turn)
                await repository.renew_hash(context.database, user["id"], hashed, renewed)
                hashed = renewed
            return Judged(user, hashed)
        attempts = await repository.list_attempts(
            context.database, context.address(username), clock.now(), rules.ATTEMPTS_PER_ADDRESS
        )
        hashes = [row["password_hash"] for row in attempts]
        place = await context.hasher.find(password, hashes, turn, salt=context.salt(username))
        if place is None:
            raise WrongCredentialsError
        raise _OfSignUp(attempts[place]["id"])


async def _not_activated(context: AuthContext, attempt_id: UUID) -> NotActivatedError:
    """Mail the sign-up's code if its e-mail may be sent one; return what to say."""
    try:
        seconds = await resend(context, attempt_id)
    except NotFoundError:  # it was activated a moment ago, by its own code or another's
        raise WrongCredentialsError from None
    content = {"id": str(attempt_id), "retryAfter": seconds}
    if seconds > 0:
        return NotActivatedError(NotActivatedError.message_without_code, content=content)
    return NotActivatedError(content=content)


async def _open_session(context: AuthContext, judged: Judged, caller: Caller) -> SignInAnswer:
    user, session_id, now = judged.user, new_id(), clock.now()
    session = NewSession(
        session_id,
        user["id"],
        TOKEN_LIFE,
        rules.describe_device(caller.user_agent),
        context.limiter.origin(caller.address),
        judged.password_hash,
        context.browser(caller),
    )
    if not await repository.open_session(context.database, session, now, rules.SESSIONS_PER_MEMBER):
        # The password was changed a moment ago, or they were suspended, or have left.
        known = await users.find_by_email(context.database, user["email"])
        if known is not None:
            _require_standing(context, known, caller)
        raise WrongCredentialsError
    record(context, SecurityEvent.SIGNED_IN, caller, user_id=user["id"], session_id=str(session_id))
    token = context.codec.issue(user["id"], session_id, now)
    return SignInAnswer(user=users.describe(user), access_token=token)
