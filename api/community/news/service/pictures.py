"""The pictures of articles."""

from collections.abc import Sequence
from uuid import UUID

from api.community.news import repository
from api.community.news.service.writing import hold, read_shown
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.media.pictures import Frame
from api.foundation.media.storage import new_key
from api.foundation.media.sweeping import discard
from api.foundation.media.uploading import UploadContext, stored
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.forms import FileRule, FormRules, ReceivedForm
from api.foundation.wire.results import AdminResult

MAX_BYTES = 2_097_152
TOO_LARGE = "File size exceeds 2MB. Please upload a smaller file."
MISSING = "Please choose a picture."
READABLE = Frame(1280)
FOLDER = "news"
FORM = FormRules(files={"file": FileRule(MAX_BYTES, TOO_LARGE)}, fields={})


async def set_picture(
    context: UploadContext, admin: AdminRequest, article_id: UUID, form: ReceivedForm
) -> AdminResult:
    """Set or replace an article's picture.

    Raises:
        InvalidFieldError: the picture is missing.
        NotAPictureError, DamagedPictureError, HugePictureError: the picture was rejected.
        MediaUnavailableError, DatabaseUnavailableError: nothing was stored.
    """
    received = form.files.get("file")
    if received is None or not received.size_bytes:
        raise InvalidFieldError.of("file", MISSING)
    if await repository.read_article(context.database, article_id) is None:
        raise NotFoundError
    picture = await context.images.renew(received.handle, READABLE, form.sender)
    key, replaced = new_key(FOLDER, "webp"), []

    async def work(tx: Transaction) -> AdminResult:
        row = await hold(tx, article_id)
        if row.picture is not None:
            replaced.append(row.picture)
        await repository.change_article(tx, article_id, {"picture": key})
        shown = await read_shown(tx, article_id, clock.now())
        before, after = ({"picture": name} for name in (row.picture, key))
        record = AuditRecord("set-picture", "article", article_id, before, after)
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, status=201, message="The picture has been saved.")

    async with stored(context.store, {key: picture}):
        done = await audit.perform(context.database, admin, form.digests(), work)
    await discard(context.store, [key] if done.is_replayed else replaced)
    return done


async def named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` an article refers to."""
    return await repository.list_named_keys(database, keys)
