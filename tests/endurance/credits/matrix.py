"""Every way to credit: own or not, around each limit, first or second of a day, one or twenty.

Each cell has its own world. The model predicts the response to each action; for twenty concurrent
ones it predicts only how many get which response.
"""

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import httpx
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from typing_extensions import override

from tests.endurance.credits.drawing import LARGE, Drawing
from tests.endurance.credits.model import (
    Act,
    Caused,
    Limits,
    Member,
    OperatorAccount,
    Plan,
    Product,
    Review,
    Said,
    World,
)
from tests.endurance.credits.office import Office, parse_response
from tests.endurance.credits.playing import SEQUENCES_PER_APP, DifferenceError, Place, Play

EACH = 10_000  # kobo, in cells about the limit of one credit
SMALL = 700  # in cells about the limit of a day
FIRST = 300  # credited before the second of a day
TWENTY = 20
RICH = 1_000_000
CONFIRMS = ("late transfer", "surplus", "exact transfer")


@dataclass(frozen=True)
class Cell:
    """One case; ``edge`` is -1, 0 or 1: below, at or above ``limit``."""

    way: str
    is_own: bool
    limit: str
    edge: int
    is_second: bool
    count: int

    @property
    def amount(self) -> int:
        """What each act counts, in kobo; an act above its own limit is above it alone."""
        return EACH + self.edge if self.limit == "each" else SMALL

    @property
    def limits(self) -> Limits:
        """Those of the cell: all large but one."""
        found = Limits(LARGE, LARGE, LARGE, LARGE, LARGE)
        if self.limit == "each":
            return replace(found, credit=EACH, refund=EACH)
        # A transfer that pays its order exactly is confirmed in full, one with a surplus twice.
        each = self.amount * (2 if (self.way, self.limit) == ("surplus", "confirm_day") else 1)
        first = FIRST * (each // self.amount) if self.is_second else 0
        # The surplus under review adds nothing to the day: each is checked alone.
        counted = 1 if (self.way, self.limit) == ("surplus", "day") else self.count
        first = 0 if (self.way, self.limit) == ("surplus", "day") else first
        together = first + counted * each - self.edge
        if self.limit == "day":
            return replace(found, credit_day=together, refund_day=together)
        return replace(found, confirm_day=together)

    @override
    def __str__(self) -> str:
        return (
            f"{self.way}, {'own' if self.is_own else 'foreign'}, "
            f"{('at', 'above', 'below')[self.edge]} {self.limit}, "
            f"{'second' if self.is_second else 'first'} of the day, {self.count} at once"
        )


def cells() -> Iterator[Cell]:
    """Generate all of them; a limit of confirmed transfers is only for these."""
    for way in WAYS:
        limits = ("each", "day", "confirm_day") if way in CONFIRMS else ("each", "day")
        for is_own, limit, edge, is_second, count in itertools.product(
            (False, True), limits, (-1, 0, 1), (False, True), (1, TWENTY)
        ):
            yield Cell(way, is_own, limit, edge, is_second, count)


@dataclass
class Bench:
    """A cell being set up: the play, its client, and the numbers of acts."""

    play: Play
    client: httpx.AsyncClient
    number: int = 0

    def act(self, name: str, who: str = "d0", **wish: Any) -> Act:
        """Number an act."""
        self.number += 1
        return Act(self.number, name, who, wish)

    async def do(self, name: str, who: str, **wish: Any) -> str:
        """Do an act of the setup; return the number in the name of its result."""
        act = self.act(name, who, **wish)
        await self.play.step(self.client, [act])
        return str(act.number)

    async def order(self, member: str, product: str, *, is_transfer: bool) -> str:
        """Order one of a product."""
        wish = {"product": product, "units": 1, "is_transfer": is_transfer}
        return f"o{await self.do('order', member, **wish)}"

    def confirm(self, order: str, amount: int) -> Act:
        """Return the act of confirming a transfer for an order."""
        reference = f"NIP{self.play.world.tag}M{self.number}"
        paid_on = self.play.world.today.isoformat()
        return self.act(
            *("confirm", "d0"),
            order=order,
            amount=amount,
            reference=reference,
            again=None,
            paid_on=paid_on,
        )


Ready = Callable[[Bench, str, str, int], Any]


async def adjustment(bench: Bench, member: str, _: str, amount: int) -> Callable[[], Act]:
    return lambda: bench.act("adjust", member=member, amount=amount)


async def gift(bench: Bench, member: str, size: str, _: int) -> Callable[[], Act]:
    return lambda: bench.act("gift", member=member, plan=f"p{size}", periods=1, replace=False)


async def review_case(bench: Bench, member: str, size: str, _: int) -> Callable[[], Act]:
    return lambda: bench.act("accept", review=f"v{size}{member}")


async def refund(bench: Bench, member: str, size: str, _: int) -> Callable[[], Act]:
    order = await bench.order(member, f"s{size}", is_transfer=False)
    case = f"r{await bench.do('ask', 'd1', order=order, units=1)}"
    return lambda: bench.act("send", case=case)


async def cancellation(bench: Bench, member: str, size: str, _: int) -> Callable[[], Act]:
    order = await bench.order(member, f"s{size}", is_transfer=False)
    return lambda: bench.act("cancel", order=order)


async def late_transfer(bench: Bench, member: str, size: str, amount: int) -> Callable[[], Act]:
    order = await bench.order(member, f"s{size}", is_transfer=True)
    await bench.do("withdraw", member, order=order)
    return lambda: bench.confirm(order, amount)


async def surplus(bench: Bench, member: str, size: str, amount: int) -> Callable[[], Act]:
    order = await bench.order(member, f"s{size}", is_transfer=True)
    return lambda: bench.confirm(order, 2 * amount)


async def exact_transfer(bench: Bench, member: str, size: str, amount: int) -> Callable[[], Act]:
    order = await bench.order(member, f"s{size}", is_transfer=True)
    return lambda: bench.confirm(order, amount)


WAYS: dict[str, Ready] = {
    "adjustment": adjustment,
    "gift": gift,
    "review case": review_case,
    "refund": refund,
    "cancellation": cancellation,
    "late transfer": late_transfer,
    "surplus": surplus,
    "exact transfer": exact_transfer,
}


def furnished(place: Place, cell: Cell) -> World:
    """Return the world of a cell: two owners, and a fan for each act and one for the setup."""
    tag = place.offices
    operators = {
        name: OperatorAccount(name, "owner", f"{name}.{tag}@example.com") for name in ("d0", "d1")
    }
    names = [*operators, *(f"f{number}" for number in range(cell.count + 1))]
    members = {name: Member(name, f"{name}.{tag}@example.com", RICH) for name in names}
    sizes = {"": cell.amount, "first": FIRST}
    plans = {f"p{size}": Plan(price) for size, price in sizes.items()}
    products = {f"s{size}": Product(price) for size, price in sizes.items()}
    world = World(place.first_day, cell.limits, operators, members, plans, products, tag)
    if cell.way == "review case":
        for name in names:
            for size, amount in sizes.items():
                source = f"f:{tag}:{size}:{name}"
                world.reviews[f"v{size}{name}"] = Review(name, amount, "daily_limit", source)
    return world


async def check(place: Place, cell: Cell) -> None:
    """Set up a cell, do its acts, and compare.

    Raises:
        DifferenceError: the product differs from the model.
    """
    place.offices += 1
    world = furnished(place, cell)
    with ExitStack() as travels:
        office = Office(place.app, place.offices)
        play = Play(place, "", world, office, Drawing("", world), travels)
        play.travel()
        await office.furnish(world)
        async with office.client() as client:
            bench = Bench(play, client)
            ready = WAYS[cell.way]
            if cell.is_second:
                first = await ready(bench, f"f{cell.count}", "first", FIRST)
                await play.step(client, [first()])
            whose = ["d0"] if cell.is_own else [f"f{number}" for number in range(cell.count)]
            makers = [await ready(bench, member, "", cell.amount) for member in whose]
            acts = [makers[number % len(makers)]() for number in range(cell.count)]
            await compare(play, client, acts)


async def compare(play: Play, client: httpx.AsyncClient, acts: Sequence[Act]) -> None:
    """Do acts concurrently, and compare the counts of responses and what is stored."""
    world, office = play.world, play.office
    wanted = [world.do(act) for act in acts]
    answers = await asyncio.gather(*(office.call(client, act) for act in acts))
    said = [
        parse_response(answer, dict(one.facts)) for answer, one in zip(answers, wanted, strict=True)
    ]
    differences = {
        "answers": (tally(said), tally(wanted)),
        "wallets": (
            sum((await office.balances()).values()),
            sum(one.balance for one in world.members.values()),
        ),
        "credits": (anybody(await office.caused()), anybody(world.caused)),
        "rows": (await office.faults(), []),
        "proof": (await broken_invariants_in(office.services.database), []),
    }
    for name, (found, expected) in differences.items():
        if found != expected:
            raise DifferenceError(f"{name}: {found}\n  the model says: {expected}")


def tally(answers: Sequence[Said]) -> Counter[tuple[int, str, tuple[str, ...] | None]]:
    """Count responses, ignoring their facts."""
    return Counter((one.status, one.code, one.reasons) for one in answers)


def anybody(caused: Sequence[Caused]) -> Counter[Caused]:
    """Count credits, ignoring their members."""
    return Counter(replace(one, member="") for one in caused)


async def check_all(place: Place, chosen: Sequence[Cell]) -> None:
    """Check cells, one after the other.

    Raises:
        AssertionError: one differs from the model.
    """
    for number, cell in enumerate(chosen):
        if number % SEQUENCES_PER_APP == 0:
            await place.empty()
        try:
            await check(place, cell)
        except Exception as error:
            raise AssertionError(f"{cell}:\n{error}") from error
        place.seen["cells of the matrix"] += 1
