from pydantic import (
    Field,
)

from api.foundation.wire.schemas import (
    Content,
    WireModel,
)


class OpenBank(WireModel):
    """Bank lines without a transfer, and confirmed transfers without a line after three days."""

    lines: int
    transfers: int


class Today(WireModel):
    """What waits for the operator, by name, and how ledger and backups are.

    ``proposed`` counts the operator's own open proposals. What the operator may not see is left
    out; null means that it was never checked.
    """

    waiting: dict[str, int] = Field(examples=[{"approvals": 1, "chatReports": 3}])
    proposed: int
    ledger: Content | None = None
    backup: Content | None = None
    bank: OpenBank | None = None
