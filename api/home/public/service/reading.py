"""What visitors can read: the public home page, matches, articles, products and clubs."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.community.news.schemas import NewsArticle
from api.community.news.service import reading as news
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database
from api.foundation.wire.encoded import AnswerCache, EncodedAnswer
from api.games.matches.schemas.common import TeamAnswer
from api.games.matches.schemas.members import FixtureAnswer, TableRow
from api.games.matches.service import queries as matches
from api.games.matches.service.context import FixtureContext
from api.games.matches.service.queries import ClubMatches
from api.home.public import repository, wording
from api.home.public.cards.colours import PLAIN, club_pair
from api.home.public.schemas import (
    Colours,
    MatchSurroundings,
    MoreToSee,
    PublicClub,
    PublicClubPage,
    PublicHome,
)
from api.home.public.service import questions
from api.people.clubs.service import queries as clubs
from api.shop.schemas.products import ProductAnswer
from api.shop.service import products

NEWS_OF_HOME = 4
NEWS_OF_CLUB = 6
MORE_NEWS = 5  # with the one that is read
MORE_PRODUCTS = 5
PRODUCTS_OF_HOME = 6
COMING = 5
RESULTS = 5
FORM = 5


@dataclass(frozen=True)
class PublicContext:
    """Dependencies of public reads; ``claim_key`` signs claims."""

    database: Database
    fixtures: FixtureContext
    cache: AnswerCache
    public_url: str
    claim_key: str


async def read_home(context: PublicContext, club: str | None) -> EncodedAnswer[PublicHome]:
    """Return the home page of a club, by default the one that plays next.

    Raises:
        NotFoundError: there is no such club.
    """
    club_id = await _chosen(context, club)
    key = ("home", str(club_id))
    return await context.cache.get(key, lambda: _home(context, club_id, clock.now()))


async def read_match(context: PublicContext, match_id: UUID) -> EncodedAnswer[FixtureAnswer]:
    """Return a match as visitors see it, without predictions.

    Raises:
        NotFoundError: there is no such match.
    """
    key = ("match", str(match_id))
    return await context.cache.get(
        key, lambda: matches.read_match(context.fixtures, matches.NO_MEMBER, match_id)
    )


async def read_surroundings(context: PublicContext, match: FixtureAnswer) -> MatchSurroundings:
    """Return what the page of a match shows beside it."""
    key = ("surroundings", str(match.id))
    found = await context.cache.get(key, lambda: _surroundings(context, match))
    return found.content


async def read_article(context: PublicContext, slug: str) -> EncodedAnswer[NewsArticle]:
    """Return a published article.

    Raises:
        NotFoundError: it is unknown, not published, or a hidden club's.
    """
    return await context.cache.get(
        ("article", slug), lambda: news.read_public(context.database, slug, clock.now())
    )


async def read_more(context: PublicContext, club: str | None) -> MoreToSee:
    """Return what an article of a club, by its name, or a product leads on to."""
    found = await context.cache.get(("more", club or ""), lambda: _more(context, club, clock.now()))
    return found.content


async def read_product(context: PublicContext, product_id: UUID) -> EncodedAnswer[ProductAnswer]:
    """Return a product that is in the shop.

    Raises:
        ProductNotFoundError: it is unknown or hidden.
    """
    key = ("product", str(product_id))
    return await context.cache.get(key, lambda: products.read_product(context.database, product_id))


async def read_club(context: PublicContext, club_id: UUID) -> EncodedAnswer[PublicClubPage]:
    """Return a club's page.

    Raises:
        NotFoundError: it is unknown or hidden.
    """
    key = ("club", str(club_id))
    return await context.cache.get(key, lambda: _club_page(context, club_id, clock.now()))


async def _chosen(context: PublicContext, club: str | None) -> UUID | None:
    if club is None:
        return await repository.choose_club(context.database, clock.now())
    found = await clubs.find_id(context.database, club)
    if found is None or not await clubs.takes_members(context.database, found):
        raise NotFoundError
    return found


async def _surroundings(context: PublicContext, match: FixtureAnswer) -> MatchSurroundings:
    table, home, away, home_form, away_form = await asyncio.gather(
        matches.read_table(context.fixtures, match.competition.id),
        _colours(context, match.home),
        _colours(context, match.away),
        _form(context, match.home),
        _form(context, match.away),
    )
    return MatchSurroundings(table=table, colours=(home, away), form=(home_form, away_form))


async def _form(context: PublicContext, team: TeamAnswer) -> list[str]:
    club_id = team.club_id
    if club_id is None:
        return []
    results = await matches.results_of_club(context.fixtures, club_id, limit=FORM)
    outcomes = [wording.outcome_for(match, club_id) for match in reversed(results)]
    return [outcome for outcome in outcomes if outcome is not None]


async def _colours(context: PublicContext, team: TeamAnswer) -> Colours:
    row = None if team.club_id is None else await clubs.find(context.database, team.club_id)
    return PLAIN if row is None else club_pair((row.colour_a, row.colour_b))


async def _home(context: PublicContext, club_id: UUID | None, now: datetime) -> PublicHome:
    database = context.database
    club, members, shown, articles, question = await asyncio.gather(
        _club(context, club_id),
        repository.count_members(database, None),
        products.list_products(database),
        news.list_public(database, club_id, now, limit=NEWS_OF_HOME),
        questions.question_of_day(database, now),
    )
    of_club, table = ClubMatches(None, []), list[TableRow]()
    if club_id is not None:
        of_club, table = await asyncio.gather(
            matches.matches_of_club(context.fixtures, club_id, now),
            matches.table_of_club(context.fixtures, club_id),
        )
    return PublicHome(
        club=club,
        live=of_club.live,
        next=of_club.coming,
        table=table,
        news=articles,
        products=shown[:PRODUCTS_OF_HOME],
        members=members,
        question=question,
    )


async def _more(context: PublicContext, club: str | None, now: datetime) -> MoreToSee:
    club_id = None if club is None else await clubs.find_id(context.database, club)
    found, articles, shown = await asyncio.gather(
        _club(context, club_id),
        news.list_public(context.database, club_id, now, limit=MORE_NEWS),
        products.list_products(context.database),
    )
    return MoreToSee(club=found, news=articles, products=shown[:MORE_PRODUCTS])


async def _club_page(context: PublicContext, club_id: UUID, now: datetime) -> PublicClubPage:
    club = await _club(context, club_id)
    if club is None:
        raise NotFoundError
    of_club, coming, results, table, articles = await asyncio.gather(
        matches.matches_of_club(context.fixtures, club_id, now),
        matches.coming_of_club(context.fixtures, club_id, now, limit=COMING),
        matches.results_of_club(context.fixtures, club_id, limit=RESULTS),
        matches.table_of_club(context.fixtures, club_id),
        news.list_public(context.database, club_id, now, limit=NEWS_OF_CLUB),
    )
    return PublicClubPage(
        **dict(club),
        live=of_club.live,
        next=of_club.coming,
        coming=coming,
        results=results,
        table=table,
        news=articles,
    )


async def _club(context: PublicContext, club_id: UUID | None) -> PublicClub | None:
    row = None if club_id is None else await clubs.find(context.database, club_id)
    if row is None or row.hidden:
        return None
    members = await repository.count_members(context.database, row.id)
    return PublicClub(**dict(clubs.shown(row)), members=members)
