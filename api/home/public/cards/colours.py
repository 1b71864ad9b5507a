"""Club colours and the readable text colour on them; the same rule as the web app's."""

from dataclasses import dataclass

from api.people.clubs.rules import read_colour

INK = "#0F1A15"
PAPER = "#FFFFFF"
BRAND = "#0A6239"
BRAND_DEEP = "#084E2D"
GOLD = "#FFC62E"
LIVE = "#D3202E"
PLAIN = (BRAND, GOLD)  # of teams that are none of the clubs
MUTED = "#C4D2CA"  # secondary text on INK
MIN_CONTRAST = 4.5  # WCAG 2, text of any size
MIN_DIFFERENCE = 1.35  # two neighbouring areas differ visibly
SHADE = 0.28  # of the areas beside a ground


@dataclass(frozen=True)
class Stand:
    """An area in a club's colours; ``text`` can be read on ``ground`` and on ``shade``."""

    ground: str
    text: str
    shade: str
    stripe: str


def club_pair(colours: tuple[str, str]) -> tuple[str, str]:
    """Return a club's colours if both are valid, else the product's."""
    try:
        return read_colour(colours[0]), read_colour(colours[1])
    except ValueError:
        return PLAIN


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours by WCAG 2: 1 to 21."""
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def readable_on(background: str) -> str:
    """Return the readable text colour on ``background``: white if it reaches 4.5, else ink."""
    return PAPER if contrast(PAPER, background) >= MIN_CONTRAST else INK


def accent_on(background: str, accent: str) -> str:
    """Return ``accent``, or the text colour if the accent does not show on ``background``."""
    is_visible = contrast(accent, background) >= MIN_DIFFERENCE
    return accent if is_visible else readable_on(background)


def stand_of(colours: tuple[str, str]) -> Stand:
    """Return an area in a club's colours, on which text of any size reaches 4.5.

    A colour between the two on which white and on which ink can be read is darkened a little.
    """
    ground, second = club_pair(colours)
    while contrast(text := readable_on(ground), ground) < MIN_CONTRAST:
        ground = _mix(ground, INK, 0.02)
    shade = _mix(ground, INK, SHADE)
    if contrast(text, shade) < MIN_CONTRAST:
        shade = _mix(ground, PAPER, SHADE)
    return Stand(ground, text, shade, accent_on(ground, second))


def _mix(colour: str, other: str, share: float) -> str:
    """Return ``colour`` with a share of another one in it."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (two - one) * share):02X}" for one, two in pairs)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
