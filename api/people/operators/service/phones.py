"""The sealed TOTP secrets of operators."""

from uuid import UUID

from api.foundation.core import clock
from api.foundation.database.database import Database, Transaction
from api.foundation.security.sealing import Sealer
from api.people.operators import rules
from api.people.operators.repository import operators, sessions


async def set_secret(tx: Transaction, sealer: Sealer, operator_id: UUID, secret: str) -> None:
    """Set an operator's TOTP secret and end their sessions."""
    sealed = sealer.seal(secret, rules.totp_place(operator_id))
    await operators.change_secret(tx, operator_id, sealed)
    await sessions.end_sessions_of(tx, operator_id, clock.now())


async def reseal(database: Database, sealer: Sealer) -> int:
    """Reseal the secrets that were sealed with another key; return how many.

    Raises:
        UnsealableError: one was sealed with a key that is not configured.
    """
    ids = await operators.list_otherwise_sealed(database, sealer.header)
    for operator_id in ids:
        async with database.transaction() as tx:
            row = await operators.lock_operator(tx, operator_id)
            if row is not None and row.totp_secret is not None:
                place = rules.totp_place(operator_id)
                secret = sealer.open(row.totp_secret, place)
                await operators.change_seal(tx, operator_id, sealer.seal(secret, place))
    return len(ids)
