"""The template of all emails: a text and an HTML part with the same content.

The HTML part has inline styles, is at most 600 px wide, loads nothing, and is readable in dark
mode. The style element only adds dark colours; clients that drop it show the light ones.
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template

from api.foundation.jobs.mail import Email

Colours = tuple[str, str]
BRAND_COLOURS: Colours = ("#0A6239", "#FFC62E")  # as in web/src/lib/format/colours.ts
PAPER, INK = "#FFFFFF", "#0F1A15"
ENOUGH_FOR_TEXT = 4.5  # WCAG 2, contrast of text
COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
SIGNATURE = "King of Fans\nGet Connected Get Rewarded\n"
TEXT_STYLE = "margin:0 0 16px;color:#14181f;font-size:16px;line-height:1.5;"
NOTE_STYLE = "margin:0 0 8px;color:#56606c;font-size:13px;line-height:1.5;"
CODE_STYLE = (
    "margin:0 0 16px;padding:16px;border:1px solid #c5ccd4;border-radius:8px;"
    "background-color:#f1f3f5;color:#14181f;font-family:Menlo,Consolas,monospace;"
    "font-size:32px;line-height:1.2;font-weight:bold;letter-spacing:8px;text-align:center;"
)


@dataclass(frozen=True)
class Link:
    """A link and its text."""

    label: str
    url: str


@dataclass(frozen=True)
class Letter:
    """The content of an email, as plain text.

    ``colours`` are those of the member's club, None for the product's. ``unsubscribe`` switches
    mail of its kind off with one click; only mail that members can switch off has it. A sign-up's
    ``first_name`` is None, because it was typed by a person who has not proved the email.
    """

    subject: str
    first_name: str | None
    paragraphs: Sequence[str]
    code: str | None = None
    closing: Sequence[str] = ()
    button: Link | None = None
    notes: Sequence[Link] = ()
    unsubscribe: Link | None = None
    colours: Colours | None = None


def write(to: str, letter: Letter, *, message_key: str | None = None) -> Email:
    """Return the email of a letter; those with the same ``message_key`` have one Message-ID.

    Raises:
        ValueError: it has a code and a link.
    """
    links = [letter.button, letter.unsubscribe, *letter.notes]
    if letter.code is not None and any(links):
        raise ValueError("An email with a code has no links")
    unsubscribe = None if letter.unsubscribe is None else letter.unsubscribe.url
    return Email(
        to, letter.subject, _text(letter), _html(letter), unsubscribe, message_key=message_key
    )


def readable_on(background: str) -> str:
    """Return the colour of text on a background: white if its contrast suffices, else ink."""
    contrast = (_luminance(PAPER) + 0.05) / (_luminance(background) + 0.05)
    return PAPER if contrast >= ENOUGH_FOR_TEXT else INK


def _greeting(letter: Letter) -> str:
    return "Hello," if letter.first_name is None else f"Hello {letter.first_name},"


def _text(letter: Letter) -> str:
    blocks = [_greeting(letter), *letter.paragraphs]
    if letter.code is not None:
        blocks.append(f"    {letter.code}")
    blocks += letter.closing
    if letter.button is not None:
        blocks.append(letter.button.url)
    small = (*letter.notes, letter.unsubscribe)
    notes = [f"{link.label}: {link.url}" for link in small if link is not None]
    if notes:
        blocks.append("\n".join(notes))
    return "\n\n".join([*blocks, SIGNATURE])


def _html(letter: Letter) -> str:
    band, stripe = _colours(letter)
    content = [_paragraph(_greeting(letter)), *map(_paragraph, letter.paragraphs)]
    if letter.code is not None:
        content.append(f'<p class="code" style="{CODE_STYLE}">{escape(letter.code)}</p>')
    content += map(_paragraph, letter.closing)
    if letter.button is not None:
        content.append(_button(letter.button, band))
    small = (*letter.notes, letter.unsubscribe)
    return _template().substitute(
        heading=escape(letter.subject),
        preview=escape(letter.paragraphs[0]),
        band=band,
        stripe=stripe,
        on_band=readable_on(band),
        content="\n".join(content),
        notes="\n".join(_note(link) for link in small if link is not None),
    )


def _colours(letter: Letter) -> Colours:
    colours = letter.colours or BRAND_COLOURS
    return colours if all(map(COLOUR.fullmatch, colours)) else BRAND_COLOURS


def _paragraph(text: str) -> str:
    lines = escape(text).replace("\n", "<br>")
    return f'<p class="ink" style="{TEXT_STYLE}">{lines}</p>'


def _button(button: Link, band: str) -> str:
    """Return the button; its border keeps it visible on a card of its own colour."""
    on_band = readable_on(band)
    style = (
        f"display:inline-block;padding:12px 24px;border:2px solid {on_band};border-radius:8px;"
        f"background-color:{band};color:{on_band};font-size:16px;line-height:1.25;"
        "font-weight:bold;text-decoration:none;"
    )
    return (
        f'<p style="margin:24px 0 8px;"><a href="{escape(button.url)}" style="{style}">'
        f"{escape(button.label)}</a></p>"
    )


def _note(link: Link) -> str:
    return (
        f'<p class="dim" style="{NOTE_STYLE}"><a class="dim" href="{escape(link.url)}"'
        f' style="color:#56606c;">{escape(link.label)}</a></p>'
    )


def _luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@functools.cache
def _template() -> Template:
    return Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))
