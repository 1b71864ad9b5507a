"""The messages of a room that a worker delivers in a second, and what it says of the others."""

import asyncio

import pytest
from api.community.chat.live import delivery_limit
from api.community.chat.live.delivery_limit import DeliveryLimit, SkippedRange
from api.foundation.core.config import Settings


class Second:
    """A limit of three a second at a clock that the test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, per_second: int = 3) -> None:
        self.now = 100.0
        self.announced: list[SkippedRange] = []
        self.limit = DeliveryLimit(per_second, self._announce)
        monkeypatch.setattr(delivery_limit, "monotonic", lambda: self.now)

    async def _announce(self, skipped: SkippedRange) -> None:
        self.announced.append(skipped)

    async def delivered(self, *seqs: int, at: float = 0.0) -> list[int]:
        """Send messages ``at`` seconds after the first; return those that everybody gets."""
        self.now = 100.0 + at
        return [seq for seq in seqs if await self.limit.allows(seq)]


def test_the_limit_is_ten_a_second_unless_set() -> None:
    assert Settings.model_fields["chat_messages_per_second"].default == 10


async def test_what_exceeds_the_limit_is_announced_before_the_next_delivery(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second = Second(monkeypatch)
    assert await second.delivered(1, 2, 3, 4) == [1, 2, 3]
    assert await second.delivered(5, 6, at=0.99) == []
    assert second.announced == []
    assert await second.delivered(7, at=1.0) == [7]
    assert second.announced == [SkippedRange(3, 4, 6)]


async def test_what_was_skipped_is_announced_when_no_message_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second = Second(monkeypatch)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        second.now += seconds

    monkeypatch.setattr(asyncio, "sleep", sleep)
    await second.delivered(1, 2, 3, 4, 5)
    await second.limit.announce_ended()
    assert second.announced == [SkippedRange(2, 4, 5)]
    assert slept == [1.0]
    await second.limit.announce_ended()
    assert second.announced == [SkippedRange(2, 4, 5)]


async def test_a_second_that_begins_while_one_waits_is_not_announced_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second = Second(monkeypatch)

    async def sleep(seconds: float) -> None:
        second.now += seconds
        if second.now < 102:
            assert await second.delivered(6, 7, 8, 9, at=1.0) == [6, 7, 8]

    monkeypatch.setattr(asyncio, "sleep", sleep)
    await second.delivered(1, 2, 3, 4, 5)
    await second.limit.announce_ended()
    assert second.announced == [SkippedRange(2, 4, 5)]
    await second.limit.announce_ended()
    assert second.announced == [SkippedRange(2, 4, 5), SkippedRange(1, 9, 9)]


async def test_seconds_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    second = Second(monkeypatch)
    assert await second.delivered(1) == [1]
    assert await second.delivered(*range(2, 12), at=60) == [2, 3, 4]


async def test_messages_of_two_workers_that_overtake_each_other_are_all_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second = Second(monkeypatch)
    assert await second.delivered(2, 1, 3, 6, 5, 4) == [2, 1, 3]
    await second.delivered(7, at=1)
    assert second.announced == [SkippedRange(3, 4, 6)]


async def test_a_repeat_is_not_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    second = Second(monkeypatch)
    assert await second.delivered(1, 2, 3, 2, 4, 4) == [1, 2, 3]
    await second.delivered(5, at=1)
    assert second.announced == [SkippedRange(1, 4, 4)]


async def test_a_repeat_of_an_old_message_does_not_widen_the_range(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second = Second(monkeypatch)
    assert await second.delivered(*range(40, 43)) == [40, 41, 42]
    assert await second.delivered(43, 44, 45, 7, 41, 46, at=1) == [43, 44, 45]
    await second.delivered(47, at=2)
    assert second.announced == [SkippedRange(1, 46, 46)]


async def test_a_repeat_is_delivered_while_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    second = Second(monkeypatch)
    assert await second.delivered(1, 2, 3, 4) == [1, 2, 3]
    assert await second.delivered(4, 5, 6, 7, at=1) == [4, 5, 6]
    await second.delivered(8, at=2)
    assert second.announced == [SkippedRange(1, 4, 4), SkippedRange(1, 7, 7)]


async def test_the_first_message_that_a_worker_sees_is_not_the_first_of_the_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second = Second(monkeypatch)
    assert await second.delivered(900, 901, 902, 5, 903) == [900, 901, 902]
    await second.delivered(904, at=1)
    assert second.announced == [SkippedRange(1, 903, 903)]


async def test_zero_turns_the_limit_off(monkeypatch: pytest.MonkeyPatch) -> None:
    second = Second(monkeypatch, per_second=0)
    assert await second.delivered(*range(1, 101)) == list(range(1, 101))
    assert await second.delivered(101, at=2) == [101]
    assert second.announced == []
