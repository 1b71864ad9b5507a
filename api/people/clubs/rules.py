"""Crests and grounds drawn from a club's name and two colours; equal input, equal drawing."""

import re
from uuid import UUID
from xml.sax.saxutils import escape

SHIELDS = (
    "M8 6h84v46c0 26-20 38-42 44C28 90 8 78 8 52z",
    "M50 4l42 14v34c0 24-18 38-42 46C26 90 8 76 8 52V18z",
    "M50 5a45 45 0 1 1 0 90a45 45 0 1 1 0-90z",
)
PATTERNS = (
    '<path d="M22 0h14v100H22zM50 0h14v100H50zM78 0h14v100H78z"/>',
    '<path d="M0 16h100v14H0zM0 46h100v14H0zM0 76h100v14H0z"/>',
    '<path d="M50 0h50v100H50z"/>',
    '<path d="M-6 64L64 -6L92 22L22 92z"/>',
    '<path d="M0 30L50 62L100 30V58L50 90L0 58z"/>',
)
NIGHTS = (("#0B1A2B", "#B4763A"), ("#0B1A2B", "#2F7A6B"))  # of a ground's sky, from the top down
DAY = ("#1D5C8A", "#BFE0EE")
ROOFS = (
    '<path d="M30 132L90 74H1110L1170 132V148H30z" fill="#16221C"/>'
    '<path d="M30 138H1170V148H30z" class="b"/>',
    '<path d="M24 150Q600-40 1176 150L1150 156Q600 20 50 156z" fill="#16221C"/>'
    '<path d="M46 150Q600 14 1154 150L1150 162Q600 28 50 162z" class="b"/>',
    '<path d="M40 132L300 70L560 132zM640 132L900 70L1160 132z" fill="#16221C"/>'
    '<path d="M30 132H570V146H30zM630 132H1170V146H630z" class="b"/>',
    '<path d="M180 150V68M390 150V60M600 150V56M810 150V60M1020 150V68" stroke="#16221C" '
    'stroke-width="6"/><path d="M183 70h66l-16 18 16 18h-66zM603 58h66l-16 18 16 18h-66zM1023 70'
    'h66l-16 18 16 18h-66z" class="a"/><path d="M393 62h66l-16 18 16 18h-66zM813 62h66l-16 18 '
    '16 18h-66z" class="b"/>',
)
SEATS = (
    '<path d="M0 186h1200v26H0zM0 240h1200v30H0z"/>',
    '<path d="M60 100h120v200H60zM300 100h120v200H300zM540 100h120v200H540zM780 100h120v200H780z'
    'M1020 100h120v200h-120z"/>',
    '<path d="M600 100h600v200H600z"/>',
    '<path d="M470 100L600 270L730 100H860L600 340L340 100z"/>',
    '<path d="M0 270L150 140H270L120 270zM330 270L480 140H600L450 270zM660 270L810 140H930L780 270z'
    'M990 270L1140 140H1260L1110 270z"/>',
)
LAMPS = "".join(f"M{x} {y}h12v12h-12z" for x in range(40, 104, 17) for y in (30, 47))
FNV_OFFSET = 0x811C9DC5
FNV_PRIME = 0x01000193
INITIALS = 2
# These names are tabs of the chat's list of users, besides the club's name.
TABS = frozenset({"public", "counts", "last"})
DOT_ABOVE = "\N{COMBINING DOT ABOVE}"
COLOUR = re.compile(r"#[0-9A-F]{6}")


def check_name(name: str) -> str:
    """Return a club's name.

    Raises:
        ValueError: the name is reserved by the chat.
    """
    if fold(name) in TABS:
        raise ValueError("This name is taken by a tab of the chat")
    return name


def fold(name: str) -> str:
    """Return a name in lower case.

    Equal to the database's ``lower``, which does not add a combining dot to a small i.
    """
    return name.casefold().replace(DOT_ABOVE, "")


def read_colour(text: str) -> str:
    """Return a colour as stored, ``#RRGGBB`` in capitals; raise ``ValueError`` if it is none."""
    colour = text.upper()
    if COLOUR.fullmatch(colour) is None:
        raise ValueError("A colour is written as #0B4EA2")
    return colour


def crest_address(club_id: UUID) -> str:
    """Return the URL path of a club's crest."""
    return f"/media/crests/{club_id}.svg"


