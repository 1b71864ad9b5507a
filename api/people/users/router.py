"""HTTP routes of the member record."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from api.foundation.core import clock
from api.foundation.http.admin_calls import admin_router, documented_admin, may_read
from api.foundation.http.admission import LoadClass
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.dependencies import CurrentMember, DatabaseDep, WritingMember, provided
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.http.uploads import UploadGate
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ok
from api.people.users.schemas import UPDATE_FORM, BankAnswer, Profile
from api.people.users.service import account, profile
from api.people.users.service.profile import ProfileContext

UPDATE_PATH = "/api/v1/users/updatekyc"
BODY_LIMITS = {UPDATE_PATH: BodyLimit(profile.FORM.body_bytes, profile.AVATAR_TOO_LARGE)}
LOAD_CLASSES = {UPDATE_PATH: LoadClass.COSTLY}
SAVED = "Your profile has been saved."
ProfileContextDep = Annotated[ProfileContext, Depends(provided(ProfileContext))]
GateDep = Annotated[UploadGate, Depends(provided(UploadGate))]

router = APIRouter(tags=["users"], route_class=StrictRoute)
back_office = admin_router()


@router.get("/api/v1/users/{user_id}", responses=documented(401, 404))
async def read_profile(
    member: CurrentMember, context: ProfileContextDep, user_id: ExistingId
) -> Envelope[Profile]:
    """Read the member's own record; another member's id is not found."""
    member.require_self(user_id)
    return ok(await profile.profile(context, member.user_id))


@router.post(UPDATE_PATH, responses=documented(401, 404, 409, 415, 429), openapi_extra=UPDATE_FORM)
async def update_profile(
    request: Request, member: CurrentMember, context: ProfileContextDep, gate: GateDep
) -> Envelope[Profile]:
    """Save the member's own record, and a new picture of at most 2 MB if one is sent."""
    async with gate.received_form(request, profile.FORM, context.uploads, member.user_id) as form:
        saved = await profile.save(context, member.user_id, form)
    return ok(saved.profile, SAVED if saved.hint is None else f"{SAVED} {saved.hint}")


@router.put("/api/v1/users/{user_id}/tour", responses=documented(401, 404, 429))
async def see_tour(
    member: WritingMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[None]:
    """Record that the member has seen the tour; repeating it changes nothing."""
    member.require_self(user_id)
    await account.see_tour(database, member.user_id, clock.now())
    return ok(None)


@router.get("/api/v1/banks", responses=documented(401))
async def list_banks(_member: CurrentMember) -> Envelope[list[BankAnswer]]:
    """List the banks supported for settlement accounts."""
    return ok(profile.list_banks())


@back_office.get("/api/v1/admin/banks", responses=documented_admin())
async def list_transfer_banks(
    _admin: Annotated[AdminRequest, may_read(Right.ORDERS_CONFIRM)],
) -> Envelope[Page[BankAnswer]]:
    """List the banks a confirmed transfer can come from, by name."""
    return ok(Page(rows=profile.list_banks(), next=None))


router.routes.extend(back_office.routes)
