"""The pages for visitors: the head, the content and the preview picture of each."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from api.community.moments.service import sharing as moments
from api.foundation.core.errors import DomainError, NotFoundError
from api.foundation.core.ids import parse_id
from api.foundation.security.digests import content_version
from api.foundation.wire.previews import PREVIEW
from api.foundation.wire.schemas import ExistingName
from api.games.invites import rules as invite_rules
from api.games.invites import service as invites
from api.games.invites.service import InviteContext
from api.home.public import heads, repository, screens, wording
from api.home.public.cards.contents import Card
from api.home.public.enums import PageKind
from api.home.public.heads import Head
from api.home.public.repository import SiteEntry
from api.home.public.service import pictures, reading
from api.home.public.service.pictures import PictureContext
from api.home.public.service.reading import PublicContext

PICTURES = "/og"
MORE = 4  # of news and products, beside one of them
NO_NAME = "page"  # of kinds with a single picture
NAME = TypeAdapter[str](ExistingName)
# Screens of the app that show what a public page shows, by the first part of their path.
SCREENS = {"match": PageKind.MATCH, "news": PageKind.ARTICLE, "product": PageKind.PRODUCT}


@dataclass(frozen=True)
class SitePage:
    """A page: ``values`` fill its template, ``card`` gathers what is drawn on its picture."""

    template: str
    head: Head
    card: Callable[[], Awaitable[Card]]
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Site:
    """Finds pages by their kind and name."""

    public: PublicContext
    invites: InviteContext
    pictures: PictureContext

    async def find(self, kind: PageKind, name: str, now: datetime) -> SitePage:
        """Return a page; the name is an id, a slug, an invite's code, or a club for the home page.

        Raises:
            NotFoundError: it does not exist, is not public, or has a name that nothing can have.
        """
        return await _FINDERS[kind](self, NAME.validate_python(name), now)

    async def list_pages(self, now: datetime) -> list[SiteEntry]:
        """Return the paths of clubs, this season's matches, articles and products."""
        return await repository.list_site(self.public.database, now)

    async def head_of(self, path: str, now: datetime) -> Head:
        """Return the head of an address of the app: that of its public page, if it has one."""
        if not screens.is_screen(path):
            return heads.not_found(path, home_picture())
        first, _, name = path.strip("/").partition("/")
        kind = SCREENS.get(first)
        if kind is not None and name:
            try:
                return (await self.find(kind, name, now)).head
            except DomainError:
                pass  # members may still see it; without a database the app opens, too
        is_indexed = path in {"/signin", "/signup"}
        return heads.of_app(path, home_picture(), is_indexed=is_indexed)


def home_picture() -> str:
    """Return the path of the picture of pages without their own."""
    return PREVIEW


def _picture(kind: PageKind, name: str, *content: object) -> str:
    """Return the path of a picture, with the version of what is drawn on it."""
    return f"{PICTURES}/{kind}/{name}.jpg?v={content_version(*content)}"


def _id(name: str) -> UUID:
    found = parse_id(name)
    if found is None:
        raise NotFoundError
    return found


async def _home(site: Site, name: str, _now: datetime) -> SitePage:
    club = None if name in {"", NO_NAME} else name
    home = (await reading.read_home(site.public, club)).content
    path = "/welcome" if club is None or home.club is None else f"/welcome?club={home.club.id}"
    head = heads.of_home(home, path, home_picture(), site.public.public_url)

    async def card() -> Card:
        return pictures.home_card()

    return SitePage("welcome.html", head, card, {"home": home})


async def _match(site: Site, name: str, now: datetime) -> SitePage:
    match = (await reading.read_match(site.public, _id(name))).content
    drawn = (match.version, wording.state_of(match, now), match.home.name, match.away.name)
    picture = _picture(PageKind.MATCH, str(match.id), *drawn)
    head = heads.of_match(match, f"/m/{match.id}", picture, site.public.public_url, now)
    beside = await reading.read_surroundings(site.public, match)
    return SitePage(
        "match.html",
        head,
        lambda: pictures.match_card(site.pictures, match, now),
        {
            "match": match,
            "table": beside.table,
            "match_colours": beside.colours,
            "form": beside.form,
        },
    )


async def _article(site: Site, name: str, _now: datetime) -> SitePage:
    article = (await reading.read_article(site.public, name)).content
    picture = _picture(PageKind.ARTICLE, article.slug, article.title, article.picture, article.club)
    head = heads.of_article(article, f"/n/{article.slug}", picture, site.public.public_url)
    beside = await reading.read_more(site.public, article.club)
    more = [row for row in beside.news if row.slug != article.slug]
    return SitePage(
        "article.html",
        head,
        lambda: pictures.article_card(site.pictures, article),
        {"article": article, "more": more[:MORE], "club": beside.club},
    )


async def _product(site: Site, name: str, _now: datetime) -> SitePage:
    product = (await reading.read_product(site.public, _id(name))).content
    drawn = (product.name, product.price, product.image)
    picture = _picture(PageKind.PRODUCT, str(product.id), *drawn)
    head = heads.of_product(product, f"/s/{product.id}", picture, site.public.public_url)
    beside = await reading.read_more(site.public, None)
    more = [other for other in beside.products if other.id != product.id]
    return SitePage(
        "product.html",
        head,
        lambda: pictures.product_card(site.pictures, product),
        {"product": product, "more": more[:MORE]},
    )


async def _club(site: Site, name: str, _now: datetime) -> SitePage:
    club = (await reading.read_club(site.public, _id(name))).content
    drawn = (club.name, wording.fans_of(club), club.colours)
    picture = _picture(PageKind.CLUB, str(club.id), *drawn)
    head = heads.of_club(club, f"/c/{club.id}", picture, site.public.public_url)
    return SitePage(
        "club.html", head, lambda: pictures.club_card(site.pictures, club), {"club": club}
    )


async def _moment(site: Site, name: str, now: datetime) -> SitePage:
    moment_id = _id(name)
    moment = await moments.read_public(site.public.database, moment_id, now)
    picture = _picture(PageKind.MOMENT, str(moment_id), moment.title, moment.poster)
    more = await reading.read_more(site.public, moment.by.club_name)
    by = moment.by.first_name, moment.by.club_name
    head = heads.of_moment(moment.title, *by, f"/v/{moment_id}", picture, more.club)
    return SitePage(
        "moment.html",
        head,
        lambda: pictures.moment_card(site.pictures, moment),
        {"moment": moment, "club": more.club},
    )


async def _invite(site: Site, name: str, _now: datetime) -> SitePage:
    inviter = await invites.read_inviter(site.invites, name)
    code = invite_rules.read_code(name)
    picture = _picture(PageKind.INVITE, str(code), inviter.first_name, inviter.club_name)
    onward = f"/signup?invite={code}"
    head = heads.of_invite(inviter.first_name, inviter.club_name, f"/i/{code}", picture, onward)
    return SitePage(
        "invite.html",
        head,
        lambda: pictures.invite_card(site.pictures, inviter),
        {"inviter": inviter, "onward": onward},
    )


_FINDERS: Mapping[PageKind, Callable[[Site, str, datetime], Awaitable[SitePage]]] = {
    PageKind.HOME: _home,
    PageKind.MATCH: _match,
    PageKind.ARTICLE: _article,
    PageKind.PRODUCT: _product,
    PageKind.CLUB: _club,
    PageKind.MOMENT: _moment,
    PageKind.INVITE: _invite,
}
