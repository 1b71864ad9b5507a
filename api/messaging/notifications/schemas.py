from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.foundation.wire.schemas import Instant, WireInput, WireModel
from api.messaging.notifications.enums import NotificationKind

TITLE_EXAMPLE = "₦5,000 is in your wallet"
Title = Annotated[str, Field(examples=[TITLE_EXAMPLE])]
Unread = Annotated[int, Field(ge=0, examples=[1])]


class NotificationAnswer(WireModel):
    """What a member was told; ``link`` is a path of the web app, amounts in ``data`` are naira."""

    id: UUID
    kind: NotificationKind
    title: Title
    body: str = Field(examples=["Your wallet has been credited with ₦5,000."])
    link: str = Field(examples=["/wallet"])
    data: dict[str, str | int | float | None] = Field(examples=[{"amount": 5000}])
    created_at: Instant
    read_at: Instant | None


class NotificationList(WireModel):
    """Notifications, newest first, and how many of all are not read."""

    unread: Unread
    rows: list[NotificationAnswer]


class UnreadNotifications(WireModel):
    """How many notifications are not read."""

    unread: Unread


class NotificationHeadline(WireModel):
    """A notification as it is announced; the rest is read over HTTP."""

    id: UUID
    kind: NotificationKind
    title: Title


class NotificationNews(WireModel):
    """The socket event ``notification``: the new one, or null after reading."""

    unread: Unread
    notification: NotificationHeadline | None


class Switches(WireModel):
    """Of which groups a member wants mail, or push."""

    money: bool
    orders: bool
    plans: bool
    community: bool
    games: bool
    matches: bool


class NotificationSettings(WireModel):
    """How a member is told beside the app."""

    mail: Switches
    push: Switches


class GroupChoice(WireInput):
    """Of which groups a member wants mail, or push; what is not named stays as it is."""

    money: bool | None = None
    orders: bool | None = None
    plans: bool | None = None
    community: bool | None = None
    games: bool | None = None
    matches: bool | None = None


class NotificationChoice(WireInput):
    """How a member wants to be told beside the app; what is not named stays as it is."""

    mail: GroupChoice | None = None
    push: GroupChoice | None = None
