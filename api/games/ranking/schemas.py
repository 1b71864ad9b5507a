"""Wire schemas of points, ranks and boards (spec 3; contract B-20, B-21, B-22, B-60, B-61)."""

from datetime import date
from typing import Annotated, Self
from uuid import UUID

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from api.foundation.wire.schemas import Instant, Moment, ShownName, WireInput, WireModel
from api.games.ranking.enums import (
    KING_OF_FANS,
    CelebrationKind,
    Period,
    PointSource,
    Scope,
    SeasonState,
)


class Ranking(WireModel):
    """A member's position in the club this season.

    ``points`` are the season's; ``battlePoints`` decide the rank; ``cnt`` is the number of
    questions answered.
    """

    club_name: str = Field(examples=["Enyimba"])
    emblem: str
    badge: str = Field(examples=["rookie"])
    points: int = Field(examples=[45])
    cnt: int = Field(examples=[9])
    club_rank: int | None
    club_members: int = Field(examples=[12])
    battle_points: int = Field(examples=[30])
    next_rank: str | None = Field(examples=["super-fan"])
    points_to_next: int | None = Field(examples=[20])
    season: str | None = Field(examples=["2026/27"])


class LeaderBoardRow(WireModel):
    """One row of the dashboard's leader board; field names are the spec's, in lower case."""

    rank: int
    firstname: str
    lastname: str
    points: int
    me: bool
    avatar: str | None = Field(examples=["/media/avatars/5f2c9d0e8b7a46135f2c9d0e8b7a4613.webp"])


class ChallengerRow(LeaderBoardRow):
    """A row of a board of several clubs; ``name`` is the club's."""

    name: str
    emblem: str


class BoardPlace(WireModel):
    """The member's own place; ``rank`` is null without points."""

    rank: int | None
    points: int


class BoardStanding(BoardPlace):
    """The member's own place on a board; operators have none (``offBoards``)."""

    off_boards: bool


class Statistics(WireModel):
    """The content of the dashboard, except the wallet."""

    ranking: Ranking
    leaderboard: list[LeaderBoardRow]
    me: BoardStanding


class LeaderBoard(WireModel):
    """A page of a board; ties share a rank, the quicker member first."""

    scope: Scope
    period: Period
    starts_at: Instant | None
    ends_at: Instant | None
    page: int = Field(examples=[1])
    page_size: int = Field(examples=[50])
    total: int
    rows: list[ChallengerRow]
    me: BoardStanding


class PointRow(WireModel):
    """An award of points, and its reason."""

    id: UUID
    source: PointSource
    points: int
    title: str = Field(examples=["Daily Quest: 4 of 5 right"])
    day: date
    earned_at: Instant


class SourcePoints(WireModel):
    """A season's points from one source."""

    source: PointSource
    points: int


class Celebration(WireModel):
    """An achievement the member has not seen yet; ``key`` is the rank."""

    id: UUID
    kind: CelebrationKind
    key: str = Field(examples=["super-fan"])


class RankRow(WireModel):
    """A rank of the ladder; null dates mean the season's own."""

    rank: str = Field(examples=["rookie"])
    threshold_point: int = Field(alias="threshold_point", examples=[50])
    start_date: Instant | None = Field(alias="start_date")
    end_date: Instant | None = Field(alias="end_date")


class AdminRank(WireModel):
    """A rank of a season in the back office; null dates mean the season's own."""

    rank: str = Field(examples=["rookie"])
    threshold_point: int = Field(examples=[50])
    starts_at: Instant | None
    ends_at: Instant | None


class AdminSeason(WireModel):
    """A season with its ladder, lowest rank first; ``questionTimeLimit`` in seconds.

    Send ``version`` back with a change.
    """

    id: UUID
    name: str
    starts_at: Instant
    ends_at: Instant
    point_per_question: int
    question_time_limit: int
    questions_per_day: int
    state: SeasonState
    version: int
    ranks: list[AdminRank]


class RankPlan(BaseModel):
    """A rank as operators write it; members leave it with ``threshold_point`` battle points."""

    model_config = ConfigDict(extra="forbid")

    rank: Annotated[str, StringConstraints(pattern=r"^[a-z]+(-[a-z]+)*$", max_length=40)]
    threshold_point: Annotated[int, Field(ge=1, le=1_000_000)]
    starts_at: Moment | None = None
    ends_at: Moment | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.rank == KING_OF_FANS:
            raise ValueError("king-of-fans is above the last rank and not a rank of its own")
        if self.starts_at and self.ends_at and self.starts_at >= self.ends_at:
            raise ValueError(f"{self.rank} ends before it starts")
        return self


class SeasonPlan(BaseModel):
    """A season as operators write it; ``question_time_limit`` in seconds (contract B-60, B-61)."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[
        ShownName, StringConstraints(min_length=1, max_length=60, strip_whitespace=True)
    ]
    starts_at: Moment
    ends_at: Moment
    point_per_question: Annotated[int, Field(ge=1, le=1000)]
    question_time_limit: Annotated[int, Field(ge=3, le=300)]
    questions_per_day: Annotated[int, Field(ge=1, le=100)]
    ranks: Annotated[list[RankPlan], Field(min_length=1, max_length=20)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.starts_at >= self.ends_at:
            raise ValueError("the season ends before it starts")
        for named in ("rank", "threshold_point"):
            values = [getattr(rank, named) for rank in self.ranks]
            if len(set(values)) != len(values):
                raise ValueError(f"two ranks have the same {named}")
        return self


class RankInput(WireInput, RankPlan):
    """A rank of a new or changed season."""


class SeasonInput(WireInput, SeasonPlan):
    """A new season; ``questionTimeLimit`` in seconds."""

    # A narrower list type: lists are invariant, and nothing writes to this one.
    ranks: Annotated[list[RankInput], Field(min_length=1, max_length=20)]  # type: ignore[assignment]


class SeasonChange(SeasonInput):
    """The new details of a season; without the ``version`` last read, the last change wins."""

    version: Annotated[int, Field(ge=1)] | None = None
