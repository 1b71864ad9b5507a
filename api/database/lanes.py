"""Lanes: first-come-first-served queues in front of the database, one per kind of work.

A place is held for the length of a statement or a transaction. Boards and background work have
few places of their own: whatever they wait for, members' calls never wait behind them.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
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


class Gate(asyncio.Semaphore):
    """Places, and how many are in use and waited for.

    ``on_waited`` is told the seconds of each wait, in vain or not.
    """

    def __init__(self, places: int) -> None:
        super().__init__(places)
        self.places = places
        self.in_use = 0
        self.waiting = 0
        self.on_waited: Callable[[float], None] = lambda _seconds: None


@dataclass(frozen=True)
class Gates:
    """A lane's places for single statements and for transactions."""

    statements: Gate
    transactions: Gate


def open_lanes(pool_size: int) -> Mapping[Lane, Gates]:
    """Return every lane's gates; boards are read by single statements only."""
    return {
        Lane.MEMBERS: Gates(Gate(pool_size), Gate(pool_size)),
        Lane.BOARDS: Gates(Gate(BOARDS_PLACES), Gate(1)),
        Lane.BACKGROUND: Gates(Gate(BACKGROUND_PLACES), Gate(BACKGROUND_TRANSACTIONS)),
    }


class Turn:
    """A place in a lane, for as long as the block runs.

    Raises:
        DatabaseUnavailableError: the queue was too long.
    """

    __slots__ = ("_gate",)

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def __aenter__(self) -> None:
        if self._gate.locked():
            await self._wait()
        else:
            await self._gate.acquire()  # does not wait: there is a free place
        self._gate.in_use += 1

    async def __aexit__(self, *_: object) -> None:
        self._gate.in_use -= 1
        self._gate.release()

    async def _wait(self) -> None:
        gate, began = self._gate, time.perf_counter()
        gate.waiting += 1
        try:
            with translated_errors():
                async with asyncio.timeout(LONGEST_WAIT_SECONDS):
                    await gate.acquire()
        finally:
            gate.waiting -= 1
            gate.on_waited(time.perf_counter() - began)
