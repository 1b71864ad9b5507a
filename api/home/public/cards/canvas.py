"""The canvas of a card: areas, text, pictures, the brand, and its JPEG."""

import io
from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from api.home.public.cards.colours import GOLD, INK, PAPER
from api.home.public.cards.lettering import Setting, TextBlock, Typeface, font_of, set_text
from api.home.public.cards.pictures import rasterize

WIDTH, HEIGHT = 1200, 630
MIDDLE = WIDTH // 2
FOOTER_TOP = 552
MAX_JPEG_BYTES = 150_000
QUALITIES = (90, 84, 78, 70, 60, 48, 36)
SOFTENINGS = (1, 2, 4, 8)  # a picture of pure noise fits in no quality
FULL_COLOUR_QUALITY = 84  # from here, colours are stored for every pixel, as red text needs
STICKER_EDGE = 5
SAMPLES = 4  # per pixel and direction, for smooth edges
BRAND_HEIGHT = 40
SHIELD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">'
    '<path d="M24 2 43 8v16c0 11-8 18-19 22C13 42 5 35 5 24V8z" fill="#14804D"/>'
    '<path d="M24 2 43 8v16c0 11-8 18-19 22z" fill="#0A6239"/>'
    '<path d="m12 18 6.5 5L24 13l5.5 10 6.5-5-2.5 14h-19z" fill="#FFC62E"/></svg>'
)


Point = tuple[int, int]
Box = tuple[int, int, int, int]


