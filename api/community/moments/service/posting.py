"""Members' own moments: posting, listing and deleting."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO
from uuid import UUID

from pydantic import ValidationError

from api.community.moments.errors import TooManyMomentsError
from api.community.moments.repository import moments
from api.community.moments.repository.moments import VisibleMoment
from api.community.moments.schemas import (
    MAX_CONTENT_LENGTH,
    MAX_TITLE_LENGTH,
    MomentAnswer,
    MomentText,
)
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database import idempotency
from api.foundation.database.database import Database, Transaction
from api.foundation.database.idempotency import Attempt
from api.foundation.media.mp4 import check_mp4, looks_like_mp4
from api.foundation.media.pictures import Frame
from api.foundation.media.storage import content_type_of, media_url, new_key
from api.foundation.media.sweeping import discard
from api.foundation.media.uploading import UploadContext, stored
from api.foundation.media.videos import NotAVideoError, blank
from api.foundation.media.webm import check_webm, looks_like_webm
from api.foundation.wire.forms import FileRule, FormRules, ReceivedForm
from api.foundation.wire.schemas import field_errors
from api.people.users.service import account as users_account

MAX_VIDEO_BYTES = 4_194_304  # spec 9
MAX_THUMBNAIL_BYTES = 1024 * 1024
VIDEO_TOO_LARGE = "File size exceeds 4MB. Please upload a smaller file."  # spec 5
THUMBNAIL_TOO_LARGE = "The thumbnail exceeds 1MB. Please choose a smaller picture."
FILES_MISSING = "Please select both a thumbnail and a video."  # spec 5
TITLE_MISSING = "Please enter a title for the post."  # spec 5
MAX_MOMENTS = 100
POSTER = Frame(960)
FOLDER = "moments"
ROUTE = "moment"
BYTES_PER_CHARACTER = 4
FORM = FormRules(
    files={
        "thumbnail": FileRule(MAX_THUMBNAIL_BYTES, THUMBNAIL_TOO_LARGE),
        "video": FileRule(MAX_VIDEO_BYTES, VIDEO_TOO_LARGE),
    },
    fields={
        "title": MAX_TITLE_LENGTH * BYTES_PER_CHARACTER,
        "content": MAX_CONTENT_LENGTH * BYTES_PER_CHARACTER,
        "userId": 64 * BYTES_PER_CHARACTER,
    },
)


@dataclass(frozen=True)
class PostResult:
    """The outcome of posting; ``replayed`` when an earlier call with the key made it."""

    answer: MomentAnswer
    replayed: bool


async def list_moments(database: Database, user_id: UUID) -> list[MomentAnswer]:
    """Return a member's moments, newest first."""
    return [own_moment(row) for row in await moments.list_moments(database, user_id)]


async def post(
    context: UploadContext, user_id: UUID, form: ReceivedForm, key: str | None
) -> PostResult:
    """Check and store a moment: both objects and the row, or nothing.

    Raises:
        InvalidFieldError: a file or the title is missing, or a text is invalid.
        NotFoundError: the form names another member, or the member's account is deleted meanwhile.
        NotAVideoError, UnplayableVideoError, DamagedVideoError: the video was rejected.
        NotAPictureError, DamagedPictureError, HugePictureError: the thumbnail was rejected.
        KeyReusedError: the idempotency key was used for another moment.
        MediaUnavailableError, DatabaseUnavailableError: nothing was stored.
    """
    text = _read_text(form, user_id)
    attempt = Attempt.of(user_id, ROUTE, key, form.digests())
    answer = await idempotency.find_answer(context.database, attempt)
    if answer is not None:
        return PostResult(MomentAnswer.model_validate(answer), replayed=True)
    video = form.files["video"]
    ending = await asyncio.to_thread(_prepare_video, video.handle, video.size_bytes)
    poster = await context.images.renew(form.files["thumbnail"].handle, POSTER, form.sender)
    moment = moments.NewMoment(
        id=new_id(),
        user_id=user_id,
        title=text.title,
        content=text.content,
        thumbnail_key=new_key(FOLDER, "webp"),
        video_key=(video_key := new_key(FOLDER, ending)),
        video_type=content_type_of(video_key),
        video_bytes=video.size_bytes,
    )
    return await _store(context, moment, poster, video.handle, attempt)


