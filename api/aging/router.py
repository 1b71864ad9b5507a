"""The call that makes rows older; it is not described, and production does not have it."""

from fastapi import APIRouter

from api.aging import service
from api.aging.schemas import AgeInput
from api.http.dependencies import DatabaseDep
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ok

router = APIRouter(route_class=StrictRoute, include_in_schema=False)


@router.post("/api/v1/dev/age")
async def age(database: DatabaseDep, form: AgeInput) -> Envelope[None]:
    """Move a row into the past."""
    await service.age(database, form)
    return ok(None)
