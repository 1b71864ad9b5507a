"""When a match can be predicted, and what a prediction comes to; no database here."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from api.fixtures.enums import FixtureState
from api.predictions.enums import PredictionOutcome, PredictionPeriod
from api.predictions.errors import PredictionClosedError, PredictionNotOpenError

AHEAD = timedelta(days=14)
MAX_GOALS = 20
CORRECTED_WITHIN = timedelta(days=7)
ALWAYS = datetime(2000, 1, 1, tzinfo=UTC)  # before anything was saved
POINTS = {PredictionOutcome.EXACT: 10, PredictionOutcome.RESULT: 4}
HAS_KICKED_OFF = frozenset({FixtureState.LIVE, FixtureState.HALF_TIME, FixtureState.FINISHED})
IS_OFF = frozenset({FixtureState.ABANDONED, FixtureState.CANCELLED, FixtureState.AWARDED})

Goals = tuple[int, int]


@dataclass(frozen=True)
class MatchMoment:
    """How a match stands, as far as its predictions depend on it."""

    state: FixtureState
    kick_off_at: datetime
    goals: Goals | None
    teams: tuple[UUID, UUID]


@dataclass(frozen=True)
class MatchVerdict:
    """What a version of a match says of its predictions: a result, a void span, or both."""

    goals: Goals | None = None
    void_from: datetime | None = None
    void_until: datetime | None = None

    def voids(self, saved_at: datetime) -> bool:
        """Say whether what was saved then is void."""
        if self.void_from is None or self.void_until is None:
            return False
        return self.void_from <= saved_at <= self.void_until


def require_open(state: FixtureState, kick_off_at: datetime, now: datetime) -> None:
    """Refuse a match that cannot be predicted.

    Raises:
        PredictionClosedError: it has kicked off.
        PredictionNotOpenError: it is not scheduled, or too far ahead.
    """
    is_late = state is not FixtureState.POSTPONED and kick_off_at <= now
    if is_late or state in HAS_KICKED_OFF:
        raise PredictionClosedError
    if state is not FixtureState.SCHEDULED or kick_off_at > now + AHEAD:
        raise PredictionNotOpenError


def verdict_of(
    before: MatchMoment, after: MatchMoment, finished_at: datetime | None, now: datetime
) -> MatchVerdict | None:
    """Return what a change of a match means for its predictions; None when it means nothing.

    ``finished_at`` is when its first result counted, None before; a result is corrected for seven
    days. Who predicted other teams, or the same the other way round, has not predicted this match.
    """
    is_off = after.state in IS_OFF and after.state is not before.state
    if is_off or after.teams != before.teams:
        return MatchVerdict(None, ALWAYS, now)
    if finished_at is not None and now > finished_at + CORRECTED_WITHIN:
        return None
    goals = None
    if after.state is FixtureState.FINISHED and (before.state, before.goals) != (
        after.state,
        after.goals,
    ):
        goals = after.goals
    void_from = void_until = None
    if after.kick_off_at < before.kick_off_at and after.kick_off_at <= now:
        void_from, void_until = after.kick_off_at, now
    if goals is None and void_from is None:
        return None
    return MatchVerdict(goals, void_from, void_until)


def judge(
    predicted: Goals, saved_at: datetime, verdicts: Sequence[MatchVerdict]
) -> tuple[PredictionOutcome, int | None]:
    """Return what a prediction comes to by all verdicts, in their order; and its points."""
    if any(verdict.voids(saved_at) for verdict in verdicts):
        return PredictionOutcome.VOID, 0
    results = [verdict.goals for verdict in verdicts if verdict.goals is not None]
    if not results:
        return PredictionOutcome.PENDING, None
    outcome = _compared(predicted, results[-1])
    return outcome, POINTS.get(outcome, 0)


def _compared(predicted: Goals, goals: Goals) -> PredictionOutcome:
    if predicted == goals:
        return PredictionOutcome.EXACT
    if _winner(predicted) == _winner(goals):
        return PredictionOutcome.RESULT
    return PredictionOutcome.WRONG


def _winner(goals: Goals) -> int:
    home, away = goals
    return (home > away) - (home < away)


def award_reference(prediction_id: UUID, version: int) -> UUID:
    """Return what names the points of a prediction by one version of its match."""
    return uuid5(prediction_id, str(version))


def board_of(period: PredictionPeriod, *which: object) -> str:
    """Return a board's name: of a competition's round, a month's first day, or a season."""
    return ":".join([period.value, *(str(part) for part in which)])


def boards_of(
    competition_id: UUID, round_name: str, month: date, season_id: UUID | None
) -> list[str]:
    """Return the boards that a match counts for; outside a season it has none of it."""
    boards = [
        board_of(PredictionPeriod.ROUND, competition_id, round_name),
        board_of(PredictionPeriod.MONTH, month),
    ]
    if season_id is not None:
        boards.append(board_of(PredictionPeriod.SEASON, season_id))
    return boards


def in_per_cent(counts: Sequence[int]) -> list[int]:
    """Return shares in per cent that add up to 100; the largest remainders are rounded up."""
    total = sum(counts)
    shares = [count * 100 // total for count in counts]
    order = sorted(range(len(counts)), key=lambda place: -(counts[place] * 100 % total))
    for place in order[: 100 - sum(shares)]:
        shares[place] += 1
    return shares


def detail_of(match: str, outcome: PredictionOutcome, *, is_correction: bool) -> dict[str, Any]:
    """Return what the points ledger keeps of an award."""
    return {"match": match, "outcome": outcome.value, "correction": is_correction}
