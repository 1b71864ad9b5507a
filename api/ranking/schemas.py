"""Wire shapes of the dashboard's ranking (spec 3; contract B-20, B-21)."""

from pydantic import Field

from api.core.wire import WireModel


class Ranking(WireModel):
    """How a member stands in the club; ``cnt`` counts the questions answered this season."""

    club_name: str = Field(examples=["Enyimba"])
    emblem: str
    badge: str = Field(examples=["rookie"])
    points: int = Field(examples=[0])
    cnt: int = Field(examples=[0])
    club_rank: int | None
    club_members: int = Field(examples=[12])


class LeaderBoardRow(WireModel):
    """One row of the leader board; names are the spec's, in lower case."""

    rank: int
    firstname: str
    lastname: str
    points: int
    me: bool


class Standing(WireModel):
    """The member's own place; null without points."""

    rank: int | None
    points: int


class Statistics(WireModel):
    """What the dashboard shows besides the wallet."""

    ranking: Ranking
    leaderboard: list[LeaderBoardRow]
    me: Standing
