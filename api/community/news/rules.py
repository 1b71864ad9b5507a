"""Rules of articles: limits, Markdown rendering, slugs and states."""

import html
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from uuid import UUID

import nh3
from markdown_it import MarkdownIt

from api.community.news.enums import ArticleStage, ArticleState

MAX_TITLE_LENGTH = 120
MAX_BODY_LENGTH = 20_000
MAX_SLUG_LENGTH = 80
MAX_CELLS = 5000  # of tables: cells missing in a row are filled with empty ones
MAX_HTML_LENGTH = 200_000  # characters
MAX_SUMMARY_LENGTH = 200
NAMELESS = "article"  # for titles without a letter that a slug can contain
TAGS = {
    *("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "a", "ul", "ol", "li"),
    *("blockquote", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
}
SCHEMES = {"http", "https", "mailto"}
LINK = re.compile(r"(?:https?://[^/\\]|mailto:[^/\\]|/(?![/\\]))", re.IGNORECASE)
REL = "noopener noreferrer nofollow"
LOWEST_HEADING = 6
_markdown = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])


@dataclass(frozen=True)
class ArticleRow:
    id: UUID
    slug: str
    title: str
    body: str
    summary: str
    club_id: UUID | None
    picture: str | None
    stage: str
    publish_at: datetime | None
    first_published_at: datetime | None
    version: int
    created_at: datetime


@lru_cache(maxsize=64)  # the most read articles; a new release renders them again
def render(body: str) -> str:
    """Return Markdown as HTML that is safe in our pages.

    HTML, pictures and styles are dropped; links lead to http, https, mail or our own paths.
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
    """Return whether Markdown renders to HTML of a bounded size; does not render it if not."""
    return _count_cells(body) <= MAX_CELLS and len(render(body)) <= MAX_HTML_LENGTH


def _count_cells(body: str) -> int:
    """Return the maximum number of cells in the tables: a table ends at an empty line."""
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
    """Return the beginning of an article's text, without its markup."""
    text = html.unescape(nh3.clean(render(body), tags=set()))
    words = " ".join(text.split())
    if len(words) <= MAX_SUMMARY_LENGTH:
        return words
    return words[:MAX_SUMMARY_LENGTH].rsplit(" ", 1)[0] + "…"


def slug_of(title: str) -> str:
    """Return a title as a slug: lowercase letters and digits joined by hyphens."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_SLUG_LENGTH].strip("-")
    return words or NAMELESS


def free_slug(wanted: str, taken: Collection[str]) -> str:
    """Return ``wanted``, or with the first number that makes it unique appended."""
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"


def state_of(row: ArticleRow, now: datetime) -> ArticleState:
    """Return an article's state at ``now``."""
    is_published = row.stage == ArticleStage.PUBLISHED
    if is_published and row.publish_at is not None and row.publish_at > now:
        return ArticleState.SCHEDULED
    return ArticleState(row.stage)


def out_since(row: ArticleRow, now: datetime) -> datetime | None:
    """Return when members could first read an article; None if they could not yet."""
    if row.first_published_at is not None:
        return row.first_published_at
    is_out = state_of(row, now) is ArticleState.PUBLISHED
    return row.publish_at if is_out else None
