"""Rules of predictions: when a match is open, and how predictions score; no database access."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from api.games.matches.enums import FixtureState
from api.games.predictions.enums import PredictionOutcome, PredictionPeriod
from api.games.predictions.errors import PredictionClosedError, PredictionNotOpenError

AHEAD = timedelta(days=14)
MAX_GOALS = 20
CORRECTED_WITHIN = timedelta(days=7)
ALWAYS = datetime(2000, 1, 1, tzinfo=UTC)  # before any prediction
POINTS = {PredictionOutcome.EXACT: 10, PredictionOutcome.RESULT: 4}
HAS_KICKED_OFF = frozenset({FixtureState.LIVE, FixtureState.HALF_TIME, FixtureState.FINISHED})
IS_OFF = frozenset({FixtureState.ABANDONED, FixtureState.CANCELLED, FixtureState.AWARDED})

Goals = tuple[int, int]


@dataclass(frozen=True)
class MatchMoment:
    state: FixtureState
    kick_off_at: datetime
    goals: Goals | None
    teams: tuple[UUID, UUID]


@dataclass(frozen=True)
class MatchVerdict:
    """The effect of a match's version on predictions: a result, a void period, or both."""

    goals: Goals | None = None
    void_from: datetime | None = None
    void_until: datetime | None = None

    def voids(self, saved_at: datetime) -> bool:
        """Return whether a prediction saved then is void."""
        if self.void_from is None or self.void_until is None:
            return False
        return self.void_from <= saved_at <= self.void_until


def require_open(state: FixtureState, kick_off_at: datetime, now: datetime) -> None:
    """Raise if a match cannot be predicted.

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
    """Return the effect of a match's change on its predictions, or None.

    ``finished_at`` is when its first result counted, None before; results can be corrected for
    seven days. Predictions of other teams, or of swapped sides, do not apply to this match.
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
    """Return a prediction's outcome and points from all verdicts, in order."""
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
    """Return the reference of a prediction's award by one version of its match."""
    return uuid5(prediction_id, str(version))


def board_of(period: PredictionPeriod, *which: object) -> str:
    """Return a board's name: of a competition's round, a month's first day, or a season."""
    return ":".join([period.value, *(str(part) for part in which)])


def boards_of(
    competition_id: UUID, round_name: str, month: date, season_id: UUID | None
) -> list[str]:
    """Return the boards a match counts for; no season board outside a season."""
    boards = [
        board_of(PredictionPeriod.ROUND, competition_id, round_name),
        board_of(PredictionPeriod.MONTH, month),
    ]
    if season_id is not None:
        boards.append(board_of(PredictionPeriod.SEASON, season_id))
    return boards


def in_per_cent(counts: Sequence[int]) -> list[int]:
    """Return shares in per cent that add up to 100, by the largest remainders."""
    total = sum(counts)
    shares = [count * 100 // total for count in counts]
    order = sorted(range(len(counts)), key=lambda place: -(counts[place] * 100 % total))
    for place in order[: 100 - sum(shares)]:
        shares[place] += 1
    return shares


def detail_of(match: str, outcome: PredictionOutcome, *, is_correction: bool) -> dict[str, Any]:
    """Return the detail of an award in the points ledger."""
    return {"match": match, "outcome": outcome.value, "correction": is_correction}
