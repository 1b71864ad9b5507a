"""HTTP calls of the wallet."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.http.dependencies import CurrentMember, DatabaseDep
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ExistingId, Id, ok
from api.wallet import service
from api.wallet.schemas import StatementRow, WalletBalance

LONGEST_PAGE = 100

router = APIRouter(tags=["wallet"], route_class=StrictRoute)


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
