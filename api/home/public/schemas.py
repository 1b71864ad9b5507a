from typing import Annotated

from pydantic import Field

from api.community.news.schemas import NewsRow
from api.foundation.wire.schemas import Instant, WireInput, WireModel
from api.games.matches.schemas.members import FixtureAnswer, TableRow
from api.games.trivia.schemas import Key, TriviaQuestion
from api.people.clubs.schemas import ClubAnswer
from api.shop.schemas.products import ProductAnswer

Colours = tuple[str, str]


class PublicClub(ClubAnswer):
    """A club and the number of its members."""

    members: int


class PublicHome(WireModel):
    """The public home page of one club; without any club, ``club`` is null.

    ``live`` has the club's running matches, ``next`` its next one. ``table`` is that of its current
    competition, ``members`` the number of members of all clubs.
    """

    club: PublicClub | None
    live: list[FixtureAnswer]
    next: FixtureAnswer | None
    table: list[TableRow]
    news: list[NewsRow]
    products: list[ProductAnswer]
    members: int
    question: TriviaQuestion | None = Field(description="To try; no game asks it")


class PublicClubPage(PublicClub):
    """A club's page: its running, coming and last matches, the table, and its news."""

    live: list[FixtureAnswer]
    next: FixtureAnswer | None
    coming: list[FixtureAnswer]
    results: list[FixtureAnswer]
    table: list[TableRow]
    news: list[NewsRow]


class MatchSurroundings(WireModel):
    """What the page of a match shows beside it.

    ``colours`` and ``form`` are those of home and away; form is ``Won``, ``Drawn`` or ``Lost`` of
    the last matches, the latest last, and empty for a team that is none of the clubs.
    """

    table: list[TableRow]
    colours: tuple[Colours, Colours]
    form: tuple[list[str], list[str]]


class MoreToSee(WireModel):
    """What the pages of an article and of a product lead on to; ``club`` is the article's."""

    club: PublicClub | None
    news: list[NewsRow]
    products: list[ProductAnswer]


class VisitorAnswer(WireInput):
    """The chosen option's key."""

    answer: Key


class VisitorResult(WireModel):
    """Whether the answer was right, and the right one.

    ``claim`` is null unless it was right. A sign-up that sends it, and is activated before
    ``claimUntil``, starts with ``points`` points.
    """

    correct: bool
    right_answer: Key
    explanation: str
    claim: Annotated[
        str | None, Field(examples=["0190b5c2-7d3e-7a41-9c55-0f2b8d1e6a70.1795968000.5f0a"])
    ]
    claim_until: Instant | None
    points: int
