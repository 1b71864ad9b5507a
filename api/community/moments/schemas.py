"""Wire formats of moments (spec 3)."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import BeforeValidator, Field, StringConstraints

from api.community.moments.enums import MomentComplaint, MomentState
from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import ExistingId, Id, Instant, SafeText, WireInput, WireModel

MAX_TITLE_LENGTH = 120
MAX_CONTENT_LENGTH = 2000


def _with_plain_breaks(text: object) -> object:
    """Restore line breaks: form encoding sends each one as two characters."""
    return text.replace("\r\n", "\n") if isinstance(text, str) else text


def _or_none(text: object) -> object:
    """Treat an empty part of a form as omitted."""
    return text or None


class MomentText(WireInput):
    """The text parts of a new moment; ``user_id`` is None when omitted."""

    title: Annotated[SafeText, StringConstraints(max_length=MAX_TITLE_LENGTH)] = ""
    content: Annotated[
        SafeText,
        StringConstraints(max_length=MAX_CONTENT_LENGTH),
        BeforeValidator(_with_plain_breaks),
    ] = ""
    user_id: Annotated[ExistingId | None, BeforeValidator(_or_none)] = None


class MomentAnswer(WireModel):
    """A member's own moment; ``thumbnail`` and ``video`` are paths of this server.

    ``sharedAt`` is since when the club sees it, ``publicAt`` since when its link is open.
    """

    id: UUID
    title: str = Field(examples=["The goal that took us up"])
    content: str = Field(examples=["Ninetieth minute, and the whole terrace came down."])
    thumbnail: str = Field(examples=["/media/moments/5f2c9d0e8b7a46135f2c9d0e8b7a4613.webp"])
    video: str = Field(examples=["/media/moments/0e8b7a46135f2c9d0e8b7a46135f2c9d.mp4"])
    video_type: str = Field(examples=["video/mp4"])
    user_id: UUID
    created_at: Instant
    shared_at: Instant | None = None
    public_at: Instant | None = None


class ShareMoment(WireInput):
    """Whether everybody with the link may watch it."""

    public: bool = False


class PublicAuthor(WireModel):
    """The author of a public moment."""

    first_name: str
    club_name: str


class PublicMoment(WireModel):
    """A moment as everybody with its link sees it."""

    title: str
    content: str
    poster: str
    video: str
    by: PublicAuthor


class SharedBy(WireModel):
    """The member who shares a moment."""

    id: UUID
    first_name: str = Field(examples=["Bello"])
    last_name: str = Field(examples=["Musa"])
    avatar: str | None


class SharedMoment(WireModel):
    """A moment as the club sees it; ``videoBytes`` is the size of its video."""

    id: UUID
    title: str = Field(examples=["The goal that took us up"])
    content: str
    thumbnail: str
    video: str
    video_bytes: int = Field(examples=[3_250_586])
    by: SharedBy
    applause: int
    applauded: bool
    mine: bool
    shared_at: Instant


class Applause(WireModel):
    """How many members applaud a moment, and whether the caller does."""

    applause: int
    applauded: bool


class ReportMoment(WireInput):
    """A member's report of a moment."""

    reason: MomentComplaint = Field(examples=[MomentComplaint.ABUSE], strict=False)


class MomentReported(WireModel):
    """The report that the moderators have received; the first reason is kept."""

    moment_id: UUID
    reason: MomentComplaint


class MomentMember(WireModel):
    """The member who posted a moment."""

    id: UUID
    first_name: str
    last_name: str


class MomentRow(MomentAnswer):
    """A moment in the back office; the media of a hidden one are not served."""

    state: MomentState
    reports: int = Field(description="The number of open reports.")
    hidden_at: Instant | None
    member: MomentMember


class MomentCount(WireModel):
    """How many moments a member has, by their state."""

    shown: int
    hidden: int


class OwnMomentModeration(WireInput):
    """The content of an approval: hiding or restoring an operator's own moment."""

    moment_id: Id
    state: MomentState = Field(strict=False)


class ModerateMoment(WireInput):
    """Why a moment is hidden or restored."""

    reason: Reason


CREATE_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["title", "thumbnail", "video"],
                    "properties": {
                        "title": {"type": "string", "minLength": 1, "maxLength": MAX_TITLE_LENGTH},
                        "content": {"type": "string", "maxLength": MAX_CONTENT_LENGTH},
                        "thumbnail": {"type": "string", "format": "binary"},
                        "video": {"type": "string", "format": "binary"},
                        "userId": {"type": "string"},
                    },
                }
            }
        },
    }
}
"""The OpenAPI description of the body, which is streamed and not parsed by a model."""
