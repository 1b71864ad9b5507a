"""Passwords: re-entered by signed-in members, forgotten, and reset."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError, TooManyRequestsError
from api.foundation.database.rate_limit import Limit
from api.foundation.database.sign_in_guard import Guard, guarded
from api.foundation.security.events import SecurityEvent
from api.foundation.security.members import Member
from api.foundation.security.passwords import (
    EASY_TO_GUESS,
    HashingTurn,
    LaneName,
    is_easy_to_guess,
)
from api.people.auth import rules
from api.people.auth.enums import CodePurpose
from api.people.auth.errors import (
    WrongCodeError,
    WrongPasswordError,
)
from api.people.auth.repository import codes, passwords, sign_ups
from api.people.auth.repository.codes import CodeRequest
from api.people.auth.service.codes import (
    code_too_soon,
    issue_code,
    record_code_refused,
    record_code_sent,
)
from api.people.auth.service.context import AuthContext, Caller, is_caller_known, record
from api.people.auth.service.sessions import revoke_all
from api.people.clubs.service import queries as clubs_queries
from api.people.users.service import account as users_account

GUARD = Guard(
    memory=rules.ATTEMPT_MEMORY,
    free_attempts=rules.FREE_ATTEMPTS,
    first_delay=rules.FIRST_DELAY,
    max_delay=rules.MAX_DELAY,
)


async def check_password(context: AuthContext, member: Member, password: str) -> None:
    """Verify the member's re-entered password; ten wrong ones in ten minutes are allowed.

    Raises:
        TooManyRequestsError: too many wrong ones.
    """
    user = await users_account.find(context.database, member.user_id)
    if user is None:
        raise NotFoundError
    digest = context.digest("password", str(member.user_id))
    try:
        async with guarded(context.database, digest, GUARD):
            hashed = await passwords.read_password_hash(context.database, member.user_id)
            turn = HashingTurn(LaneName.CONFIRM, str(member.user_id))
            if not await context.hasher.verify(password, hashed, turn):
                context.security.record(
                    SecurityEvent.SIGN_IN_REFUSED, user_id=member.user_id, reason="wrong password"
                )
                raise WrongPasswordError
    except TooManyRequestsError:
        record(context, SecurityEvent.SIGN_IN_LOCKED, None, reason="account")
        raise


@asynccontextmanager
async def admitted_reset(context: AuthContext, email: str, caller: Caller) -> AsyncIterator[None]:
    """Count a request for a reset code; undone if the block raises.

    An email is counted per network, and all networks share one count, so that many of them can
    neither flood a mailbox nor guess on. Only where the member signed in lately has no part in it:
    strangers cannot use up the codes there, and only there can one learn, once the shared count is
    used up, that the email has an account.

    Raises:
        CodeTooSoonError: a code was just requested, or too many today.
    """
    here = f"{email} {context.limiter.origin(caller.address)}"
    limits = [(rules.RESET_PAUSE, here), (rules.RESETS_PER_NETWORK, here)]
    user = await users_account.find_by_email(context.database, email)
    if not await is_caller_known(context, user, caller):
        limits.append((rules.RESETS_PER_EMAIL, email))
    async with AsyncExitStack() as stack:
        for limit, account in limits:
            await stack.enter_async_context(_counted(context, limit, account, caller))
        yield


@asynccontextmanager
async def _counted(
    context: AuthContext, limit: Limit, account: str, caller: Caller
) -> AsyncIterator[None]:
    seconds = await context.limiter.count_account(limit, account)
    if seconds is not None:
        record(context, SecurityEvent.LIMIT_REACHED, caller, limit=limit.name)
        raise code_too_soon(seconds)
    try:
        yield
    except BaseException:
        await context.limiter.give_back_account(limit, account)
        raise


async def send_reset_code(context: AuthContext, email: str, caller: Caller) -> None:
    """Mail a reset code if a member has the email.

    Called after the response was sent, so that neither its content nor its timing reveals anything.
    """
    user = await users_account.find_by_email(context.database, email)
    is_known = await is_caller_known(context, user, caller)
    if user is None:
        return
    request = CodeRequest(context.address(email), CodePurpose.PASSWORD_RESET, is_known)
    async with context.database.transaction() as tx:
        await sign_ups.lock_address(tx, request.address)
        await issue_code(context, tx, request, user, subject_id=context.handle(email))
    record_code_sent(context, user.id, request.purpose)


async def reset_password(
    context: AuthContext, handle: UUID, code: str, password: str, caller: Caller
) -> None:
    """Change the password with a mailed code, and end every session.

    The password is hashed only after the code was checked. A right code stays valid if the password
    is refused or cannot be hashed now.

    Raises:
        InvalidFieldError: the password is easy to guess.
        WrongCodeError: the code is wrong, expired, used or void.
        UnavailableError: too many passwords wait to be hashed.
    """
    entered = context.code(handle, CodePurpose.PASSWORD_RESET, code)
    origin, tries = context.limiter.origin(caller.address), rules.TRIES_PER_CODE
    found = await codes.peek_code(context.database, entered, origin, clock.now(), tries)
    if found is None:
        record_code_refused(context, entered, caller)
        raise WrongCodeError
    if found.user_id is None:
        raise WrongCodeError
    user = await users_account.find(context.database, found.user_id)
    if user is None:
        raise WrongCodeError
    words = (user.first_name, user.last_name, user.email, user.phone)
    await require_hard_password(context, password, *words)
    password_hash = await context.hasher.hash(password, caller.turn(LaneName.RECOVERY))
    now = clock.now()
    async with context.database.transaction() as tx:
        # Lock the member's record first, in the same order as account deletion, to prevent
        # deadlocks.
        if not await users_account.hold(tx, user.id):
            raise WrongCodeError
        if await codes.use_code(tx, entered, origin, now, tries) is None:
            raise WrongCodeError
        await passwords.change_password(tx, user.id, password_hash, now)
        await revoke_all(tx, user.id)
        await codes.end_codes(tx, entered, now)
        # The code proves access to the mailbox: the email is the member's, and the network counts
        # as known from now on.
        await users_account.prove_email(tx, user.id)
        await passwords.store_origin(tx, user.id, origin, now)
    record(context, SecurityEvent.PASSWORD_CHANGED, caller, user_id=user.id)


async def require_hard_password(context: AuthContext, password: str, *words: str) -> None:
    """Reject a password that is easy to guess.

    Raises:
        InvalidFieldError: it is common, or close to one of ``words`` or a club's name.
    """
    club_names = [club.name for club in await clubs_queries.list_clubs(context.database)]
    # A phone may be written without its country code.
    phones = [word.removeprefix("+234") for word in words if word.startswith("+234")]
    if is_easy_to_guess(password, (*words, *phones, *club_names)):
        raise InvalidFieldError.of("password", EASY_TO_GUESS)
