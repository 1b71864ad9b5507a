"""Settling: what changes of a match mean for its predictions, and the points that follow.

A decision is written in the transaction that changes the match, with a job that judges all
predictions by all decisions so far. Judging depends on nothing else, so it may be done again, by
several workers, and in any order: what a prediction came to before is in its row, and the
difference is awarded under a reference that is unique for its match's version.

The badge of a full round depends on other matches, too. It is looked for when all that a match's
job has judged is committed: of matches that are settled at once the last one sees all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.achievements import service as achievements
from api.achievements.enums import BadgeKey
from api.achievements.rules import FIVE_EXACT
from api.core import clock
from api.core.ids import new_id
from api.database.database import Database, Transaction
from api.database.statements import Row
from api.fixtures.enums import FixtureState
from api.jobs.queue import JobQueue
from api.predictions import repository, rules
from api.predictions.enums import PredictionOutcome
from api.predictions.jobs import SETTLE_PREDICTIONS, LeftRound, SettlingWork
from api.predictions.rules import MatchMoment, MatchVerdict
from api.ranking import service as ranking
from api.ranking.enums import PointSource

BATCH = 500


class Decider:
    """Decides what becomes of predictions when their match changes."""

    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue

    async def follow(self, tx: Transaction, before: Row, after: Row) -> None:
        """Write what a change of a match means for its predictions, and the job that settles it.

        The moment of it is taken here, where the match is held: the writer may have waited for
        that, and what was saved meanwhile is earlier than this. The job is named by the match's
        version: a change while an earlier one is still being settled is settled, too.
        """
        now = clock.now()
        decisions = await repository.list_decisions(tx, after["id"])
        first = _first_result(decisions)
        finished_at = None if first is None else first["decided_at"]
        verdict = rules.verdict_of(_moment(before), _moment(after), finished_at, now)
        left_round = _left_round(before, after)
        if verdict is not None:
            await self._decide(tx, after, verdict, now)
        if verdict is not None or left_round is not None:
            work = SettlingWork(fixture_id=after["id"], left_round=left_round)
            key = f"{after['id']}:{after['version']}"
            await self._queue.enqueue(tx, SETTLE_PREDICTIONS, work, key=key)

    async def _decide(
        self, tx: Transaction, after: Row, verdict: MatchVerdict, now: datetime
    ) -> None:
        home_goals, away_goals = verdict.goals or (None, None)
        values = {
            "fixture_id": after["id"],
            "version": after["version"],
            "home_goals": home_goals,
            "away_goals": away_goals,
            "void_from": verdict.void_from,
            "void_until": verdict.void_until,
            "competition_id": after["competition_id"],
            "round": after["round"] or "",
            "month": clock.lagos_day(after["kick_off_at"]).replace(day=1),
            "season_id": await ranking.season_at(tx, after["kick_off_at"]),
            "decided_at": now,
        }
        await repository.insert_decision(tx, values)


class Settler:
    """Settles the predictions of a match, batch by batch."""

    def __init__(self, database: Database, *, batch: int = BATCH) -> None:
        self._database = database
        self._batch = batch

    async def settle(self, work: SettlingWork) -> None:
        """Judge what waits; every batch is committed by itself, so that a stop loses nothing."""
        is_done = False
        while not is_done:
            is_done = await self.settle_batch(work.fixture_id)
        competition_id, name = await repository.read_round(self._database, work.fixture_id)
        await self._complete_round(competition_id, name)
        if work.left_round is not None:
            await self._complete_round(work.left_round.competition_id, work.left_round.name)

    async def settle_batch(self, fixture_id: UUID) -> bool:
        """Judge one batch; True when nothing waits."""
        async with self._database.transaction() as tx:
            await repository.lock_settling(tx, fixture_id)
            decisions = await repository.list_decisions(tx, fixture_id)
            if not decisions:
                return True
            version = decisions[-1]["version"]
            waiting, held = await repository.lock_waiting(tx, fixture_id, version, self._batch)
            if held:
                await _settle(tx, fixture_id, decisions, held)
        return not waiting

    async def _complete_round(self, competition_id: UUID, name: str | None) -> None:
        """Give the badge of a round that is over to those who predicted all of it."""
        if not name:
            return
        async with self._database.transaction() as tx:
            full = await repository.list_full_round(tx, competition_id, name, None)
            await repository.hold_members(tx, full)  # one who left meanwhile is not found again
            still = await repository.list_full_round(tx, competition_id, name, full)
            earned = {(user_id, BadgeKey.FULL_ROUND) for user_id in still}
            await achievements.earn(tx, earned, clock.now())


@dataclass(frozen=True)
class _Judged:
    """A prediction with what it comes to, and by how much that is more than before."""

    row: Row
    outcome: PredictionOutcome
    points: int | None
    more: int
    is_correction: bool

    def more_of(self, outcome: PredictionOutcome) -> int:
        """Return by how many there are more of an outcome: -1, 0 or 1."""
        return int(self.outcome is outcome) - int(self.row["outcome"] == outcome)


async def _settle(
    tx: Transaction, fixture_id: UUID, decisions: Sequence[Row], held: Sequence[Row]
) -> None:
    verdicts, last = [_verdict(row) for row in decisions], decisions[-1]
    judged = [_judged(row, verdicts) for row in held]
    settled = [(one.row["id"], one.outcome.value, one.points) for one in judged]
    await repository.change_settled(tx, last["version"], settled)
    first = _first_result(decisions)
    if first is not None:
        name = await repository.read_name(tx, fixture_id)
        await ranking.award_many(tx, _awards(judged, first, last, name))
        await _add_totals(tx, judged, first, last)
    await achievements.earn(tx, await _earned(tx, judged), last["decided_at"])


def _awards(judged: Sequence[_Judged], first: Row, last: Row, name: str) -> Sequence[ranking.Award]:
    """Return what members get, or give back, by the last decision."""
    day = clock.lagos_day(last["decided_at"])
    return [
        ranking.Award(
            id=new_id(),
            user_id=one.row["user_id"],
            club_id=one.row["club_id"],
            season_id=first["season_id"],
            source=PointSource.PREDICTION,
            source_id=rules.award_reference(one.row["id"], last["version"]),
            question_id=None,
            points=one.more,
            answered=0,
            right=0,
            elapsed_ms=0,
            detail=rules.detail_of(name, one.outcome, is_correction=one.is_correction),
            day=day,
            now=clock.now(),
        )
        for one in judged
        if one.more
    ]


async def _add_totals(tx: Transaction, judged: Sequence[_Judged], first: Row, last: Row) -> None:
    """Add to the boards that the first result counts for."""
    added = [
        (
            one.row["user_id"],
            one.row["club_id"],
            one.more,
            one.more_of(PredictionOutcome.EXACT),
            one.more_of(PredictionOutcome.RESULT),
        )
        for one in judged
        if one.more and not one.row["is_off_boards"]
    ]
    if added:
        boards = rules.boards_of(
            first["competition_id"], first["round"], first["month"], first["season_id"]
        )
        await repository.add_totals(tx, boards, clock.lagos_day(last["decided_at"]), added)


async def _earned(tx: Transaction, judged: Sequence[_Judged]) -> set[tuple[UUID, BadgeKey]]:
    """Return the badges that members have with what was judged; a correction takes none back."""
    exact = [one.row["user_id"] for one in judged if one.outcome is PredictionOutcome.EXACT]
    counts = await repository.count_exact(tx, exact)
    earned = {(user_id, BadgeKey.FIRST_EXACT) for user_id in exact}
    earned |= {
        (user_id, BadgeKey.FIVE_EXACT) for user_id, count in counts.items() if count >= FIVE_EXACT
    }
    return earned


def _left_round(before: Row, after: Row) -> LeftRound | None:
    """Return the round that a change takes a match out of, None when it stays where it was."""
    was, is_now = ((row["competition_id"], row["round"]) for row in (before, after))
    if was == is_now or not before["round"]:
        return None
    return LeftRound(competition_id=before["competition_id"], name=before["round"])


def _judged(row: Row, verdicts: Sequence[MatchVerdict]) -> _Judged:
    outcome, points = rules.judge((row["home"], row["away"]), row["saved_at"], verdicts)
    before = row["points"]
    if points is not None and not row["earns"]:
        points = before or 0  # what was awarded already stays
    return _Judged(row, outcome, points, (points or 0) - (before or 0), before is not None)


def _moment(row: Row) -> MatchMoment:
    teams = (row["home_id"], row["away_id"])
    return MatchMoment(FixtureState(row["state"]), row["kick_off_at"], _goals(row), teams)


def _goals(row: Row) -> tuple[int, int] | None:
    return None if row["home_goals"] is None else (row["home_goals"], row["away_goals"])


def _verdict(row: Row) -> MatchVerdict:
    return MatchVerdict(_goals(row), row["void_from"], row["void_until"])


def _first_result(decisions: Sequence[Row]) -> Row | None:
    return next((row for row in decisions if row["home_goals"] is not None), None)
