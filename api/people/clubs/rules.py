"""Crests drawn from a club's id, name and two colours; equal input gives equal crests."""

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


def _hash(text: str) -> int:
    """Return the 32-bit FNV-1a hash of ``text``: small, stable and evenly distributed."""
    value = FNV_OFFSET
    for byte in text.encode():
        value = (value ^ byte) * FNV_PRIME & 0xFFFFFFFF
    return value


def drawing_version(drawn: str) -> str:
    """Return the version of a drawn crest, which differs from all others'."""
    return f"{_hash(drawn):08x}"
