"""Rules of periods, ranks and ties; no database access."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

from api.games.ranking.enums import KING_OF_FANS, Period, PointSource, SeasonState

DAYS_OF_A_WEEK = 7


@dataclass(frozen=True)
class LadderRank:
    """A rank of the ladder; members leave it with ``threshold_point`` battle points."""

    rank: str
    threshold_point: int


@dataclass(frozen=True)
class LadderPlace:
    """A member's place on the ladder; King of Fans is the last."""

    rank: str
    next_rank: str | None
    points_to_next: int | None


@dataclass(frozen=True)
class SeasonRules:
    """A season's dates and rules; ``question_time_limit`` in seconds."""

    id: UUID
    name: str
    starts_at: datetime
    ends_at: datetime
    point_per_question: int
    question_time_limit: int
    questions_per_day: int

    def state(self, now: datetime) -> SeasonState:
        """Return whether the season is upcoming, open or over at ``now``."""
        return state_of(self.starts_at, self.ends_at, now)


@dataclass(frozen=True)
class SeasonDate:
    """A date of a season with this ``id``; ``name`` is the season's or the rank's.

    ``kind`` is a ``SeasonDateKind``.
    """

    kind: str
    id: UUID
    name: str
    at: datetime


def place_on(ladder: Sequence[LadderRank], battle_points: int) -> LadderPlace:
    """Return the rank reached with ``battle_points``; ``ladder`` is ordered by threshold.

    Source: contract B-60. Reaching the threshold of a rank promotes to the next.
    """
    for rung, following in pairwise([*ladder, LadderRank(KING_OF_FANS, 0)]):
        if battle_points < rung.threshold_point:
            return LadderPlace(rung.rank, following.rank, rung.threshold_point - battle_points)
    return LadderPlace(KING_OF_FANS, None, None)


def first_day(period: Period, day: date) -> date | None:
    """Return the first Lagos day of the period that contains ``day``; None for a season."""
    if period is Period.SEASON:
        return None
    if period is Period.WEEK:
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if period is Period.MONTH else day


def day_after(period: Period, starts_on: date) -> date:
    """Return the first Lagos day after the day, week or month that begins on ``starts_on``."""
    if period is Period.WEEK:
        return starts_on + timedelta(days=DAYS_OF_A_WEEK)
    if period is Period.MONTH:
        return (starts_on.replace(day=28) + timedelta(days=4)).replace(day=1)
    return starts_on + timedelta(days=1)


def state_of(starts_at: datetime, ends_at: datetime, now: datetime) -> SeasonState:
    """Return the state of a season; its end is exclusive."""
    if now < starts_at:
        return SeasonState.UPCOMING
    return SeasonState.OPEN if now < ends_at else SeasonState.OVER


def share_ranks(
    points: Sequence[int], *, first_position: int = 1, first_rank: int = 1
) -> list[int]:
    """Return the rank of each of ``points``, given in descending order; equals share one.

    ``first_position`` is the position of the first on the whole board, counted from 1;
    ``first_rank`` is the rank it shares with those before it.
    """
    ranks = [first_rank] if points else []
    for offset, (before, now) in enumerate(pairwise(points), start=1):
        ranks.append(ranks[-1] if now == before else first_position + offset)
    return ranks


def title_of(source: PointSource, detail: dict[str, Any], question: str | None) -> str:
    """Return the sentence that explains an award."""
    if source is PointSource.TRIVIA:
        return f"Daily Quest: {detail.get('right')} of {detail.get('of')} right"
    if source is PointSource.PREDICTION:
        return _title_of_prediction(detail)
    if source is PointSource.INVITE:
        return "A friend joined by your invite" if detail.get("inviter") else "Joined by an invite"
    if source is PointSource.WELCOME:
        return "Your first right answer, before you joined"
    return f"Right answer: {question}" if question else "Right answer in the Battle Zone"


def _title_of_prediction(detail: dict[str, Any]) -> str:
    kind = "Correction" if detail.get("correction") else "Prediction"
    said = {
        "exact": "exact score",
        "result": "right result",
        "wrong": "not right",
        "void": "does not count",
    }
    return f"{kind}: {detail.get('match')}, {said.get(str(detail.get('outcome')), 'settled')}"
