"""Rules of the Battle Zone, kinds of steps, and their events; no database access."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import permutations
from typing import Any, Self, TypeAlias
from uuid import UUID

from api.foundation.core.ids import new_id
from api.games.battle.enums import AttemptOutcome, DoorState, StepKind, TodayState
from api.games.battle.schemas import (
    AnswerResult,
    AttemptedAll,
    DayTally,
    EmptyQuestion,
    NewQuestion,
    NoMoreQuestions,
    ShownQuestion,
)
from api.games.questions.schemas import KEYS, label_options
from api.games.ranking.enums import KING_OF_FANS

ATTEMPTED_MESSAGE = "You have attempted all your questions for today. Come back tomorrow."
FINISHED_MESSAGE = "You have answered all your questions for today."
EMPTY_MESSAGE = "There is no question for you at the moment. Please check back later."
GRACE = timedelta(milliseconds=500)  # allowance for a slow network
ANCHOR = timedelta(seconds=3)  # how late a question may appear and still get its full time
REST_DAYS = 30  # before a member meets a question again
DIFFICULTIES = (1, 2, 3)
ORDERS = tuple(permutations(range(len(KEYS))))
SHOWN = ("explanation", "number", "total", "promoted_to", "points", "battle_points", "badge")
_dice = secrets.SystemRandom()

Step: TypeAlias = dict[str, Any]
"""What an event led to; ``kind`` is a ``StepKind``."""


@dataclass(frozen=True)
class Ladder:
    """A season's ranks, lowest first: the battle points that leave each, and when it plays.

    A bound of None is the season's.
    """

    ranks: Sequence[str]
    thresholds: Sequence[int]
    opens: Sequence[datetime | None]
    closes: Sequence[datetime | None]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """Return the ladder from a row of the database; the columns are None if there is none."""
        columns = (row[name] or () for name in ("ranks", "thresholds", "opens", "closes"))
        return cls(*columns)

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
    """A member and the socket they play from."""

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


def instant_of(milliseconds: int) -> datetime:
    """Return the time from milliseconds since the epoch."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


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


def refusal(found: Mapping[str, Any], now: datetime) -> Step | None:
    """Return why plan, season or rank do not let a member play, or None.

    ``found`` is the member's state in the database: ``allows_battle``, ``starts_at`` of the season
    that is open or next, ``badge`` and the ladder.
    """
    if not found["allows_battle"]:
        return refused("plan_required")
    if found["starts_at"] is None:
        return refused("season_over")
    if now < found["starts_at"]:
        return refused("season_not_begun", opensAt=found["starts_at"].isoformat())
    ladder = Ladder.of(found)
    badge = ladder.badge(found["badge"])
    opens_at, closes_at = ladder.window(badge)
    if opens_at is not None and now < opens_at:
        return refused("rank_closed", rank=badge, opensAt=opens_at.isoformat(), closedAt=None)
    if closes_at is not None and now >= closes_at:
        return refused("rank_closed", rank=badge, opensAt=None, closedAt=closes_at.isoformat())
    return None


def refused(code: str, **detail: str | None) -> Step:
    """Return a step that refuses; ``detail`` is sent with the code."""
    return {"kind": StepKind.REFUSED, "code": code, "detail": detail}


def next_draw(found: Mapping[str, Any], day: date, now: datetime) -> Draw:
    """Return the parameters of a member's next draw."""
    ladder = Ladder.of(found)
    badge = ladder.badge(found["badge"])
    return Draw(
        id=new_id(),
        season_id=found["season_id"],
        day=day,
        number=found["served"] + 1,
        rank=badge,
        shown=list(_dice.choice(ORDERS)),
        opened_at=now,
        deadline_at=now + timedelta(seconds=found["question_time_limit"]),
        difficulties=wanted_difficulties(ladder, badge),
        chance=_dice.random(),
        not_since=asked_again_after(day),
    )


def served_step(new: Draw, found: Mapping[str, Any], drawn: Mapping[str, Any]) -> Step:
    """Return the step that serves the drawn question, without the right option."""
    season = {"time_limit": found["question_time_limit"], "total": found["questions_per_day"]}
    return question_step({**vars(new), **season, **drawn})


def question_step(asked: Mapping[str, Any]) -> Step:
    """Return the step of a running question, without the right option."""
    return {
        "kind": StepKind.QUESTION,
        "question_id": str(asked["question_id"]),
        "question": asked["question"],
        "options": [asked["options"][place] for place in asked["shown"]],
        "deadline_ms": round(asked["deadline_at"].timestamp() * 1000),
        "time_limit": asked["time_limit"],
        "number": asked["number"],
        "total": asked["total"],
        "rank": asked["rank"],
    }


