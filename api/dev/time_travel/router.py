"""Test-only routes, neither documented nor available in production."""

from fastapi import APIRouter

from api.dev.time_travel import service
from api.dev.time_travel.schemas import AgeInput, DaysInput, NotificationInput, PointsInput
from api.foundation.core import clock
from api.foundation.http.dependencies import CurrentMember, DatabaseDep
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ok

router = APIRouter(route_class=StrictRoute, include_in_schema=False)


@router.post("/api/v1/dev/age")
async def age(database: DatabaseDep, form: AgeInput) -> Envelope[None]:
    """Backdate a row."""
    await service.age(database, form)
    return ok(None)


@router.post("/api/v1/dev/points")
async def give_points(
    member: CurrentMember, database: DatabaseDep, form: PointsInput
) -> Envelope[None]:
    """Award the caller points."""
    await service.give_points(database, member, form, clock.now())
    return ok(None)


@router.post("/api/v1/dev/days")
async def give_days(
    member: CurrentMember, database: DatabaseDep, form: DaysInput
) -> Envelope[None]:
    """Set the caller's streak before today."""
    await service.give_days(database, member, form, clock.now())
    return ok(None)


@router.post("/api/v1/dev/notifications")
async def tell(
    member: CurrentMember, database: DatabaseDep, form: NotificationInput
) -> Envelope[None]:
    """Notify the caller, including a push message."""
    await service.notify(database, member, form, clock.now())
    return ok(None)
