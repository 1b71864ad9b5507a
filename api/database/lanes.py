"""Lanes: first-come-first-served queues in front of the database, one per kind of work.

A place is held for the length of a statement or a transaction. Boards and background work have
few places of their own: whatever they wait for, members' calls never wait behind them.
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


# Places beside the members' own, whose number is the pool's size.
BOARDS_PLACES = 3
BACKGROUND_PLACES = 3
BACKGROUND_TRANSACTIONS = 2


@dataclass(frozen=True)
class Gates:
    """A lane's places for single statements and for transactions."""

    statements: asyncio.Semaphore
    transactions: asyncio.Semaphore


def open_lanes(pool_size: int) -> Mapping[Lane, Gates]:
    """Return every lane's gates; boards are read by single statements only."""
    return {
        Lane.MEMBERS: Gates(asyncio.Semaphore(pool_size), asyncio.Semaphore(pool_size)),
        Lane.BOARDS: Gates(asyncio.Semaphore(BOARDS_PLACES), asyncio.Semaphore(1)),
        Lane.BACKGROUND: Gates(
            asyncio.Semaphore(BACKGROUND_PLACES), asyncio.Semaphore(BACKGROUND_TRANSACTIONS)
        ),
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