class Canvas:
    """A picture of 1200 by 630 pixels; positions are pixels from the top left corner."""

    def __init__(self, background: str) -> None:
        self.image = Image.new("RGB", (WIDTH, HEIGHT), background)
        self._draw = ImageDraw.Draw(self.image)

    def area(self, points: Sequence[Point], fill: str, opacity: float = 1.0) -> None:
        """Fill a polygon."""
        left, top = min(x for x, _ in points), min(y for _, y in points)
        width, height = max(x for x, _ in points) - left, max(y for _, y in points) - top
        mask = Image.new("L", (width * SAMPLES, height * SAMPLES))
        corners = [((x - left) * SAMPLES, (y - top) * SAMPLES) for x, y in points]
        ImageDraw.Draw(mask).polygon(corners, fill=255)
        self._fill(mask, left, top, fill, opacity)

    def bar(self, box: Box, fill: str) -> None:
        """Fill an area whose ends are half circles."""
        left, top, right, bottom = box
        self._fill(_rounded(right - left, bottom - top, (bottom - top) // 2), left, top, fill)

    def disc(
        self, centre: Point, radius: int, fill: str, opacity: float = 1.0, line: int | None = None
    ) -> None:
        """Fill a circle, or draw its line of a width in pixels."""
        side = (radius * 2 + 1) * SAMPLES
        mask = Image.new("L", (side, side))
        draw, box = ImageDraw.Draw(mask), (0, 0, side - 1, side - 1)
        if line is None:
            draw.ellipse(box, fill=255)
        else:
            draw.ellipse(box, outline=255, width=line * SAMPLES)
        self._fill(mask, centre[0] - radius, centre[1] - radius, fill, opacity)

    def glow(self, fill: str, middle: int) -> None:
        """Lighten the canvas around a line, less and less towards its edges."""
        light = ImageChops.invert(Image.radial_gradient("L")).resize((WIDTH * 5 // 4, WIDTH))
        self.image.paste(fill, (-WIDTH // 8, middle - WIDTH // 2), light)

    def _fill(
        self, mask: Image.Image, left: int, top: int, fill: str, opacity: float = 1.0
    ) -> None:
        mask = mask.reduce(SAMPLES)
        if opacity < 1:
            mask = mask.point([round(value * opacity) for value in range(256)])
        self.image.paste(fill, (left, top), mask)

    def paste(self, picture: Image.Image, left: int, top: int) -> None:
        """Paste an RGBA picture over what is there."""
        self.image.paste(picture, (left, top), picture)

    def text(self, block: TextBlock, centre: int, top: int, fill: str) -> int:
        """Draw lines centred at ``centre``, capitals beginning at ``top``; return their end."""
        for number, line in enumerate(block.lines):
            baseline = top + block.capital + round(number * block.leading)
            self._draw.text((centre, baseline), line, fill=fill, font=block.font, anchor="ms")
        return top + block.height

    def words(self, text: str, setting: Setting, centre: int, top: int, fill: str) -> int:
        """Set and draw a text; return where it ends."""
        return self.text(set_text(text, setting), centre, top, fill)

    def pill(self, text: str, centre: int, middle: int, size: int, fill: str, on_fill: str) -> None:
        """Draw a short text in a rounded area."""
        block = set_text(text, Setting(560, size, size // 2))
        half = block.width // 2 + size * 3 // 4
        height = round(size * 0.78)
        self.bar((centre - half, middle - height, centre + half, middle + height), fill)
        self.text(block, centre, middle - block.height // 2, on_fill)

    def sticker(self, picture: Image.Image, centre: int, middle: int, side: int) -> None:
        """Paste a crest with a white edge, so that it stands out on every background."""
        crest = ImageOps.contain(picture, (side, side), Image.Resampling.LANCZOS)
        room = STICKER_EDGE + 2
        alpha = ImageOps.expand(crest.getchannel("A"), room)
        edge = alpha.filter(ImageFilter.MaxFilter(STICKER_EDGE * 2 + 1))
        edge = edge.filter(ImageFilter.GaussianBlur(0.8))
        left, top = centre - alpha.width // 2, middle - alpha.height // 2
        self.image.paste(PAPER, (left, top), edge)
        self.paste(crest, left + room, top + room)

    def cover(
        self, picture: Image.Image, *, blur: int = 0, shade: float = 0.0, keeps_top: bool = False
    ) -> None:
        """Fill all above the footer with a picture, blurred by pixels, darkened by a share.

        What does not fit is cut off at the opposite edges, with ``keeps_top`` mostly below.
        """
        flat = flatten(picture)
        if blur:  # small first: the difference does not show, and it costs a tenth
            flat = ImageOps.fit(flat, (WIDTH // 4, FOOTER_TOP // 4))
            flat = flat.filter(ImageFilter.GaussianBlur(blur / 4))
        centre = (0.5, 0.15 if keeps_top else 0.5)
        flat = ImageOps.fit(flat, (WIDTH, FOOTER_TOP), Image.Resampling.LANCZOS, centering=centre)
        if shade:
            flat = Image.blend(flat, Image.new("RGB", flat.size, INK), shade)
        self.image.paste(flat, (0, 0))

    def darken_below(self, top: int, full: int, shade: float = 0.925) -> None:
        """Darken the picture from ``top`` on, by a share of ``shade`` from ``full`` on."""
        darkest = round(255 * shade)
        shades = bytes(
            min(darkest, max(0, round(darkest * (line - top) / max(1, full - top))))
            for line in range(FOOTER_TOP)
        )
        mask = Image.frombytes("L", (1, FOOTER_TOP), shades).resize((WIDTH, FOOTER_TOP))
        self.image.paste(INK, (0, 0), mask)

    def rounded(self, picture: Image.Image, left: int, top: int, radius: int) -> None:
        """Paste a picture with rounded corners."""
        corners = _rounded(picture.width, picture.height, radius).reduce(SAMPLES)
        mask = ImageChops.multiply(corners, picture.getchannel("A"))
        self.image.paste(picture.convert("RGB"), (left, top), mask)

    def footer(self, line: str = GOLD) -> None:
        """Draw the brand below everything, under a line of a colour."""
        self._draw.rectangle((0, FOOTER_TOP, WIDTH, HEIGHT), fill=INK)
        self._draw.rectangle((0, FOOTER_TOP, WIDTH, FOOTER_TOP + 5), fill=line)
        self.brand((FOOTER_TOP + 6 + HEIGHT) // 2 - 2, BRAND_HEIGHT)

    def brand(self, middle: int, height: int) -> None:
        """Draw shield and wordmark, centred at ``middle``."""
        shield = _shield(height)
        edge = ImageOps.expand(shield.getchannel("A"), 3).filter(ImageFilter.MaxFilter(5))
        font = font_of(Typeface.DISPLAY, round(height * 1.04))
        parts = (("King ", PAPER), ("of", GOLD), (" Fans", PAPER))
        gap = height // 4
        total = height + gap + sum(font.getlength(text) for text, _ in parts)
        left = MIDDLE - total / 2
        self.image.paste(PAPER, (round(left) - 3, middle - height // 2 - 3), edge)
        self.paste(shield, round(left), middle - height // 2)
        left += height + gap
        capital = -font.getbbox("K", anchor="ls")[1]
        for text, fill in parts:
            position = (left, middle + capital / 2)
            self._draw.text(position, text, fill=fill, font=font, anchor="ls")
            left += font.getlength(text)

    def jpeg(self) -> bytes:
        """Return the picture as a baseline JPEG without metadata, at most 150,000 bytes long.

        The quality is lowered until it fits, then the details.
        """
        for softening in SOFTENINGS:
            image = self.image if softening == 1 else _soften(self.image, softening)
            for quality in QUALITIES:
                content = _encode(image, quality)
                if len(content) <= MAX_JPEG_BYTES:
                    return content
        raise AssertionError("an eighth of the details fits")


def flatten(picture: Image.Image) -> Image.Image:
    """Return a picture on white, without transparency."""
    flat = Image.new("RGB", picture.size, PAPER)
    flat.paste(picture, (0, 0), picture)
    return flat


def _rounded(width: int, height: int, radius: int) -> Image.Image:
    """Return the mask of a rounded area, magnified by ``SAMPLES``."""
    mask = Image.new("L", (width * SAMPLES, height * SAMPLES))
    box = (0, 0, mask.width - 1, mask.height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius * SAMPLES, fill=255)
    return mask


@cache
def _shield(side: int) -> Image.Image:
    return rasterize(SHIELD, side)


def _soften(image: Image.Image, factor: int) -> Image.Image:
    small = image.resize((WIDTH // factor, HEIGHT // factor), Image.Resampling.BOX)
    return small.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)


def _encode(image: Image.Image, quality: int) -> bytes:
    target = io.BytesIO()
    subsampling = "4:4:4" if quality >= FULL_COLOUR_QUALITY else "4:2:0"
    image.save(target, "JPEG", quality=quality, subsampling=subsampling, optimize=True)
    return target.getvalue()
