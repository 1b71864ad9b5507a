"""HTTP routes of the shop for members."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Body, Depends, Request, Response, status

from api.foundation.core import clock
from api.foundation.http.admission import LoadClass
from api.foundation.http.attachments import attachment
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.dependencies import (
    AnswersDep,
    CurrentMember,
    DatabaseDep,
    SettingsDep,
    provided,
)
from api.foundation.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.foundation.http.prebuilt import respond_encoded
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.http.uploads import UploadGate
from api.foundation.media.uploading import UploadContext
from api.foundation.wire.schemas import Envelope, Existing, ExistingId, ExistingName, created, ok
from api.shop.errors import ProductNotFoundError
from api.shop.schemas.checkout import CheckoutAnswer, CheckoutInput, CheckoutOptions
from api.shop.schemas.orders import (
    PROOF_FORM,
    CancelledOrder,
    CancelOrder,
    OrderAnswer,
    OrderDetail,
    ProofUploaded,
)
from api.shop.schemas.products import ProductAnswer
from api.shop.service import cancelling, checkout, orders, proofs
from api.shop.service import products as products_service
from api.shop.service.placing import OrderPlacer

PRODUCT_HEADERS = {"Cache-Control": "private, no-cache"}

PROOF_PATH = "/api/v1/orders/{order_id}/proof"
CHECKOUT_PATH = "/api/v1/products/checkout"
LOAD_CLASSES = {f"{CHECKOUT_PATH}-options": LoadClass.READS, CHECKOUT_PATH: LoadClass.ORDERS}
BODY_LIMITS = {PROOF_PATH: BodyLimit(proofs.FORM.body_bytes, proofs.TOO_LARGE)}

OrderPlacerDep = Annotated[OrderPlacer, Depends(provided(OrderPlacer))]
UploadContextDep = Annotated[UploadContext, Depends(provided(UploadContext))]

router = APIRouter(tags=["shop"], route_class=StrictRoute)


@router.get(
    "/api/v1/products",
    response_model=Envelope[list[ProductAnswer]],
    responses={**documented(401), 304: {"description": "The list has not changed"}},
)
async def list_products(
    request: Request,
    _member: CurrentMember,
    database: DatabaseDep,
    answers: AnswersDep,
) -> Response:
    """List the shop's products; send the ETag as If-None-Match to skip an unchanged body."""
    answer = await answers.get(("products",), lambda: products_service.list_products(database))
    return respond_encoded(request, PRODUCT_HEADERS, answer)


@router.get(f"{CHECKOUT_PATH}-options", responses=documented(401))
async def read_checkout_options(
    member: CurrentMember, database: DatabaseDep, settings: SettingsDep
) -> Envelope[CheckoutOptions]:
    """Read the payment methods, the delivery fees and the member's saved address."""
    return ok(await checkout.checkout_options(database, settings, member.user_id))


@router.delete("/api/v1/users/{user_id}/address", responses=documented(401, 404))
async def forget_address(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[None]:
    """Delete the member's saved address."""
    member.require_self(user_id)
    await checkout.forget_address(database, member.user_id)
    return ok(None, "Your address has been deleted.")


@router.get("/api/v1/products/{product_id}", responses=documented(401, 404))
async def read_product(
    _member: CurrentMember,
    database: DatabaseDep,
    product_id: Annotated[UUID, Existing(ProductNotFoundError)],
) -> Envelope[ProductAnswer]:
    """Read one product."""
    return ok(await products_service.read_product(database, product_id))


@router.post(
    CHECKOUT_PATH,
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 402, 404, 409),
)
async def check_out(
    response: Response,
    member: CurrentMember,
    placer: OrderPlacerDep,
    settings: SettingsDep,
    form: CheckoutInput,
    key: IdempotencyKeyHeader,
) -> Envelope[CheckoutAnswer]:
    """Place an order; a retry with the same Idempotency-Key returns the first order."""
    if form.user_id is not None:
        member.require_self(form.user_id)
    placed = await checkout.check_out(placer, settings, member.user_id, form, key)
    if placed.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    number = placed.answer.order_number
    return created(placed.answer, f"Order {number} placed. You can follow it in Shoppings.")


@router.get("/api/v1/orders/{order}", responses=documented(401, 404))
async def read_order(
    member: CurrentMember, database: DatabaseDep, settings: SettingsDep, order: ExistingName
) -> Envelope[OrderDetail]:
    """Read one of the member's orders by its id or number, with its history."""
    return ok(await orders.read_order(database, settings, member.user_id, order))


@router.post("/api/v1/orders/{order_id}/cancel", responses=documented(401, 404, 409))
async def cancel_order(
    response: Response,
    member: CurrentMember,
    database: DatabaseDep,
    order_id: ExistingId,
    form: Annotated[CancelOrder, Body(default_factory=CancelOrder)],
    key: IdempotencyKeyHeader,
) -> Envelope[CancelledOrder]:
    """Cancel an order that has not shipped; what was paid goes back to the wallet."""
    cancelled = await cancelling.cancel(database, member.user_id, order_id, form, key, clock.now())
    if cancelled.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return ok(cancelled.answer, "Your order was cancelled.")


@router.post(
    PROOF_PATH,
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 404, 409, 415, 429),
    openapi_extra=PROOF_FORM,
)
async def upload_proof(
    request: Request,
    response: Response,
    member: CurrentMember,
    context: UploadContextDep,
    gate: Annotated[UploadGate, Depends(provided(UploadGate))],
    order_id: ExistingId,
    key: IdempotencyKeyHeader,
) -> Envelope[ProofUploaded]:
    """Upload a proof of a bank transfer: a JPEG, PNG, WebP or PDF of at most 2,097,152 bytes."""
    async with gate.received_form(request, proofs.FORM, context.uploads, member.user_id) as form:
        now = clock.now()
        uploaded = await proofs.upload(context, member.user_id, order_id, form, key, now)
    if uploaded.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return created(uploaded.answer, "Thank you. We will look at your proof of payment.")


@router.get("/api/v1/orders/{order_id}/proofs/{proof_id}", responses=documented(401, 404))
async def read_proof(
    member: CurrentMember, context: UploadContextDep, order_id: ExistingId, proof_id: ExistingId
) -> Response:
    """Download a proof of payment."""
    found = await proofs.read_file(context, member.user_id, order_id, proof_id)
    return attachment(found.content, found.content_type, found.name)


@router.get("/api/v1/products/user/{user_id}", responses=documented(401, 404))
async def list_orders(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[list[OrderAnswer]]:
    """List the member's orders, newest first."""
    member.require_self(user_id)
    return ok(await orders.list_orders(database, member.user_id))
