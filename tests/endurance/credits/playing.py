"""Plays sequences against the product and the model, compares each step, and shrinks failures."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import httpx
import time_machine
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import empty_tables
from tests.endurance.credits.drawing import Drawing, furnished, steps
from tests.endurance.credits.model import REASONS, RIGHTS, Act, Caused, Said, World
from tests.endurance.credits.office import Office, parse_response

SEQUENCES_PER_APP = 50  # then the tables are emptied, so that the test stays fast
A_MOMENT = timedelta(seconds=1)  # between two steps; two concurrent acts have one instant
LEAST_SHARE = 0.005  # each reason and kind, alone and by two, occurs in this share of sequences

Stored = tuple[dict[str, int], Counter[Caused]]  # balances by member, and operator credits


class DifferenceError(AssertionError):
    """The product and the model disagree."""


@dataclass
class Place:
    """A server, an application on it, and counts of what occurred."""

    app: FastAPI
    owner: AsyncEngine
    first_day: datetime
    seen: Counter[str] = field(default_factory=Counter)
    sequences: int = 0
    acts: int = 0
    offices: int = 0

    async def empty(self) -> None:
        """Delete the rows of all sequences so far."""
        await empty_tables(self.owner)


@dataclass
class Play:
    """One sequence: the model's world, the product's office, and what was done."""

    place: Place
    seed: str
    world: World
    office: Office
    drawing: Drawing
    clock: ExitStack
    done: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    async def step(self, client: httpx.AsyncClient, acts: Sequence[Act]) -> None:
        """Do one act, or two concurrently, and compare the responses and what is stored."""
        self.done.append(" and ".join(str(act) for act in acts))
        self.world.now += A_MOMENT
        if acts[0].name == "move":
            self.world.move(**acts[0].wish)
            self.travel()
            await self.office.move_to(self.world.now, acts[0].wish["hours"])
            stored, expected = await self._stored(), expected_of(self.world)
            if stored != expected:
                raise DifferenceError(f"  stored are {stored}\n  the model says {expected}")
        else:
            self.travel()
            answers = await asyncio.gather(*(self.office.call(client, act) for act in acts))
            await self._compare(acts, answers)
        self.drawing.acts += acts
        self.drawing.world = self.world
        await self._compare_approvals()

    def travel(self) -> None:
        """Set the clocks of this process to the world's time."""
        self.clock.close()
        self.clock.enter_context(time_machine.travel(self.world.now, tick=False))

    async def _stored(self) -> Stored:
        return await self.office.balances(), Counter(await self.office.caused())

    async def _compare(self, acts: Sequence[Act], answers: Sequence[httpx.Response]) -> None:
        """Continue with the order of the acts in which the model equals the product.

        Responses alone do not always show which of two concurrent acts came first: a transfer
        confirmed while its product is changed is confirmed either way, but counts in full only if
        the change came first. The stored credits show it, by the amounts and limits that applied.
        Pairs that they cannot distinguish either are not drawn (`Drawing._is_open_ended`).
        """
        differences = []
        stored = await self._stored()
        for order in {tuple(range(len(acts))), tuple(reversed(range(len(acts))))}:
            world = deepcopy(self.world)
            wanted = {place: world.do(acts[place]) for place in order}
            said = [
                parse_response(answer, dict(wanted[place].facts))
                for place, answer in enumerate(answers)
            ]
            expected = [wanted[place] for place in range(len(acts))]
            if said == expected and stored == expected_of(world):
                self.world = world
                self._count(acts, said)
                by_number = {act.number: answer for act, answer in zip(acts, answers, strict=True)}
                await self.office.learn(world, by_number)
                return
            differences.append(f"  the model says {expected}\n    with {expected_of(world)}")
            differences.append(f"  the answers are {said}\n    with {stored}")
        differences += [f"  {answer.text[:500]}" for answer in answers]
        raise DifferenceError("\n".join(differences))

    def _count(self, acts: Sequence[Act], answers: Sequence[Said]) -> None:
        for act, answer in zip(acts, answers, strict=True):
            self.seen[f"{act.name} {answer.code or answer.status}"] += 1
            self.seen.update(f"reason {reason}" for reason in answer.reasons or ())
        if len(acts) > 1:
            self.seen["two at once"] += 1

    async def _compare_approvals(self) -> None:
        waiting = await self.office.open_approvals()
        names = {name for name, one in self.world.approvals.items() if one.state == "open"}
        if waiting != {self.office.things[name] for name in names}:
            raise DifferenceError(f"  {waiting} wait\n  the model says {names}")

    async def end(self, client: httpx.AsyncClient) -> None:
        """Check the stored rows, the list of approvals and the ledger audit."""
        if faults := await self.office.faults():
            raise DifferenceError(f"  the rows say: {faults}")
        owner = next(one.name for one in self.world.operators.values() if one.role == "owner")
        listed = await self.office.listed(client, owner)
        shown = {
            name: (self.world.state_of(one), one.reasons)
            for name, one in self.world.approvals.items()
        }
        if listed != shown:
            raise DifferenceError(f"  approvals are listed as {listed}\n  the model says {shown}")
        if broken := await broken_invariants_in(self.office.services.database):
            raise DifferenceError(f"  the proof of the ledger finds {broken}")
        for one in self.world.caused:
            self.seen[f"{one.kind} {'alone' if one.approval is None else 'by two'}"] += 1


