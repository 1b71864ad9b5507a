"""Preview pictures: one size, little data, and nothing that overflows or fails."""

import io
from pathlib import Path

import pytest
from api.home.public.cards.canvas import FOOTER_TOP, MAX_JPEG_BYTES
from api.home.public.cards.colours import PAPER, contrast
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
from api.people.clubs.service.queries import Crest
from PIL import Image, ImageChops

from tests.home.public.cards.samples import MAX_LENGTH_TEAM, club, noise, plain

LONG = "Everything about the new season of the Battle Zone in Ọ̀ṣun and Ẹdo, ₦ by ₦. " * 3
NOISE = noise()
PRODUCT = Path("api/dev/demo/pictures/home-jersey.svg").read_bytes()
WHITE = plain("#FFFFFF", 1200, 675)
MATCH = MatchCard("NPFL", "Matchday 14", club(), club("Kano Pillars"), (2, 1), "LIVE 63'", "Demo")
LONG_CLUB = club(MAX_LENGTH_TEAM, ("#FFFFFF", "#7C2F8C"))

CARDS: dict[str, Card] = {
    "match": MATCH,
    "match to come": MatchCard("NPFL", None, club(), club("Rangers"), None, "Sat 5 Dec, 4:00 pm"),
    "match of long names": MatchCard(
        LONG[:60], LONG[:60], LONG_CLUB, LONG_CLUB, (12, 10), "Full time, 4-3 on penalties"
    ),
    "article": ArticleCard("Enyimba win", club(), plain("#336699")),
    "article of noise": ArticleCard(LONG[:200], club(), NOISE),
    "article without picture": ArticleCard(LONG[:200], LONG_CLUB),
    "article for all clubs": ArticleCard("W" * 200),
    "product": ProductCard("Home Jersey", "₦18,500", PRODUCT),
    "product of noise": ProductCard(LONG[:120], "₦1,218,500.50", NOISE),
    "product without picture": ProductCard(LONG[:120], "₦6,000"),
    "invite": InviteCard("Ada", club()),
    "invite of a long name": InviteCard("Oluwaṣeunfunmi-Abidemi " * 2, LONG_CLUB),
    "moment": MomentCard("What a goal!", "Ada · Enyimba", plain("#225511", 540, 960)),
    "moment of noise": MomentCard(LONG[:100], LONG[:80], NOISE),
    "moment without poster": MomentCard("What a goal!", "Ada · Enyimba"),
    "club": ClubCard(club(), "1,204 members", "Demo data"),
    "club of a long name": ClubCard(LONG_CLUB, LONG[:60], LONG[:60]),
    "home": HomeCard(),
}


def opened(content: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(content))
    picture.load()
    return picture


@pytest.mark.parametrize("name", CARDS)
def test_every_card_is_a_small_baseline_jpeg_without_metadata(name: str) -> None:
    content = draw(CARDS[name])

    picture = opened(content)
    assert (picture.format, picture.size, picture.mode) == ("JPEG", (1200, 630), "RGB")
    assert MAX_JPEG_BYTES == 150_000
    assert 10_000 < len(content) <= MAX_JPEG_BYTES
    assert not {"exif", "icc_profile", "comment", "progressive"} & picture.info.keys()


def test_the_same_card_is_drawn_equally() -> None:
    assert draw(MATCH) == draw(MATCH)


@pytest.mark.parametrize(
    ("name", "picture"),
    {
        "damaged": NOISE[:5000],
        "empty": b"",
        "no picture": b"GIF89a" + bytes(200),
        "an svg without a size": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "an svg that is none": b"<svg",
        "an svg that reads a file": PRODUCT.replace(
            b"</svg>", b'<image href="/etc/hostname" width="9" height="9"/></svg>'
        ),
        "an svg of a million lines": b'<svg xmlns="http://www.w3.org/2000/svg" '
        b'viewBox="0 0 1 1000000"/>',
        "an svg with entities": b'<!DOCTYPE svg [<!ENTITY a "a">]>' + PRODUCT,
        "an svg that is too large": PRODUCT.replace(b"</svg>", b"<g></g>" * 40_000 + b"</svg>"),
        "too many pixels": noise(1, 12_001),
    }.items(),
)
def test_a_broken_or_hostile_picture_counts_as_none(name: str, picture: bytes) -> None:
    assert draw(ProductCard("Scarf", "₦6,000", picture)) == draw(ProductCard("Scarf", "₦6,000"))
    assert draw(ArticleCard("Win", None, picture)) == draw(ArticleCard("Win"))


def test_a_club_with_a_lost_crest_or_invalid_colours_still_gets_its_card() -> None:
    broken = Side("Enyimba", ('#"><image', "red"), Crest(b"", "image/webp", "1"))

    assert opened(draw(InviteCard("Ada", broken))).size == (1200, 630)


def test_a_crest_may_be_a_stored_picture() -> None:
    stored = Side("Enyimba", ("#1B57B0", "#FFFFFF"), Crest(plain("#FF0000"), "image/webp", "1"))

    red = opened(draw(ClubCard(stored))).getpixel((600, 150))

    assert isinstance(red, tuple)
    assert red[0] > 240
    assert max(red[1:]) < 20


def test_what_matters_is_in_the_square_that_chats_show() -> None:
    """Outside of the central square only areas of colour change from match to match."""
    one = opened(draw(MATCH)).crop((0, 0, 200, 540))
    other = opened(
        draw(MatchCard("CAF", "Final", club(), club("Kano Pillars"), (0, 3), "Full time", "Demo"))
    ).crop((0, 0, 200, 540))

    assert one.tobytes() == other.tobytes()


def test_an_articles_picture_shows_and_its_title_can_be_read_even_on_white() -> None:
    card = opened(draw(ArticleCard("Five questions a day keep your streak alive", None, WHITE)))

    def colour(x: int, y: int) -> str:
        pixel = card.getpixel((x, y))
        assert isinstance(pixel, tuple)
        return "#{:02X}{:02X}{:02X}".format(*pixel[:3])

    top = FOOTER_TOP - 240  # of the label above the largest title
    assert contrast(colour(600, 20), PAPER) < 1.1
    assert contrast(colour(600, 120), PAPER) < 1.1
    for y in range(top, FOOTER_TOP - 4, 20):
        assert contrast(colour(270, y), PAPER) >= 4.5, y


def test_an_articles_title_stays_inside_the_square() -> None:
    for picture in (None, plain("#0F1A15", 1200, 675)):
        bare = opened(draw(ArticleCard("", None, picture)))
        card = opened(draw(ArticleCard("Match day " * 20, None, picture)))
        difference = ImageChops.difference(card, bare).convert("L")
        left, _, right, _ = difference.point([0] * 40 + [255] * 216).getbbox() or (0, 0, 0, 0)
        assert 275 <= left < 400
        assert 800 < right <= 925


def test_a_live_match_is_told_apart_by_colour() -> None:
    def middle(status: str) -> tuple[int, ...]:
        card = MatchCard("NPFL", None, club(), club("Rangers"), (1, 0), status)
        pixel = opened(draw(card)).getpixel((600, 470))
        assert isinstance(pixel, tuple)
        return pixel

    assert middle("LIVE 63'")[1] < 80
    assert middle("Full time")[1] > 150
