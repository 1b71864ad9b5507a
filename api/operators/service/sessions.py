"""Signing in at the back office, and what keeps and ends a session there."""

import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from api.core import clock
from api.core.errors import DatabaseUnavailableError
from api.core.ids import new_id
from api.database.database import Database, Transaction
from api.database.sign_in_guard import admit_attempt, clear_guard, give_back_attempt
from api.database.statements import Row
from api.operators import repository, rules
from api.operators.errors import SignInDelayedError, WrongOneTimeCodeError, WrongSignInError
from api.operators.schemas import AdminSignInAnswer, AdminSignInInput, OperatorMe
from api.operators.service.context import OperatorContext
from api.security.events import SecurityEvent
from api.security.network import site_of
from api.security.one_time_codes import fitting_steps
from api.security.operators import AdminSessionLife, Operator
from api.security.passwords import HashingTurn, LaneName
from api.security.rights import Right, Role
from api.security.sealing import UnsealableError

NOBODY = UUID(int=0)


async def sign_in(
    context: OperatorContext, form: AdminSignInInput, address: str
) -> AdminSignInAnswer:
    """Open a session at the back office.

    Whatever is wrong, it costs the same time and gives the same answer; so it does for members who
    are no operators.

    Raises:
        WrongSignInError: email, password and code do not belong together.
        SignInDelayedError: too many were wrong for this account, from this network or from
            networks that the operator does not come from.
    """
    found = await repository.read_sign_in(context.database, form.email)
    origin = context.limiter.origin(address)
    try:
        async with _attempting(context, form.email, found, origin):
            operator, token = await _open(
                context, form, found, origin, HashingTurn(LaneName.SIGN_IN, site_of(address))
            )
    except WrongSignInError:
        context.security.record(SecurityEvent.SIGN_IN_REFUSED, reason="back office", origin=origin)
        raise
    context.security.record(
        SecurityEvent.SIGNED_IN,
        user_id=operator.user_id,
        session_id=str(operator.session_id),
        origin=origin,
        at="back office",
    )
    return AdminSignInAnswer(token=token, me=me(operator))


@dataclass(frozen=True)
class _Attempt:
    """An attempt that was counted; ``opens_at`` is when it would be due, None when it is."""

    account: str
    digest: str
    is_from_known: bool
    opens_at: datetime | None


@asynccontextmanager
async def _attempting(
    context: OperatorContext, email: str, found: Row | None, origin: str
) -> AsyncIterator[None]:
    """Count an attempt at an account from a network, and let only so many wrong ones through.

    What is wrong elsewhere delays no network that the operator comes from, and there the right
    password and code are never refused.

    Raises:
        SignInDelayedError: the next attempt from this network has to wait.
    """
    attempt = await _count(context, email, found, origin)
    try:
        yield
    except WrongSignInError:
        if attempt.opens_at is not None:
            raise _delayed(attempt.opens_at) from None
        raise
    except BaseException:
        await _give_back(context, attempt)
        raise
    await _give_back(context, attempt)
    await clear_guard(context.database, attempt.digest)


async def _count(context: OperatorContext, email: str, found: Row | None, origin: str) -> _Attempt:
    """Count an attempt before it is judged, so that a thousand at once are counted, too."""
    operator_id: UUID | None = None if found is None else found["id"]
    account = email if operator_id is None else str(operator_id)
    since = clock.now() - rules.NETWORK_IS_KNOWN_FOR
    is_known = await repository.is_network_known(
        context.database, operator_id or NOBODY, origin, since
    )
    guard, limit = rules.SIGN_IN_GUARD, rules.UNKNOWN_NETWORKS
    if not is_known and await context.limiter.is_account_over(limit, account):
        guard = replace(guard, free_attempts=0)
        context.security.record(SecurityEvent.OPERATOR_SIGN_IN_DELAYED, origin=origin)
    digest = context.limiter.digest("admin-sign-in", account, origin)
    opens_at = await admit_attempt(context.database, digest, guard, clock.now())
    attempt = _Attempt(account, digest, is_known, opens_at)
    if opens_at is not None and not is_known:
        await _give_back(context, attempt)
        raise _delayed(opens_at)
    return attempt


async def _give_back(context: OperatorContext, attempt: _Attempt) -> None:
    if not attempt.is_from_known:
        await context.limiter.give_back_account(rules.UNKNOWN_NETWORKS, attempt.account)
    if attempt.opens_at is None:
        with suppress(DatabaseUnavailableError):
            await give_back_attempt(context.database, attempt.digest)


