"""Reads the pictures of a card; one that is broken or hostile counts as none."""

import io
import re

import resvg_py
from PIL import Image

from api.foundation.core.errors import DomainError
from api.foundation.media.pictures import Frame, renew_picture
from api.home.public.cards.lettering import Typeface

MAX_PICTURE_BYTES = 8 * 1024 * 1024
MAX_SVG_BYTES = 128 * 1024
MAX_SVG_ELEMENTS = 2000
MAX_SVG_RATIO = 4
LARGEST = Frame(1200)
VIEW_BOX = re.compile(r"""<svg\b[^>]*\bviewBox=["']\s*[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)\s*["']""")
# Ours have none of these: they read files, repeat content without bound, or cost without bound.
REFUSED_IN_SVG = re.compile(
    r"<!|<\?xml-|href|<\s*(\w+:)?(image|use|filter|fe\w+|pattern|mask|script|style|foreignObject)\b"
    r"|@import|url\(\s*['\"]?[^#'\"\s]",
    re.IGNORECASE,
)


def read_picture(content: bytes | None, side: int) -> Image.Image | None:
    """Return a picture as RGBA, an SVG ``side`` pixels wide; None if there is none to show."""
    if not content or len(content) > MAX_PICTURE_BYTES:
        return None
    if content.lstrip()[:1] == b"<":
        return _read_svg(content, side)
    try:
        renewed = renew_picture(io.BytesIO(content), LARGEST)
    except DomainError:
        return None
    with Image.open(renewed, formats=("WEBP",)) as picture:
        return picture.convert("RGBA")


def rasterize(svg: str, width: int, height: int | None = None) -> Image.Image:
    """Return one of our drawings as RGBA; its text is set in the product's typeface.

    Raises:
        ValueError: it is not an SVG.
    """
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        height=height,
        skip_system_fonts=True,
        font_files=[str(Typeface.TEXT.path)],
        font_family="Noto Sans",
        sans_serif_family="Noto Sans",
    )
    with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
        return picture.convert("RGBA")


def _read_svg(content: bytes, side: int) -> Image.Image | None:
    if len(content) > MAX_SVG_BYTES or content.count(b"<") > MAX_SVG_ELEMENTS * 2:
        return None
    try:
        svg = content.decode()
        if REFUSED_IN_SVG.search(svg) or (view := VIEW_BOX.search(svg)) is None:
            return None
        ratio = float(view[2]) / float(view[1])
        if not 1 / MAX_SVG_RATIO <= ratio <= MAX_SVG_RATIO:
            return None
        return rasterize(svg, side, round(side * ratio))
    except (ValueError, ZeroDivisionError, OSError):
        return None
