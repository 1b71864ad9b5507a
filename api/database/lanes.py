"""Lanes: first-come-first-served queues in front of the database, one per kind of work.

A place is held for the length of a statement or a transaction. Boards and background work have
few places of their own: whatever they wait for, members' calls never wait behind them. No place is
lent: all of them together are no more connections than the process may have, and whoever holds one
waits for no other (``database._refuse_second_connection``), so that every queue moves.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from api.database.errors import translated_errors

LONGEST_WAIT_SECONDS = 5


class Lane(StrEnum):
    """For whom a statement runs."""

    MEMBERS = "members"
    BOARDS = "boards"
    BACKGROUND = "background"


# Of a process's connections: outside the lanes (who listens or works stored jobs, and a probe or a
# sweep), and the few places that boards and background work have.
STANDING_CONNECTIONS = 2
BOARDS_PLACES = 1
BACKGROUND_PLACES = 1
BACKGROUND_TRANSACTIONS = 1


@dataclass(frozen=True)
class Gates:
    """A lane's places for single statements and for transactions."""

    statements: asyncio.Semaphore
    transactions: asyncio.Semaphore


def open_lanes(pool_size: int) -> Mapping[Lane, Gates]:
    """Return every lane's gates; their places and what stands outside make ``pool_size``.

    Members have what the others leave, the odd place for single statements; of a size below seven
    each gate has its one place nevertheless. Boards are read by single statements only.
    """
    others = BOARDS_PLACES + BACKGROUND_PLACES + BACKGROUND_TRANSACTIONS
    members = max(2, pool_size - STANDING_CONNECTIONS - others)
    transactions = members // 2
    background = Gates(
        asyncio.Semaphore(BACKGROUND_PLACES), asyncio.Semaphore(BACKGROUND_TRANSACTIONS)
    )
    return {
        Lane.MEMBERS: Gates(
            asyncio.Semaphore(members - transactions), asyncio.Semaphore(transactions)
        ),
        Lane.BOARDS: Gates(asyncio.Semaphore(BOARDS_PLACES), background.transactions),
        Lane.BACKGROUND: background,
    }


class Turn:
    """A place in a lane, for as long as the block runs.

    Raises:
        DatabaseUnavailableError: the queue was too long.
    """

    __slots__ = ("_gate",)

    def __init__(self, gate: asyncio.Semaphore) -> None:
        self._gate = gate

    async def __aenter__(self) -> None:
        if self._gate.locked():
            with translated_errors():
                async with asyncio.timeout(LONGEST_WAIT_SECONDS):
                    await self._gate.acquire()
        else:
            await self._gate.acquire()  # does not wait: there is a free place

    async def __aexit__(self, *_: object) -> None:
        self._gate.release()