def judged_step(row: Mapping[str, Any]) -> Step:
    """Return the step of an ended attempt, with the right option and the member's points.

    ``fresh`` is true only for the call that ended it. The row may be a refusal instead.
    """
    if row["refusal"] is not None:
        return refused(row["refusal"])
    badge, battle_points = row["badge"], row["battle_points"]
    next_rank, points_to_next = Ladder.of(row).next_goal(badge, battle_points)
    step = {
        "kind": StepKind.RESULT,
        "user_id": str(row["user_id"]),
        "question_id": str(row["question_id"]),
        "right": row["shown"].index(row["right_option"]),
        "next_rank": next_rank,
        "points_to_next": points_to_next,
        **{name: row[name] for name in ("outcome", "answer", "points_awarded", *SHOWN)},
    }
    return step | {"fresh": True} if row["fresh"] else step


def is_first_answer(row: Mapping[str, Any]) -> bool:
    """Return whether a judged row is from the call whose answer ended its question."""
    return row["refusal"] is None and row["fresh"] and row["answer"] is not None


def finished_step(found: Mapping[str, Any]) -> Step:
    """Return the step that ends a visit, with the tallies of season and day."""
    timed_out = found["served"] - found["today_cnt"]
    today = _tally(found, "today_") | {"served": found["served"], "timed_out": timed_out}
    return {"kind": StepKind.FINISHED, **_tally(found), "today": today}


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


def status(found: Mapping[str, Any], next_midnight: datetime, now: datetime) -> BattleStatus:
    """Return what entering would lead to, ignoring that the bank may be empty."""
    runs = found["question_id"] is not None and found["outcome"] is None
    if runs and not is_over(found["deadline_at"], now):
        return BattleStatus(DoorState.RUNNING, until=found["deadline_at"])
    step = refusal(found, now)
    if step is not None:
        opens_at = step["detail"].get("opensAt")
        return BattleStatus(
            CLOSED[step["code"]],
            opens_at=None if opens_at is None else datetime.fromisoformat(opens_at),
        )
    quota = found["questions_per_day"]
    left = max(0, quota - found["served"])
    if not left:
        is_last = next_midnight >= found["ends_at"]
        return BattleStatus(DoorState.DONE, of=quota, next_at=None if is_last else next_midnight)
    ladder = Ladder.of(found)
    _, closes_at = ladder.window(ladder.badge(found["badge"]))
    ends = [next_midnight, found["ends_at"], *([closes_at] if closes_at else [])]
    return BattleStatus(DoorState.OPEN, left=left, of=quota, until=min(ends))


def today_state(left: int, *, is_running: bool) -> TodayState:
    """Return what a member can do today."""
    if is_running:
        return TodayState.RUNNING
    return TodayState.OPEN if left else TodayState.DONE


def as_question(step: dict[str, Any], now: datetime) -> NewQuestion:
    """Return the event of a running question, without the right option."""
    deadline_at = instant_of(step["deadline_ms"])
    return NewQuestion(
        question=ShownQuestion(
            id=step["question_id"],
            question=step["question"],
            options=label_options(step["options"]),
        ),
        time_limit=step["time_limit"],
        remaining_time=max(0, round((deadline_at - now).total_seconds())),
        deadline_at=deadline_at,
        server_now=now,
        number=step["number"],
        total=step["total"],
        rank=step["rank"],
        resumed=step.get("resumed", False),
    )


def as_result(step: dict[str, Any]) -> AnswerResult:
    """Return the event of an ended attempt."""
    answer = step["answer"]
    return AnswerResult(
        is_correct=step["outcome"] == AttemptOutcome.RIGHT,
        point_awarded=step["points_awarded"],
        timed_out=step["outcome"] == AttemptOutcome.TIMEOUT,
        answer=None if answer is None else KEYS[answer],
        right_answer=KEYS[step["right"]],
        **{name: step[name] for name in ("question_id", "next_rank", "points_to_next", *SHOWN)},
    )


def as_finished(step: dict[str, Any], next_opens_at: datetime) -> NoMoreQuestions:
    """Return the event of a visit that used the day's last question."""
    return NoMoreQuestions(
        **_tally(step),
        today=DayTally(**step["today"]),
        message=FINISHED_MESSAGE,
        next_opens_at=next_opens_at,
    )


def as_attempted(next_opens_at: datetime) -> AttemptedAll:
    """Return the event for a member whose questions of the day were all served before."""
    return AttemptedAll(message=ATTEMPTED_MESSAGE, next_opens_at=next_opens_at)


def as_empty() -> EmptyQuestion:
    """Return the event for a member for whom the bank has no question."""
    return EmptyQuestion(message=EMPTY_MESSAGE)


def _tally(counts: Mapping[str, Any], prefix: str = "") -> dict[str, int]:
    return {name: counts[prefix + name] for name in ("points", "cnt", "answered_correctly")}
