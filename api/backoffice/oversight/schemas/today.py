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
    """The operator's open tasks by name, and the state of ledger, backups and bank lines.

    ``proposed`` counts the operator's own open proposals. Parts that the operator may not see are
    omitted; null means never checked.
    """

    waiting: dict[str, int] = Field(examples=[{"approvals": 1, "chatReports": 3}])
    proposed: int
    ledger: Content | None = None
    backup: Content | None = None
    bank: OpenBank | None = None