def expected_of(world: World) -> Stored:
    """Return the balances and credits of the model."""
    balances = {name: one.balance for name, one in world.members.items()}
    return balances, Counter(world.caused)


async def play(place: Place, seed: str, chosen: Sequence[int]) -> Play:
    """Play a sequence, or some steps of it, from its beginning.

    Raises:
        DifferenceError: product and model disagree; its notes are the acts.
    """
    place.offices += 1
    world = furnished(seed, place.first_day, place.offices)
    with ExitStack() as travels:
        office = Office(place.app, place.offices)
        played = Play(place, seed, world, office, Drawing(seed, world), travels)
        played.travel()
        await office.furnish(world)
        async with office.client() as client:
            try:
                for step in chosen:
                    await played.step(client, played.drawing.step(step))
                await played.end(client)
            except Exception as error:
                error.add_note("\n".join(played.done))
                raise
    return played


async def shrink(place: Place, seed: str, chosen: list[int], error: Exception) -> Exception:
    """Drop steps while the rest still fails; return the error of the remaining ones."""
    place_of = len(chosen) - 1
    while place_of >= 0:
        fewer = chosen[:place_of] + chosen[place_of + 1 :]
        await place.empty()  # from the found failure
        try:
            await play(place, seed, fewer)
        except Exception as again:
            chosen, error = fewer, again
        place_of -= 1
    return error


async def play_all(place: Place, sequences: int, seed: int, first: int = 0) -> None:
    """Play this many sequences from number ``first`` on, one after the other.

    They share the row of limits and the clock, so they cannot be played concurrently.

    Raises:
        AssertionError: one fails; it names the seed, and the fewest steps that fail. Or too little
            happened.
    """
    began = time.monotonic()
    for number in range(first, first + sequences):
        if (number - first) % SEQUENCES_PER_APP == 0:
            await place.empty()
        name = f"{seed}:{number}"
        all_steps = steps(name)
        try:
            played = await play(place, name, all_steps)
        except Exception as error:
            shortest = await shrink(place, name, all_steps, error)
            text = "\n".join(getattr(shortest, "__notes__", []))
            raise AssertionError(
                f"sequence {number} of seed {seed} ({type(shortest).__name__}):\n{text}\n{shortest}"
            ) from shortest
        place.sequences += 1
        place.acts += len(played.drawing.acts)
        place.seen += played.seen
        place.seen.update(f"role {one.role}" for one in played.world.operators.values())
        if place.sequences % 500 == 0:
            passed = time.monotonic() - began
            print(f"{place.sequences} sequences, {place.acts} acts, {passed:.0f} s", flush=True)
    check_shares(place, sequences)


def check_shares(place: Place, sequences: int) -> None:
    """Require that everything occurred often enough.

    Raises:
        AssertionError: something occurred too rarely.
    """
    least = int(LEAST_SHARE * sequences)
    kinds = ("adjustment", "gift", "review_case", "refund", "transfer")
    names = [f"{kind} {way}" for kind in kinds for way in ("alone", "by two")]
    names += [f"reason {reason}" for reason in REASONS]
    names += [f"role {role}" for role in RIGHTS] + ["two at once", "sign_up account_exists"]
    few = {name: place.seen[name] for name in names if place.seen[name] < least}
    assert not few, f"too few: {few}"
