"""HTTP routes of notifications, and the page that switches mail off."""

import functools
from html import escape
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Query, Request, Response, status

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.rate_limit import REFUSED_CALLS
from api.foundation.http.dependencies import (
    AddressDep,
    CurrentMember,
    DatabaseDep,
    LimiterDep,
    SettingsDep,
    WritingMember,
    count_refusal,
    limit_lookups,
)
from api.foundation.http.pages import StyledPage
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ExistingId, Id, ok
from api.messaging.notifications import service
from api.messaging.notifications.rules import unsubscribing
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


JSON = "application/json"
UNSUBSCRIBE_PATH = unsubscribing.PATH + "{token}"
anonymous = [Depends(limit_lookups)]
UNKNOWN_LINK = (
    "This link does not work",
    "It is incomplete, or has been replaced. Sign in and choose under Notifications which mails "
    "you get.",
)


@router.api_route(
    UNSUBSCRIBE_PATH,
    methods=["GET", "HEAD"],
    dependencies=anonymous,
    include_in_schema=False,  # an HTML page
)
async def show_unsubscribe(
    database: DatabaseDep,
    settings: SettingsDep,
    limiter: LimiterDep,
    address: AddressDep,
    token: str,
) -> Response:
    """Show the page of a mail's link; mail scanners follow links, so it changes nothing."""
    key = settings.code_key.get_secret_value()
    try:
        group = await service.find_unsubscribing(database, key, token)
    except NotFoundError:
        await count_refusal(limiter, REFUSED_CALLS, address)
        return _unsubscribe_page(*UNKNOWN_LINK, status_code=status.HTTP_404_NOT_FOUND)
    about = unsubscribing.WORDS[group]
    words = "You still find everything under Notifications in the app."
    return _unsubscribe_page(f"Stop mails about {about}?", words, button="Stop these mails")


@router.post(
    UNSUBSCRIBE_PATH,
    dependencies=anonymous,
    include_in_schema=False,  # for mail clients (RFC 8058), and an HTML page
)
async def unsubscribe(
    request: Request,
    database: DatabaseDep,
    settings: SettingsDep,
    limiter: LimiterDep,
    address: AddressDep,
    token: str,
) -> Response:
    """Switch the mail of the token's group off; no sign-in, and repeating it changes nothing.

    Browsers get a page, mail clients the envelope.
    """
    key = settings.code_key.get_secret_value()
    wants_page = "text/html" in request.headers.get("accept", "")
    try:
        group = await service.unsubscribe(database, key, token, clock.now())
    except NotFoundError:
        if not wants_page:
            raise
        await count_refusal(limiter, REFUSED_CALLS, address)
        return _unsubscribe_page(*UNKNOWN_LINK, status_code=status.HTTP_404_NOT_FOUND)
    done = f"You get no more mails about {unsubscribing.WORDS[group]}."
    if not wants_page:
        return Response(ok(None, done).model_dump_json(by_alias=True), media_type=JSON)
    return _unsubscribe_page(done, "You can change this under Notifications in the app.")


def _unsubscribe_page(
    title: str, words: str, *, button: str | None = None, status_code: int = status.HTTP_200_OK
) -> Response:
    form = "" if button is None else f'<form method="post"><button>{escape(button)}</button></form>'
    answer = _page().answer(title=escape(title), words=escape(words), form=form)
    answer.status_code = status_code
    return answer


@functools.cache
def _page() -> StyledPage:
    """Return the page of mails' links."""
    return StyledPage(Path(__file__).with_name("unsubscribe_page.html"), has_form=True)