def _delayed(opens_at: datetime) -> SignInDelayedError:
    seconds = math.ceil((opens_at - clock.now()).total_seconds())
    return SignInDelayedError(retry_after_seconds=max(1, seconds))


async def _open(
    context: OperatorContext,
    form: AdminSignInInput,
    found: Row | None,
    origin: str,
    turn: HashingTurn,
) -> tuple[Operator, str]:
    hashed = None if found is None else found["password_hash"]
    fits = await context.hasher.verify(form.password, hashed, turn)
    if found is None or hashed is None or not fits or not found["is_active"]:
        raise WrongSignInError
    sealed = found["totp_secret"]
    steps = _steps(context, found["id"], sealed, form.code)
    session_id, now = new_id(), clock.now()
    async with context.database.transaction() as tx:
        if not await repository.hold_credential(tx, found["user_id"], hashed):
            raise WrongSignInError  # it was changed a moment ago
        if not await _use_code(context, tx, found["id"], sealed, steps):
            raise WrongSignInError
        await repository.open_session(tx, session_id, found["id"], now)
        await repository.keep_network(tx, found["id"], origin, now)
    operator = await read_session(context.database, session_id, context.life)
    if operator is None:
        raise WrongSignInError
    return operator, context.codec.issue(found["user_id"], session_id, now)


def _steps(
    context: OperatorContext, operator_id: UUID, sealed: bytes | None, code: str
) -> list[int]:
    """Return the steps that a code may be of; none when it is wrong."""
    try:
        digits = rules.check_code(code)
        if sealed is None:
            return []
        secret: str = context.sealer.open(sealed, rules.totp_place(operator_id))
    except (ValueError, UnsealableError):
        return []
    return fitting_steps(secret, digits, clock.now())


async def _use_code(
    context: OperatorContext,
    tx: Transaction,
    operator_id: UUID,
    sealed: bytes | None,
    steps: Sequence[int],
) -> bool:
    """Use up the oldest step that is not used yet; False when there is none."""
    if sealed is None:
        return False
    again = context.allows_code_reuse
    for step in steps:
        if await repository.use_step(tx, operator_id, step, sealed, again=again):
            return True
    return False


async def refresh(context: OperatorContext, operator: Operator, code: str) -> OperatorMe:
    """Make a session fresh by a code.

    Raises:
        WrongOneTimeCodeError: it is not the phone's, or was used before.
        TooManyRequestsError: too many were wrong.
    """
    async with context.limiter.only_wrong(rules.WRONG_CODES, str(operator.id)):
        sealed = await repository.read_secret(context.database, operator.id)
        steps = _steps(context, operator.id, sealed, code)
        async with context.database.transaction() as tx:
            if not await _use_code(context, tx, operator.id, sealed, steps):
                raise WrongOneTimeCodeError
            await repository.change_code_at(tx, operator.session_id, clock.now())
    found = await read_session(context.database, operator.session_id, context.life)
    return me(found or operator)


async def sign_out(context: OperatorContext, operator: Operator) -> None:
    """End the session; its token is dead from now on."""
    await repository.end_session(context.database, operator.session_id, clock.now())
    context.security.record(
        SecurityEvent.SIGNED_OUT, user_id=operator.user_id, session_id=str(operator.session_id)
    )


async def end_sessions(tx: Transaction, user_id: UUID) -> None:
    """End all sessions at the back office of a member; most have none."""
    await repository.end_sessions_of_member(tx, user_id, clock.now())


async def read_session(
    database: Database, session_id: UUID, life: AdminSessionLife
) -> Operator | None:
    """Return the operator of a live session; None when it has ended or lay unused."""
    now = clock.now()
    row = await repository.read_session(
        database, session_id, used_since=now - life.idle, begun_since=now - life.life
    )
    if row is None:
        return None
    return Operator(
        id=row["id"],
        user_id=row["user_id"],
        name=row["name"],
        roles=tuple(Role(role) for role in row["roles"]),
        session_id=row["session_id"],
        idle_ends_at=row["last_used_at"] + life.idle,
        ends_at=row["created_at"] + life.life,
        fresh_until=row["code_at"] + life.fresh,
    )


async def note_use(database: Database, session_id: UUID) -> None:
    """Note that a session was used."""
    await repository.change_used(database, session_id, clock.now())


def me(operator: Operator) -> OperatorMe:
    """Return what operators are told of themselves."""
    return OperatorMe(
        id=operator.id,
        user_id=operator.user_id,
        name=operator.name,
        roles=list(operator.roles),
        rights=[right for right in Right if right in operator.rights],
        idle_ends_at=operator.idle_ends_at,
        ends_at=operator.ends_at,
        fresh_until=operator.fresh_until,
    )
