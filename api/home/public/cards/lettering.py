"""Sets text in the product's two typefaces: wraps, shrinks and shortens it until it fits."""

import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path(__file__).resolve().parent / "typefaces"
ELLIPSIS = "…"
STEP = 2
PROBE_SIZE = 24
MAX_CHARACTERS = 400  # of one text; no card can show more


class Typeface(Enum):
    """The product's typefaces; both have the letters of Nigeria's languages and the naira sign."""

    DISPLAY = "big-shoulders-extrabold.ttf"
    TEXT = "noto-sans-bold.ttf"

    @property
    def path(self) -> Path:
        """The font file."""
        return FOLDER / self.value

    @property
    def leading(self) -> float:
        """The distance of two baselines, in sizes; marks above and below letters stay apart."""
        return 1.06 if self is Typeface.DISPLAY else 1.22


@dataclass(frozen=True)
class Setting:
    """The room of a text in pixels, and how it may be set to fit."""

    width: int
    size: int
    min_size: int
    max_lines: int = 1
    typeface: Typeface = Typeface.TEXT
    is_upper: bool = False
    height: int | None = None  # of the whole block


@dataclass(frozen=True)
class TextBlock:
    """A text that fits its room; ``height`` is from the first line's capitals to the last base."""

    lines: tuple[str, ...]
    font: ImageFont.FreeTypeFont
    leading: float
    capital: int

    @property
    def height(self) -> int:
        """The height in pixels."""
        return round((len(self.lines) - 1) * self.leading) + self.capital

    @property
    def width(self) -> int:
        """The width of the widest line in pixels."""
        return max((round(self.font.getlength(line)) for line in self.lines), default=0)


def set_text(text: str, setting: Setting) -> TextBlock:
    """Return ``text`` as large as it fits, shortened with an ellipsis if the smallest does not."""
    typeface = setting.typeface
    words = _tidy(text.upper() if setting.is_upper else text)
    if typeface is Typeface.DISPLAY and not _has_all(typeface, words):
        typeface = Typeface.TEXT
    words = "".join(letter for letter in words if has_glyph(typeface, letter))
    words = " ".join(words.split())
    for size in range(setting.size, setting.min_size, -STEP):
        font = font_of(typeface, size)
        lines = _wrap(words, font, setting.width, breaks_words=False)
        if lines is None or len(lines) > setting.max_lines:
            continue
        block = _block(_balance(words, lines, font, setting.width), typeface, font)
        if setting.height is None or block.height <= setting.height:
            return block
    font = font_of(typeface, setting.min_size)
    lines = _wrap(words, font, setting.width, breaks_words=True) or []
    if len(lines) > setting.max_lines:
        lines = lines[: setting.max_lines]
        lines[-1] = _shorten(lines[-1], font, setting.width)
    return _block(lines, typeface, font)


@cache
def font_of(typeface: Typeface, size: int) -> ImageFont.FreeTypeFont:
    """Return a typeface at a size in pixels."""
    return ImageFont.truetype(typeface.path, size)


@cache
def has_glyph(typeface: Typeface, letter: str) -> bool:
    """Return whether a typeface has a letter; emoji and most scripts of Asia are in neither."""
    if letter.isspace():
        return True
    font = font_of(typeface, PROBE_SIZE)
    mask, missing = font.getmask(letter), font.getmask("\U0010fffd")
    return (mask.size, bytes(mask)) != (missing.size, bytes(missing))


def _tidy(text: str) -> str:
    """Return ``text`` composed, without controls and marks of direction, of bounded length."""
    text = unicodedata.normalize("NFC", text[:MAX_CHARACTERS])
    kept = (" " if letter.isspace() else letter for letter in text)
    visible = "".join(each for each in kept if unicodedata.category(each) not in {"Cc", "Cf"})
    return " ".join(visible.split())


def _has_all(typeface: Typeface, text: str) -> bool:
    return all(
        has_glyph(typeface, letter) or not has_glyph(Typeface.TEXT, letter) for letter in text
    )


def _block(lines: list[str], typeface: Typeface, font: ImageFont.FreeTypeFont) -> TextBlock:
    top = font.getbbox("H", anchor="ls")[1]
    return TextBlock(tuple(lines), font, font.size * typeface.leading, round(-top))


def _wrap(
    text: str, font: ImageFont.FreeTypeFont, width: float, *, breaks_words: bool
) -> list[str] | None:
    """Return the lines of ``text``; None if a word is too wide and must not be broken."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(joined) <= width:
            lines[-1] = joined
        elif font.getlength(word) <= width:
            lines.append(word)
        elif breaks_words:
            lines += _broken(word, font, width)
        else:
            return None
    return lines


def _broken(word: str, font: ImageFont.FreeTypeFont, width: float) -> list[str]:
    parts = [""]
    for letter in word:
        if parts[-1] and font.getlength(parts[-1] + letter) > width:
            parts.append("")
        parts[-1] += letter
    return parts


def _balance(text: str, lines: list[str], font: ImageFont.FreeTypeFont, width: int) -> list[str]:
    """Return as many lines as ``lines``, as equal in length as the words allow."""
    narrow, wide = width // 2, width
    best = lines
    while len(lines) > 1 and wide - narrow > STEP:
        middle = (narrow + wide) // 2
        found = _wrap(text, font, middle, breaks_words=False)
        if found is not None and len(found) <= len(lines):
            best, wide = found, middle
        else:
            narrow = middle
    return best


def _shorten(line: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    while line and font.getlength(line + ELLIPSIS) > width:
        line = line[:-1]
    return line.rstrip(" ,.;:-\u2013") + ELLIPSIS
