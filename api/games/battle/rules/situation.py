"""A member's situation in the Battle Zone: ranks, limits, the next draw; no database access."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import permutations
from typing import Any, Self, TypeAlias
from uuid import UUID

from api.foundation.core.ids import new_id
from api.games.battle.enums import DoorState, StepKind, TodayState
from api.games.questions.schemas import KEYS
from api.games.ranking.enums import KING_OF_FANS

GRACE = timedelta(milliseconds=500)  # allowance for a slow network
ANCHOR = timedelta(seconds=3)  # how late a question may appear and still get its full time
REST_DAYS = 30  # before a member meets a question again
DIFFICULTIES = (1, 2, 3)
ORDERS = tuple(permutations(range(len(KEYS))))
_dice = secrets.SystemRandom()

Step: TypeAlias = dict[str, Any]
"""What an event led to; ``kind`` is a ``StepKind``."""


@dataclass(frozen=True)
class LadderColumns:
    """The columns of a ladder in a row of the database, None if there is none."""

    ranks: list[str] | None
    thresholds: list[int] | None
    opens: list[datetime | None] | None
    closes: list[datetime | None] | None


@dataclass(frozen=True)
class Ladder:
    """A season's ranks, lowest first: the battle points that each ends at, and when it can play.

    A bound of None is the season's.
    """

    ranks: Sequence[str]
    thresholds: Sequence[int]
    opens: Sequence[datetime | None]
    closes: Sequence[datetime | None]

    @classmethod
    def of(cls, row: LadderColumns) -> Self:
        """Return the ladder from a row of the database."""
        return cls(row.ranks or (), row.thresholds or (), row.opens or (), row.closes or ())

    def badge(self, known: str | None) -> str:
        """Return the member's rank, by default the lowest."""
        return known or next(iter(self.ranks), KING_OF_FANS)

    def place(self, badge: str) -> int:
        """Return how many ranks are below ``badge``."""
        return self.ranks.index(badge) if badge in self.ranks else len(self.ranks)

    def window(self, badge: str) -> tuple[datetime | None, datetime | None]:
        """Return when a rank's window begins and ends; the top rank always plays."""
        place = self.place(badge)
        return (*self.opens, None)[place], (*self.closes, None)[place]

    def next_goal(self, badge: str, battle_points: int) -> tuple[str | None, int | None]:
        """Return the rank after ``badge`` and the points missing to it; both None at the top."""
        place = self.place(badge)
        if place == len(self.ranks):
            return None, None
        return (*self.ranks, KING_OF_FANS)[place + 1], self.thresholds[place] - battle_points


@dataclass(frozen=True)
class PlayerSocket:
    user_id: UUID
    club_id: UUID
    sid: str


@dataclass(frozen=True)
class GivenAnswer:
    """A received answer; ``option`` is the key's index, None for an empty answer."""

    seat: PlayerSocket
    question_id: UUID
    option: int | None
    entry_id: UUID
    received_at: datetime


@dataclass(frozen=True)
class Draw:
    """The next attempt: the filter of its question, the random draw, and the order of options.

    Among equally hard questions, the first whose ``lot`` is at or after ``chance`` is drawn.
    Questions the member met after ``not_since`` are excluded.
    """

    id: UUID
    season_id: UUID
    day: date
    number: int
    rank: str
    shown: list[int]
    opened_at: datetime
    deadline_at: datetime
    difficulties: list[int]
    chance: float
    not_since: date


@dataclass(frozen=True)
class AskedQuestion:
    """A question served to a member; ``shown`` is the order of its ``options``."""

    question_id: UUID
    question: str
    options: list[str]
    shown: list[int]
    deadline_at: datetime
    time_limit: int
    number: int
    total: int
    rank: str


@dataclass(frozen=True)
class CurrentSeason:
    id: UUID
    starts_at: datetime
    ends_at: datetime
    question_time_limit: int
    questions_per_day: int


@dataclass(frozen=True)
class Situation(LadderColumns):
    """A member's state in the database: plan, season, points, day and attempt.

    The season's columns are None if none is open or planned, the attempt's if the visit has none.
    """

    allows_battle: bool
    season_id: UUID | None
    starts_at: datetime | None
    ends_at: datetime | None
    question_time_limit: int | None
    questions_per_day: int | None
    badge: str | None
    points: int
    cnt: int
    answered_correctly: int
    served: int
    today_points: int
    today_cnt: int
    today_answered_correctly: int
    question_id: UUID | None
    outcome: str | None
    deadline_at: datetime | None
    shown: list[int] | None
    number: int | None
    rank: str | None
    question: str | None
    options: list[str] | None
    time_limit: int | None
    total: int | None

    def season(self) -> CurrentSeason:
        """Return the season that is open or next.

        Raises:
            ValueError: there is none; ``refusal`` returns a step then.
        """
        if (
            self.season_id is None
            or self.starts_at is None
            or self.ends_at is None
            or self.question_time_limit is None
            or self.questions_per_day is None
        ):
            raise ValueError("no season is open or planned")
        return CurrentSeason(
            self.season_id,
            self.starts_at,
            self.ends_at,
            self.question_time_limit,
            self.questions_per_day,
        )

    def attempt(self) -> AskedQuestion | None:
        """Return the running question, or the visit's last one."""
        if (
            self.question_id is None
            or self.question is None
            or self.options is None
            or self.shown is None
            or self.deadline_at is None
            or self.time_limit is None
            or self.number is None
            or self.total is None
            or self.rank is None
        ):
            return None
        return AskedQuestion(
            self.question_id,
            self.question,
            self.options,
            self.shown,
            self.deadline_at,
            self.time_limit,
            self.number,
            self.total,
            self.rank,
        )


