"""Fair turns: a party with many waiters delays only itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from api.foundation.core.errors import UnavailableError
from api.foundation.security.fair_queue import FairQueue

from tests.waiting import DEADLINE_SECONDS


class Office:
    """A queue of one turn at a time, and the order in which parties were served."""

    def __init__(self, places: int) -> None:
        self.queue = FairQueue(at_once=1, waiting=places)
        self.served: list[str] = []
        self.refused: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def arrive(self, *parties: str) -> list[asyncio.Task[None]]:
        """Queue one waiter for each of ``parties``, or for a member of one: ``party/member``."""
        come = [asyncio.create_task(self._visit(party)) for party in parties]
        self.tasks += come
        await asyncio.sleep(0)
        return come

    async def _visit(self, party: str) -> None:
        try:
            async with self.queue.turn(*party.split("/")):
                self.served.append(party)
        except UnavailableError:
            self.refused.append(party)

    async def settle(self) -> None:
        async with asyncio.timeout(DEADLINE_SECONDS):
            await asyncio.gather(*self.tasks, return_exceptions=True)


@asynccontextmanager
async def busy(places: int) -> AsyncIterator[Office]:
    """Hold the only turn during the block, then serve the waiters."""
    office = Office(places)
    async with office.queue.turn("somebody"):
        yield office
    await office.settle()


async def test_everybody_who_waits_has_one_turn_before_anybody_has_a_second() -> None:
    async with busy(20) as office:
        await office.arrive(*["crowd"] * 6, "ada", "bello", "bello")

    assert office.served == ["crowd", "ada", "bello", "crowd", "bello", *["crowd"] * 4]


async def test_a_partys_turns_go_round_among_its_members() -> None:
    async with busy(20) as office:
        await office.arrive(*["net/crowd"] * 3, "net/ada", "net/bello", "home/chidi", "net/ada")

    assert office.served == [
        *("net/crowd", "home/chidi", "net/ada", "net/bello"),
        *("net/crowd", "net/ada", "net/crowd"),
    ]


async def test_in_a_full_party_the_last_of_its_longest_member_gives_way() -> None:
    async with busy(4) as office:
        await office.arrive("home/chidi", *["net/crowd"] * 3)
        await office.arrive("net/ada", "net/bello", "net/chidi")

    assert sorted(office.served) == ["home/chidi", "net/ada", "net/bello", "net/crowd"]
    assert sorted(office.refused) == ["net/chidi", "net/crowd", "net/crowd"]


async def test_a_crowd_of_members_gives_way_as_one_party() -> None:
    async with busy(3) as office:
        await office.arrive("net/a", "net/b", "net/c", "home/chidi")

    assert len(office.refused) == 1
    assert office.served[1] == "home/chidi"


async def test_a_full_queue_refuses_the_last_of_the_longest_crowd() -> None:
    async with busy(4) as office:
        await office.arrive(*["crowd"] * 5)
        assert office.refused == ["crowd"]
        await office.arrive("ada", "bello", "chidi")

    assert sorted(office.served) == ["ada", "bello", "chidi", "crowd"]
    assert office.refused == ["crowd"] * 4


async def test_where_all_crowds_are_as_long_whoever_comes_last_is_refused() -> None:
    async with busy(2) as office:
        await office.arrive("ada", "bello", "chidi")

    assert (office.served, office.refused) == (["ada", "bello"], ["chidi"])


async def test_nobody_waits_where_there_are_no_places() -> None:
    async with busy(0) as office:
        await office.arrive("ada")

    assert office.refused == ["ada"]


async def test_a_queue_that_is_full_of_refusals_is_free_again_afterwards() -> None:
    async with busy(1) as office:
        await office.arrive("ada", "bello")
    await office.arrive("chidi")
    await office.settle()

    assert office.served == ["ada", "chidi"]


@pytest.mark.parametrize("moment", ["while it waits", "as its turn comes", "as it is refused"])
async def test_whoever_goes_away_leaves_the_turn_to_the_next(moment: str) -> None:
    office = Office(places=2)
    async with office.queue.turn("somebody"):
        _, leaver = await office.arrive("crowd", "crowd")
        if moment == "as it is refused":
            await office.arrive("bello")
            leaver.cancel()
        if moment == "while it waits":
            leaver.cancel()
            await office.arrive("bello")
    if moment == "as its turn comes":
        leaver.cancel()
    await office.settle()
    await office.arrive("ada")
    await office.settle()

    assert office.served[-1] == "ada"
    assert office.queue._free == 1


async def test_a_block_that_fails_gives_its_turn_back() -> None:
    queue = FairQueue(at_once=1, waiting=0)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            async with queue.turn("ada"):
                _ = 1 / 0
