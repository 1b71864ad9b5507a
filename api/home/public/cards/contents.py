"""What a card shows. Pictures are bytes as they are stored: a raster picture, or an SVG."""

from dataclasses import dataclass

from api.people.clubs.service.queries import Crest


@dataclass(frozen=True)
class Side:
    """A club, or a team of a match; ``colours`` are written ``#RRGGBB``."""

    name: str
    colours: tuple[str, str]
    crest: Crest


@dataclass(frozen=True)
class MatchCard:
    """A match; ``status`` is read out as it is: "Sat 5 Dec, 4:00 pm", "LIVE 63'", "Full time"."""

    competition: str
    round: str | None
    home: Side
    away: Side
    score: tuple[int, int] | None
    status: str
    note: str | None = None


@dataclass(frozen=True)
class ArticleCard:
    """An article, with its picture if there is one; ``club`` is None if it concerns all clubs."""

    title: str
    club: Side | None = None
    picture: bytes | None = None


@dataclass(frozen=True)
class ProductCard:
    """A product; ``price`` is written with its currency."""

    name: str
    price: str
    picture: bytes | None = None


@dataclass(frozen=True)
class InviteCard:
    """A member's invitation to their club."""

    first_name: str
    club: Side


@dataclass(frozen=True)
class MomentCard:
    """A moment; ``by`` names its author and their club."""

    title: str
    by: str
    poster: bytes | None = None


@dataclass(frozen=True)
class ClubCard:
    """A club; ``members`` is a sentence like "1,204 members"."""

    club: Side
    members: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class HomeCard:
    """Every other page."""


Card = MatchCard | ArticleCard | ProductCard | InviteCard | MomentCard | ClubCard | HomeCard
