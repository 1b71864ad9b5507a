"""Routes of the back office for mails and backups."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, status

from api.backoffice.system.ports import MailContext
from api.backoffice.system.schemas import AskedBackup, BackupRow, MailRow, RetriedMail
from api.backoffice.system.service import backups, mails
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import DatabaseDep, provided
from api.foundation.jobs.listing import StoredState
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingName, ok

MailsDep = Annotated[MailContext, Depends(provided(MailContext))]
Limit = Annotated[int, Query(ge=1, le=100)]
Reader = Annotated[AdminRequest, may_read(Right.SYSTEM_READ)]
Writer = Annotated[AdminRequest, may_write(Right.SYSTEM_WRITE)]

router: APIRouter = admin_router()


@router.get("/api/v1/admin/mails", responses=documented_admin())
async def list_mails(
    _admin: Reader,
    context: MailsDep,
    state: StoredState | None = None,
    before: ExistingName | None = None,
    limit: Limit = 50,
) -> Envelope[Page[MailRow]]:
    """List pending and dead mails, newest first, without their content."""
    return ok(await mails.list_mails(context, state, before=before, limit=limit))


@router.post("/api/v1/admin/mails/{mail_id}/retry", responses=documented_admin(409))
async def retry_mail(
    admin: Writer, context: MailsDep, mail_id: ExistingName
) -> Envelope[RetriedMail]:
    """Retry a dead mail."""
    return to_response(await mails.retry_mail(context, admin, mail_id))


@router.get("/api/v1/admin/backups", responses=documented_admin())
async def list_backups(
    _admin: Reader,
    database: DatabaseDep,
    before: ExistingName | None = None,
    limit: Limit = 14,
) -> Envelope[Page[BackupRow]]:
    """List backups, newest first, and whether their restore test succeeded."""
    return ok(await backups.list_backups(database, before=before, limit=limit))


@router.post(
    "/api/v1/admin/backups",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(503),
)
async def ask_for_backup(admin: Writer, database: DatabaseDep) -> Envelope[AskedBackup]:
    """Request a backup now; it is in the list when it is done."""
    return to_response(await backups.ask_for_backup(database, admin))
