"""Pictures of products: re-encoded at the sizes that the shop shows."""

from datetime import datetime
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.core.errors import InvalidFieldError
from api.foundation.database.database import Transaction
from api.foundation.media.pictures import Frame
from api.foundation.media.storage import MEDIA_PATH, media_url, new_key
from api.foundation.media.sweeping import discard
from api.foundation.media.uploading import UploadContext, stored
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.forms import FileRule, FormRules, ReceivedForm
from api.foundation.wire.results import AdminResult
from api.shop.repository import catalog_admin
from api.shop.service.catalog_admin import lock_product_row, record, shown_product

MAX_FILE_BYTES = 2_097_152  # contract section E
TOO_LARGE = "File size exceeds 2MB. Please upload a smaller file."
MISSING = "Please choose a picture of the product."
IMAGE, THUMBNAIL = Frame(1200), Frame(480)
FOLDER = "shop"
FORM = FormRules(files={"file": FileRule(MAX_FILE_BYTES, TOO_LARGE)}, fields={})


async def change_picture(
    context: UploadContext, admin: AdminRequest, product_id: UUID, form: ReceivedForm, now: datetime
) -> AdminResult:
    """Replace a product's picture. The old small one is kept for orders that show it.

    Raises:
        InvalidFieldError: the file is missing.
        NotAPictureError, DamagedPictureError, HugePictureError: it cannot be shown.
        KeyReusedError: the idempotency key named another upload.
        MediaUnavailableError, DatabaseUnavailableError: nothing was stored.
    """
    await shown_product(context.database, product_id)
    received = form.files.get("file")
    if received is None or not received.size_bytes:
        raise InvalidFieldError.of("file", MISSING)
    image, thumbnail = await context.images.renew_all(
        received.handle, (IMAGE, THUMBNAIL), form.sender
    )
    objects = {new_key(FOLDER, "webp"): image, new_key(FOLDER, "webp"): thumbnail}
    urls = dict(zip(("image", "thumbnail"), map(media_url, objects), strict=True))
    replaced: list[str] = []

    async def work(tx: Transaction) -> AdminResult:
        before = await lock_product_row(tx, product_id)
        await catalog_admin.change_product(tx, product_id, urls)
        if before.thumbnail.startswith(MEDIA_PATH + FOLDER):
            await catalog_admin.insert_former_picture(tx, before.thumbnail, product_id, now)
        if before.image.startswith(MEDIA_PATH + FOLDER):
            replaced.append(before.image.removeprefix(MEDIA_PATH))
        shown = await shown_product(tx, product_id)
        await audit.audited(tx, admin, record("picture", before, shown))
        return AdminResult.of(shown, message="The picture has been saved.")

    async with stored(context.store, objects):
        done = await audit.perform(context.database, admin, form.digests(), work)
    # A replay stores nothing; of a replaced picture, keep only what orders show.
    await discard(context.store, list(objects) if done.is_replayed else replaced)
    return done