def is_over(deadline_at: datetime, now: datetime) -> bool:
    """Return whether the deadline and the allowance for slow networks have passed."""
    return now > deadline_at + GRACE


def asked_again_after(day: date) -> date:
    """Return the last day whose questions a member may meet again on ``day``."""
    return day - timedelta(days=REST_DAYS)


def wanted_difficulties(ladder: Ladder, badge: str) -> list[int]:
    """Return the difficulties of a rank's questions, best first: higher ranks get harder ones."""
    best = min(ladder.place(badge) + 1, DIFFICULTIES[-1])
    return sorted(DIFFICULTIES, key=lambda difficulty: (abs(difficulty - best), difficulty))


def refusal(found: Situation, now: datetime) -> Step | None:
    """Return why plan, season or rank do not let a member play, or None."""
    if not found.allows_battle:
        return refused("plan_required")
    if found.starts_at is None:
        return refused("season_over")
    if now < found.starts_at:
        return refused("season_not_begun", opensAt=found.starts_at.isoformat())
    ladder = Ladder.of(found)
    badge = ladder.badge(found.badge)
    opens_at, closes_at = ladder.window(badge)
    if opens_at is not None and now < opens_at:
        return refused("rank_closed", rank=badge, opensAt=opens_at.isoformat(), closedAt=None)
    if closes_at is not None and now >= closes_at:
        return refused("rank_closed", rank=badge, opensAt=None, closedAt=closes_at.isoformat())
    return None


def refused(code: str, **detail: str | None) -> Step:
    """Return a step that refuses; ``detail`` is sent with the code."""
    return {"kind": StepKind.REFUSED, "code": code, "detail": detail}


def next_draw(found: Situation, day: date, now: datetime) -> Draw:
    """Return the parameters of a member's next draw."""
    season = found.season()
    ladder = Ladder.of(found)
    badge = ladder.badge(found.badge)
    return Draw(
        id=new_id(),
        season_id=season.id,
        day=day,
        number=found.served + 1,
        rank=badge,
        shown=list(_dice.choice(ORDERS)),
        opened_at=now,
        deadline_at=now + timedelta(seconds=season.question_time_limit),
        difficulties=wanted_difficulties(ladder, badge),
        chance=_dice.random(),
        not_since=asked_again_after(day),
    )


@dataclass(frozen=True)
class BattleStatus:
    """What the Battle Zone offers: ``left`` of the day's ``of`` questions, ``until`` that ends.

    ``opens_at`` and ``next_at`` are None if nothing is planned.
    """

    state: DoorState
    left: int = 0
    of: int = 0
    until: datetime | None = None
    opens_at: datetime | None = None
    next_at: datetime | None = None


CLOSED = {
    "plan_required": DoorState.LOCKED,
    "season_over": DoorState.OVER,
    "season_not_begun": DoorState.UPCOMING,
    "rank_closed": DoorState.RANK_CLOSED,
}


def status(found: Situation, next_midnight: datetime, now: datetime) -> BattleStatus:
    """Return what entering would lead to, ignoring that the bank may be empty."""
    attempt = found.attempt()
    if attempt is not None and found.outcome is None and not is_over(attempt.deadline_at, now):
        return BattleStatus(DoorState.RUNNING, until=attempt.deadline_at)
    step = refusal(found, now)
    if step is not None:
        opens_at = step["detail"].get("opensAt")
        return BattleStatus(
            CLOSED[step["code"]],
            opens_at=None if opens_at is None else datetime.fromisoformat(opens_at),
        )
    season = found.season()
    quota = season.questions_per_day
    left = max(0, quota - found.served)
    if not left:
        is_last = next_midnight >= season.ends_at
        return BattleStatus(DoorState.DONE, of=quota, next_at=None if is_last else next_midnight)
    ladder = Ladder.of(found)
    _, closes_at = ladder.window(ladder.badge(found.badge))
    ends = [next_midnight, season.ends_at, *([closes_at] if closes_at else [])]
    return BattleStatus(DoorState.OPEN, left=left, of=quota, until=min(ends))


def today_state(left: int, *, is_running: bool) -> TodayState:
    """Return what a member can do today."""
    if is_running:
        return TodayState.RUNNING
    return TodayState.OPEN if left else TodayState.DONE
