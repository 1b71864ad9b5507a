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
    """What to do first, and at which screen; ``until`` is when that ends."""

    kind: ActionKind
    path: str = Field(examples=["/trivia-questions"])
    until: Instant | None


class QuestDoor(WireModel):
    """The Daily Quest: open with ``questions`` and ``pointsEach``, done with what it came to."""

    kind: Literal["quest"]
    state: QuestState
    questions: int | None = None
    points_each: int | None = None
    points: int | None = None
    correct: int | None = None
    total: int | None = None
    next_at: Instant | None = None


class BattleDoorAnswer(WireModel):
    """The Battle Zone: open with ``left`` of ``of`` questions.

    ``nextAt`` is null after the season's last day, ``opensAt`` when a rank does not play again.
    """

    kind: Literal["battle"]
    state: DoorState
    left: int | None = None
    of: int | None = None
    next_at: Instant | None = None
    opens_at: Instant | None = None


class PredictDoor(WireModel):
    """The predictor: open with ``left`` matches, the first of which ``closesAt``."""

    kind: Literal["predict"]
    state: PredictState
    left: int | None = None
    closes_at: Instant | None = None


class ClubBattleDoor(WireModel):
    """A battle of the member's club; there is this door from its lobby to full time only."""

    kind: Literal["club_battle"]
    state: Literal["open"] = "open"
    path: str


Door = Annotated[
    QuestDoor | BattleDoorAnswer | PredictDoor | ClubBattleDoor, Field(discriminator="kind")
]


class TodayStanding(WireModel):
    """How the member stands in the season that began last.

    ``points`` are all of ``sources``; ``battlePoints`` alone lift the rank. ``rankAt`` is the
    threshold that leaves the present rank, null at the top like ``nextRank``.
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
    """What the member has not read."""

    chat: int
    notifications: int


class TodayAnswer(WireModel):
    """The member's day. ``nextMatch`` and ``live`` are of the member's club.

    ``scored`` is empty in ``live``: ask for the match.
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
