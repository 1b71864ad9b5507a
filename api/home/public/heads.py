"""Heads: what messengers and search engines read of a page, from the same data as the page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from api.community.news.schemas import NewsArticle
from api.foundation.core.money import format_naira
from api.games.matches.enums import FixtureState
from api.games.matches.schemas.members import FixtureAnswer
from api.home.public import wording
from api.home.public.schemas import PublicClub, PublicClubPage, PublicHome
from api.shop.schemas.products import ProductAnswer

NAME = "King of Fans"
TAGLINE = "Get Connected Get Rewarded"
SCHEMA = "https://schema.org"
IN_STOCK, OUT_OF_STOCK = f"{SCHEMA}/InStock", f"{SCHEMA}/OutOfStock"
EVENT_STATES = {
    FixtureState.POSTPONED: "EventPostponed",
    FixtureState.CANCELLED: "EventCancelled",
    FixtureState.ABANDONED: "EventCancelled",
}


@dataclass(frozen=True)
class Head:
    """A page's head; paths are ours, without the origin.

    ``preview`` is the title in messengers, if it is another one. ``path`` is the canonical address.
    ``image`` has the content's version in its query. ``app`` is the screen that signed-in members
    get instead, ``onward`` the address that a browser continues to at once; both may be empty.
    """

    title: str
    description: str
    path: str
    image: str
    preview: str = ""
    kind: str = "website"
    app: str = ""
    onward: str = ""
    club: PublicClub | None = None
    is_indexed: bool = True
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def whole_title(self) -> str:
        """The title with the product's name."""
        return self.title if NAME in self.title else f"{self.title} · {NAME}"

    @property
    def shared_title(self) -> str:
        """The title in messengers."""
        return self.preview or self.title


def of_app(path: str, image: str, *, is_indexed: bool) -> Head:
    """Return the head of a screen of the app."""
    words = f"{TAGLINE}: quests, battles, predictions, chat and a shop for football supporters."
    return Head(NAME, words, path, image, is_indexed=is_indexed)


def not_found(path: str, image: str) -> Head:
    """Return the head of the page for unknown addresses; a shared one presents the product."""
    words = "This page does not exist, or is no longer public."
    return Head("URL not found!", words, path, image, preview=NAME, is_indexed=False)


def of_home(home: PublicHome, path: str, image: str, origin: str) -> Head:
    """Return the head of the public home page."""
    title = NAME if home.club is None else f"{home.club.name} fans on {NAME}"
    facts = {
        "@type": "Organization",
        "name": NAME,
        "url": f"{origin}/welcome",
        "logo": f"{origin}/icons/512.png",
        "slogan": TAGLINE,
    }
    words = (
        "Predict matches, answer the daily quest, chat with your club and climb to King of Fans. "
        "Free to join."
    )
    return Head(title, words, path, image, app="/", club=home.club, facts=facts)


def of_match(match: FixtureAnswer, path: str, image: str, origin: str, now: datetime) -> Head:
    """Return the head of a match."""
    home, away, score = match.home.name, match.away.name, wording.score_of(match)
    title = f"{home} {score} {away}" if score else f"{home} v {away}"
    parts = [wording.state_of(match, now), match.competition.name, match.round, match.venue or ""]
    if match.competition.demo:
        parts.append("Demo season")
    words = " · ".join(part for part in parts if part)
    facts = {
        "@type": "SportsEvent",
        "name": f"{home} v {away}",
        "sport": "Football",
        "startDate": match.kick_off_at.astimezone(wording.LAGOS).isoformat(),
        "eventStatus": f"{SCHEMA}/{EVENT_STATES.get(match.state, 'EventScheduled')}",
        "eventAttendanceMode": f"{SCHEMA}/OfflineEventAttendanceMode",
        "location": {"@type": "Place", "name": match.venue or home, "address": "Nigeria"},
        "homeTeam": {"@type": "SportsTeam", "name": home},
        "awayTeam": {"@type": "SportsTeam", "name": away},
        "image": origin + image,
        "url": origin + path,
        "description": wording.shorten(words),
    }
    return Head(title, wording.shorten(words), path, image, app=f"/match/{match.id}", facts=facts)


def of_article(article: NewsArticle, path: str, image: str, origin: str) -> Head:
    """Return the head of an article."""
    words = wording.shorten(article.summary or f"News on {NAME}.")
    facts = {
        "@type": "NewsArticle",
        "headline": article.title,
        "description": words,
        "datePublished": article.published_at.isoformat(),
        "image": [origin + image],
        "mainEntityOfPage": origin + path,
        "author": {"@type": "Organization", "name": NAME, "url": f"{origin}/welcome"},
        "publisher": {
            "@type": "Organization",
            "name": NAME,
            "logo": {"@type": "ImageObject", "url": f"{origin}/icons/512.png"},
        },
    }
    app = f"/news/{article.slug}"
    return Head(article.title, words, path, image, kind="article", app=app, facts=facts)


def of_product(product: ProductAnswer, path: str, image: str, origin: str) -> Head:
    """Return the head of a product."""
    price = format_naira(product.price)
    words = wording.shorten(product.description or f"In the shop of {NAME}.")
    facts = {
        "@type": "Product",
        "name": product.name,
        "description": wording.shorten(product.description or product.name),
        "image": origin + image,
        "sku": str(product.id),
        "offers": {
            "@type": "Offer",
            "price": f"{product.price / 100:.2f}",
            "priceCurrency": "NGN",
            "availability": IN_STOCK if product.available > 0 else OUT_OF_STOCK,
            "url": origin + path,
        },
    }
    app = f"/product/{product.id}"
    return Head(
        f"{product.name}, {price}", words, path, image, kind="product", app=app, facts=facts
    )


def of_club(club: PublicClubPage, path: str, image: str, origin: str) -> Head:
    """Return the head of a club's page."""
    fans = wording.fans_of(club)
    words = (
        f"Follow every match live, predict the score and chat with {fans}."
        if wording.has_crowd(club.members)
        else f"Follow every match live and predict the score. {fans}."
    )
    facts = {
        "@type": "SportsTeam",
        "name": club.name,
        "sport": "Football",
        "url": origin + path,
        "logo": origin + club.emblem,
    }
    title = f"{club.name}: matches, table and news"
    return Head(title, words, path, image, app="/calendar", club=club, facts=facts)


def of_invite(first_name: str, club: str, path: str, image: str, onward: str) -> Head:
    """Return the head of an invite, which search engines are asked to skip."""
    title = f"{first_name} invites you to {club}"
    words = f"{TAGLINE}: quests, battles and predictions with your club."
    return Head(title, words, path, image, onward=onward, is_indexed=False)


def of_moment(
    title: str, first_name: str, club: str, path: str, image: str, colours: PublicClub | None
) -> Head:
    """Return the head of a moment that its author shared with everyone, in the club's colours."""
    words = f"Shared by {first_name}, {club}."
    whole = title or f"A moment of {first_name}"
    return Head(whole, words, path, image, kind="video.other", club=colours)
