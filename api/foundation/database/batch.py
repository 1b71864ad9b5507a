"""Batching: items that arrive while one statement runs share the next one.

A single caller never waits. A thousand concurrent callers cause a few dozen statements and commits
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
    """Runs ``work`` on the queued items, one batch at a time, in order of arrival.

    ``work`` returns one result per item; a result that is an exception is raised for its caller. If
    a batch fails, each item is retried alone so that one bad item does not fail the others;
    ``work`` must therefore be safe to repeat. ``on_idle`` is called when the queue is empty.
    """

    def __init__(
        self,
        work: Callable[[Sequence[ItemT]], Awaitable[Sequence[ResultT | Exception]]],
        *,
        batch_size: int = MAX_STATEMENTS,
        on_idle: Callable[[], object] = lambda: None,
    ) -> None:
        self._work = work
        self._batch_size = batch_size
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
                count = min(self._batch_size, len(self._waiting))
                await self._answer([self._waiting.popleft() for _ in range(count)])
        finally:
            self._running = None
            self._on_idle()

    async def _answer(self, batch: Sequence[tuple[ItemT, asyncio.Future[ResultT]]]) -> None:
        try:
            results = await self._work([item for item, _ in batch])
        except Exception as error:  # raised for the caller
            if len(batch) == 1:
                _resolve(batch[0][1], error)
                return
            for one in batch:
                await self._answer([one])
            return
        for (_, future), result in zip(batch, results, strict=True):
            _resolve(future, result)


def _resolve(future: "asyncio.Future[ResultT]", outcome: ResultT | Exception) -> None:
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
