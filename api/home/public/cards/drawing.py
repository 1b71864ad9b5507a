"""Draws each kind of card.

What matters lies in the central square, which is all that some chats show, and nothing within
twenty pixels of the top and bottom, which others cut off.
"""

from collections.abc import Sequence
from functools import singledispatch

from PIL import Image, ImageOps

from api.home.public.cards.canvas import (
    FOOTER_TOP,
    HEIGHT,
    MIDDLE,
    WIDTH,
    Canvas,
    Point,
)
from api.home.public.cards.colours import (
    BRAND,
    BRAND_DEEP,
    GOLD,
    INK,
    LIVE,
    MUTED,
    PAPER,
    accent_on,
    club_pair,
    readable_on,
)
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
from api.home.public.cards.lettering import Setting, Typeface, set_text
from api.home.public.cards.pictures import read_picture

SLANT, STRIPE = 120, 40
CREST_X = 222  # of a match, from the middle
CREST_SIDE = 196
NAME_WIDTH = 330
PRODUCT_SIDE = 318
CLUB_NAME_TOP = 288
TAGLINE = "Get Connected Get Rewarded"
LIVE_WORD = "LIVE"


@singledispatch
def draw(card: Card) -> bytes:
    """Return a card as a JPEG of 1200 by 630 pixels and at most 150,000 bytes."""
    raise TypeError(type(card).__name__)


