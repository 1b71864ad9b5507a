"""Scoring: the effects of match changes on predictions, and the resulting points.

A decision is written in the transaction that changes the match, with a job that scores all
predictions by all decisions so far. Scoring depends on nothing else, so it may be repeated, run on
several workers, and in any order: a prediction's previous result is in its row, and the difference
is awarded under a reference that is unique per version of the match.

The badge of a full round depends on other matches, too. It is checked after all results of a
match's job are committed: of matches scored concurrently, the last one sees all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.jobs.queue import JobQueue
from api.games.achievements.enums import BadgeKey
from api.games.achievements.rules import FIVE_EXACT
from api.games.achievements.service import badges
from api.games.matches.enums import FixtureState
from api.games.matches.rules.rows import MatchRow
from api.games.predictions import rules
from api.games.predictions.enums import PredictionOutcome
from api.games.predictions.jobs import SCORE_PREDICTIONS, PreviousRound, ScoringWork
from api.games.predictions.repository import scoring
from api.games.predictions.repository.scoring import DecisionRow, UnscoredPrediction
from api.games.predictions.rules import MatchMoment, MatchVerdict
from api.games.ranking.enums import PointSource
from api.games.ranking.repository.awards import Award
from api.games.ranking.service import boards as boards_service
from api.games.ranking.service import seasons

BATCH = 500


class MatchDecisions:
    """Decides the effect of a match's change on its predictions."""

    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue

    async def follow(self, tx: Transaction, before: MatchRow, after: MatchRow) -> None:
        """Insert the decision of a match's change, and the job that scores its predictions.

        The time is read here, under the match's lock: the writer may have waited for it, and
        predictions saved meanwhile are earlier. The job's key contains the match's version, so a
        change during the scoring of an earlier one is scored, too.
        """
        now = clock.now()
        decisions = await scoring.list_decisions(tx, after.id)
        first = _first_result(decisions)
        finished_at = None if first is None else first.decided_at
        verdict = rules.verdict_of(_moment(before), _moment(after), finished_at, now)
        left_round = _previous_round(before, after)
        if verdict is not None:
            await self._decide(tx, after, verdict, now)
        if verdict is not None or left_round is not None:
            work = ScoringWork(fixture_id=after.id, left_round=left_round)
            key = f"{after.id}:{after.version}"
            await self._queue.enqueue(tx, SCORE_PREDICTIONS, work, key=key)

    async def _decide(
        self, tx: Transaction, after: MatchRow, verdict: MatchVerdict, now: datetime
    ) -> None:
        home_goals, away_goals = verdict.goals or (None, None)
        values = {
            "fixture_id": after.id,
            "version": after.version,
            "home_goals": home_goals,
            "away_goals": away_goals,
            "void_from": verdict.void_from,
            "void_until": verdict.void_until,
            "competition_id": after.competition_id,
            "round": after.round or "",
            "month": clock.lagos_day(after.kick_off_at).replace(day=1),
            "season_id": await seasons.season_at(tx, after.kick_off_at),
            "decided_at": now,
        }
        await scoring.insert_decision(tx, values)


class PredictionScorer:
    """Scores the predictions of a match in batches."""

    def __init__(self, database: Database, *, batch: int = BATCH) -> None:
        self._database = database
        self._batch = batch

    async def settle(self, work: ScoringWork) -> None:
        """Score pending predictions; each batch is committed separately, so none is lost."""
        is_done = False
        while not is_done:
            is_done = await self.settle_batch(work.fixture_id)
        match = await scoring.read_round(self._database, work.fixture_id)
        await self._complete_round(match.competition_id, match.round)
        if work.left_round is not None:
            await self._complete_round(work.left_round.competition_id, work.left_round.name)

    async def settle_batch(self, fixture_id: UUID) -> bool:
        """Score one batch; return True if none are left."""
        async with self._database.transaction() as tx:
            await scoring.lock_settling(tx, fixture_id)
            decisions = await scoring.list_decisions(tx, fixture_id)
            if not decisions:
                return True
            version = decisions[-1].version
            waiting, held = await scoring.lock_waiting(tx, fixture_id, version, self._batch)
            if held:
                await _settle(tx, fixture_id, decisions, held)
        return not waiting

    async def _complete_round(self, competition_id: UUID, name: str | None) -> None:
        """Award the badge of a finished round to members who predicted all of it."""
        if not name:
            return
        async with self._database.transaction() as tx:
            full = await scoring.list_full_round(tx, competition_id, name, None)
            await scoring.lock_members(tx, full)  # members deleted meanwhile are not found again
            still = await scoring.list_full_round(tx, competition_id, name, full)
            earned = {(user_id, BadgeKey.FULL_ROUND) for user_id in still}
            await badges.earn(tx, earned, clock.now())


