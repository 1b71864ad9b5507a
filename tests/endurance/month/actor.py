"""The actors of the month: they choose a member and an object, and make the calls."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx

from tests.endurance.month.callers import (
    Answer,
    Bag,
    Callers,
    Operator,
    kobo,
    new_key,
)
from tests.endurance.month.model import (
    Approval,
    Case,
    Debt,
    Member,
    Model,
    Review,
)

Thing = TypeVar("Thing")
CANDIDATES = 12  # members among whom an event looks for a suitable object


class NotNowError(Exception):
    """No object is suitable for the event."""


@dataclass
class Place:
    """The environment of the events."""

    model: Model
    callers: Callers
    operators: list[Operator]
    providers: dict[str, httpx.AsyncClient]
    paystack_key: str
    flutterwave_hash: str
    bag: Bag
    counts: Counter[str] = field(default_factory=Counter)


class Actor:
    """An actor; an event holds its member's lock, so that the model knows the possible states."""

    def __init__(self, place: Place, chance: random.Random) -> None:
        self.place = place
        self.model = place.model
        self.callers = place.callers
        self.chance = chance

    # Choosing

    def _free(self) -> Iterator[Member]:
        members = self.model.members
        for member in self.chance.sample(members, min(CANDIDATES, len(members))):
            if not member.lock.locked():
                yield member

    @asynccontextmanager
    async def _any_member(self) -> AsyncIterator[Member]:
        for member in self._free():
            async with member.lock:
                yield member
                return
        raise NotNowError

    @asynccontextmanager
    async def _one(self, of: Callable[[Member], Iterable[Thing]]) -> AsyncIterator[Thing]:
        """Choose a member who has such an object, lock them, and yield it."""
        for member in self._free():
            things = list(of(member))
            if things:
                async with member.lock:
                    yield self.chance.choice(things)
                    return
        raise NotNowError

    @asynccontextmanager
    async def _held(
        self, things: list[Thing], owner: Callable[[Thing], Member]
    ) -> AsyncIterator[Thing]:
        """Choose an object whose member is unlocked, and lock them."""
        free = [thing for thing in things if not owner(thing).lock.locked()]
        if not free:
            raise NotNowError
        thing = self.chance.choice(free)
        async with owner(thing).lock:
            yield thing

    def _operator(self, *, but: int | None = None) -> Operator:
        return self.chance.choice([one for one in self.place.operators if one.number != but])

    async def _member_call(self, member: Member, method: str, path: str, **more: Any) -> Answer:
        return await self.callers.call(method, f"/api/v1/{path}", token=member.token, **more)

    async def _post(
        self, member: Member, path: str, body: Any, *, key: str | None = None, **more: Any
    ) -> Answer:
        key = key or new_key(self.chance)
        return await self._member_call(member, "POST", path, json=body, key=key, **more)

    async def _office(
        self, path: str, body: Any = None, *, operator: Operator | None = None
    ) -> Answer:
        operator = operator or self._operator()
        key = new_key(self.chance)
        return await self.callers.office(operator, "POST", path, json=body, key=key)

    @staticmethod
    def _repay(member: Member) -> None:
        """Repay debts from a member's wallet in the model, once all of its transfers are known."""
        if not member.is_settled:
            raise NotNowError
        member.repay()

    def _is_said(self, member: Member, amount: float) -> None:
        held = kobo(amount)
        assert member.may_hold(held), f"{member.id} holds {held}, not {member.low}..{member.high}"

    def _proposed(
        self,
        answer: Answer,
        operator: Operator,
        member: Member,
        wanted: Case | Review | Debt | None,
        amount: int,
    ) -> None:
        said = answer.data["approval"]
        self.model.approvals.append(
            Approval(
                said["id"], said["digest"], said["kind"], operator.number, member, wanted, amount
            )
        )
