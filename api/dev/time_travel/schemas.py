from typing import Annotated, Literal

from pydantic import Field

from api.dev.time_travel.enums import AgedKind
from api.foundation.wire.schemas import ExistingName, WireInput
from api.messaging.notifications.enums import NotificationKind

MAX_DAYS = 365
MAX_SECONDS = 10 * 366 * 24 * 60 * 60


class AgeInput(WireInput):
    """The row to backdate, by its id, an order's number, a reference or an email."""

    kind: Annotated[AgedKind, Field(strict=False)]
    id: ExistingName
    seconds: Annotated[int, Field(ge=1, le=MAX_SECONDS)]


class PointsInput(WireInput):
    """The points to award to the caller."""

    source: Literal["trivia", "battle"]
    points: Annotated[int, Field(ge=1, le=500)]


class NotificationInput(WireInput):
    """The notification to send to the caller, by day or during quiet hours."""

    kind: Annotated[NotificationKind, Field(strict=False)]
    night: bool = False


class DaysInput(WireInput):
    """The days on which the caller was active, in days before today, and freezes per week.

    Without ``freezes`` the caller's plan decides.
    """

    active: Annotated[list[Annotated[int, Field(ge=1, le=MAX_DAYS)]], Field(max_length=MAX_DAYS)]
    freezes: Literal[1, 2] | None = None
