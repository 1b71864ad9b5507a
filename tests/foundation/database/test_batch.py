"""Batching: single items run alone, concurrent ones together, and one failure affects no other."""

import asyncio
from collections.abc import Sequence

import pytest
from api.foundation.database.batch import Batcher


class Work:
    """Doubles numbers; rejects a batch that contains a bad one."""

    def __init__(self, *, bad: int | None = None) -> None:
        self.batches: list[list[int]] = []
        self.bad = bad

    async def __call__(self, items: Sequence[int]) -> list[int]:
        self.batches.append(list(items))
        await asyncio.sleep(0.001)
        if self.bad in items:
            raise ValueError(f"{self.bad} is bad")
        return [item * 2 for item in items]


async def test_one_caller_alone_is_a_batch_of_one() -> None:
    work = Work()
    batcher = Batcher(work)
    assert await batcher.submit(21) == 42
    assert await batcher.submit(1) == 2
    assert work.batches == [[21], [1]]


async def test_what_comes_while_one_runs_goes_together_in_order() -> None:
    work = Work()
    batcher = Batcher(work, batch_size=64)
    results = await asyncio.gather(*(batcher.submit(number) for number in range(200)))
    assert results == [number * 2 for number in range(200)]
    assert [number for batch in work.batches for number in batch] == list(range(200))
    assert len(work.batches) <= 5
    assert max(len(batch) for batch in work.batches) <= 64


async def test_a_bad_item_fails_alone() -> None:
    batcher = Batcher(Work(bad=7))
    results = await asyncio.gather(
        *(batcher.submit(number) for number in range(20)), return_exceptions=True
    )
    assert isinstance(results[7], ValueError)
    assert [one for one in results if not isinstance(one, ValueError)] == [
        number * 2 for number in range(20) if number != 7
    ]


async def test_a_caller_that_goes_away_holds_nobody_up() -> None:
    batcher = Batcher(Work())
    calls = [asyncio.create_task(batcher.submit(number)) for number in range(10)]
    await asyncio.sleep(0)
    calls[3].cancel()
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(results[3], asyncio.CancelledError)
    assert results[9] == 18
    assert await batcher.submit(5) == 10


async def test_work_that_fails_is_told_and_the_next_call_works() -> None:
    work = Work(bad=1)
    batcher = Batcher(work)
    with pytest.raises(ValueError, match="1 is bad"):
        await batcher.submit(1)
    assert await batcher.submit(2) == 4
