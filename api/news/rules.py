"""What an article may hold, what becomes of its Markdown, and where it stands."""

import html
import re
import unicodedata
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

import nh3
from markdown_it import MarkdownIt

from api.news.enums import ArticleStage, ArticleState

MAX_TITLE_LENGTH = 120
MAX_BODY_LENGTH = 20_000
MAX_SLUG_LENGTH = 80
MAX_CELLS = 5000  # of tables: what a row leaves out is filled up with empty cells
LARGEST_HTML = 200_000  # characters
SUMMARY_CHARACTERS = 200
NAMELESS = "article"  # the slug of a title without a letter that addresses have
TAGS = {
    *("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "a", "ul", "ol", "li"),
    *("blockquote", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
}
SCHEMES = {"http", "https", "mailto"}
LINK = re.compile(r"(?:https?://[^/\\]|mailto:[^/\\]|/(?![/\\]))", re.IGNORECASE)
REL = "noopener noreferrer nofollow"
LOWEST_HEADING = 6
_markdown = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])


@lru_cache(maxsize=64)  # of what many read; a new release renders anew
def render(body: str) -> str:
    """Return Markdown as HTML that is safe in our pages.

    No HTML passes, no picture, no style; links lead to http, https, mail or our own paths.
    Headings begin below the page's own.
    """
    tokens = _markdown.parse(body)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1]) + 1, LOWEST_HEADING)}"
    written = _markdown.renderer.render(tokens, _markdown.options, {})
    return nh3.clean(
        written,
        tags=TAGS,
        clean_content_tags={"script", "style"},
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        attribute_filter=_filter_link,
        url_schemes=SCHEMES,
        link_rel=REL,
    )


def fits(body: str) -> bool:
    """Say whether Markdown becomes HTML of a bounded size; what is too much is not rendered."""
    return _count_cells(body) <= MAX_CELLS and len(render(body)) <= LARGEST_HTML


def _count_cells(body: str) -> int:
    """Return how many cells the tables may have at most: a table ends at an empty line."""
    cells = columns = rows = 0
    for line in (*body.splitlines(), ""):
        if line.strip():
            columns, rows = max(columns, line.count("|")), rows + 1
        else:
            cells, columns, rows = cells + columns * rows, 0, 0
    return cells


def _filter_link(_tag: str, name: str, value: str) -> str | None:
    return value if name != "href" or LINK.match(value) else None


def summarise(body: str) -> str:
    """Return the beginning of what an article says, without its marks."""
    text = html.unescape(nh3.clean(render(body), tags=set()))
    words = " ".join(text.split())
    if len(words) <= SUMMARY_CHARACTERS:
        return words
    return words[:SUMMARY_CHARACTERS].rsplit(" ", 1)[0] + "…"


def slug_of(title: str) -> str:
    """Return a title as an address writes it: small letters and digits joined by hyphens."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_SLUG_LENGTH].strip("-")
    return words or NAMELESS


def free_slug(wanted: str, taken: Collection[str]) -> str:
    """Return ``wanted``, or with the first number behind it that makes it nobody else's."""
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"


def state_of(row: Mapping[str, Any], now: datetime) -> ArticleState:
    """Return where an article stands at ``now``."""
    if row["stage"] == ArticleStage.PUBLISHED and row["publish_at"] > now:
        return ArticleState.SCHEDULED
    return ArticleState(row["stage"])


def out_since(row: Mapping[str, Any], now: datetime) -> datetime | None:
    """Return when members could read an article first; None before they could."""
    if row["first_published_at"] is not None:
        first: datetime = row["first_published_at"]
        return first
    is_out = state_of(row, now) is ArticleState.PUBLISHED
    return row["publish_at"] if is_out else None
