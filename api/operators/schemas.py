"""Shapes of the back office's own calls."""

import re
from collections.abc import Callable, Sequence
from datetime import time
from decimal import Decimal
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from api.database.statements import Row
from api.http.wire import (
    Content,
    Id,
    Instant,
    Naira,
    NairaOrNothing,
    SafeText,
    ShownName,
    WireInput,
    WireModel,
)
from api.operators.enums import ApprovalState, Decision, JobOutcome
from api.operators.rules import LONGEST_REASON
from api.security.rights import Right, Role

RowT = TypeVar("RowT")
LONGEST_EMAIL, LONGEST_ENTERED = 254, 1024
CLOCK = re.compile(r"^([01][0-9]|2[0-3]):[0-5][0-9]$")

Reason = Annotated[SafeText, StringConstraints(min_length=1, max_length=LONGEST_REASON)]

Entered = Annotated[SafeText, StringConstraints(max_length=LONGEST_ENTERED)]


def _numbers(content: Content) -> Content:
    """Return JSON as the database read it, its numbers as the wire writes them."""
    return {name: _number(value) for name, value in content.items()}


def _number(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return _numbers(value)
    return [_number(part) for part in value] if isinstance(value, list) else value


StoredContent = Annotated[Content, PlainSerializer(_numbers)]


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
    content: StoredContent
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
    result: StoredContent | None


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


class AuditAnswer(WireModel):
    """What somebody did. Without an operator it was done at the command line."""

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


def _read_time(value: object) -> object:
    return time.fromisoformat(value) if isinstance(value, str) and CLOCK.fullmatch(value) else value


ClockTime = Annotated[
    time,
    BeforeValidator(_read_time),
    PlainSerializer(lambda moment: f"{moment:%H:%M}", return_type=str),
    WithJsonSchema({"type": "string", "pattern": CLOCK.pattern, "examples": ["22:00"]}),
]
"""A time of day in Lagos, to the minute."""

AccountText = Annotated[ShownName, StringConstraints(min_length=2, max_length=100)]


class TransferAccount(WireInput):
    """Where members transfer money to."""

    account_name: AccountText = Field(examples=["King of Fans"])
    account_number: Annotated[SafeText, StringConstraints(pattern=r"^[0-9]{10}$")] = Field(
        examples=["0123456789"]
    )
    bank: AccountText = Field(examples=["Demo Bank"])


class TransferAccountAnswer(WireModel):
    """Where members transfer money to, as the back office or the deployment has it."""

    account_name: str
    account_number: str
    bank: str


class NewTransferAccount(WireInput):
    """What a second person agrees to: transfers go to another account."""

    transfer_account: TransferAccount


class OfficeSettings(WireModel):
    """What holds; above these limits, naira or members, a second person is needed.

    Mail that is not about money waits from ``quietFrom`` to ``quietTo``, in Lagos.
    """

    version: int
    transfer_account: TransferAccountAnswer | None
    state_required: bool
    quiet_from: ClockTime
    quiet_to: ClockTime
    adjustment_limit: Annotated[Naira, Field(examples=[10000])]
    adjustment_day_limit: Annotated[Naira, Field(examples=[50000])]
    refund_limit: Annotated[Naira, Field(examples=[100000])]
    gift_limit: int = Field(examples=[20])


LimitInput = Annotated[NairaOrNothing, Field(examples=[10000])]


class SettingsInput(WireInput):
    """What is to hold; what is not named stays."""

    version: Annotated[int, Field(ge=1)]
    transfer_account: TransferAccount | None = None
    state_required: bool | None = None
    quiet_from: ClockTime | None = None
    quiet_to: ClockTime | None = None
    adjustment_limit: LimitInput | None = None
    adjustment_day_limit: LimitInput | None = None
    refund_limit: LimitInput | None = None
    gift_limit: Annotated[int, Field(ge=0, le=500)] | None = None
    reason: Reason | None = None


class JobAnswer(WireModel):
    """A job and how it went; ``nextDueAt`` is null for what no clock does."""

    name: str = Field(examples=["expire-orders"])
    last_run_at: Instant | None
    outcome: JobOutcome | None
    next_due_at: Instant | None
    running: bool
    can_run: bool
    succeeded_at: Instant | None
    successes: int
    failures: int


class StartedJob(WireModel):
    """A job that was done at once, and when it began."""

    name: str = Field(examples=["expire-orders"])
    started_at: Instant
