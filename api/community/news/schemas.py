from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints

from api.community.news.enums import ArticleState
from api.community.news.rules import MAX_BODY_LENGTH, MAX_TITLE_LENGTH
from api.foundation.wire.schemas import Instant, Moment, SafeText, ShownName, WireInput, WireModel

Title = Annotated[ShownName, StringConstraints(min_length=1, max_length=MAX_TITLE_LENGTH)]
Body = Annotated[SafeText, StringConstraints(max_length=MAX_BODY_LENGTH)]
ClubText = Annotated[SafeText, StringConstraints(min_length=1, max_length=100)]


class NewsRow(WireModel):
    """An article in the list; without a club it is for all clubs."""

    slug: str = Field(examples=["derby-on-saturday"])
    title: str = Field(examples=["Derby on Saturday"])
    summary: str
    picture: str | None
    club: str | None
    published_at: Instant


class NewsArticle(NewsRow):
    """An article; ``html`` is ready for display."""

    html: str


class AdminArticleRow(WireModel):
    """An article in the back office's list; ``publishAt`` of a draft is the intended time."""

    id: UUID
    slug: str
    title: str
    summary: str
    club: str | None
    club_id: UUID | None
    picture: str | None
    state: ArticleState
    publish_at: Instant | None
    version: int
    created_at: Instant


class AdminArticle(AdminArticleRow):
    """An article with its Markdown ``body``, and the ``html`` that members see."""

    body: str
    html: str


class ArticleInput(WireInput):
    """A new draft; ``club`` is an id or a name, null means all clubs."""

    title: Title = Field(examples=["Derby on Saturday"])
    body: Body = Field(default="", examples=["**Gates open at three.**"])
    club: ClubText | None = None
    publish_at: Moment | None = None


class ArticleChange(WireInput):
    """Fields of an article to change; omitted ones stay, null clears ``club`` or ``publishAt``."""

    version: Annotated[int, Field(ge=1)]
    title: Title = ""
    body: Body = ""
    club: ClubText | None = None
    publish_at: Moment | None = None


class PublishArticle(WireInput):
    """When to publish an article; defaults to its ``publishAt``, else now."""

    publish_at: Moment | None = None


class PreviewInput(WireInput):
    """Markdown to preview."""

    body: Body


class ArticlePreview(WireModel):
    """The article as members would see it."""

    html: str


PICTURE_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            }
        },
    }
}
"""The OpenAPI description of the body, which is streamed and not parsed by a model."""
