"""HTTP routes of refunds, all in the back office."""

from typing import Annotated

from fastapi import APIRouter, Query, status

from api.backoffice.refunds.enums import RefundState
from api.backoffice.refunds.schemas import (
    AskOrderRefund,
    AskPlanRefund,
    CancelledAtDesk,
    CancelProposed,
    RefundAnswer,
    RefundAsked,
    RefundDecided,
    RefundReason,
)
from api.backoffice.refunds.service import asking, cancelling, listing, sending
from api.foundation.approvals.schemas import WAITING
from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import DatabaseDep
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ok

router = APIRouter(tags=["refunds"], route_class=StrictRoute)
back_office = admin_router()


@back_office.get("/api/v1/admin/refunds", responses=documented_admin())
async def list_refunds(
    _admin: Annotated[AdminRequest, may_read(Right.REFUND_ASK)],
    database: DatabaseDep,
    state: RefundState | None = None,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[RefundAnswer]]:
    """List refunds, newest first."""
    return ok(await listing.list_refunds(database, state, before=before, limit=limit))


@back_office.post(
    "/api/v1/admin/orders/{order_id}/refunds",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(409),
)
async def ask_for_order_refund(
    admin: Annotated[AdminRequest, may_write(Right.REFUND_ASK)],
    database: DatabaseDep,
    order_id: ExistingId,
    form: AskOrderRefund,
) -> Envelope[RefundAsked]:
    """Request a refund of an order's lines and delivery fee; no money moves yet."""
    return to_response(await asking.ask_for_order(database, admin, order_id, form, clock.now()))


@back_office.post(
    "/api/v1/admin/subscriptions/{subscription_id}/refunds",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(409),
)
async def ask_for_plan_refund(
    admin: Annotated[AdminRequest, may_write(Right.REFUND_ASK)],
    database: DatabaseDep,
    subscription_id: ExistingId,
    form: AskPlanRefund,
) -> Envelope[RefundAsked]:
    """Request a refund of some or all that was paid for a plan; no money moves yet."""
    now = clock.now()
    return to_response(await asking.ask_for_plan(database, admin, subscription_id, form, now))


@back_office.post(
    "/api/v1/admin/refunds/{refund_id}/send", responses=documented_admin(409) | WAITING
)
async def send_refund(
    admin: Annotated[AdminRequest, may_write(Right.REFUND_SEND, fresh=True)],
    database: DatabaseDep,
    refund_id: ExistingId,
) -> Envelope[RefundDecided]:
    """Credit a refund to the member's wallet, once.

    The operator's own refund and amounts above the limits need a second person (202).
    """
    return to_response(await sending.send(database, admin, refund_id, clock.now()))


@back_office.post("/api/v1/admin/refunds/{refund_id}/refuse", responses=documented_admin(409))
async def refuse_refund(
    admin: Annotated[AdminRequest, may_write(Right.REFUND_SEND)],
    database: DatabaseDep,
    refund_id: ExistingId,
    form: RefundReason,
) -> Envelope[RefundDecided]:
    """Refuse a refund; no money moves."""
    return to_response(await sending.refuse(database, admin, refund_id, form, clock.now()))


@back_office.post(
    "/api/v1/admin/orders/{order_id}/cancel",
    responses=documented_admin(409)
    | {
        202: {
            "model": Envelope[CancelProposed],
            "description": "Cancelled; its refund needs a second person",
        }
    },
)
async def cancel_for_club(
    admin: Annotated[AdminRequest, may_write(Right.SHOP_WRITE)],
    database: DatabaseDep,
    order_id: ExistingId,
    form: RefundReason,
) -> Envelope[CancelledAtDesk]:
    """Cancel an order that has not shipped; what was paid for it is refunded."""
    return to_response(await cancelling.cancel_order(database, admin, order_id, form, clock.now()))


router.routes.extend(back_office.routes)
