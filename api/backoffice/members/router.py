"""HTTP routes of members in the back office."""

from typing import Annotated

from fastapi import Depends, Query
from pydantic import StringConstraints

from api.backoffice.members.schemas import (
    MemberPage,
    MemberRow,
    MoveInput,
    Revoked,
    Suspended,
    SuspendInput,
    WhyMember,
)
from api.backoffice.members.service import actions, queries
from api.backoffice.members.service.queries import MembersContext
from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import DatabaseDep, provided
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, SafeText, ok
from api.people.users.schemas import ClubMove

SearchPrefix = Annotated[SafeText, StringConstraints(min_length=3, max_length=100)]
Reader = Annotated[AdminRequest, may_read(Right.MEMBERS_READ)]
Suspender = Annotated[AdminRequest, may_write(Right.MEMBERS_SUSPEND)]
Writer = Annotated[AdminRequest, may_write(Right.MEMBERS_WRITE)]

router = admin_router()


@router.get("/api/v1/admin/members", responses=documented_admin())
async def search_members(
    admin: Reader,
    database: DatabaseDep,
    q: SearchPrefix | None = None,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[MemberRow]]:
    """Search members by a prefix of name, email or phone, or by an order number."""
    return ok(await queries.search(database, admin, q, before=before, limit=limit))


@router.get("/api/v1/admin/members/{user_id}", responses=documented_admin())
async def read_member(
    admin: Reader,
    context: Annotated[MembersContext, Depends(provided(MembersContext))],
    user_id: ExistingId,
) -> Envelope[MemberPage]:
    """Read a member, limited to the operator's rights; the audit log records the read."""
    return ok(await queries.read_member(context, admin, user_id))


@router.post("/api/v1/admin/members/{user_id}/suspend", responses=documented_admin(409))
async def suspend_member(
    admin: Suspender, database: DatabaseDep, user_id: ExistingId, form: SuspendInput
) -> Envelope[Suspended]:
    """Suspend a member until a given time, or until they are restored."""
    return to_response(await actions.suspend(database, admin, user_id, form, clock.now()))


@router.post("/api/v1/admin/members/{user_id}/restore", responses=documented_admin(409))
async def restore_member(
    admin: Suspender, database: DatabaseDep, user_id: ExistingId, form: WhyMember
) -> Envelope[Suspended]:
    """End a member's suspension."""
    return to_response(await actions.restore(database, admin, user_id, form))


@router.post("/api/v1/admin/members/{user_id}/revoke-sessions", responses=documented_admin())
async def revoke_sessions_of(
    admin: Writer, database: DatabaseDep, user_id: ExistingId, form: WhyMember
) -> Envelope[Revoked]:
    """Sign a member out everywhere."""
    return to_response(await actions.revoke_sessions(database, admin, user_id, form))


@router.post("/api/v1/admin/members/{user_id}/club", responses=documented_admin(409))
async def change_club_of(
    admin: Writer, database: DatabaseDep, user_id: ExistingId, form: MoveInput
) -> Envelope[ClubMove]:
    """Move a member to another club; sockets reconnect, tokens and points are kept."""
    return to_response(await actions.change_club(database, admin, user_id, form))
