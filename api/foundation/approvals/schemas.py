from typing import Any, Literal
from uuid import UUID

from api.foundation.approvals.enums import ApprovalReason
from api.foundation.wire.results import StoredContent
from api.foundation.wire.schemas import (
    Envelope,
    Instant,
    WireModel,
)


class PendingApproval(WireModel):
    """What waits for a second person; ``reasons`` are why one is not enough.

    They are empty where two people are always needed.
    """

    id: UUID
    kind: str
    content: StoredContent
    digest: str
    reasons: list[ApprovalReason]
    expires_at: Instant


class Proposed(WireModel):
    """The answer, a 202, to what needs a second person."""

    code: Literal["waits_for_second"] = "waits_for_second"
    approval: PendingApproval


WAITING: dict[int | str, dict[str, Any]] = {
    202: {"model": Envelope[Proposed], "description": "It waits for a second person"}
}
"""How a call describes that one person may not be enough."""
