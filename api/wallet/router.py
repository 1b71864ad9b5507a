"""HTTP calls of the wallet."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.core import clock
from api.http.admin_answers import answered
from api.http.admin_calls import admin_router, documented_admin, may_read, may_write
from api.http.dependencies import CurrentMember, DatabaseDep
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ExistingId, Id, ok
from api.operators.schemas import Page
from api.security.operators import Acting
from api.security.rights import Right
from api.wallet import service
from api.wallet.enums import ReviewState
from api.wallet.schemas import DecideCase, ReviewCaseAnswer, StatementRow, WalletBalance

LONGEST_PAGE = 100

router = APIRouter(tags=["wallet"], route_class=StrictRoute)
back_office = admin_router()


@router.get("/api/v1/payment/wallet-balance/{user_id}", responses=documented(401, 404))
async def read_wallet_balance(
    member: CurrentMember, database: DatabaseDep, user_id: ExistingId
) -> Envelope[WalletBalance]:
    """Read what the member's wallet holds."""
    member.require_self(user_id)
    return ok(WalletBalance(balance=await service.balance(database, member.user_id)))


@router.get("/api/v1/payment/statement/{user_id}", responses=documented(401, 404))
async def read_statement(
    member: CurrentMember,
    database: DatabaseDep,
    user_id: ExistingId,
    before: Annotated[Id | None, Query(description="Rows older than this one")] = None,
    limit: Annotated[int, Query(ge=1, le=LONGEST_PAGE)] = 20,
) -> Envelope[list[StatementRow]]:
    """List the wallet's movements, newest first."""
    member.require_self(user_id)
    rows = await service.statement(database, member.user_id, before=before, limit=limit)
    return ok(rows)


@back_office.get("/api/v1/admin/review-cases", responses=documented_admin())
async def list_review_cases(
    _acting: Annotated[Acting, may_read(Right.MONEY_READ)],
    database: DatabaseDep,
    state: ReviewState | None = None,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=LONGEST_PAGE)] = 50,
) -> Envelope[Page[ReviewCaseAnswer]]:
    """List money that waits for a person, or did, newest first."""
    return ok(await service.list_reviews(database, state, before=before, limit=limit))


@back_office.post("/api/v1/admin/review-cases/{case_id}/accept", responses=documented_admin(409))
async def accept_review_case(
    acting: Annotated[Acting, may_write(Right.MONEY_WRITE, fresh=True)],
    database: DatabaseDep,
    case_id: ExistingId,
    form: DecideCase,
) -> Envelope[ReviewCaseAnswer]:
    """Credit the amount to the member's wallet, once."""
    accepted = ReviewState.ACCEPTED
    return answered(await service.decide(database, acting, case_id, accepted, form, clock.now()))


@back_office.post("/api/v1/admin/review-cases/{case_id}/refuse", responses=documented_admin(409))
async def refuse_review_case(
    acting: Annotated[Acting, may_write(Right.MONEY_WRITE)],
    database: DatabaseDep,
    case_id: ExistingId,
    form: DecideCase,
) -> Envelope[ReviewCaseAnswer]:
    """Leave the wallet as it is, with a reason."""
    refused = ReviewState.REFUSED
    return answered(await service.decide(database, acting, case_id, refused, form, clock.now()))


router.routes.extend(back_office.routes)
