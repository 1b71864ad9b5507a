"""HTTP calls of the shop."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response, status

from api.core import clock
from api.http.dependencies import CurrentMember, DatabaseDep, SettingsDep, provided
from api.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, Existing, ExistingId, ExistingName, created, ok
from api.shop import service
from api.shop.errors import ProductNotFoundError
from api.shop.live import ProductCache
from api.shop.schemas import (
    CancelledOrder,
    CancelOrder,
    CheckoutAnswer,
    CheckoutInput,
    CheckoutOptions,
    OrderAnswer,
    OrderDetail,
    ProductAnswer,
)

PRODUCT_HEADERS = {"Cache-Control": "private, no-cache"}

router = APIRouter(tags=["shop"], route_class=StrictRoute)


@router.get(
    "/api/v1/products",
    response_model=Envelope[list[ProductAnswer]],
    responses={**documented(401), 304: {"description": "The list is still the one you have"}},
)
async def list_products(
    request: Request,
    _member: CurrentMember,
    products: Annotated[ProductCache, Depends(provided(ProductCache))],
) -> Response:
    """List the shop's products; send the ETag back as If-None-Match to save the body."""
    encoded = await products.encoded()
    headers = {**PRODUCT_HEADERS, "ETag": encoded.etag}
    if request.headers.get("if-none-match") == encoded.etag:
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(encoded.body, media_type="application/json", headers=headers)


@router.get("/api/v1/products/checkout-options", responses=documented(401))
async def read_checkout_options(
    _member: CurrentMember, settings: SettingsDep
) -> Envelope[CheckoutOptions]:
    """Read which ways to pay are open, and where a bank transfer goes."""
    return ok(service.checkout_options(settings))


@router.get("/api/v1/products/{product_id}", responses=documented(401, 404))
async def read_product(
    _member: CurrentMember,
    database: DatabaseDep,
    product_id: Annotated[UUID, Existing(ProductNotFoundError)],
) -> Envelope[ProductAnswer]:
    """Read one product."""
    return ok(await service.read_product(database, product_id))


@router.post(
    "/api/v1/products/checkout",
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 402, 404, 409),
)
async def check_out(
    response: Response,
    member: CurrentMember,
    database: DatabaseDep,
    settings: SettingsDep,
    form: CheckoutInput,
    key: IdempotencyKeyHeader,
) -> Envelope[CheckoutAnswer]:
    """Place an order; the same Idempotency-Key again answers the first order."""
    if form.user_id is not None:
        member.require_self(form.user_id)
    placed = await service.check_out(database, settings, member.user_id, form, key)
    if placed.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    number = placed.answer.order_number
    return created(placed.answer, f"Order {number} placed. You can follow it in Shoppings.")


@router.get("/api/v1/orders/{order}", responses=documented(401, 404))
async def read_order(
    member: CurrentMember, database: DatabaseDep, settings: SettingsDep, order: ExistingName
) -> Envelope[OrderDetail]:
    """Read one of the member's orders, by its id or its number, with its history."""
    return ok(await service.read_order(database, settings, member.user_id, order))


@router.post("/api/v1/orders/{order_id}/cancel", responses=documented(401, 404, 409))
async def cancel_order(
    response: Response,
    member: CurrentMember,
    database: DatabaseDep,
    order_id: ExistingId,
    form: CancelOrder,
    key: IdempotencyKeyHeader,
) -> Envelope[CancelledOrder]:
    """Cancel an order that is not on its way; what was paid for it goes back to the wallet."""
    cancelled = await service.cancel(database, member.user_id, order_id, form, key, clock.now())
    if cancelled.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return ok(cancelled.answer, "Your order was cancelled.")


@router.get("/api/v1/products/user/{user_id}", responses=documented(401, 404))
async def list_orders(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[list[OrderAnswer]]:
    """List the member's orders, newest first."""
    member.require_self(user_id)
    return ok(await service.list_orders(database, member.user_id))
