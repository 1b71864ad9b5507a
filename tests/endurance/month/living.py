"""The month itself: its days, its midnights, and its statistics."""

import argparse
import asyncio
import logging
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from api.foundation.core.config import (
    DEVELOPMENT_FLW_HASH,
    Environment,
    Settings,
)
from api.foundation.database.database import Database
from typing_extensions import override

from tests.conftest import free_port
from tests.endurance.deployment import SERVER, WORKER, Processes, preloaded_processes
from tests.endurance.month.actor import NotNowError, Place
from tests.endurance.month.callers import Bag, Callers
from tests.endurance.month.comparing import Comparison
from tests.endurance.month.furnishing import (
    OPERATORS,
    PAYSTACK_KEY,
    appoint,
    furnish,
    month_environment,
    open_office,
    providers,
)
from tests.endurance.month.mix import ALWAYS_POSSIBLE, MIX, Events
from tests.endurance.place import add_members, durable_postgres
from tests.preloaded import run as run_preloaded

DAYS = 30
AGES_AT_ONCE = 8
CONSOLE_SECONDS = 600.0
DAY_SECONDS = 24 * 60 * 60
NEW_ACCOUNT_SECONDS = 3 * DAY_SECONDS  # the limit then allows everything that is ordered here
TRIES_AT_ONE_EVENT = 20  # a day
SERVER_KILLS = 0.7  # the others are the worker's
LEAST_SHARE = 0.5  # of the share of each event in the mix
LEAST_REFUSED = 0.05  # of the events
MIN_EVENTS = 2  # of each event, however short the month is
LEAST_KILLS = 2
MAX_DAYS_FACTOR = 3  # the run is extended until every random outcome has occurred
EVENTS_BETWEEN_KILLS = 40  # at least
# Outcomes that are not events, but must occur: shares of the events.
MUST_FOLLOW = {
    "orders expired": 0.002,
    "plans renewed": 0.004,
    "plans ended": 0.001,
    "set aside: amount": 0.005,
    "set aside: daily_limit": 0.002,
}
MUST_BE_REFUSED = (
    *("already_subscribed", "bank_reference_used", "case_used", "idempotency_key_reused"),
    *("insufficient_funds", "invalid_signature", "not_paid", "own_proposal", "price_changed"),
    *("refund_too_much", "stale", "wrong_state"),
)
LOG_LINES, USUAL = 20, '"event": "security_event"'  # of the processes, shown with a failure


@dataclass
class Report:
    """Statistics of the month."""

    seed: int
    days: int
    seconds: float
    place: Place
    done: Counter[str]
    processes: Processes
    proof: str = ""
    sums: dict[str, Any] = field(default_factory=dict)

    @property
    def kills(self) -> int:
        """How often a process was killed."""
        return sum(self.processes.kills.values())

    @override
    def __str__(self) -> str:
        """Return the figures as text."""
        calls, events = self.place.callers, sum(self.done.values())
        lines = [f"{count:8} {name}" for name, count in sorted(self.done.items())]
        lines += ["  beside them, and following from them:"]
        seen = self.place.counts + self.place.model.happened
        lines += [f"{count:8} {name}" for name, count in sorted(seen.items())]
        lines += ["  refused:"]
        lines += [f"{count:8} {code}" for code, count in sorted(calls.refusals.items())]
        lines += [f"  {self.sums}", *(f"  {line}" for line in self.proof.splitlines())]
        return "\n".join(
            [
                *lines,
                f"{events} events of {self.days} days, seed {self.seed}, {self.seconds:.0f} s, "
                f"{events / self.seconds:.0f} a second; {calls.calls} calls, {calls.repeats} of "
                f"them repeats; {self.processes.kills[SERVER]} kills of the server and "
                f"{self.processes.kills[WORKER]} of the worker: the database equals the model",
            ]
        )


