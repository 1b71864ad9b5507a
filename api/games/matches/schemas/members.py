from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.foundation.wire.schemas import Id, Instant, WireInput, WireModel
from api.games.matches.enums import CalendarKind, FixtureNews, FixtureState
from api.games.matches.rules.moving import MAX_WATCHED
from api.games.matches.schemas.common import ScoredGoal, TeamAnswer


class CompetitionAnswer(WireModel):
    """A competition; a ``demo`` has made-up results, ``table`` says whether it has a table."""

    id: UUID
    name: str = Field(examples=["NPFL"])
    season: str = Field(examples=["2026/27"])
    demo: bool
    table: bool


class GoalsAnswer(WireModel):
    """The goals of each team."""

    home: int
    away: int


class OwnPrediction(WireModel):
    """The member's prediction and its outcome; ``points`` is null before it is scored."""

    home: int
    away: int
    points: int | None
    outcome: str
    saved_at: Instant


class CrowdPrediction(WireModel):
    """All members' predictions by result, in per cent, and their number."""

    home: int
    draw: int
    away: int
    count: int


class FixtureAnswer(WireModel):
    """A match as members see it.

    ``phaseStartedAt`` is when the current half or break began; ``half`` is the current half, 1 or
    2, or null. ``closesAt`` is the deadline for predictions, null unless the match is scheduled.
    ``crowd`` is null before the kick-off or without predictions.
    """

    id: UUID
    competition: CompetitionAnswer
    round: str = Field(examples=["Round 4"])
    home: TeamAnswer
    away: TeamAnswer
    kick_off_at: Instant
    venue: str | None
    state: FixtureState
    phase_started_at: Instant | None
    half: int | None
    goals: GoalsAnswer | None
    scored: list[ScoredGoal]
    version: int
    updated_at: Instant
    closes_at: Instant | None
    prediction: OwnPrediction | None
    crowd: CrowdPrediction | None


class FixtureHeadline(WireModel):
    """The content of the socket event of a match, except the server's time."""

    id: UUID
    version: int
    what: FixtureNews
    state: FixtureState
    phase_started_at: Instant | None
    half: int | None
    goals: GoalsAnswer | None
    kick_off_at: Instant


class FixtureUpdate(FixtureHeadline):
    """The socket event ``fixture_update``."""

    server_now: Instant


class FixtureAnnouncement(WireModel):
    """The payload published to processes: the clubs whose members receive it, and the update."""

    clubs: list[UUID]
    update: FixtureHeadline


class WatchFixtures(WireInput):
    """The socket event ``watch_fixtures``: the matches to watch from now on."""

    ids: Annotated[list[Id], Field(max_length=MAX_WATCHED)]


class WatchedFixtures(WireModel):
    """The current state of the watched matches."""

    fixtures: list[FixtureAnswer]


class ReminderAnswer(WireModel):
    """Whether the member is reminded of a match an hour before its kick-off."""

    remind: bool


class TableRow(WireModel):
    """A team's row of the table; equal teams share a ``position``."""

    position: int
    team: TeamAnswer
    played: int
    won: int
    drawn: int
    lost: int
    goals_for: Annotated[int, Field(alias="for")]
    goals_against: Annotated[int, Field(alias="against")]
    difference: int
    points: int


class CalendarDate(WireModel):
    """A date of a member's calendar; ``path`` is the screen with the details."""

    id: str
    kind: CalendarKind
    title: str = Field(examples=["Enyimba v Arsenal"])
    starts_at: Instant
    ends_at: Instant | None
    state: str = Field(description="A match's own state, else upcoming or over")
    path: str
