"""Batches: what comes while one statement runs goes into the next, all of it together.

One caller alone waits for nobody. A thousand at once make a few dozen statements and commits
instead of a thousand.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

MAX_STATEMENTS = 64


class Batcher(Generic[ItemT, ResultT]):
    """Runs ``work`` on the items that are waiting, one batch at a time, in the order they came.

    ``work`` returns one result per item; one that is an exception is raised for its caller. When it
    fails for a batch, each item is tried alone, so that one bad item fails nobody else; it must
    therefore be safe to run again. ``on_idle`` is called when nothing waits any more.
    """

    def __init__(
        self,
        work: Callable[[Sequence[ItemT]], Awaitable[Sequence[ResultT | Exception]]],
        *,
        most: int = MAX_STATEMENTS,
        on_idle: Callable[[], object] = lambda: None,
    ) -> None:
        self._work = work
        self._most = most
        self._on_idle = on_idle
        self._waiting: deque[tuple[ItemT, asyncio.Future[ResultT]]] = deque()
        self._running: asyncio.Task[None] | None = None

    async def submit(self, item: ItemT) -> ResultT:
        """Return the item's result, or raise what ``work`` raised for it."""
        future: asyncio.Future[ResultT] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        try:
            while self._waiting:
                count = min(self._most, len(self._waiting))
                await self._answer([self._waiting.popleft() for _ in range(count)])
        finally:
            self._running = None
            self._on_idle()

    async def _answer(self, batch: Sequence[tuple[ItemT, asyncio.Future[ResultT]]]) -> None:
        try:
            results = await self._work([item for item, _ in batch])
        except Exception as error:  # it belongs to whoever asked
            if len(batch) == 1:
                _settle(batch[0][1], error)
                return
            for one in batch:
                await self._answer([one])
            return
        for (_, future), result in zip(batch, results, strict=True):
            _settle(future, result)


def _settle(future: "asyncio.Future[ResultT]", outcome: ResultT | Exception) -> None:
    """Tell a caller, unless it has gone."""
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
