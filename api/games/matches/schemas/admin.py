from typing import Annotated, Self
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from api.foundation.core.ids import parse_id
from api.foundation.wire.schemas import Id, Instant, Moment, WireInput, WireModel
from api.games.matches.enums import FixtureState
from api.games.matches.rules.moving import goals_problem
from api.games.matches.schemas.common import Goals, TeamAnswer, TeamText, Text, to_milliseconds
from api.games.matches.schemas.members import CompetitionAnswer


class TeamInput(WireInput):
    """A team, by its club's id or by name; a club's name selects the club."""

    club_id: Id | None = None
    name: TeamText | None = Field(default=None, examples=["Kano Pillars"])

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if (self.club_id is None) == (self.name is None):
            raise ValueError("Name a club or a team")
        return self


def _read_side(value: object) -> object:
    """Parse a text as a club's id, or else as a name."""
    if not isinstance(value, str):
        return value
    return {"clubId": value} if parse_id(value) else {"name": value}


Side = Annotated[TeamInput, BeforeValidator(_read_side)]


class FixtureInput(WireInput):
    """A match in the back office; goals are only for one that was played."""

    competition: Text = Field(examples=["NPFL"])
    home: Side
    away: Side
    kick_off_at: Annotated[Moment, AfterValidator(to_milliseconds)]
    state: FixtureState = Field(default=FixtureState.SCHEDULED, strict=False)
    home_goals: Goals | None = None
    away_goals: Goals | None = None
    round: Text | None = None
    venue: Text | None = None

    @model_validator(mode="after")
    def _goals_fit(self) -> Self:
        problem = goals_problem(self.state, self.home_goals, self.away_goals)
        if problem is not None:
            raise ValueError(problem)
        return self

    @property
    def goals(self) -> tuple[int, int] | None:
        """The goals of both teams, or None."""
        home, away = self.home_goals, self.away_goals
        return None if home is None or away is None else (home, away)


class FixtureChange(FixtureInput):
    """The new details of a match; ``version`` is the one last read."""

    version: Annotated[int, Field(ge=1)]


class CompetitionChange(WireInput):
    """The new details of a competition; ``table`` says whether it has a table."""

    name: Text = Field(examples=["NPFL"])
    season: Text = Field(examples=["2026/27"])
    table: bool
    version: Annotated[int, Field(ge=1)]


class AdminCompetition(CompetitionAnswer):
    """A competition in the back office."""

    version: int


class AdminFixture(WireModel):
    """A match in the back office."""

    id: UUID
    competition: str
    round: str | None
    home: TeamAnswer
    away: TeamAnswer
    kick_off_at: Instant
    venue: str | None
    state: FixtureState
    phase_started_at: Instant | None
    home_goals: int | None
    away_goals: int | None
    version: int
    updated_at: Instant
