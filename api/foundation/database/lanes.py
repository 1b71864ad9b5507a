"""Lanes: FIFO queues in front of the connections, one per kind of work.

A slot is held for one statement or one transaction. Boards and background work have a few slots of
their own, so that members' calls never queue behind them. Lanes share no slots: together they have
as many as the process may have connections, and a task that holds one never waits for another
(``database._refuse_second_connection``), so queues cannot deadlock. Within a lane some slots are
reserved for single statements, because transactions may wait for row locks.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from api.foundation.database.errors import translated_errors

MAX_WAIT_SECONDS = 5


class Priority(StrEnum):
    """The kind of work a statement belongs to."""

    MEMBERS = "members"
    BOARDS = "boards"
    BACKGROUND = "background"


# Connections outside the lanes (the listener or job worker, and a probe or a sweep), and the small
# shares of boards and background work.
RESERVED_CONNECTIONS = 2
BOARDS_SLOTS = 1
BACKGROUND_SLOTS = 2
KEPT_FROM_TRANSACTIONS = 2  # in the members' lane; one in the others


class Slots(asyncio.Semaphore):
    """A semaphore that counts the slots in use and the waiters.

    ``on_waited`` is called with the seconds of each wait, whether or not it succeeded.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size
        self.in_use = 0
        self.waiting = 0
        self.on_waited: Callable[[float], None] = lambda _seconds: None


@dataclass(frozen=True)
class PrioritySlots:
    """A lane's slots, and how many of them transactions may use; a transaction acquires both."""

    total: Slots
    transactions: Slots


def open_slots(pool_size: int) -> Mapping[Priority, PrioritySlots]:
    """Return the slots of every lane; with the connections outside they add up to ``pool_size``.

    Members get what the others leave, at least two. Boards run single statements only.
    """
    members = max(2, pool_size - RESERVED_CONNECTIONS - BOARDS_SLOTS - BACKGROUND_SLOTS)
    transactions = max(1, members - KEPT_FROM_TRANSACTIONS)
    return {
        Priority.MEMBERS: PrioritySlots(Slots(members), Slots(transactions)),
        Priority.BOARDS: PrioritySlots(Slots(BOARDS_SLOTS), Slots(BOARDS_SLOTS)),
        Priority.BACKGROUND: PrioritySlots(Slots(BACKGROUND_SLOTS), Slots(BACKGROUND_SLOTS - 1)),
    }


class Slot:
    """Holds a slot in a lane for the duration of the block.

    Raises:
        DatabaseUnavailableError: the wait timed out.
    """

    __slots__ = ("_slots",)

    def __init__(self, slots: Slots) -> None:
        self._slots = slots

    async def __aenter__(self) -> None:
        if self._slots.locked():
            await self._wait()
        else:
            await self._slots.acquire()  # returns immediately: a slot is free
        self._slots.in_use += 1

    async def __aexit__(self, *_: object) -> None:
        self._slots.in_use -= 1
        self._slots.release()

    async def _wait(self) -> None:
        slots, began = self._slots, time.perf_counter()
        slots.waiting += 1
        try:
            with translated_errors():
                async with asyncio.timeout(MAX_WAIT_SECONDS):
                    await slots.acquire()
        finally:
            slots.waiting -= 1
            slots.on_waited(time.perf_counter() - began)
