"""Wire schemas of the home screen; fields that a state does not have are null."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from api.foundation.wire.schemas import Instant, WireModel
from api.games.achievements.schemas import StreakAnswer
from api.games.battle.enums import DoorState
from api.games.matches.schemas.members import FixtureAnswer
from api.games.predictions.enums import PredictState
from api.games.ranking.schemas import Celebration, SourcePoints
from api.games.trivia.enums import QuestState
from api.home.today.enums import ActionKind


class TodayAction(WireModel):
    """The suggested action and its screen; ``until`` is when it ends."""

    kind: ActionKind
    path: str = Field(examples=["/trivia-questions"])
    until: Instant | None


class QuestDoor(WireModel):
    """The Daily Quest: ``questions`` and ``pointsEach`` while open, its result once done."""

    kind: Literal["quest"]
    state: QuestState
    questions: int | None = None
    points_each: int | None = None
    points: int | None = None
    correct: int | None = None
    total: int | None = None
    next_at: Instant | None = None


class BattleDoorAnswer(WireModel):
    """The Battle Zone: while open, ``left`` of ``of`` questions remain.

    ``nextAt`` is null on the season's last day, ``opensAt`` if the rank does not play again.
    """

    kind: Literal["battle"]
    state: DoorState
    left: int | None = None
    of: int | None = None
    next_at: Instant | None = None
    opens_at: Instant | None = None


class PredictDoor(WireModel):
    """The predictor: while open, ``left`` matches remain; ``closesAt`` is the first deadline."""

    kind: Literal["predict"]
    state: PredictState
    left: int | None = None
    closes_at: Instant | None = None


class ClubBattleDoor(WireModel):
    """A battle of the member's club, listed from its lobby to full time."""

    kind: Literal["club_battle"]
    state: Literal["open"] = "open"
    path: str


Door = Annotated[
    QuestDoor | BattleDoorAnswer | PredictDoor | ClubBattleDoor, Field(discriminator="kind")
]


class TodayStanding(WireModel):
    """The member's position in the season that began last.

    ``points`` is the sum of ``sources``; only ``battlePoints`` raise the rank. ``rankAt`` is the
    threshold that leaves the current rank; like ``nextRank``, it is null at the top.
    """

    points: int
    sources: list[SourcePoints]
    battle_points: int
    badge: str = Field(examples=["rookie"])
    next_rank: str | None = Field(examples=["super-fan"])
    rank_at: int | None = Field(examples=[50])
    club_rank: int | None
    club_members: int
    streak: StreakAnswer


class UnreadCounts(WireModel):
    """The member's unread messages and notifications."""

    chat: int
    notifications: int


class TodayAnswer(WireModel):
    """The home screen. ``nextMatch`` and ``live`` are matches of the member's club.

    ``scored`` is empty in ``live``; read the match for it.
    """

    day: date
    server_now: Instant
    next_day_at: Instant
    action: TodayAction
    doors: list[Door]
    me: TodayStanding
    next_match: FixtureAnswer | None
    live: list[FixtureAnswer]
    celebrate: list[Celebration]
    unread: UnreadCounts
    tour_seen: bool