class Month:
    """One month: its days and its midnights."""

    def __init__(self, place: Place, processes: Processes, seed: int, workers: int) -> None:
        self.place = place
        self.processes = processes
        self.chances = [random.Random(f"{seed}:{n}") for n in range(workers)]  # noqa: S311 replayable
        self.chance = random.Random(seed)  # noqa: S311 replayable
        self.clock = Events(place, self.chance)  # how overdue rows are found
        self.done: Counter[str] = Counter()
        self.later: list[str] = []  # events that were impossible today
        self.is_last_day = False
        self.next_kill_at = 0.0  # of the loop's clock
        self.next_kill_after = 0  # so many events

    async def open(self) -> None:
        """Start every member with a plan that renews automatically, some days of which are over."""
        for member in self.place.model.members:
            body = {"kind": "member", "id": member.id, "seconds": NEW_ACCOUNT_SECONDS}
            (await self.place.callers.call("POST", "/api/v1/dev/age", json=body)).must_be(200)
            period = await self.clock.begin_plan(member)
            days = self.chance.randrange((period.ends - period.starts).days)
            if days:
                body = {"kind": "subscription", "id": period.id, "seconds": days * DAY_SECONDS}
                (await self.place.callers.call("POST", "/api/v1/dev/age", json=body)).must_be(200)
                period.pass_days(days)

    async def live(self, events: int, days: int, kills_every: float) -> None:
        """Run the days, and continue while a random outcome is missing."""
        deck, began = deal(events, self.chance), time.monotonic()
        self._plan_kill(kills_every)
        day = 0
        while day < days or (self.missing(events) and day < MAX_DAYS_FACTOR * days):
            left = max(1, days - day)
            if not deck:
                deck = deal(events // days, self.chance)
            share = self.later + [deck.pop() for _ in range(len(deck) // left)]
            self.chance.shuffle(share)
            self.later, self.is_last_day = [], day >= days - 1
            over = asyncio.Event()
            killer = asyncio.create_task(self._kill_every(kills_every, over))
            try:
                async with asyncio.TaskGroup() as group:
                    for chance in self.chances:
                        group.create_task(self._work(share, chance))
            finally:
                over.set()
                await killer
            await self._pass_midnight(leaves_it_to_worker=day % 2 == 1)
            passed = time.monotonic() - began
            print(
                f"day {day + 1}: {sum(self.done.values())} events in {passed:.0f} s, "
                f"{sum(self.processes.kills.values())} kills, {self.place.callers.calls} calls",
                flush=True,
            )
            day += 1

    def missing(self, events: int) -> dict[str, tuple[int, int]]:
        """Return the outcomes that were too rare for the number of events: actual and required
        counts.
        """
        weights = sum(weight for weight, _ in MIX.values())
        least = {
            name: max(MIN_EVENTS, int(LEAST_SHARE * events * weight / weights))
            for name, (weight, _) in MIX.items()
        }
        least |= {name: max(1, int(share * events)) for name, share in MUST_FOLLOW.items()}
        least |= dict.fromkeys(MUST_BE_REFUSED, 1)
        seen = self.done + self.place.model.happened + self.place.callers.refusals
        return {name: (seen[name], count) for name, count in least.items() if seen[name] < count}

    async def _work(self, share: list[str], chance: random.Random) -> None:
        """Do one event after the other; impossible ones move to the next day, or are replaced."""
        events, tried = Events(self.place, chance), Counter[str]()
        while share:
            name = share.pop()
            try:
                await MIX[name][1](events)
            except NotNowError:
                tried[name] += 1
                if tried[name] % TRIES_AT_ONE_EVENT:
                    share.insert(chance.randint(0, len(share)), name)
                elif not self.is_last_day:
                    self.later.append(name)
                else:
                    self.place.counts[f"replaced: {name}"] += 1
                    share.insert(chance.randint(0, len(share)), ALWAYS_POSSIBLE)
                await asyncio.sleep(0.001)
                continue
            except Exception as error:
                error.add_note(f"in the event: {name}")
                raise
            self.done[name] += 1

    async def _kill_every(self, seconds: float, over: asyncio.Event) -> None:
        """Kill the processes repeatedly, until the day is over."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self.next_kill_at):
                    await over.wait()
                return
            if self.done.total() < self.next_kill_after:  # lets a slow machine make progress, too
                self._plan_kill(seconds / 10)
                continue
            name = SERVER if self.chance.random() < SERVER_KILLS else WORKER
            await asyncio.to_thread(self.processes.kill_and_start, name)
            self.next_kill_after = self.done.total() + EVENTS_BETWEEN_KILLS
            self._plan_kill(seconds)

    def _plan_kill(self, every_seconds: float) -> None:
        pause = every_seconds * self.chance.uniform(0.6, 1.4)
        self.next_kill_at = asyncio.get_running_loop().time() + pause

    async def _pass_midnight(self, *, leaves_it_to_worker: bool) -> None:
        """Pass midnight: due work is done, then all open rows become a day older."""
        await self._process_due()
        model = self.place.model
        older: list[tuple[str, str]] = []
        older += [("approval", one.id) for one in model.approvals if one.state == "open"]
        for member in model.members:
            older += [("order", one.id) for one in member.orders if one.status == "pending"]
            # All of them: the history that members read is sorted by time.
            older += [("subscription", period.id) for period in member.periods]
            older += [
                ("funding", one.reference)
                for one in member.fundings
                if one.is_fresh or one.counts_today or one.is_decided_today
            ]
        places = asyncio.Semaphore(AGES_AT_ONCE)
        await asyncio.gather(*(self._age(places, kind, name) for kind, name in older))
        model.pass_midnight()
        if not leaves_it_to_worker:
            await self._process_due()

    async def _age(self, places: asyncio.Semaphore, kind: str, name: str) -> None:
        body = {"kind": kind, "id": name, "seconds": DAY_SECONDS}
        async with places:
            answer = await self.place.callers.call("POST", "/api/v1/dev/age", json=body)
        answer.must_be(200)
        assert answer.breaks == 0, "a row was perhaps moved twice"

    async def _process_due(self) -> None:
        """Run the jobs and apply their effects to the model; no due row is left."""
        for job in ("expire-orders", "renew-plans"):
            operator = self.place.operators[0]
            answer = await self.place.callers.office(operator, "POST", f"jobs/{job}/run")
            answer.must_be(200)
        for member in self.place.model.members:
            for order in member.orders:
                await self.clock.check_order(order)
                assert not order.is_due, f"order {order.id} was not expired"
            await self.clock.check_plan(member, has_job_run=True)

    async def end(self) -> None:
        """Complete all open work: payments whose reports never came are polled."""
        await self._process_due()
        for member in self.place.model.members:
            for funding in [one for one in member.fundings if one.is_creditable]:
                await self.clock.ask_about(funding)
        await self._process_due()


def deal(events: int, chance: random.Random) -> list[str]:
    """Return this many events in a random order, each by its share of the mix, and some of each."""
    weights = sum(weight for weight, _ in MIX.values())
    deck = [
        name
        for name, (weight, _) in MIX.items()
        for _ in range(max(MIN_EVENTS + 1, round(events * weight / weights)))
    ]
    deck += [ALWAYS_POSSIBLE] * (events - len(deck))
    chance.shuffle(deck)
    return deck


def check_shares(report: Report, few: Mapping[str, tuple[int, int]], events: int) -> None:
    """Reject a month in which some outcome was too rare.

    Raises:
        AssertionError: it is such a month.
    """
    assert not few, f"too few (seen, wanted): {few}"
    assert report.done.total() >= events, "too few events"
    refused = report.place.callers.refusals.total()
    assert refused >= LEAST_REFUSED * events, f"only {refused} refusals"
    assert report.kills >= LEAST_KILLS, f"only {report.kills} kills"


async def prove(
    environment: dict[str, str],
    processes: Processes,
    ports: dict[str, int],
    chosen: argparse.Namespace,
) -> Report:
    """Run the month and compare.

    Raises:
        AssertionError: a response was impossible, the database differs from the model, the audit
            found something, or too little happened.
    """
    base = environment["PUBLIC_URL"]
    settings = Settings(app_env=Environment.TEST, database_url=environment["DATABASE_URL"])
    database = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=2
    )
    callers, bag = Callers(base), Bag()
    try:
        async with providers(base, ports, bag) as clients:
            people = await add_members(database, chosen.members + OPERATORS)
            model = await furnish(database, people[OPERATORS:])
            appointed = await appoint(database, settings, people[:OPERATORS])
            place = Place(
                *(model, callers, appointed, clients),
                *(PAYSTACK_KEY, DEVELOPMENT_FLW_HASH, bag),
            )
            await callers.call("GET", "/readyz")
            await open_office(place)
            month = Month(place, processes, chosen.seed, chosen.workers)
            await month.open()
            began = time.monotonic()
            await month.live(chosen.events, chosen.days, chosen.kills_every)
            seconds = time.monotonic() - began
            await month.end()
            sums = await Comparison(place, database).compare()
    finally:
        await callers.aclose()
        await database.close()
    report = Report(chosen.seed, chosen.days, seconds, place, month.done, processes, sums=sums)
    report.proof = await asyncio.to_thread(console_proof, environment)
    check_shares(report, month.missing(chosen.events), chosen.events)
    return report


def console_proof(environment: dict[str, str]) -> str:
    """Run the product's own audit; return its output.

    Raises:
        AssertionError: it found something.
    """
    done = run_preloaded(
        [sys.executable, "-m", "api.console", "prove"], env=environment, timeout=CONSOLE_SECONDS
    )
    assert done.returncode == 0, f"the proof found something:\n{done.stdout}{done.stderr}"
    return done.stdout


def run(arguments: list[str]) -> Report:
    """Set up an environment, run the month in it, and return what was observed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--members", type=int, default=160)
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--kills-every", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=2026)
    chosen = parser.parse_args(arguments)
    # Killed servers leave the providers in mid-request, which they log at length.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    ports = {"paystack": free_port(), "flutterwave": free_port()}
    with durable_postgres() as (postgres, folder):
        environment = month_environment(postgres, folder, free_port(), ports)
        log = folder / "processes.log"
        try:
            with preloaded_processes(environment, log) as processes:
                return asyncio.run(prove(environment, processes, ports, chosen))
        except Exception as error:
            lines = [line for line in log.read_text().splitlines() if USUAL not in line]
            error.add_note("\n".join(lines[-LOG_LINES:]))
            raise
