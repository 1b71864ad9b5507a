"""Sign-in and sessions in the back office."""

from collections.abc import Sequence
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.sign_in_limits import KNOWN_NETWORK_TTL
from api.foundation.security.events import SecurityEvent
from api.foundation.security.network import site_of
from api.foundation.security.one_time_codes import fitting_steps
from api.foundation.security.operators import AdminSessionLife, Operator
from api.foundation.security.passwords import HashingTurn, LaneName
from api.foundation.security.rights import Right, Role
from api.foundation.security.sealing import UnsealableError
from api.people.operators import rules
from api.people.operators.errors import WrongOneTimeCodeError, WrongSignInError
from api.people.operators.repository import sessions
from api.people.operators.repository.sessions import OperatorSignIn
from api.people.operators.schemas import (
    AdminSignInAnswer,
    AdminSignInInput,
    OperatorMe,
)
from api.people.operators.service.context import OperatorContext

NO_OPERATOR_ID = UUID(int=0)


async def sign_in(
    context: OperatorContext, form: AdminSignInInput, address: str
) -> AdminSignInAnswer:
    """Open a session in the back office.

    Every failure takes the same time and gets the same response, also for members who are not
    operators.

    Raises:
        WrongSignInError: email, password and code do not belong together.
        SignInDelayedError: too many failures for this account from this network, or from unknown
            networks.
    """
    found = await sessions.read_sign_in(context.database, form.email)
    origin = context.limiter.origin(address)
    try:
        account = form.email if found is None else str(found.user_id)
        is_known = await sessions.is_network_known(
            context.database,
            NO_OPERATOR_ID if found is None or found.id is None else found.id,
            origin,
            clock.now() - KNOWN_NETWORK_TTL,
        )
        async with context.sign_in_gate.attempt(account, address, is_known=is_known):
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


async def _open(
    context: OperatorContext,
    form: AdminSignInInput,
    found: OperatorSignIn | None,
    origin: str,
    turn: HashingTurn,
) -> tuple[Operator, str]:
    hashed = None if found is None else found.password_hash
    fits = await context.hasher.verify(form.password, hashed, turn)
    if found is None or found.id is None or hashed is None or not fits or not found.is_active:
        raise WrongSignInError
    sealed = found.totp_secret
    steps = _steps(context, found.id, sealed, form.code)
    session_id, now = new_id(), clock.now()
    async with context.database.transaction() as tx:
        if not await sessions.lock_credential(tx, found.user_id, hashed):
            raise WrongSignInError  # changed concurrently
        if not await _use_code(context, tx, found.id, sealed, steps):
            raise WrongSignInError
        await sessions.open_session(tx, session_id, found.id, now)
        await sessions.store_network(tx, found.id, origin, now)
    operator = await read_session(context.database, session_id, context.life)
    if operator is None:
        raise WrongSignInError
    return operator, context.codec.issue(found.user_id, session_id, now)


def _steps(
    context: OperatorContext, operator_id: UUID, sealed: bytes | None, code: str
) -> list[int]:
    """Return the steps that match a code; none if it is wrong."""
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
    """Use up the oldest unused step; return False if there is none."""
    if sealed is None:
        return False
    again = context.allows_code_reuse
    for step in steps:
        if await sessions.use_step(tx, operator_id, step, sealed, again=again):
            return True
    return False


async def refresh(context: OperatorContext, operator: Operator, code: str) -> OperatorMe:
    """Refresh a session with a code.

    Raises:
        WrongOneTimeCodeError: the code is wrong or was used before.
        TooManyRequestsError: too many failures.
    """
    async with context.limiter.only_wrong(rules.WRONG_CODES, str(operator.id)):
        sealed = await sessions.read_secret(context.database, operator.id)
        steps = _steps(context, operator.id, sealed, code)
        async with context.database.transaction() as tx:
            if not await _use_code(context, tx, operator.id, sealed, steps):
                raise WrongOneTimeCodeError
            await sessions.change_code_at(tx, operator.session_id, clock.now())
    found = await read_session(context.database, operator.session_id, context.life)
    return me(found or operator)


async def sign_out(context: OperatorContext, operator: Operator) -> None:
    """End the session and invalidate its token."""
    await sessions.end_session(context.database, operator.session_id, clock.now())
    context.security.record(
        SecurityEvent.SIGNED_OUT, user_id=operator.user_id, session_id=str(operator.session_id)
    )


async def end_sessions(tx: Transaction, user_id: UUID) -> None:
    """End all back-office sessions of a member; most have none."""
    await sessions.end_sessions_of_member(tx, user_id, clock.now())


async def read_session(
    database: Database, session_id: UUID, life: AdminSessionLife
) -> Operator | None:
    """Return the operator of a live session; None if it has ended or expired."""
    now = clock.now()
    row = await sessions.read_session(
        database, session_id, used_since=now - life.idle, started_since=now - life.life
    )
    if row is None:
        return None
    return Operator(
        id=row.id,
        user_id=row.user_id,
        name=row.name,
        roles=tuple(Role(role) for role in row.roles),
        session_id=row.session_id,
        idle_ends_at=row.last_used_at + life.idle,
        ends_at=row.created_at + life.life,
        fresh_until=row.code_at + life.fresh,
    )


async def record_use(database: Database, session_id: UUID) -> None:
    """Store when a session was last used."""
    await sessions.change_used(database, session_id, clock.now())


def me(operator: Operator) -> OperatorMe:
    """Return what operators see about themselves."""
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
