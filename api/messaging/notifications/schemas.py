from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.foundation.wire.schemas import Instant, WireInput, WireModel
from api.messaging.notifications.enums import NotificationKind

TITLE_EXAMPLE = "₦5,000 is in your wallet"
Title = Annotated[str, Field(examples=[TITLE_EXAMPLE])]
Unread = Annotated[int, Field(ge=0, examples=[1])]


class NotificationAnswer(WireModel):
    """A notification; ``link`` is a path of the web app, amounts in ``data`` are naira."""

    id: UUID
    kind: NotificationKind
    title: Title
    body: str = Field(examples=["Your wallet has been credited with ₦5,000."])
    link: str = Field(examples=["/wallet"])
    data: dict[str, str | int | float | None] = Field(examples=[{"amount": 5000}])
    created_at: Instant
    read_at: Instant | None


class NotificationList(WireModel):
    """Notifications, newest first, and the total unread count."""

    unread: Unread
    rows: list[NotificationAnswer]


class UnreadNotifications(WireModel):
    """The number of unread notifications."""

    unread: Unread


class NotificationHeadline(WireModel):
    """The part of a notification that is sent by socket; read the rest over HTTP."""

    id: UUID
    kind: NotificationKind
    title: Title


class NotificationNews(WireModel):
    """The socket event ``notification``: a new one, or null after a read."""

    unread: Unread
    notification: NotificationHeadline | None


class Switches(WireModel):
    """The groups for which mail, or push, is on."""

    money: bool
    orders: bool
    plans: bool
    community: bool
    games: bool
    matches: bool


class NotificationSettings(WireModel):
    """A member's mail and push settings."""

    mail: Switches
    push: Switches


class GroupChoice(WireInput):
    """The groups to switch on or off for mail, or push; omitted and null ones stay."""

    money: bool | None = None
    orders: bool | None = None
    plans: bool | None = None
    community: bool | None = None
    games: bool | None = None
    matches: bool | None = None


class NotificationChoice(WireInput):
    """The mail and push settings to change; omitted and null ones stay."""

    mail: GroupChoice | None = None
    push: GroupChoice | None = None
