"""Proofs of payment: uploaded by members for a bank transfer, reviewed by operators."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, BinaryIO
from uuid import UUID

from pydantic import ValidationError

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database import idempotency
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.idempotency import Attempt
from api.foundation.media.documents import check_pdf, looks_like_pdf
from api.foundation.media.pictures import Frame, ImageProcessor, NotAPictureError
from api.foundation.media.storage import content_type_of, new_key
from api.foundation.media.sweeping import discard
from api.foundation.media.uploading import UploadContext, stored
from api.foundation.security.network import Sender
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.forms import FileRule, FormRules, ReceivedFile, ReceivedForm
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import field_errors
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.rules.messages import Fact
from api.messaging.notifications.service import notify
from api.shop import rules
from api.shop.enums import OrderStatus, PaymentMethod, ProofState
from api.shop.errors import NotAProofError, TooManyProofsError, WrongStateError
from api.shop.repository import admin as admin_repository
from api.shop.repository import orders, proofs
from api.shop.repository.orders import OrderRow
from api.shop.repository.proofs import NewProof, StoredProof
from api.shop.schemas.admin import RejectProof
from api.shop.schemas.orders import ProofText, ProofUploaded, TransferProofAnswer
from api.shop.service.moving import lock_order_and_member, lock_own_order

MAX_FILE_BYTES = 2_097_152  # contract B-84
TOO_LARGE = "File size exceeds 2MB. Please upload a smaller file."  # contract B-84
MISSING = "Please choose a picture or a PDF of your payment."
MAX_NOTE_LENGTH = 200
BYTES_PER_CHARACTER = 4
READABLE = Frame(1600)
FOLDER = "proofs"
ROUTE = "upload-proof"
FORM = FormRules(
    files={"file": FileRule(MAX_FILE_BYTES, TOO_LARGE)},
    fields={"note": MAX_NOTE_LENGTH * BYTES_PER_CHARACTER},
)


@dataclass(frozen=True)
class UploadResult:
    """The outcome of an upload; ``replayed`` if an earlier call with the key made it."""

    answer: ProofUploaded
    replayed: bool


@dataclass(frozen=True)
class ProofFile:
    """The whole content of a stored proof, and its file name for saving."""

    content: bytes
    content_type: str
    name: str


async def upload(
    context: UploadContext,
    user_id: UUID,
    order_id: UUID,
    form: ReceivedForm,
    key: str | None,
    now: datetime,
) -> UploadResult:
    """Store a proof of an order's bank transfer, replacing the one under review.

    Raises:
        InvalidFieldError: the file is missing, or the note does not fit.
        NotAProofError: it is not a JPEG, PNG, WebP or PDF.
        DamagedPictureError, HugePictureError, DamagedDocumentError: it cannot be read.
        NotFoundError: no such order, or not this member's.
        WrongStateError: the order no longer waits for a transfer.
        KeyReusedError: the idempotency key named another upload.
        MediaUnavailableError, DatabaseUnavailableError: nothing was stored.
    """
    note = _read_note(form)
    content = form.digests() | {"order": str(order_id)}
    attempt = Attempt.of(user_id, ROUTE, key, content)
    answer = await idempotency.find_answer(context.database, attempt)
    if answer is not None:
        return UploadResult(ProofUploaded.model_validate(answer), replayed=True)
    order = await orders.read_order(context.database, user_id, order_id, "")
    if order is None:
        raise NotFoundError
    await _require_uploadable(context.database, order, now)
    received = form.files.get("file")
    if received is None or not received.size_bytes:
        raise InvalidFieldError.of("file", MISSING)
    ending, source = await _prepare(context.images, received, form.sender)
    proof = NewProof(new_id(), order_id, new_key(FOLDER, ending), note, now)
    async with stored(context.store, {proof.media_key: source}):
        uploaded = await _insert(context.database, user_id, proof, attempt)
    if uploaded.replayed:
        await discard(context.store, [proof.media_key])
    return uploaded


def may_upload(order: OrderRow, uploaded: int, now: datetime) -> bool:
    """Return whether an order with ``uploaded`` proofs accepts another one."""
    return _takes_proofs(order, now) and uploaded < rules.MAX_PROOFS


async def read_file(
    context: UploadContext, user_id: UUID, order_id: UUID, proof_id: UUID
) -> ProofFile:
    """Return one of a member's own proofs.

    Raises:
        NotFoundError: no such order or proof, or not this member's.
    """
    order = await orders.read_order(context.database, user_id, order_id, "")
    if order is None:
        raise NotFoundError
    return await _read(context, order, proof_id)


async def read_proof_file(
    context: UploadContext, admin: AdminRequest, order_id: UUID, proof_id: UUID
) -> ProofFile:
    """Return a proof to an operator, and audit the read access."""
    order = await admin_repository.read_any_order(context.database, order_id, "")
    if order is None:
        raise NotFoundError
    found = await _read(context, order, proof_id)
    async with context.database.transaction() as tx:
        await audit.audited(tx, admin, AuditRecord("look-at-proof", "order", order_id))
    return found


async def reject(
    database: Database, admin: AdminRequest, order_id: UUID, form: RejectProof, now: datetime
) -> AdminResult:
    """Reject the proof under review, and leave the member time for another one.

    Raises:
        WrongStateError: the proof was decided or replaced.
    """

    async def work(tx: Transaction) -> AdminResult:
        order, _ = await lock_order_and_member(tx, order_id)
        proof = await proofs.read_proof(tx, order_id, form.proof_id)
        if proof is None:
            raise NotFoundError
        if proof.state != ProofState.WAITING:
            raise WrongStateError(content={"status": proof.state})
        await proofs.decide_proof(tx, order_id, ProofState.REJECTED, form.reason)
        await proofs.extend_deadline(tx, order_id, now + rules.TIME_AFTER_REJECTION)
        facts: dict[str, Fact] = {
            "order_id": order_id,
            "number": order.number,
            "reason": form.reason,
        }
        kind = NotificationKind.PROOF_REJECTED
        await notify(tx, order.user_id, kind, form.proof_id, now, **facts)
        record = AuditRecord("reject-proof", "order", order_id, reason=form.reason)
        await audit.audited(tx, admin, record)
        return AdminResult.of(ProofUploaded(id=form.proof_id, state=ProofState.REJECTED))

    return await audit.perform(database, admin, form, work)


async def erase_proofs(tx: Transaction, user_id: UUID) -> list[str]:
    """Delete all of a member's proofs; return the objects to delete."""
    return await proofs.delete_proofs(tx, user_id)


