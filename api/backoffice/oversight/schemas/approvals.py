from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from pydantic import (
    Field,
    StringConstraints,
)

from api.foundation.approvals.enums import ApprovalState, Decision
from api.foundation.approvals.schemas import PendingApproval
from api.foundation.database.days import DayRange
from api.foundation.security.rights import Right
from api.foundation.wire.results import OperatorName, Reason, StoredContent
from api.foundation.wire.schemas import (
    Instant,
    SafeText,
    WireInput,
    WireModel,
)


class Subject(WireModel):
    """What an id refers to: its type, such as ``member`` or ``order``, and its name."""

    type: str = Field(examples=["order"])
    id: UUID
    name: str = Field(examples=["FC-7K3Q9X"])


class ApprovalAnswer(PendingApproval):
    """A proposal, with the operators who made and decided it.

    ``subjects`` are what the ids in its content and result refer to, if the caller may read it.
    ``isOwn`` means that it is open and about the caller's own account: another operator has to
    approve it.
    """

    right: Right
    state: ApprovalState
    is_own: bool
    proposed_by: OperatorName
    proposed_at: Instant
    reason: str
    decided_by: OperatorName | None
    decided_at: Instant | None
    decision_reason: str | None
    result: StoredContent | None
    subjects: list[Subject]


class DecideInput(WireInput):
    """A decision on a proposal; ``digest`` is that of the content that the operator read."""

    digest: Annotated[SafeText, StringConstraints(min_length=64, max_length=64)]
    decision: Decision = Field(strict=False, examples=[Decision.APPROVE])
    reason: Reason


class Decided(WireModel):
    """The state of a proposal, and the result of executing it."""

    state: ApprovalState
    result: StoredContent | None


class ApprovalChange(WireInput):
    """New content of a proposal; the operator who decides has to read it again."""

    content: dict[str, Any] = Field(examples=[{"roles": ["shop"]}])
    reason: Reason


@dataclass(frozen=True)
class AuditFilter:
    """A filter of entries; None matches any."""

    q: str | None
    right: Right | None
    operator_id: UUID | None
    target: str | None
    days: DayRange


class AuditAnswer(WireModel):
    """An audit entry; without an operator the action was done at the command line.

    ``subjects`` are what its ids refer to, if the caller may read it.
    """

    id: UUID
    at: Instant
    operator: OperatorName | None
    right: str
    action: str
    target_type: str
    target_id: str
    before: StoredContent | None
    after: StoredContent | None
    reason: str | None
    request_id: str
    subjects: list[Subject]
