"""Wire shapes of aging."""

from typing import Annotated

from pydantic import Field

from api.aging.enums import AgedKind
from api.http.wire import ExistingName, WireInput

LONGEST_SECONDS = 10 * 366 * 24 * 60 * 60


class AgeInput(WireInput):
    """Which row becomes older, by its id, an order's number or a funding's reference."""

    kind: Annotated[AgedKind, Field(strict=False)]
    id: ExistingName
    seconds: Annotated[int, Field(ge=1, le=LONGEST_SECONDS)]
