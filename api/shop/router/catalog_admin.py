"""Back-office routes of products, sizes, stock and fees."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, status

from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.dependencies import DatabaseDep, provided
from api.foundation.http.uploads import UploadGate
from api.foundation.media.uploading import UploadContext
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, Existing, ExistingId, SearchText, ok
from api.shop.errors import ProductNotFoundError
from api.shop.schemas.catalog_admin import (
    PICTURE_FORM,
    FeeList,
    FeesInput,
    ProductChange,
    ProductInput,
    ProductRow,
    ShelfStock,
    StockInput,
    VariantChange,
    VariantInput,
    VariantRow,
)
from api.shop.service import catalog_admin, fees, picturing, sizes

PICTURE_PATH = "/api/v1/admin/products/{product_id}/picture"
BODY_LIMITS = {PICTURE_PATH: BodyLimit(picturing.FORM.body_bytes, picturing.TOO_LARGE)}
Reader = Annotated[AdminRequest, may_read(Right.SHOP_WRITE)]
Writer = Annotated[AdminRequest, may_write(Right.SHOP_WRITE)]
ProductId = Annotated[UUID, Existing(ProductNotFoundError)]

back_office = admin_router()


@back_office.get("/api/v1/admin/products", responses=documented_admin())
async def list_all_products(
    _admin: Reader,
    database: DatabaseDep,
    q: SearchText | None = None,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[ProductRow]]:
    """List all products, hidden ones too, newest first; ``q`` is a name prefix."""
    return ok(await catalog_admin.list_all_products(database, q, before=before, limit=limit))


@back_office.post(
    "/api/v1/admin/products",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(409),
)
async def create_product(
    admin: Writer, database: DatabaseDep, form: ProductInput
) -> Envelope[ProductRow]:
    """Create a product; its picture, sizes and stock are set by separate calls."""
    return to_response(await catalog_admin.create_product(database, admin, form))


@back_office.get("/api/v1/admin/products/{product_id}", responses=documented_admin())
async def read_any_product(
    _admin: Reader, database: DatabaseDep, product_id: ProductId
) -> Envelope[ProductRow]:
    """Read a product, hidden or not, with its sizes and stock."""
    return ok(await catalog_admin.read_any_product(database, product_id))


@back_office.patch("/api/v1/admin/products/{product_id}", responses=documented_admin(409))
async def change_product(
    admin: Writer, database: DatabaseDep, product_id: ProductId, form: ProductChange
) -> Envelope[ProductRow]:
    """Update a product; hiding it removes it from the shop but not from existing orders."""
    return to_response(await catalog_admin.change_product(database, admin, product_id, form))


@back_office.post(
    PICTURE_PATH, responses=documented_admin(409, 415, 429), openapi_extra=PICTURE_FORM
)
async def change_picture(
    request: Request,
    admin: Writer,
    context: Annotated[UploadContext, Depends(provided(UploadContext))],
    gate: Annotated[UploadGate, Depends(provided(UploadGate))],
    product_id: ProductId,
) -> Envelope[ProductRow]:
    """Replace a product's picture: a JPEG, PNG or WebP of at most 2,097,152 bytes."""
    async with gate.received_form(
        request, picturing.FORM, context.uploads, admin.operator.user_id
    ) as form:
        done = await picturing.change_picture(context, admin, product_id, form, clock.now())
    return to_response(done)


@back_office.post(
    "/api/v1/admin/products/{product_id}/variants",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(409),
)
async def create_variant(
    admin: Writer, database: DatabaseDep, product_id: ProductId, form: VariantInput
) -> Envelope[VariantRow]:
    """Create a size; the first one replaces the product without sizes."""
    return to_response(await sizes.create_variant(database, admin, product_id, form))


@back_office.patch(
    "/api/v1/admin/products/{product_id}/variants/{variant_id}", responses=documented_admin(409)
)
async def change_variant(
    admin: Writer,
    database: DatabaseDep,
    product_id: ProductId,
    variant_id: ExistingId,
    form: VariantChange,
) -> Envelope[VariantRow]:
    """Update a size, hide it, or make it the default for orders that name no size."""
    done = await sizes.change_variant(database, admin, product_id, variant_id, form)
    return to_response(done)


@back_office.post("/api/v1/admin/stock", responses=documented_admin(409))
async def change_stock(
    admin: Writer, database: DatabaseDep, form: StockInput
) -> Envelope[ShelfStock]:
    """Add or remove units of stock; never below what is allocated to orders."""
    return to_response(await sizes.change_stock(database, admin, form))


@back_office.get("/api/v1/admin/delivery-fees", responses=documented_admin())
async def list_fees(_admin: Reader, database: DatabaseDep) -> Envelope[FeeList]:
    """List the delivery fee of each state."""
    return ok(await fees.list_fees(database))


@back_office.put("/api/v1/admin/delivery-fees", responses=documented_admin(409))
async def change_fees(admin: Writer, database: DatabaseDep, form: FeesInput) -> Envelope[FeeList]:
    """Set delivery fees; omitted states keep theirs."""
    return to_response(await fees.change_fees(database, admin, form))
