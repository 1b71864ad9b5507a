"""Shapes of the back office's own calls."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from api.database.statements import Row
from api.http.wire import Content, Id, Instant, SafeText, WireInput, WireModel
from api.operators.enums import ApprovalState, Decision
from api.operators.rules import LONGEST_REASON
from api.security.rights import Right, Role

RowT = TypeVar("RowT")
LONGEST_EMAIL = 254
LONGEST_ENTERED = 1024

Reason = Annotated[SafeText, StringConstraints(min_length=1, max_length=LONGEST_REASON)]
"""Why an operator does something."""

Entered = Annotated[SafeText, StringConstraints(max_length=LONGEST_ENTERED)]


def _without_repeats(roles: list[Role]) -> list[Role]:
    return [role for role in Role if role in roles]


Roles = Annotated[
    list[Annotated[Role, Field(strict=False)]],
    Field(min_length=1, max_length=len(Role), examples=[["finance"]]),
    AfterValidator(_without_repeats),
]


class Page(WireModel, Generic[RowT]):
    """Rows, newest first; ``next`` is the ``before`` of the next page, null after the last."""

    rows: list[RowT]
    next: str | None

    @classmethod
    def of(cls, found: Sequence[Row], limit: int, show: Callable[[Row], RowT]) -> "Page[RowT]":
        """Return the page of rows that were read, by their ``id``: one more than ``limit``."""
        shown = found[:limit]
        following = str(shown[-1]["id"]) if len(found) > limit else None
        return Page(rows=[show(row) for row in shown], next=following)


class AdminSignInInput(WireInput):
    """Who signs in at the back office; whatever is wrong is answered alike."""

    email: Entered = Field(examples=["ops@example.com"])
    password: Annotated[str, StringConstraints(max_length=LONGEST_ENTERED)] = Field(
        examples=["Terrace-2026"]
    )
    code: Entered = Field(examples=["123456"])


class FreshInput(WireInput):
    """A code that the phone shows now."""

    code: Entered = Field(examples=["123456"])


class OperatorMe(WireModel):
    """Who is signed in at the back office, and until when."""

    id: UUID
    user_id: UUID
    name: str
    roles: list[Role]
    rights: list[Right]
    idle_ends_at: Instant
    ends_at: Instant
    fresh_until: Instant


class AdminSignInAnswer(WireModel):
    """A session at the back office."""

    token: str
    me: OperatorMe


class Today(WireModel):
    """What waits for the operator, by name, and how ledger and backups are."""

    waiting: dict[str, int] = Field(examples=[{"approvals": 1, "chatReports": 3}])
    ledger: Content | None
    backup: Content | None


class OperatorName(WireModel):
    """An operator, as others name them."""

    id: UUID
    name: str


class OperatorAnswer(WireModel):
    """An operator; ``canSignIn`` is false until a phone was set up, and while disabled."""

    id: UUID
    user_id: UUID
    name: str
    email: str
    roles: list[Role]
    version: int
    disabled: bool
    can_sign_in: bool
    created_at: Instant


class OperatorInput(WireInput):
    """A member who shall work at the back office."""

    email: Annotated[SafeText, StringConstraints(min_length=1, max_length=LONGEST_EMAIL)]
    roles: Roles
    reason: Reason


class OperatorChange(WireInput):
    """Other roles, or disabled or not: one of the two."""

    version: Annotated[int, Field(ge=1)]
    roles: Roles | None = None
    disabled: bool | None = None
    reason: Reason

    @model_validator(mode="after")
    def _one_of_the_two(self) -> "OperatorChange":
        if (self.roles is None) == (self.disabled is None):
            raise ValueError("Name the roles, or whether the operator is disabled")
        return self


class NewOperator(WireInput):
    """What a second person agrees to: a member becomes an operator."""

    user_id: Id
    email: SafeText
    roles: Roles


class NewRoles(WireInput):
    """What a second person agrees to: an operator has other roles."""

    operator_id: Id
    version: Annotated[int, Field(ge=1)]
    roles: Roles


class PendingApproval(WireModel):
    """What waits for a second person."""

    id: UUID
    kind: str
    content: Content
    digest: str
    expires_at: Instant


class Proposed(WireModel):
    """The answer, a 202, to what needs a second person."""

    approval: PendingApproval


class ApprovalAnswer(PendingApproval):
    """A proposal, with who proposed and who decided it."""

    right: Right
    state: ApprovalState
    proposed_by: OperatorName
    proposed_at: Instant
    reason: str
    decided_by: OperatorName | None
    decided_at: Instant | None
    decision_reason: str | None
    result: Content | None


class DecideInput(WireInput):
    """What a second person says to what they have read: the digest is of that."""

    digest: Annotated[SafeText, StringConstraints(min_length=64, max_length=64)]
    decision: Decision = Field(strict=False, examples=[Decision.APPROVE])
    reason: Reason


class Decided(WireModel):
    """What became of a proposal, and what came of doing it."""

    state: ApprovalState
    result: Content | None


class ApprovalChange(WireInput):
    """Another content of a proposal; whoever decides has to read it again."""

    content: dict[str, Any] = Field(examples=[{"roles": ["shop"]}])
    reason: Reason


class AuditAnswer(WireModel):
    """What somebody did. Without an operator it was done at the command line."""

    id: UUID
    at: Instant
    operator: OperatorName | None
    right: str
    action: str
    target_type: str
    target_id: str
    before: Content | None
    after: Content | None
    reason: str | None
    request_id: str
