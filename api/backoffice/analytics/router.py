"""Routes of the back office for daily figures."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.backoffice.analytics import service
from api.backoffice.analytics.schemas import FigureSeries
from api.foundation.core import clock
from api.foundation.http.admin_calls import admin_router, documented_admin, may_read
from api.foundation.http.dependencies import DatabaseDep
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.schemas import Envelope, LagosDay, ok

router: APIRouter = admin_router()


@router.get("/api/v1/admin/figures", responses=documented_admin())
async def read_figures(
    admin: Annotated[AdminRequest, may_read(None)],
    database: DatabaseDep,
    first: Annotated[LagosDay | None, Query(alias="from")] = None,
    last: Annotated[LagosDay | None, Query(alias="to")] = None,
) -> Envelope[FigureSeries]:
    """Read the figures of at most 366 Lagos days; amounts require ``money:read``."""
    figures = await service.read_figures(database, admin.operator, first, last, clock.now())
    return ok(figures)
