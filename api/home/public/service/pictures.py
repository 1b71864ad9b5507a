"""Preview pictures: gathers what is drawn, and draws it once."""

import functools
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from api.community.moments.schemas import PublicMoment
from api.community.news.schemas import NewsArticle
from api.foundation.core.money import format_naira
from api.foundation.media.storage import MEDIA_PATH, NoSuchObjectError, is_key
from api.foundation.media.uploading import UploadContext
from api.games.invites.schemas import InviterAnswer
from api.games.matches.schemas.common import TeamAnswer
from api.games.matches.schemas.members import FixtureAnswer
from api.home.public import wording
from api.home.public.cards.cache import CardCache
from api.home.public.cards.colours import PLAIN
from api.home.public.cards.contents import (
    ArticleCard,
    Card,
    ClubCard,
    HomeCard,
    InviteCard,
    MatchCard,
    MomentCard,
    ProductCard,
    Side,
)
from api.home.public.cards.drawing import draw
from api.home.public.schemas import PublicClubPage
from api.people.clubs.service import queries as clubs
from api.shop.schemas.products import ProductAnswer

MAX_PICTURE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class PictureContext:
    """Dependencies of preview pictures; ``bundled`` is the folder of pictures not in the store."""

    uploads: UploadContext
    cache: CardCache
    bundled: Path

    async def picture(self, address: str, card: Card) -> bytes:
        """Return the JPEG at ``address``, drawn unless it is known; of members none is stored."""
        key = address.removeprefix("/og/").replace("/", "-").replace(".jpg?v=", "-")
        stores = not isinstance(card, InviteCard | MomentCard)
        return await self.cache.get(key, functools.partial(draw, card), stores=stores)


async def match_card(context: PictureContext, match: FixtureAnswer, now: datetime) -> Card:
    """Return the card of a match."""
    return MatchCard(
        competition=match.competition.name,
        round=match.round,
        home=await _team(context, match.home),
        away=await _team(context, match.away),
        score=None if match.goals is None else (match.goals.home, match.goals.away),
        status=wording.state_of(match, now),
        note="Demo season" if match.competition.demo else None,
    )


async def article_card(context: PictureContext, article: NewsArticle) -> Card:
    """Return the card of an article."""
    found = None
    if article.club is not None:
        club_id = await clubs.find_id(context.uploads.database, article.club)
        found = None if club_id is None else await _side(context, club_id)
    picture = await _stored(context, article.picture)
    return ArticleCard(title=article.title, club=found, picture=picture)


async def product_card(context: PictureContext, product: ProductAnswer) -> Card:
    """Return the card of a product."""
    picture = await _stored(context, product.image)
    return ProductCard(name=product.name, price=format_naira(product.price), picture=picture)


async def club_card(context: PictureContext, club: PublicClubPage) -> Card:
    """Return the card of a club."""
    side = await _side(context, club.id)
    fans = wording.fans_of(club)
    return ClubCard(club=side or _plain(club.name), members=fans, note=club.cc_name)


async def invite_card(context: PictureContext, inviter: InviterAnswer) -> Card:
    """Return the card of an invite."""
    side = await _side(context, inviter.club_id)
    return InviteCard(first_name=inviter.first_name, club=side or _plain(inviter.club_name))


async def moment_card(context: PictureContext, moment: PublicMoment) -> Card:
    """Return the card of a public moment."""
    poster = await _stored(context, moment.poster)
    by = f"{moment.by.first_name}, {moment.by.club_name}"
    return MomentCard(title=moment.title, by=by, poster=poster)


def home_card() -> Card:
    """Return the card of every other page."""
    return HomeCard()


async def _team(context: PictureContext, team: TeamAnswer) -> Side:
    side = None if team.club_id is None else await _side(context, team.club_id)
    return side or _plain(team.name)


def _plain(name: str) -> Side:
    return Side(name=name, colours=PLAIN, crest=clubs.drawn_crest(name, PLAIN))


async def _side(context: PictureContext, club_id: UUID) -> Side | None:
    row = await clubs.find(context.uploads.database, club_id)
    if row is None:
        return None
    crest = await clubs.read_crest(context.uploads, club_id)
    return Side(name=row.name, colours=(row.colour_a, row.colour_b), crest=crest)


async def _stored(context: PictureContext, address: str | None) -> bytes | None:
    """Return a picture by its path, or None if it is missing or too large."""
    if address is None or not address.startswith(MEDIA_PATH):
        return None
    key = address.removeprefix(MEDIA_PATH)
    if not is_key(key):
        return _bundled(context.bundled, key)
    try:
        found = await context.uploads.store.describe(key)
        if found.size_bytes > MAX_PICTURE_BYTES:
            return None
        chunks = await context.uploads.store.read(key, 0, found.size_bytes - 1)
    except NoSuchObjectError:
        return None
    return b"".join([chunk async for chunk in chunks])


def _bundled(folder: Path, key: str) -> bytes | None:
    file = (folder / key).resolve()
    is_inside = file.is_relative_to(folder.resolve())
    return file.read_bytes() if is_inside and file.is_file() else None
