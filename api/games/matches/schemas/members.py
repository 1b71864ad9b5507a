from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.foundation.wire.schemas import Id, Instant, WireInput, WireModel
from api.games.matches.enums import CalendarKind, FixtureNews, FixtureState
from api.games.matches.rules.moving import MAX_WATCHED
from api.games.matches.schemas.common import ScoredGoal, TeamAnswer


class CompetitionAnswer(WireModel):
    """What is played for; the results of a ``demo`` are made up, ``table`` says it has one."""

    id: UUID
    name: str = Field(examples=["NPFL"])
    season: str = Field(examples=["2026/27"])
    demo: bool
    table: bool


class GoalsAnswer(WireModel):
    """How many goals each team has."""

    home: int
    away: int


class OwnPrediction(WireModel):
    """What the member has predicted, and what it came to; ``points`` is null before."""

    home: int
    away: int
    points: int | None
    outcome: str


class CrowdPrediction(WireModel):
    """What all have predicted, in per cent, and how many they are."""

    home: int
    draw: int
    away: int
    count: int


class FixtureAnswer(WireModel):
    """A match as members see it.

    ``phaseStartedAt`` is when the half that runs began, or the break; ``half``, 1 or 2, is which
    one runs, null when none does. ``closesAt`` is until when it can be predicted, null once it
    cannot. ``crowd`` is null before the kick-off.
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
    """How the watched matches stand."""

    fixtures: list[FixtureAnswer]


class ReminderAnswer(WireModel):
    """Whether the member is reminded of a match an hour before its kick-off."""

    remind: bool


class TableRow(WireModel):
    """A team's place; equal teams share it."""

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
    """A date of a member's calendar; ``path`` is the screen that says more."""

    id: str
    kind: CalendarKind
    title: str = Field(examples=["Enyimba v Arsenal"])
    starts_at: Instant
    ends_at: Instant | None
    state: str = Field(description="Of a match, its own; else upcoming or over")
    path: str
