"""HTTP routes of notifications."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api.foundation.core import clock
from api.foundation.http.dependencies import CurrentMember, DatabaseDep, WritingMember
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ExistingId, Id, ok
from api.messaging.notifications import service
from api.messaging.notifications.schemas import (
    NotificationChoice,
    NotificationList,
    NotificationSettings,
    UnreadNotifications,
)

router = APIRouter(tags=["notifications"], route_class=StrictRoute)


@router.get("/api/v1/notifications", responses=documented(401))
async def list_notifications(
    member: CurrentMember,
    database: DatabaseDep,
    before: Annotated[Id | None, Query(description="Only those older than this one")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[NotificationList]:
    """List the member's notifications, newest first."""
    return ok(await service.list_newest(database, member.user_id, before=before, limit=limit))


@router.get("/api/v1/notifications/unread", responses=documented(401))
async def read_unread_notifications(
    member: CurrentMember, database: DatabaseDep
) -> Envelope[UnreadNotifications]:
    """Count the member's unread notifications."""
    return ok(await service.unread(database, member.user_id))


@router.get("/api/v1/notifications/settings", responses=documented(401))
async def read_notification_settings(
    member: CurrentMember, database: DatabaseDep
) -> Envelope[NotificationSettings]:
    """Read the member's mail and push settings."""
    return ok(await service.settings(database, member.user_id))


@router.put("/api/v1/notifications/settings", responses=documented(401, 429))
async def change_notification_settings(
    member: WritingMember,
    database: DatabaseDep,
    form: Annotated[NotificationChoice, Body(default_factory=NotificationChoice)],
) -> Envelope[NotificationSettings]:
    """Change the mail and push settings; the app always shows all notifications."""
    changed = await service.change_settings(database, member.user_id, form, clock.now())
    return ok(changed, "Your choice has been saved.")


@router.post("/api/v1/notifications/read-all", responses=documented(401, 429))
async def read_all_notifications(
    member: WritingMember, database: DatabaseDep
) -> Envelope[UnreadNotifications]:
    """Mark all of the member's notifications as read."""
    return ok(await service.read_all(database, member.user_id, clock.now()))


@router.post("/api/v1/notifications/{notification_id}/read", responses=documented(401, 404, 429))
async def read_notification(
    member: WritingMember, database: DatabaseDep, notification_id: ExistingId
) -> Envelope[UnreadNotifications]:
    """Mark a notification as read."""
    return ok(await service.read(database, member.user_id, notification_id, clock.now()))
