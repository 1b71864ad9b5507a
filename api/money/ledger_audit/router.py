"""Back-office routes of the ledger's proofs."""

from typing import Annotated

from fastapi import APIRouter, Query

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
from api.money.ledger_audit import service
from api.money.ledger_audit.schemas import LedgerFindings, ProofAnswer

MAX_PAGE_SIZE = 100

router: APIRouter = admin_router()


@router.get("/api/v1/admin/proofs", responses=documented_admin())
async def list_proofs(
    _admin: Annotated[AdminRequest, may_read(Right.MONEY_READ)],
    database: DatabaseDep,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 50,
) -> Envelope[Page[ProofAnswer]]:
    """List the results of ledger audits, newest first."""
    return ok(await service.list_proofs(database, before=before, limit=limit))


@router.post("/api/v1/admin/proofs", status_code=201, responses=documented_admin(409, 422))
async def prove_ledger(
    admin: Annotated[AdminRequest, may_write(Right.MONEY_READ)], database: DatabaseDep
) -> Envelope[LedgerFindings]:
    """Audit the whole ledger now: check that every kobo is accounted for."""
    return to_response(await service.prove_now(database, admin))
