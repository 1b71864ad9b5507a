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
    """A proposal that needs a second person; ``reasons`` are why.

    They are empty if its kind always needs two people.
    """

    id: UUID
    kind: str
    content: StoredContent
    digest: str
    reasons: list[ApprovalReason]
    expires_at: Instant


class Proposed(WireModel):
    """The 202 response to an action that needs a second person."""

    code: Literal["waits_for_second"] = "waits_for_second"
    approval: PendingApproval


WAITING: dict[int | str, dict[str, Any]] = {
    202: {"model": Envelope[Proposed], "description": "Needs a second person"}
}
"""The documented response of calls that may need a second person."""
