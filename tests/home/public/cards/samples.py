"""Clubs and pictures for the tests of cards."""

import hashlib
import io

from api.home.public.cards.contents import Side
from api.people.clubs.rules import crest
from api.people.clubs.service.queries import DRAWN, Crest
from PIL import Image

MAX_LENGTH_TEAM = "Association Sportive des Enfants du Quartier Ọ̀ṣọ́ńgbò ẸẹỤụ XI"[:60]


def club(name: str = "Enyimba", colours: tuple[str, str] = ("#1B57B0", "#FFFFFF")) -> Side:
    return Side(name, colours, Crest(crest(name, *colours).encode(), DRAWN, "1"))


def noise(width: int = 1200, height: int = 630, kind: str = "PNG") -> bytes:
    """Return the picture that compresses worst."""
    pixels = hashlib.shake_128(b"noise").digest(width * height * 3)
    target = io.BytesIO()
    Image.frombytes("RGB", (width, height), pixels).save(target, kind)
    return target.getvalue()


def plain(colour: str, width: int = 600, height: int = 600) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(target, "PNG")
    return target.getvalue()
