"""Lanes: first-come-first-served queues in front of the database, one per kind of work.

A place is held for the length of a statement or a transaction. Boards and background work have
few places of their own: whatever they wait for, members' calls never wait behind them. No lane
lends a place: all of them together are no more connections than the process may have, and whoever
holds one waits for no other (``database._refuse_second_connection``), so that every queue moves.
Within a lane transactions leave some places to single statements, because they may wait for rows.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from api.database.errors import translated_errors

MAX_WAIT_SECONDS = 5


class Lane(StrEnum):
    """For whom a statement runs."""

    MEMBERS = "members"
    BOARDS = "boards"
    BACKGROUND = "background"


# Of a process's connections: outside the lanes (who listens or works stored jobs, and a probe or a
# sweep), and the few places that boards and background work have.
RESERVED_CONNECTIONS = 2
BOARDS_PLACES = 1
BACKGROUND_PLACES = 2
KEPT_FROM_TRANSACTIONS = 2  # of the members' places; of the others' one


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
    """A lane's places, and how many of them transactions may hold; one takes of both."""

    places: Gate
    transactions: Gate


def open_lanes(pool_size: int) -> Mapping[Lane, Gates]:
    """Return every lane's gates; their places and what stands outside make ``pool_size``.

    Members have what the others leave, at least two. Boards are read by single statements only.
    """
    members = max(2, pool_size - RESERVED_CONNECTIONS - BOARDS_PLACES - BACKGROUND_PLACES)
    transactions = max(1, members - KEPT_FROM_TRANSACTIONS)
    return {
        Lane.MEMBERS: Gates(Gate(members), Gate(transactions)),
        Lane.BOARDS: Gates(Gate(BOARDS_PLACES), Gate(BOARDS_PLACES)),
        Lane.BACKGROUND: Gates(Gate(BACKGROUND_PLACES), Gate(BACKGROUND_PLACES - 1)),
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
                async with asyncio.timeout(MAX_WAIT_SECONDS):
                    await gate.acquire()
        finally:
            gate.waiting -= 1
            gate.on_waited(time.perf_counter() - began)
