"""HTTP routes of the wallet."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response, status
from pydantic import StringConstraints

from api.foundation.approvals.schemas import WAITING
from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import CurrentMember, DatabaseDep, SettingsDep, provided
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, Id, LagosDay, SafeText, ok
from api.money.wallet.enums import ReviewState
from api.money.wallet.ports import ReviewContext, StatementContext
from api.money.wallet.schemas import (
    AdjustmentAnswer,
    AdjustmentInput,
    DecideCase,
    MonthRow,
    ReviewCaseAnswer,
    StatementRow,
    WalletBalance,
)
from api.money.wallet.service import adjustments, ledger
from api.money.wallet.service import reviews as reviews_service
from api.money.wallet.service import statements as statements_service
from api.money.wallet.service.statements import StatementSearch

MAX_PAGE_SIZE = 100
MAX_MONTHS = 24
CSV = "text/csv; charset=utf-8"
CSV_HEADERS = {
    "Content-Disposition": 'attachment; filename="statement.csv"',
    "Cache-Control": "no-store",
}

Kinds = Annotated[SafeText, StringConstraints(max_length=100)]


def _search(
    first: Annotated[LagosDay | None, Query(alias="from", description="Lagos")] = None,
    last: Annotated[LagosDay | None, Query(alias="to", description="Lagos, inclusive")] = None,
    kind: Annotated[Kinds | None, Query(description="Comma-separated kinds")] = None,
) -> StatementSearch:
    return StatementSearch(first, last, kind)


Search = Annotated[StatementSearch, Depends(_search)]

ReviewsDep = Annotated[ReviewContext, Depends(provided(ReviewContext))]

router = APIRouter(tags=["wallet"], route_class=StrictRoute)
back_office = admin_router()


@router.get("/api/v1/payment/wallet-balance/{user_id}", responses=documented(401, 404))
async def read_wallet_balance(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[WalletBalance]:
    """Read the balance of the member's wallet, and what they owe."""
    member.require_self(user_id)
    balance, debt = await ledger.holdings(database, member.user_id)
    return ok(WalletBalance(balance=balance, debt=debt))


@router.get("/api/v1/payment/statement/{user_id}", responses=documented(401, 404))
async def read_statement(
    member: CurrentMember,
    statements: Annotated[StatementContext, Depends(provided(StatementContext))],
    user_id: ExistingId,
    search: Search,
    before: Annotated[Id | None, Query(description="Rows older than this one")] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 20,
) -> Envelope[list[StatementRow]]:
    """List the wallet's transactions, newest first."""
    member.require_self(user_id)
    rows = await statements_service.statement(
        statements, member.user_id, search, before=before, limit=limit
    )
    return ok(rows)


@router.get(
    "/api/v1/payment/statement/{user_id}/csv",
    response_class=Response,
    responses={
        **documented(401, 404),
        200: {"content": {"text/csv": {"schema": {"type": "string"}}}},
    },
)
async def download_statement(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId, search: Search
) -> Response:
    """Download the wallet's transactions as a file, oldest first; at most 10,000 rows."""
    member.require_self(user_id)
    text = await statements_service.statement_csv(database, member.user_id, search)
    return Response(text, media_type=CSV, headers=CSV_HEADERS)


@router.get("/api/v1/payment/statement/{user_id}/months", responses=documented(401, 404))
async def list_months(
    member: CurrentMember,
    database: DatabaseDep,
    user_id: ExistingId,
    limit: Annotated[int, Query(ge=1, le=MAX_MONTHS)] = 12,
) -> Envelope[list[MonthRow]]:
    """List the wallet's monthly totals, oldest first, without gaps."""
    member.require_self(user_id)
    return ok(
        await statements_service.months(database, member.user_id, limit=limit, now=clock.now())
    )


@back_office.get("/api/v1/admin/review-cases", responses=documented_admin())
async def list_review_cases(
    _admin: Annotated[AdminRequest, may_read(Right.MONEY_READ)],
    reviews: ReviewsDep,
    state: ReviewState | None = None,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 50,
) -> Envelope[Page[ReviewCaseAnswer]]:
    """List review cases, open or decided, newest first."""
    return ok(await reviews_service.list_reviews(reviews, state, before=before, limit=limit))


@back_office.get("/api/v1/admin/review-cases/{case_id}", responses=documented_admin())
async def read_review_case(
    _admin: Annotated[AdminRequest, may_read(Right.MONEY_READ)],
    reviews: ReviewsDep,
    case_id: ExistingId,
) -> Envelope[ReviewCaseAnswer]:
    """Read a review case, open or decided."""
    return ok(await reviews_service.read_review(reviews, case_id))


@back_office.post(
    "/api/v1/admin/review-cases/{case_id}/accept", responses=documented_admin(409) | WAITING
)
async def accept_review_case(
    admin: Annotated[AdminRequest, may_write(Right.MONEY_WRITE, fresh=True)],
    reviews: ReviewsDep,
    case_id: ExistingId,
    form: DecideCase,
) -> Envelope[ReviewCaseAnswer]:
    """Credit the amount to the member's wallet, once."""
    accepted = ReviewState.ACCEPTED
    return to_response(
        await reviews_service.decide(reviews, admin, case_id, accepted, form, clock.now())
    )


@back_office.post("/api/v1/admin/review-cases/{case_id}/refuse", responses=documented_admin(409))
async def refuse_review_case(
    admin: Annotated[AdminRequest, may_write(Right.MONEY_WRITE)],
    reviews: ReviewsDep,
    case_id: ExistingId,
    form: DecideCase,
) -> Envelope[ReviewCaseAnswer]:
    """Refuse a review case with a reason; the wallet does not change."""
    refused = ReviewState.REFUSED
    return to_response(
        await reviews_service.decide(reviews, admin, case_id, refused, form, clock.now())
    )


@back_office.post(
    "/api/v1/admin/members/{user_id}/adjustments",
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(402, 409) | WAITING,
)
async def adjust_wallet(
    admin: Annotated[AdminRequest, may_write(Right.ADJUST_PROPOSE, fresh=True)],
    database: DatabaseDep,
    settings: SettingsDep,
    user_id: ExistingId,
    form: AdjustmentInput,
) -> Envelope[AdjustmentAnswer]:
    """Credit or debit a wallet; above the limits a second person decides (202)."""
    done = await adjustments.adjust(
        *(database, admin, user_id, form, clock.now()), allows_test=not settings.is_production
    )
    return to_response(done)


router.routes.extend(back_office.routes)
