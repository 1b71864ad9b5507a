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
    """What an id stands for, such as ``member`` or ``order``, and its name."""

    type: str = Field(examples=["order"])
    id: UUID
    name: str = Field(examples=["FC-7K3Q9X"])


class ApprovalAnswer(PendingApproval):
    """A proposal, with who proposed and who decided it.

    ``subjects`` are what the ids in its content and result stand for, as far as may be read.
    ``isOwn`` says of an open one that it is about the reader's own account: another operator has
    to approve it.
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
    """What a second person says to what they have read: the digest is of that."""

    digest: Annotated[SafeText, StringConstraints(min_length=64, max_length=64)]
    decision: Decision = Field(strict=False, examples=[Decision.APPROVE])
    reason: Reason


class Decided(WireModel):
    """What became of a proposal, and what came of doing it."""

    state: ApprovalState
    result: StoredContent | None


class ApprovalChange(WireInput):
    """Another content of a proposal; whoever decides has to read it again."""

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
    """What somebody did. Without an operator it was done at the command line.

    ``subjects`` are what the ids in it stand for, as far as may be read.
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