@dataclass(frozen=True)
class _ScoredPrediction:
    """A prediction with its result, and the difference to its previous one."""

    row: UnscoredPrediction
    outcome: PredictionOutcome
    points: int | None
    more: int
    is_correction: bool

    def more_of(self, outcome: PredictionOutcome) -> int:
        """Return the change of the number of an outcome: -1, 0 or 1."""
        return int(self.outcome is outcome) - int(self.row.outcome == outcome)


async def _settle(
    tx: Transaction,
    fixture_id: UUID,
    decisions: Sequence[DecisionRow],
    held: Sequence[UnscoredPrediction],
) -> None:
    verdicts, last = [_verdict(row) for row in decisions], decisions[-1]
    scored = [_score(row, verdicts) for row in held]
    settled = [(one.row.id, one.outcome.value, one.points) for one in scored]
    await scoring.change_settled(tx, last.version, settled)
    first = _first_result(decisions)
    if first is not None:
        name = await scoring.read_name(tx, fixture_id)
        await boards_service.award_many(tx, _awards(scored, first, last, name))
        await _add_totals(tx, scored, first, last)
    await badges.earn(tx, await _earned(tx, scored), last.decided_at)


def _awards(
    scored: Sequence[_ScoredPrediction], first: DecisionRow, last: DecisionRow, name: str
) -> Sequence[Award]:
    """Return the awards, positive or negative, by the last decision."""
    day = clock.lagos_day(last.decided_at)
    return [
        Award(
            id=new_id(),
            user_id=one.row.user_id,
            club_id=one.row.club_id,
            season_id=first.season_id,
            source=PointSource.PREDICTION,
            source_id=rules.award_reference(one.row.id, last.version),
            question_id=None,
            points=one.more,
            answered=0,
            right=0,
            elapsed_ms=0,
            detail=rules.detail_of(name, one.outcome, is_correction=one.is_correction),
            day=day,
            now=clock.now(),
        )
        for one in scored
        if one.more
    ]


async def _add_totals(
    tx: Transaction, scored: Sequence[_ScoredPrediction], first: DecisionRow, last: DecisionRow
) -> None:
    """Add to the boards that the first result counts for."""
    added = [
        (
            one.row.user_id,
            one.row.club_id,
            one.more,
            one.more_of(PredictionOutcome.EXACT),
            one.more_of(PredictionOutcome.RESULT),
        )
        for one in scored
        if one.more and not one.row.is_off_boards
    ]
    if added:
        boards = rules.boards_of(first.competition_id, first.round, first.month, first.season_id)
        await scoring.add_totals(tx, boards, clock.lagos_day(last.decided_at), added)


async def _earned(
    tx: Transaction, scored: Sequence[_ScoredPrediction]
) -> set[tuple[UUID, BadgeKey]]:
    """Return the badges the members have earned; a correction revokes none."""
    exact = [one.row.user_id for one in scored if one.outcome is PredictionOutcome.EXACT]
    counts = await scoring.count_exact(tx, exact)
    earned = {(user_id, BadgeKey.FIRST_EXACT) for user_id in exact}
    earned |= {
        (user_id, BadgeKey.FIVE_EXACT) for user_id, count in counts.items() if count >= FIVE_EXACT
    }
    return earned


def _previous_round(before: MatchRow, after: MatchRow) -> PreviousRound | None:
    """Return the round a change moves a match out of, or None if it stays."""
    was, is_now = ((row.competition_id, row.round) for row in (before, after))
    if was == is_now or not before.round:
        return None
    return PreviousRound(competition_id=before.competition_id, name=before.round)


def _score(row: UnscoredPrediction, verdicts: Sequence[MatchVerdict]) -> _ScoredPrediction:
    outcome, points = rules.judge((row.home, row.away), row.saved_at, verdicts)
    before = row.points
    if points is not None and not row.earns:
        points = before or 0  # points already awarded are kept
    return _ScoredPrediction(
        row, outcome, points, (points or 0) - (before or 0), before is not None
    )


def _moment(row: MatchRow) -> MatchMoment:
    teams = (row.home_id, row.away_id)
    return MatchMoment(FixtureState(row.state), row.kick_off_at, row.goals(), teams)


def _verdict(row: DecisionRow) -> MatchVerdict:
    return MatchVerdict(row.goals(), row.void_from, row.void_until)


def _first_result(decisions: Sequence[DecisionRow]) -> DecisionRow | None:
    return next((row for row in decisions if row.home_goals is not None), None)
