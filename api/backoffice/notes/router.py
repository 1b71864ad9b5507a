"""HTTP routes of notes. The right to read an order or a member includes writing notes about it."""

from typing import Annotated

from fastapi import Query, status

from api.backoffice.notes import service
from api.backoffice.notes.enums import NoteSubject
from api.backoffice.notes.rules import NoteTarget
from api.backoffice.notes.schemas import Note, NoteAdded, NoteInput
from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import DatabaseDep
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ok

Limit = Annotated[int, Query(ge=1, le=100)]

router = admin_router()


@router.get("/api/v1/admin/orders/{order_id}/notes", responses=documented_admin())
async def list_order_notes(
    admin: Annotated[AdminRequest, may_read(Right.SHOP_READ)],
    database: DatabaseDep,
    order_id: ExistingId,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[Note]]:
    """List operators' notes about an order, newest first; the audit log records the read."""
    target = NoteTarget(NoteSubject.ORDER, order_id)
    return ok(await service.list_notes(database, admin, target, before=before, limit=limit))


@router.post(
    "/api/v1/admin/orders/{order_id}/notes",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(),
)
async def add_order_note(
    admin: Annotated[AdminRequest, may_write(Right.SHOP_READ)],
    database: DatabaseDep,
    order_id: ExistingId,
    form: NoteInput,
) -> Envelope[NoteAdded]:
    """Add a note about an order; only operators see it, and the member's data export has it."""
    target = NoteTarget(NoteSubject.ORDER, order_id)
    return to_response(await service.add(database, admin, target, form, clock.now()))


@router.get("/api/v1/admin/members/{user_id}/notes", responses=documented_admin())
async def list_member_notes(
    admin: Annotated[AdminRequest, may_read(Right.MEMBERS_READ)],
    database: DatabaseDep,
    user_id: ExistingId,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[Note]]:
    """List operators' notes about a member, newest first; the audit log records the read."""
    target = NoteTarget(NoteSubject.MEMBER, user_id)
    return ok(await service.list_notes(database, admin, target, before=before, limit=limit))


@router.post(
    "/api/v1/admin/members/{user_id}/notes",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(),
)
async def add_member_note(
    admin: Annotated[AdminRequest, may_write(Right.MEMBERS_READ)],
    database: DatabaseDep,
    user_id: ExistingId,
    form: NoteInput,
) -> Envelope[NoteAdded]:
    """Add a note about a member; only operators see it, and the member's data export has it."""
    target = NoteTarget(NoteSubject.MEMBER, user_id)
    return to_response(await service.add(database, admin, target, form, clock.now()))