async def named_proofs(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` belong to a proof."""
    return await proofs.list_named_proofs(database, keys)


async def count_waiting_proofs(database: Database, age: timedelta = timedelta()) -> int:
    """Count the proofs of at least ``age`` under review: their orders hold stock meanwhile."""
    return await proofs.count_waiting_proofs(database, clock.now() - age)


def proof_answer(row: StoredProof, order: OrderStatus) -> TransferProofAnswer:
    """Serialize a proof; its review ends together with a pending ``order``."""
    state = ProofState(row.state)
    is_timed = state is ProofState.WAITING and order is OrderStatus.PENDING
    return TransferProofAnswer(
        id=row.id,
        state=state,
        reason=row.reason,
        at=row.uploaded_at,
        expires_at=row.uploaded_at + rules.PROOF_REVIEW_PERIOD if is_timed else None,
    )


def _read_note(form: ReceivedForm) -> str | None:
    try:
        return ProofText.model_validate(form.fields).note
    except ValidationError as error:
        sentence, fields = field_errors(error.errors())
        raise InvalidFieldError(sentence, fields=fields) from error


def _takes_proofs(order: OrderRow, now: datetime) -> bool:
    if order.payment_method != PaymentMethod.BANK_TRANSFER or order.is_paid:
        return False
    if order.status == OrderStatus.EXPIRED:
        return order.pay_by is not None and now - order.pay_by < rules.PROOF_AFTER_EXPIRY
    return order.status == OrderStatus.PENDING


async def _require_uploadable(database: Runner, order: OrderRow, now: datetime) -> None:
    if not _takes_proofs(order, now):
        raise WrongStateError(content={"status": order.status})
    if await proofs.count_proofs(database, order.id) >= rules.MAX_PROOFS:
        raise TooManyProofsError


async def _prepare(
    images: ImageProcessor, received: ReceivedFile, sender: Sender
) -> tuple[str, BinaryIO]:
    """Return the suffix of the key, and the content: pictures re-encoded, a PDF unchanged."""
    handle = received.handle
    handle.seek(0)
    if looks_like_pdf(handle.read(16)):
        await asyncio.to_thread(check_pdf, handle, received.size_bytes)
        handle.seek(0)
        return "pdf", handle
    try:
        return "webp", await images.renew(handle, READABLE, sender)
    except NotAPictureError as error:
        raise NotAProofError from error


async def _insert(
    database: Database, user_id: UUID, proof: NewProof, attempt: Attempt | None
) -> UploadResult:
    async def insert(tx: Transaction) -> dict[str, Any]:
        order = await lock_own_order(tx, user_id, proof.order_id)
        await _require_uploadable(tx, order, proof.uploaded_at)
        await proofs.insert_proof(tx, proof)
        return ProofUploaded(id=proof.id, state=ProofState.WAITING).model_dump(mode="json")

    async with database.transaction() as tx:
        answer, is_replayed = await idempotency.once(tx, attempt, insert)
    return UploadResult(ProofUploaded.model_validate(answer), replayed=is_replayed)


async def _read(context: UploadContext, order: OrderRow, proof_id: UUID) -> ProofFile:
    proof = await proofs.read_proof(context.database, order.id, proof_id)
    if proof is None:
        raise NotFoundError
    key = proof.media_key
    found = await context.store.describe(key)
    chunks = await context.store.read(key, 0, found.size_bytes - 1)
    content = b"".join([chunk async for chunk in chunks])
    ending = key.rpartition(".")[2]
    return ProofFile(content, content_type_of(key), f"{order.number}-proof.{ending}")
