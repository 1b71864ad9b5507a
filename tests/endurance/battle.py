"""Random sequences of Battle Zone events, each compared with a model of the rules.

Hypothesis draws the sequences and shrinks failing ones. They include two tabs, early, late,
repeated and concurrent answers, a lost connection, a restart, midnight, and a plan that ends.

``python -m tests.endurance.battle [--sequences N] [--seed S]``
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.errors import DomainError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database
from api.games.battle import service
from api.games.battle.rules.outcomes import instant_of
from api.games.battle.rules.situation import PlayerSocket, Step
from api.games.questions.schemas import KEYS
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from typing_extensions import override

from tests.endurance.place import CLUB, add_members, durable_postgres

QUOTA = 3
LIMIT = timedelta(seconds=15)
GRACE = timedelta(milliseconds=500)
ANCHOR = timedelta(seconds=3)
REST_DAYS = 30
POINTS = 10
LADDER = (("rookie", 30), ("super-fan", 60))
QUESTIONS = 40
PLAN_DAYS = 40
STEPS = 20
SPANS_MS = (0, 1, 250, 2_999, 3_000, 3_001, 14_999, 15_000, 15_500, 15_501, 60_000)
FIRST_NOON = datetime(2026, 11, 2, 11, tzinfo=clock.LAGOS)

ResultT = TypeVar("ResultT")
TABS = st.sampled_from(("phone", "laptop"))


@dataclass
class Attempt:
    """One served question, as the model knows it."""

    question_id: str
    day: Any
    number: int
    rank: str
    opened_at: datetime
    deadline_at: datetime
    anchored: bool = False
    outcome: str | None = None
    closed_at: datetime | None = None
    promoted_to: str | None = None


@dataclass
class Model:
    """The rules again, as plainly as possible."""

    plan_until: datetime
    now: datetime = FIRST_NOON
    seat: str | None = None
    visit_from: datetime = FIRST_NOON
    attempts: list[Attempt] = field(default_factory=list)
    battle_points: int = 0
    answered: int = 0
    right: int = 0

    @property
    def running(self) -> Attempt | None:
        return next((one for one in self.attempts if one.outcome is None), None)

    @property
    def today(self) -> list[Attempt]:
        day = clock.lagos_day(self.now)
        return [one for one in self.attempts if one.day == day]

    @property
    def visit(self) -> list[Attempt]:
        """Return what ended since the member entered or was last notified of an ending."""
        return [
            one
            for one in self.attempts
            if one.closed_at is not None and one.closed_at >= self.visit_from
        ]

    def badge(self) -> str:
        for rank, threshold in LADDER:
            if self.battle_points < threshold:
                return rank
        return "king-of-fans"

    def rested(self, question_id: str) -> bool:
        """Return whether the member may be served the question today."""
        since = clock.lagos_day(self.now) - timedelta(days=REST_DAYS)
        return all(one.question_id != question_id or one.day <= since for one in self.attempts)

    def end(self, attempt: Attempt, outcome: str) -> None:
        before = self.badge()
        attempt.outcome = outcome
        attempt.closed_at = self.now
        self.answered += outcome != "timeout"
        if outcome == "right":
            self.right += 1
            self.battle_points += POINTS
        attempt.promoted_to = None if self.badge() == before else self.badge()

    def expire(self) -> Attempt | None:
        """End the running question when its time and the grace period are over."""
        running = self.running
        if running is None or self.now <= running.deadline_at + GRACE:
            return None
        self.end(running, "timeout")
        return running


class Play(RuleBasedStateMachine):
    """One member's game; ``place`` is set for the whole run."""

    place: "Place"

    def __init__(self) -> None:
        super().__init__()
        self.member = self.place.members.pop()
        self.model = Model(plan_until=FIRST_NOON + timedelta(days=PLAN_DAYS))
        self.restarts = 0
        self.seats: set[str] = set()
        self.place.sequences += 1
        self.run(self.place.subscribe(self.member))

    def run(self, work: Coroutine[Any, Any, ResultT]) -> ResultT:
        self.place.events += 1
        return self.place.runner.run(work)

    def seat(self, tab: str) -> PlayerSocket:
        return PlayerSocket(self.member, CLUB, f"{tab}-{self.restarts}")

    @rule(tab=TABS, resume=st.booleans())
    def enter(self, tab: str, resume: bool) -> None:
        model = self.model
        previous, model.seat = model.seat, self.seat(tab).sid
        if not resume or len(self.seats) == 0:
            model.visit_from = max(model.visit_from, model.now)
        self.seats.add(model.seat)
        step = self.run(
            service.enter(self.place.database, self.seat(tab), model.now, resume=resume)
        )
        assert step["previous_sid"] == (None if previous == model.seat else previous)
        self.check_step(step, resume=resume)

    @rule(tab=TABS)
    def go_on(self, tab: str) -> None:
        step = self.run(
            self.step_or_refusal(service.go_on(self.place.database, self.seat(tab), self.model.now))
        )
        if self.model.seat != self.seat(tab).sid:
            assert step == {"kind": "refused", "code": "session_taken_over"}
            return
        self.check_step(step, resume=False)

    @rule(
        tab=TABS,
        which=st.sampled_from(("running", "running", "last", "unserved")),
        choice=st.sampled_from(("right", "right", "wrong", "empty")),
    )
    def answer(self, tab: str, which: str, choice: str) -> None:
        question_id = self.pick(which)
        step = self.run(self.send_answer(tab, question_id, choice))
        self.check_answer(step, tab, question_id, choice)

    @rule(tab=TABS, choice=st.sampled_from(("right", "wrong")))
    def play_on(self, tab: str, choice: str) -> None:
        """Play a whole round, so that sequences also reach the ends of days."""
        self.enter(tab, resume=True)
        self.go_on(tab)
        self.answer(tab, "running", choice)
        self.go_on(tab)

    @rule(choices=st.lists(st.sampled_from(("right", "wrong")), min_size=2, max_size=4))
    @precondition(lambda self: self.model.running is not None and self.model.seat is not None)
    def answer_at_once(self, choices: list[str]) -> None:
        running, tab = self.model.running, (self.model.seat or "").split("-")[0]
        assert running is not None
        if self.model.seat != self.seat(tab).sid:
            return

        async def all_at_once() -> list[Step]:
            return await asyncio.gather(
                *(self.send_answer(tab, running.question_id, choice) for choice in choices)
            )

        steps = self.run(all_at_once())
        fresh = [step for step in steps if step.get("fresh")]
        assert len(fresh) == 1
        assert len({step["outcome"] for step in steps}) == 1
        outcome = fresh[0]["outcome"]
        in_time = self.model.now <= running.deadline_at + GRACE
        assert outcome in choices if in_time else outcome == "timeout"
        self.model.end(running, outcome)

    @rule(tab=TABS)
    @precondition(lambda self: self.model.running is not None)
    def start_timer(self, tab: str) -> None:
        model, running = self.model, self.model.running
        assert running is not None
        moved = self.run(
            service.start_timer(
                self.place.database, self.seat(tab), UUID(running.question_id), model.now
            )
        )
        in_time = model.now <= running.opened_at + ANCHOR
        if model.seat == self.seat(tab).sid and in_time and not running.anchored:
            running.anchored = True
            running.deadline_at = model.now + LIMIT
            assert moved == running.deadline_at
        else:
            assert moved is None

    @rule(span=st.sampled_from(SPANS_MS))
    def wait(self, span: int) -> None:
        self.model.now += timedelta(milliseconds=span)

    @rule(days=st.sampled_from((1, 1, 1, 29, 36)))
    def sleep(self, days: int) -> None:
        self.model.now += timedelta(days=days)

    @rule()
    def sweep(self) -> None:
        steps = self.run(service.end_overdue(self.place.database, self.model.now, [self.member]))
        ended = self.model.expire()
        assert [step["question_id"] for step in steps] == ([ended.question_id] if ended else [])
        for step in steps:
            self.check_result(step, ended)

    @rule()
    def restart(self) -> None:
        """Every socket returns under another id."""
        self.restarts += 1

    @override
    def teardown(self) -> None:
        stored = self.run(self.place.stored(self.member))
        model = self.model
        assert stored["attempts"] == [
            [one.question_id, str(one.day), one.number, one.outcome] for one in model.attempts
        ]
        assert stored["entries"] == stored["points"] == model.battle_points
        assert stored["answered"] == model.answered
        assert stored["correct"] == model.right

    def pick(self, which: str) -> str:
        served = self.model.attempts
        if which == "unserved" or not served:
            return str(new_id())
        running = self.model.running
        return running.question_id if which == "running" and running else served[-1].question_id

    async def send_answer(self, tab: str, question_id: str, choice: str) -> Step:
        database = self.place.database
        key = ""
        if choice != "empty":
            row = await database.fetch_row(
                "SELECT array_position(a.shown, q.right_option) AS place FROM battle_attempt a "
                "JOIN question q ON q.id = a.question_id WHERE a.user_id = $1 "
                "AND a.question_id = $2 ORDER BY a.day DESC LIMIT 1",
                self.member,
                UUID(question_id),
            )
            right = 0 if row is None else row["place"] - 1
            key = KEYS[right if choice == "right" else (right + 1) % len(KEYS)]
        given = service.given_answer(self.seat(tab), UUID(question_id), key, self.model.now)
        [step] = await service.judge(database, [given])
        return step

    async def step_or_refusal(self, work: Coroutine[Any, Any, Step]) -> Step:
        try:
            return await work
        except DomainError as refusal:
            return {"kind": "refused", "code": refusal.code}

    def check_answer(self, step: Step, tab: str, question_id: str, choice: str) -> None:
        model = self.model
        attempt = next(
            (one for one in reversed(model.attempts) if one.question_id == question_id), None
        )
        if model.seat != self.seat(tab).sid:
            assert step["code"] == "session_taken_over"
        elif attempt is None:
            assert step["code"] == "not_served"
        elif attempt.outcome is not None:
            assert "fresh" not in step
            self.check_result(step, attempt)
        elif choice == "empty" and model.now < attempt.deadline_at:
            assert step["code"] == "no_answer"
        else:
            in_time = choice != "empty" and model.now <= attempt.deadline_at + GRACE
            model.end(attempt, choice if in_time else "timeout")
            assert step["fresh"]
            self.check_result(step, attempt)

    def check_step(self, step: Step, *, resume: bool) -> None:
        model = self.model
        expired = model.expire()
        running = model.running
        if expired is not None:
            self.check_result(step, expired)
        elif running is not None:
            assert step["kind"] == "question"
            assert step["resumed"]
            assert step["question_id"] == running.question_id
            assert instant_of(step["deadline_ms"]) == running.deadline_at
        elif resume:
            self.check_resume(step)
        else:
            self.check_serving(step)

    def check_resume(self, step: Step) -> None:
        if self.model.visit:
            self.check_result(step, self.model.visit[-1])
        else:
            assert step["kind"] == "idle"

    def check_serving(self, step: Step) -> None:
        model = self.model
        self.place.seen[str(step.get("code", step["kind"]))] += 1
        if model.now >= model.plan_until:
            assert step["code"] == "plan_required"
        elif len(model.today) >= QUOTA:
            assert step["kind"] == ("finished" if model.visit else "attempted")
            if model.visit:
                assert (step["cnt"], step["answered_correctly"]) == (model.answered, model.right)
                model.visit_from = model.now + timedelta(microseconds=1)
        elif not any(model.rested(question_id) for question_id in self.place.bank):
            assert step["kind"] == "empty"
        else:
            assert step["kind"] == "question"
            assert model.rested(step["question_id"])
            assert step["question_id"] in self.place.bank
            attempt = Attempt(
                step["question_id"],
                clock.lagos_day(model.now),
                len(model.today) + 1,
                model.badge(),
                model.now,
                model.now + LIMIT,
            )
            model.attempts.append(attempt)
            assert step["number"] == attempt.number
            assert step["rank"] == attempt.rank
            assert instant_of(step["deadline_ms"]) == attempt.deadline_at

    def check_result(self, step: Step, attempt: Attempt | None) -> None:
        assert attempt is not None
        self.place.seen[str(attempt.outcome)] += 1
        assert step["kind"] == "result"
        assert step["question_id"] == attempt.question_id
        assert step["outcome"] == attempt.outcome
        assert step["points_awarded"] == (POINTS if attempt.outcome == "right" else 0)
        assert step["promoted_to"] == attempt.promoted_to
        assert step["badge"] == self.model.badge()
        assert step["points"] == step["battle_points"] == self.model.battle_points