async def remove(context: UploadContext, user_id: UUID, moment_id: UUID) -> None:
    """Delete a member's moment, then its objects.

    Raises:
        NotFoundError: the member has no such moment.
    """
    async with context.database.transaction() as tx:
        keys = await moments.delete_moment(tx, moment_id, user_id)
    if keys is None:
        raise NotFoundError
    await discard(context.store, keys)


async def erase(tx: Transaction, user_id: UUID) -> list[str]:
    """Delete all of a member's moments; return the keys of the objects to remove."""
    return await moments.delete_moments(tx, user_id)


async def named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` a moment refers to."""
    return await moments.list_named_keys(database, keys)


def _read_text(form: ReceivedForm, user_id: UUID) -> MomentText:
    """Check the form's parts in the order of contract B-40."""
    present = {name for name, received in form.files.items() if received.size_bytes}
    if present != {"thumbnail", "video"}:
        missing = min({"thumbnail", "video"} - present)
        raise InvalidFieldError.of(missing, FILES_MISSING)
    try:
        text = MomentText.model_validate(form.fields)
    except ValidationError as error:
        sentence, fields = field_errors(error.errors())
        raise InvalidFieldError(sentence, fields=fields) from error
    if not text.title:
        raise InvalidFieldError.of("title", TITLE_MISSING)
    if text.user_id not in {None, user_id}:
        raise NotFoundError
    return text


def _prepare_video(handle: BinaryIO, size_bytes: int) -> str:
    """Check a video, blank its metadata, and return the suffix of its key."""
    handle.seek(0)
    head = handle.read(12)
    if looks_like_mp4(head):
        blank(handle, check_mp4(handle, size_bytes))
        return "mp4"
    if looks_like_webm(head):
        blank(handle, check_webm(handle, size_bytes))
        return "webm"
    raise NotAVideoError


async def _store(
    context: UploadContext,
    moment: moments.NewMoment,
    poster: BinaryIO,
    video: BinaryIO,
    attempt: Attempt | None,
) -> PostResult:
    """Store both objects with their row; a replay stores nothing."""
    objects = {moment.thumbnail_key: poster, moment.video_key: video}
    async with stored(context.store, objects):
        posted = await _insert(context.database, moment, attempt)
    if posted.replayed:
        await discard(context.store, list(objects))
    return posted


async def _insert(
    database: Database, moment: moments.NewMoment, attempt: Attempt | None
) -> PostResult:
    async def insert(tx: Transaction) -> dict[str, Any]:
        await users_account.lock(tx, moment.user_id)
        if await moments.count_moments(tx, moment.user_id) >= MAX_MOMENTS:
            raise TooManyMomentsError
        return own_moment(await moments.insert_moment(tx, moment)).model_dump(mode="json")

    async with database.transaction() as tx:
        answer, is_replayed = await idempotency.once(tx, attempt, insert)
    return PostResult(MomentAnswer.model_validate(answer), replayed=is_replayed)


def own_moment(row: VisibleMoment) -> MomentAnswer:
    """Return a moment as its member sees it."""
    return MomentAnswer(**facts(row))


def facts(row: VisibleMoment) -> dict[str, Any]:
    """Return the fields of a moment that all its viewers see."""
    return {
        "id": row.id,
        "title": row.title,
        "content": row.content,
        "thumbnail": media_url(row.thumbnail_key),
        "video": media_url(row.video_key),
        "video_type": row.video_type,
        "user_id": row.user_id,
        "created_at": row.created_at,
        "shared_at": row.shared_at,
        "public_at": row.public_at,
    }
