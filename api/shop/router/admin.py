"""Back-office routes of orders."""

from typing import Annotated

from fastapi import Body, Depends, Query, Response

from api.foundation.approvals.schemas import WAITING
from api.foundation.core import clock
from api.foundation.database.days import DayRange
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.attachments import attachment
from api.foundation.http.dependencies import DatabaseDep, SettingsDep, provided
from api.foundation.media.uploading import UploadContext
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ExistingName, LagosDay, SearchText, ok
from api.shop.enums import OrderStatus, PaymentMethod, ProofState
from api.shop.schemas.admin import (
    AdminOrder,
    AdminOrderDetail,
    ConfirmTransfer,
    MovedOrder,
    OrderFilter,
    RejectProof,
    ShipOrder,
    TransferConfirmed,
)
from api.shop.schemas.orders import ProofUploaded
from api.shop.service import admin as admin_service
from api.shop.service import confirming, proofs

UploadContextDep = Annotated[UploadContext, Depends(provided(UploadContext))]
Limit = Annotated[int, Query(ge=1, le=100)]

back_office = admin_router()


@back_office.get("/api/v1/admin/orders", responses=documented_admin())
async def list_all_orders(
    _admin: Annotated[AdminRequest, may_read(Right.SHOP_READ)],
    database: DatabaseDep,
    q: SearchText | None = None,
    state: Annotated[OrderStatus | None, Query(alias="status")] = None,
    method: PaymentMethod | None = None,
    proof: ProofState | None = None,
    first: Annotated[LagosDay | None, Query(alias="from")] = None,
    last: Annotated[LagosDay | None, Query(alias="to")] = None,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[AdminOrder]]:
    """List all orders, newest first; ``q`` is an order number or a prefix of a name or email."""
    wanted = OrderFilter(q, state, method, proof, DayRange(first, last))
    return ok(await admin_service.list_all_orders(database, wanted, before=before, limit=limit))


@back_office.get("/api/v1/admin/orders/{order}", responses=documented_admin())
async def read_any_order(
    admin: Annotated[AdminRequest, may_read(Right.SHOP_READ)],
    database: DatabaseDep,
    settings: SettingsDep,
    order: ExistingName,
) -> Envelope[AdminOrderDetail]:
    """Read an order as its member sees it, and the member; the audit log records the read."""
    return ok(await admin_service.read_any_order(database, settings, admin, order))


@back_office.post(
    "/api/v1/admin/orders/{order_id}/confirm-transfer",
    responses=documented_admin(409) | WAITING,
)
async def confirm_transfer(
    admin: Annotated[AdminRequest, may_write(Right.ORDERS_CONFIRM, fresh=True)],
    database: DatabaseDep,
    order_id: ExistingId,
    form: ConfirmTransfer,
) -> Envelope[TransferConfirmed]:
    """Confirm that a bank transfer has arrived; each bank reference is accepted once.

    The operator's own order, an unlikely amount and sums above the limits wait for a second person
    (202).
    """
    return to_response(
        await confirming.confirm_transfer(database, admin, order_id, form, clock.now())
    )


@back_office.get("/api/v1/admin/orders/{order_id}/proofs/{proof_id}", responses=documented_admin())
async def look_at_proof(
    admin: Annotated[AdminRequest, may_read(Right.ORDERS_CONFIRM)],
    context: UploadContextDep,
    order_id: ExistingId,
    proof_id: ExistingId,
) -> Response:
    """Download a member's proof of payment; the audit log records the read."""
    found = await proofs.read_proof_file(context, admin, order_id, proof_id)
    return attachment(found.content, found.content_type, found.name)


@back_office.post("/api/v1/admin/orders/{order_id}/reject-proof", responses=documented_admin(409))
async def reject_proof(
    admin: Annotated[AdminRequest, may_write(Right.ORDERS_CONFIRM)],
    database: DatabaseDep,
    order_id: ExistingId,
    form: RejectProof,
) -> Envelope[ProofUploaded]:
    """Reject a proof of payment. The member is told why and has a day to upload another."""
    return to_response(await proofs.reject(database, admin, order_id, form, clock.now()))


@back_office.post("/api/v1/admin/orders/{order_id}/ship", responses=documented_admin(409))
async def ship_order(
    admin: Annotated[AdminRequest, may_write(Right.SHOP_WRITE)],
    database: DatabaseDep,
    order_id: ExistingId,
    form: Annotated[ShipOrder, Body(default_factory=ShipOrder)],
) -> Envelope[MovedOrder]:
    """Mark an order as shipped and notify its member."""
    note = " ".join(part for part in (form.carrier, form.tracking) if part) or None
    shipped = OrderStatus.SHIPPED
    return to_response(
        await admin_service.change_status(database, admin, order_id, shipped, note, clock.now())
    )


@back_office.post("/api/v1/admin/orders/{order_id}/deliver", responses=documented_admin(409))
async def deliver_order(
    admin: Annotated[AdminRequest, may_write(Right.SHOP_WRITE)],
    database: DatabaseDep,
    order_id: ExistingId,
) -> Envelope[MovedOrder]:
    """Mark an order as delivered and notify its member."""
    delivered = OrderStatus.DELIVERED
    return to_response(
        await admin_service.change_status(database, admin, order_id, delivered, None, clock.now())
    )
