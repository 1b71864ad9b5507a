"""Wire shapes of aging."""

from typing import Annotated, Literal

from pydantic import Field

from api.aging.enums import AgedKind
from api.http.wire import ExistingName, WireInput
from api.notifications.enums import NotificationKind

MAX_DAYS = 365
MAX_SECONDS = 10 * 366 * 24 * 60 * 60


class AgeInput(WireInput):
    """Which row becomes older, by its id, an order's number, a reference or an email."""

    kind: Annotated[AgedKind, Field(strict=False)]
    id: ExistingName
    seconds: Annotated[int, Field(ge=1, le=MAX_SECONDS)]


class PointsInput(WireInput):
    """What the caller shall have won."""

    source: Literal["trivia", "battle"]
    points: Annotated[int, Field(ge=1, le=500)]


class NotificationInput(WireInput):
    """What the caller shall be told, as by day, or as in the quiet hours."""

    kind: Annotated[NotificationKind, Field(strict=False)]
    night: bool = False


class DaysInput(WireInput):
    """How many days ago the caller was active, today aside, and how many freezes a week had.

    Without ``freezes`` that is left to the caller's plan.
    """

    active: Annotated[list[Annotated[int, Field(ge=1, le=MAX_DAYS)]], Field(max_length=MAX_DAYS)]
    freezes: Literal[1, 2] | None = None