class Place:
    """A database with a season and a bank, and members who have never played."""

    def __init__(self, url: str, runner: asyncio.Runner, sequences: int) -> None:
        self.runner = runner
        self.database = Database(url, runtime_role=Settings().database_runtime_role, pool_size=8)
        self.seen: Counter[str] = Counter()
        self.sequences = 0
        self.events = 0
        self.bank: set[str] = set()
        # Sequences that are redrawn, and the shrinking of a failing one, need some more.
        self.members = runner.run(add_members(self.database, sequences + sequences // 2 + 500))
        runner.run(self._prepare())

    async def _prepare(self) -> None:
        season_id = new_id()
        async with self.database.transaction() as tx:
            await tx.execute(
                "INSERT INTO season (id, name, starts_at, ends_at, point_per_question, "
                "question_time_limit, questions_per_day) "
                "VALUES ($1, 'proof', $2, $3, $4, $5, $6)",
                season_id,
                FIRST_NOON - timedelta(days=1),
                FIRST_NOON + timedelta(days=4000),
                POINTS,
                int(LIMIT.total_seconds()),
                QUOTA,
            )
            for rank, threshold in LADDER:
                await tx.execute(
                    "INSERT INTO battle_rank (season_id, rank, threshold_point) "
                    "VALUES ($1, $2, $3)",
                    season_id,
                    rank,
                    threshold,
                )
            for number in range(QUESTIONS):
                question_id = new_id()
                self.bank.add(str(question_id))
                await tx.execute(
                    "INSERT INTO question (id, slug, kind, topic, question, options, "
                    "right_option, explanation, source, difficulty) VALUES ($1, $2, "
                    "'battle', 'Laws', 'What?', ARRAY['a', 'b', 'c', 'd'], $3, '', '', "
                    "$4)",
                    question_id,
                    str(number),
                    number % len(KEYS),
                    number % 3 + 1,
                )
            await tx.execute(
                "INSERT INTO plan (id, plan, amount_kobo, duration, period, benefits, "
                "battle_zone, position) VALUES ($1, 'Battle', 0, 1, 'month', '{}', true, 1)",
                CLUB,
            )

    async def subscribe(self, member: UUID) -> None:
        await self.database.fetch_row(
            "INSERT INTO subscription (id, user_id, plan_id, starts_at, ends_at, amount_kobo) "
            "VALUES ($1, $2, $3, $4, $5, 0)",
            new_id(),
            member,
            CLUB,
            FIRST_NOON - timedelta(days=1),
            FIRST_NOON + timedelta(days=PLAN_DAYS),
        )

    async def stored(self, member: UUID) -> dict[str, Any]:
        row = await self.database.fetch_row(
            "SELECT coalesce((SELECT jsonb_agg(jsonb_build_array(question_id, day, n, outcome) "
            "  ORDER BY opened_at, n) FROM battle_attempt WHERE user_id = $1), '[]') AS attempts, "
            "coalesce((SELECT sum(points) FROM point_entry WHERE user_id = $1), 0) AS entries, "
            "coalesce((SELECT battle_points FROM member_season WHERE user_id = $1), 0) AS points, "
            "coalesce((SELECT answered FROM member_season WHERE user_id = $1), 0) AS answered, "
            "coalesce((SELECT answered_correctly FROM member_season WHERE user_id = $1), 0) "
            "  AS correct",
            member,
        )
        assert row is not None
        return dict(row)


def prove(url: str, sequences: int, seed_number: int) -> Place:
    """Play ``sequences`` random games; return what occurred in them."""
    with asyncio.Runner() as runner:
        place = Place(url, runner, sequences)
        Play.place = place
        proof = seed(seed_number)(Play)
        run_state_machine_as_test(
            proof,
            settings=settings(
                max_examples=sequences,
                stateful_step_count=STEPS,
                deadline=None,
                database=None,
                phases=[Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck),
            ),
        )
        runner.run(place.database.close())
    for kind in ("question", "finished", "attempted", "plan_required", "right", "wrong", "timeout"):
        assert place.seen[kind], f"no sequence met {kind}"
    return place


def main() -> int:
    """Run the test from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2026)
    chosen = parser.parse_args()
    began = time.monotonic()
    with durable_postgres() as (server, _):
        place = prove(server.url(), chosen.sequences, chosen.seed)
    seconds = time.monotonic() - began
    for name, count in sorted(place.seen.items()):
        print(f"{count:8} {name}")
    print(
        f"{place.sequences} sequences, {place.events} calls, seed {chosen.seed}, "
        f"{seconds:.0f} s: every one equals the model"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
