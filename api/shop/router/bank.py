"""Back-office routes of bank statements."""

from typing import Annotated

from fastapi import Depends, Query, Request

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
from api.foundation.wire.schemas import Envelope, ExistingId, ok
from api.shop.enums import BankLineFilter
from api.shop.schemas.bank import (
    STATEMENT_FORM,
    BankLineAnswer,
    MatchInput,
    MissingTransfer,
    StatementImport,
)
from api.shop.service import bank_lines, bank_statements

STATEMENTS = "/api/v1/admin/bank-statements"
LINES = "/api/v1/admin/bank-lines"
BODY_LIMITS = {STATEMENTS: BodyLimit(bank_statements.FORM.body_bytes, bank_statements.TOO_LARGE)}

back_office = admin_router()


@back_office.post(
    STATEMENTS, responses=documented_admin(409, 413, 415), openapi_extra=STATEMENT_FORM
)
async def import_bank_statement(
    request: Request,
    admin: Annotated[AdminRequest, may_write(Right.MONEY_WRITE, fresh=True)],
    uploads: Annotated[UploadContext, Depends(provided(UploadContext))],
    gate: Annotated[UploadGate, Depends(provided(UploadGate))],
) -> Envelope[StatementImport]:
    """Check a bank statement (CSV, 2,097,152 bytes); with its digest, import all or nothing.

    Known lines change nothing. New ones are matched to confirmed transfers by amount, day
    and reference.
    """
    async with gate.received_form(
        request, bank_statements.FORM, uploads.uploads, admin.operator.user_id
    ) as form:
        return to_response(
            await bank_statements.import_statement(uploads.database, admin, form, clock.now())
        )


@back_office.get(LINES, responses=documented_admin())
async def list_bank_lines(
    _admin: Annotated[AdminRequest, may_read(Right.MONEY_READ)],
    database: DatabaseDep,
    state: BankLineFilter | None = None,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[BankLineAnswer]]:
    """List bank statement lines, newest first, with the transfers they match."""
    return ok(await bank_lines.list_bank_lines(database, state, before=before, limit=limit))


@back_office.get("/api/v1/admin/bank-transfers", responses=documented_admin())
async def list_missing_transfers(
    _admin: Annotated[AdminRequest, may_read(Right.MONEY_READ)],
    database: DatabaseDep,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[MissingTransfer]]:
    """List confirmed transfers missing from every statement three days after payment.

    The list is empty until the first statement is imported. Last confirmed first.
    """
    return ok(await bank_lines.list_missing(database, before=before, limit=limit))


@back_office.post(f"{LINES}/{{line_id}}/match", responses=documented_admin(409))
async def match_bank_line(
    admin: Annotated[AdminRequest, may_write(Right.MONEY_WRITE)],
    database: DatabaseDep,
    line_id: ExistingId,
    form: MatchInput,
) -> Envelope[BankLineAnswer]:
    """Match a line to an order's confirmed transfer of the same amount, once.

    Operators cannot match a transfer for their own order (`own_proposal`).
    """
    return to_response(await bank_lines.match_by_hand(database, admin, line_id, form, clock.now()))
