from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from api.foundation.wire.schemas import ShownName, WireModel
from api.games.matches.enums import TeamSide
from api.games.matches.rules.moving import MAX_GOALS, MAX_MINUTES

TeamText = Annotated[ShownName, StringConstraints(min_length=2, max_length=60)]
Text = Annotated[ShownName, StringConstraints(min_length=1, max_length=80)]
Goals = Annotated[int, Field(ge=0, le=MAX_GOALS)]


def to_milliseconds(moment: datetime) -> datetime:
    """Return a time with the wire's precision, so that a read value can be sent back unchanged."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


class TeamAnswer(WireModel):
    """A team; ``clubId`` and ``emblem`` are null unless it is one of the clubs."""

    team_id: UUID
    club_id: UUID | None
    name: str
    emblem: str | None


class ScoredGoal(WireModel):
    """A goal: the team it counts for, and the minute."""

    side: Annotated[TeamSide, Field(strict=False)]
    minute: Annotated[int, Field(ge=1, le=MAX_MINUTES)]
