"""Wrong passwords are counted, and too many locked out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime

from api.auth import rules
from api.auth.errors import (
    WrongCredentialsError,
    WrongPasswordError,
)
from api.auth.service.context import AuthContext, Caller, record, seconds_until
from api.core import clock
from api.core.errors import (
    DatabaseUnavailableError,
    TooManyRequestsError,
)
from api.database.sign_in_guard import (
    Guard,
    admit_attempt,
    clear_guard,
    give_back_attempt,
)
from api.security.events import SecurityEvent

GUARD = Guard(
    memory=rules.ATTEMPT_MEMORY,
    free_attempts=rules.FREE_ATTEMPTS,
    first_delay=rules.FIRST_DELAY,
    longest_delay=rules.LONGEST_DELAY,
)


@asynccontextmanager
async def attempting(
    context: AuthContext, username: str, caller: Caller, *, is_known: bool
) -> AsyncIterator[None]:
    """Count a try at an e-mail's password, for the network and for all.

    Where the member has come from before only a wrong one counts for all, and what all have tried
    does not keep the right one out. A wrong one is answered as anybody's, after as much work:
    nobody is told where somebody signs in.
    """
    for_all = guard_of(context, username, None)
    try:
        async with guarded(context, guard_of(context, username, caller), caller):
            if is_known:
                yield
            else:
                async with guarded(context, for_all, caller):
                    yield
    except WrongCredentialsError:
        locked_until = None
        if is_known:
            locked_until = await admit_attempt(context.database, for_all, GUARD, clock.now())
        if locked_until is not None:
            raise _locked(context, caller, locked_until) from None
        raise


@asynccontextmanager
async def guarded(context: AuthContext, guard: str, caller: Caller | None) -> AsyncIterator[None]:
    """Count a try at a password under ``guard``; one that was not judged is given back.

    Only the right password of a member ends the count: anybody can sign up with an e-mail and
    enter what they chose themselves.

    Raises:
        TooManyRequestsError: the last wrong ones are too fresh.
    """
    locked_until = await admit_attempt(context.database, guard, GUARD, clock.now())
    if locked_until is not None:
        raise _locked(context, caller, locked_until)
    try:
        yield
        await clear_guard(context.database, guard)
    except (WrongCredentialsError, WrongPasswordError):
        raise
    except Exception:  # whatever else it was, the password was not judged wrong
        with suppress(DatabaseUnavailableError):
            await give_back_attempt(context.database, guard)
        raise


def guard_of(context: AuthContext, username: str, caller: Caller | None) -> str:
    """Return what wrong passwords for an e-mail are counted under: a caller's network, or all."""
    if caller is None:
        return context.digest("sign-in", username)
    return context.digest("sign-in", username, context.limiter.origin(caller.address))


def _locked(context: AuthContext, caller: Caller | None, until: datetime) -> TooManyRequestsError:
    record(context, SecurityEvent.SIGN_IN_LOCKED, caller, reason="account")
    return TooManyRequestsError(retry_after_seconds=seconds_until(until))
