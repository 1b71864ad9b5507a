from datetime import date

from pydantic import Field

from api.foundation.wire.schemas import Instant, WireModel
from api.games.achievements.enums import BadgeKey


class StreakAnswer(WireModel):
    """A member's streak: ``days`` and ``best`` are days that counted.

    ``frozenOn`` lists days of the last four weeks that freezes bridged, newest first. ``ended`` is
    the length of a streak that ended in the last week; null otherwise, and while one runs.
    """

    days: int = Field(examples=[12])
    best: int = Field(examples=[12])
    done_today: bool
    freezes_left: int = Field(examples=[1])
    frozen_on: list[date]
    ended: int | None


class BadgeProgress(WireModel):
    """The member's progress: ``now`` of ``of``."""

    now: int = Field(examples=[20])
    of: int = Field(examples=[50])


class BadgeAnswer(WireModel):
    """A badge and how to get it; ``progress`` is null once it is earned."""

    key: BadgeKey
    name: str = Field(examples=["Super Fan"])
    how: str = Field(examples=["Reach the rank Super Fan"])
    earned_at: Instant | None
    progress: BadgeProgress | None
