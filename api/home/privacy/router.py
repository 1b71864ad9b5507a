"""HTTP routes of privacy."""

from typing import Annotated

from fastapi import APIRouter, Depends

from api.foundation.http.dependencies import CurrentMember, SecurityDep, provided
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security.events import SecurityEvent
from api.foundation.wire.schemas import Envelope, ExistingId, ok
from api.home.privacy import service
from api.home.privacy.schemas import EraseInput, ExportAnswer
from api.home.privacy.service import PrivacyContext

PrivacyContextDep = Annotated[PrivacyContext, Depends(provided(PrivacyContext))]

router = APIRouter(tags=["privacy"], route_class=StrictRoute)


@router.get("/api/v1/users/{user_id}/export", responses=documented(401, 404))
async def export_data(
    member: CurrentMember, context: PrivacyContextDep, security: SecurityDep, user_id: ExistingId
) -> Envelope[ExportAnswer]:
    """Export all data held about the member."""
    member.require_self(user_id)
    exported = await service.export(context, member)
    security.record(SecurityEvent.DATA_EXPORTED, user_id=member.user_id)
    return ok(exported)


@router.delete("/api/v1/users/{user_id}", responses=documented(401, 404, 409, 429))
async def delete_account(
    member: CurrentMember,
    context: PrivacyContextDep,
    security: SecurityDep,
    user_id: ExistingId,
    form: EraseInput,
) -> Envelope[None]:
    """Delete the member's account permanently; requires the password."""
    member.require_self(user_id)
    await service.erase(context, member, form)
    security.record(SecurityEvent.ACCOUNT_ERASED, user_id=member.user_id)
    return ok(None, "Your account has been deleted.")