@draw.register
def _(card: MatchCard) -> bytes:
    canvas = Canvas(INK)
    _night(canvas)
    _wings(canvas, 236, club_pair(card.home.colours), is_right=False)
    _wings(canvas, 236, club_pair(card.away.colours), is_left=False)
    heading = " · ".join(part for part in (card.competition, card.round) if part)
    canvas.words(heading, Setting(630, 34, 22, 2 if not card.note else 1), MIDDLE, 34, PAPER)
    if card.note:
        canvas.words(card.note, Setting(500, 26, 20), MIDDLE, 78, GOLD)
    _team(canvas, card.home, MIDDLE - CREST_X)
    _team(canvas, card.away, MIDDLE + CREST_X)
    if card.score is None:
        canvas.words("VS", _display(220, 110, 60), MIDDLE, 190, GOLD)
    else:
        score = f"{card.score[0]}-{card.score[1]}"
        block = set_text(score, _display(214, 200, 80))
        canvas.text(block, MIDDLE, 230 - block.height // 2, PAPER)
    is_live = card.status.startswith(LIVE_WORD)
    fill = LIVE if is_live else GOLD
    canvas.pill(card.status, MIDDLE, 496, 44, fill, readable_on(fill))
    canvas.footer()
    return canvas.jpeg()


@draw.register
def _(card: ArticleCard) -> bytes:
    picture = read_picture(card.picture, WIDTH)
    if picture is None:
        return _written(card)
    canvas = Canvas(INK)
    canvas.cover(picture, keeps_top=True)
    block = set_text(card.title, _headline(84, 4, 200))
    top = FOOTER_TOP - 36 - block.height
    label = top - 66
    canvas.darken_below(label - 120, label - 6, shade=0.84)
    canvas.text(block, MIDDLE, top, PAPER)
    _label(canvas, card.club, "News", label, GOLD)
    canvas.footer(GOLD if card.club is None else _accents(card.club)[2])
    return canvas.jpeg()


@draw.register
def _(card: ProductCard) -> bytes:
    canvas = Canvas(BRAND_DEEP)
    picture = read_picture(card.picture, PRODUCT_SIDE)
    _wings(canvas, 240, (BRAND, GOLD))
    if picture is None:
        block = set_text(card.name, _display(700, 110, 44, 4))
        canvas.words("Shop", Setting(400, 40, 40), MIDDLE, 66, GOLD)
        canvas.text(block, MIDDLE, 262 - block.height // 2, PAPER)
        canvas.pill(card.price, MIDDLE, 470, 60, GOLD, INK)
    else:
        side = PRODUCT_SIDE
        shown = ImageOps.fit(picture, (side, side), Image.Resampling.LANCZOS)
        paper = Image.new("RGBA", (side + 16, side + 16), PAPER)
        paper.alpha_composite(shown, (8, 8))
        canvas.rounded(paper, MIDDLE - paper.width // 2, 30, 28)
        canvas.pill(card.price, MIDDLE, 364, 54, GOLD, INK)
        block = set_text(card.name, Setting(720, 60, 26, 3, height=104))
        canvas.text(block, MIDDLE, 484 - block.height // 2, PAPER)
    canvas.footer()
    return canvas.jpeg()


@draw.register
def _(card: InviteCard) -> bytes:
    canvas, text = _in_colours(card.club)
    _crest(canvas, card.club, MIDDLE, 146, 216)
    block = set_text(f"{card.first_name} invites you to", Setting(640, 50, 28, 2, height=80))
    canvas.text(block, MIDDLE, 316 - block.height // 2, text)
    block = set_text(card.club.name, _display(660, 136, 44, 3, height=140))
    canvas.text(block, MIDDLE, 454 - block.height // 2, text)
    canvas.footer(_accents(card.club)[2])
    return canvas.jpeg()


@draw.register
def _(card: MomentCard) -> bytes:
    canvas = Canvas(INK)
    poster = read_picture(card.poster, WIDTH)
    if poster is None:
        _night(canvas)
    elif poster.width > poster.height:
        canvas.cover(poster)
    else:
        canvas.cover(poster, blur=24, shade=0.35)
        shown = ImageOps.contain(poster, (WIDTH, FOOTER_TOP), Image.Resampling.LANCZOS)
        canvas.paste(shown, MIDDLE - shown.width // 2, 0)
    title = set_text(card.title, Setting(640, 58, 34, 2))
    by = set_text(card.by, Setting(640, 36, 24))
    by_top = FOOTER_TOP - 34 - by.height
    top = by_top - 24 - title.height
    if poster is not None:
        canvas.darken_below(top - 150, top - 10)
    canvas.text(title, MIDDLE, top, PAPER)
    canvas.text(by, MIDDLE, by_top, MUTED)
    _play(canvas, min(210, top // 2 + 10))
    canvas.footer()
    return canvas.jpeg()


@draw.register
def _(card: ClubCard) -> bytes:
    canvas, text = _in_colours(card.club)
    extras = [line for line in (card.members, card.note) if line]
    _crest(canvas, card.club, MIDDLE, 152, 232)
    lines_top = FOOTER_TOP - 20 - 48 * len(extras)
    room = lines_top - CLUB_NAME_TOP - 20
    block = set_text(card.club.name, _display(660, 150, 40, 3, height=room - 24))
    canvas.text(block, MIDDLE, CLUB_NAME_TOP + (room - block.height) // 2, text)
    for number, line in enumerate(extras):
        canvas.words(line, Setting(640, 38, 24), MIDDLE, lines_top + 48 * number, text)
    canvas.footer(_accents(card.club)[2])
    return canvas.jpeg()


@draw.register
def _(_card: HomeCard) -> bytes:
    canvas = Canvas(BRAND)
    _wings(canvas, 240, (BRAND_DEEP, BRAND_DEEP))
    _pitch(canvas)
    for left in range(0, WIDTH, 120):
        canvas.area(_upright(left, 60, FOOTER_TOP + 6), GOLD)
    canvas.brand(196, 132)
    canvas.words(TAGLINE, _display(620, 128, 60, 2), MIDDLE, 318, GOLD)
    return canvas.jpeg()


def _written(card: ArticleCard) -> bytes:
    """Return the card of an article without a picture, in its club's colours."""
    canvas, text, accent = Canvas(INK), PAPER, GOLD
    if card.club is None:
        _night(canvas)
    else:
        canvas, text = _in_colours(card.club)
        accent = text
    block = set_text(card.title, _headline(104, 5, 380))
    canvas.text(block, MIDDLE, 316 - block.height // 2, text)
    _label(canvas, card.club, "News", 58, accent)
    canvas.footer(GOLD if card.club is None else _accents(card.club)[2])
    return canvas.jpeg()


def _headline(size: int, lines: int, height: int) -> Setting:
    """Return the setting of an article's title, within the central square."""
    return Setting(590, size, 36, lines, Typeface.DISPLAY, height=height)


def _display(
    width: int, size: int, min_size: int, lines: int = 1, height: int | None = None
) -> Setting:
    return Setting(width, size, min_size, lines, Typeface.DISPLAY, is_upper=True, height=height)


def _label(canvas: Canvas, club: Side | None, kind: str, top: int, fill: str) -> None:
    """Draw what a card is about: the club with its small crest, or the kind of page."""
    if club is None:
        canvas.words(kind, Setting(400, 34, 34), MIDDLE, top, fill)
        return
    block = set_text(club.name, Setting(640, 36, 22))
    crest = read_picture(club.crest.content, 64)
    shift = 0 if crest is None else 38
    canvas.text(block, MIDDLE + shift, top, fill)
    if crest is not None:
        left = MIDDLE + shift - block.width // 2 - 48
        canvas.sticker(crest, left, top + block.height // 2, 58)


def _in_colours(club: Side) -> tuple[Canvas, str]:
    """Return a canvas in a club's colours, and the colour of text on it."""
    first, text, stripe = _accents(club)
    canvas = Canvas(first)
    _wings(canvas, 210, (INK, stripe), opacity=0.28)
    return canvas, text


def _accents(club: Side) -> tuple[str, str, str]:
    """Return a club's ground, the text colour on it, and a colour that stands out on it."""
    first, second = club_pair(club.colours)
    return first, readable_on(first), accent_on(first, second)


def _team(canvas: Canvas, side: Side, centre: int) -> None:
    _crest(canvas, side, centre, 226, CREST_SIDE)
    block = set_text(side.name, _display(NAME_WIDTH, 62, 32, 3))
    canvas.text(block, centre, 394 - block.height // 2, PAPER)


def _crest(canvas: Canvas, side: Side, centre: int, middle: int, size: int) -> None:
    crest = read_picture(side.crest.content, size)
    if crest is not None:
        canvas.sticker(crest, centre, middle, size)


def _wings(
    canvas: Canvas,
    width: int,
    colours: tuple[str, str],
    *,
    opacity: float = 1.0,
    is_left: bool = True,
    is_right: bool = True,
) -> None:
    """Draw what frames a card: an area at its sides, and a stripe along the area."""
    area = ((0, 0), (width, 0), (width - SLANT, HEIGHT), (0, HEIGHT))
    end = width + STRIPE
    stripe = ((width, 0), (end, 0), (end - SLANT, HEIGHT), (width - SLANT, HEIGHT))
    for is_drawn, mirror in ((is_left, False), (is_right, True)):
        if is_drawn:
            canvas.area(_mirrored(area) if mirror else area, colours[0], opacity)
            canvas.area(_mirrored(stripe) if mirror else stripe, colours[1])


def _mirrored(points: Sequence[Point]) -> list[Point]:
    return [(WIDTH - x, y) for x, y in points]


def _upright(left: int, width: int, top: int) -> list[Point]:
    return [(left, top), (left + width, top), (left + width, HEIGHT), (left, HEIGHT)]


def _night(canvas: Canvas) -> None:
    """Draw a pitch under floodlight."""
    canvas.glow("#1F4F3B", 226)
    _pitch(canvas)


def _pitch(canvas: Canvas) -> None:
    canvas.disc((MIDDLE, 226), 198, PAPER, 0.08, line=4)
    canvas.area(
        [(MIDDLE - 2, 0), (MIDDLE + 2, 0), (MIDDLE + 2, HEIGHT), (MIDDLE - 2, HEIGHT)], PAPER, 0.08
    )


def _play(canvas: Canvas, middle: int) -> None:
    centre = (MIDDLE, middle)
    canvas.disc(centre, 96, INK, 0.62)
    canvas.disc(centre, 96, PAPER, line=7)
    canvas.area(
        [(MIDDLE - 32, middle - 52), (MIDDLE + 58, middle), (MIDDLE - 32, middle + 52)], PAPER
    )
