"""Locks pending sign-ups."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Transaction
from api.people.auth.repository import sign_ups
from api.people.auth.repository.sign_ups import SignUpRow
from api.people.auth.service.context import AuthContext


@asynccontextmanager
async def locked_attempt(
    context: AuthContext, attempt_id: UUID, *addresses: str
) -> AsyncIterator[tuple[Transaction, SignUpRow]]:
    """Lock a sign-up until commit: first its address and ``addresses``, in order, then its row.

    Starts over if the address was corrected before it was locked.

    Raises:
        NotFoundError: there is no such sign-up, or it has ended.
    """
    while True:
        waiting = await sign_ups.read_attempt(context.database, attempt_id, clock.now())
        if waiting is None:
            raise NotFoundError
        async with context.database.transaction() as tx:
            for address in sorted({waiting.address, *addresses}):
                await sign_ups.lock_address(tx, address)
            attempt = await sign_ups.lock_attempt(tx, attempt_id, clock.now())
            if attempt is None:
                raise NotFoundError
            if attempt.address == waiting.address:
                yield tx, attempt
                return