def crest(name: str, colour_a: str, colour_b: str) -> str:
    """Return a club's crest as an SVG of about 700 bytes, 100 units square."""
    chance = _hash(name)
    shield = SHIELDS[chance % len(SHIELDS)]
    pattern = PATTERNS[chance // len(SHIELDS) % len(PATTERNS)]
    initials = "".join(word[0] for word in name.split() if word[0].isalpha())[:INITIALS].upper()
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" role="img" '
        f'aria-label="{escape(name, {chr(34): "&quot;"})} crest">'
        f'<clipPath id="s"><path d="{shield}"/></clipPath>'
        f'<g clip-path="url(#s)"><path fill="{colour_a}" d="M0 0h100v100H0z"/>'
        f'<g fill="{colour_b}">{pattern}</g></g>'
        f'<path d="{shield}" fill="none" stroke="#0F1A15" stroke-width="4"/>'
        '<circle cx="50" cy="50" r="21" fill="#0F1A15" stroke="#FFF" stroke-width="2.5"/>'
        '<text x="50" y="58" text-anchor="middle" font-family="Arial,sans-serif" '
        f'font-weight="700" font-size="22" fill="#FFF">{escape(initials)}</text></svg>'
    )


def ground_address(club_id: UUID) -> str:
    """Return the URL path of the picture of a club's ground."""
    return f"/media/grounds/{club_id}.svg"


def ground(name: str, colour_a: str, colour_b: str) -> str:
    """Return a stand and a pitch in a club's colours: an SVG of about 3 kB, 1200 by 400 units.

    It shows no real ground.
    """
    chance = _hash(name)
    is_day = chance % 3 == 0
    top, horizon = DAY if is_day else NIGHTS[chance % len(NIGHTS)]
    roof = ROOFS[(chance >> 6) % len(ROOFS)]
    seats = SEATS[(chance >> 11) % len(SEATS)]
    lamp = "#5F7A70" if is_day else "#FFF6D6"
    light = '<circle cx="70" cy="46" r="120" fill="url(#l)"/>'
    mast = (
        '<path d="M66 280V50h8v230zM32 22h76v46H32z" fill="#22352D"/>'
        f'<path d="{LAMPS}" fill="{lamp}"/>{"" if is_day else light}'
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 400" role="img" '
        f'aria-label="{escape(name, {chr(34): "&quot;"})} ground">'
        f"<style>.a{{fill:{colour_a}}}.b{{fill:{colour_b}}}</style>"
        f'<linearGradient id="s" x2="0" y2="1"><stop stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{horizon}"/></linearGradient>'
        '<radialGradient id="l"><stop stop-color="#FFF3C4" stop-opacity=".65"/>'
        '<stop offset="1" stop-color="#FFF3C4" stop-opacity="0"/></radialGradient>'
        '<pattern id="f" width="34" height="26" patternUnits="userSpaceOnUse">'
        '<path d="M2 13q6-9 12 0z" fill="#FFF" fill-opacity=".5"/>'
        '<path d="M19 26q6-9 12 0z" fill="#0F1A15" fill-opacity=".4"/>'
        '<circle cx="8" cy="5" r="4" fill="#4A2C1B"/>'
        '<circle cx="25" cy="18" r="4" fill="#6B442B"/></pattern>'
        '<clipPath id="t"><path d="M60 146H1140L1200 270H0z"/></clipPath>'
        '<path fill="url(#s)" d="M0 0h1200v290H0z"/>'
        '<g clip-path="url(#t)"><path class="a" d="M0 100h1200v200H0z"/>'
        f'<g class="b">{seats}</g><path fill="url(#f)" d="M0 100h1200v200H0z"/>'
        '<path d="M0 140h1200v24H0z" opacity=".3"/><path d="M330 140L290 280M600 140V280M870 140'
        'L910 280" stroke="#0F1A15" stroke-opacity=".5" stroke-width="8"/></g>'
        f'{roof}{mast}<g transform="matrix(-1 0 0 1 1200 0)">{mast}</g>'
        '<path fill="#0F1A15" d="M0 266h1200v30H0z"/>'
        '<path class="a" d="M6 270h288v22H6zM606 270h288v22H606z"/>'
        '<path class="b" d="M306 270h288v22H306zM906 270h288v22H906z"/>'
        '<path fill="#1C7A48" d="M0 296h1200v104H0z"/>'
        '<path fill="#23905A" d="M100 296H200L60 400H-80zM300 296H400L330 400H190zM500 296H600V400'
        'H460zM700 296H800L870 400H730zM900 296H1000L1140 400H1000zM1100 296H1200V352z"/>'
        '<g fill="none" stroke="#FFF" stroke-opacity=".8" stroke-width="4">'
        '<path d="M0 312h1200M600 312v88"/><ellipse cx="600" cy="372" rx="170" ry="36"/></g></svg>'
    )


def _hash(text: str) -> int:
    """Return the 32-bit FNV-1a hash of ``text``: small, stable and evenly distributed."""
    value = FNV_OFFSET
    for byte in text.encode():
        value = (value ^ byte) * FNV_PRIME & 0xFFFFFFFF
    return value


def drawing_version(drawn: str) -> str:
    """Return the version of a drawing, which differs from all others'."""
    return f"{_hash(drawn):08x}"
