from typing import Annotated

from pydantic import (
    Field,
    StringConstraints,
)

from api.backoffice.oversight.enums import JobOutcome
from api.foundation.office_settings.enums import NewTerms
from api.foundation.office_settings.schemas import AccountText, ClockTime, Publisher
from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import (
    KEEP_NAIRA,
    READ_KEPT_NAIRA,
    Instant,
    NairaOrNothing,
    SafeText,
    WireInput,
    WireModel,
)

MAX_UNITS_LIMIT = 5000


class TransferAccount(WireInput):
    """The bank account that members transfer money to."""

    account_name: AccountText = Field(examples=["King of Fans"])
    account_number: Annotated[SafeText, StringConstraints(pattern=r"^[0-9]{10}$")] = Field(
        examples=["0123456789"]
    )
    bank: AccountText = Field(examples=["Demo Bank"])


class NewTransferAccount(WireInput):
    """The proposal a second person approves: transfers go to another account."""

    transfer_account: TransferAccount


LimitInput = Annotated[NairaOrNothing, Field(examples=[10000]), READ_KEPT_NAIRA, KEEP_NAIRA]


class LimitsInput(WireInput):
    """New limits, in naira, members or units; omitted and null ones stay."""

    adjustment_limit: LimitInput | None = None
    adjustment_day_limit: LimitInput | None = None
    refund_limit: LimitInput | None = None
    refund_day_limit: LimitInput | None = None
    confirm_day_limit: LimitInput | None = None
    gift_limit: Annotated[int, Field(ge=0, le=500)] | None = None
    transfer_units_limit: Annotated[int, Field(ge=0, le=MAX_UNITS_LIMIT)] | None = None
    transfer_value_limit: LimitInput | None = None


class SettingsInput(LimitsInput):
    """The settings to change; omitted and null ones stay."""

    version: Annotated[int, Field(ge=1)]
    transfer_account: TransferAccount | None = None
    state_required: bool | None = None
    quiet_from: ClockTime | None = None
    quiet_to: ClockTime | None = None
    legal: Publisher | None = None
    new_terms: NewTerms | None = Field(None, strict=False)
    reason: Reason | None = None


class JobAnswer(WireModel):
    """A job and its last run; ``nextDueAt`` is null if none is scheduled."""

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
    """A job that was run immediately, and when it started."""

    name: str = Field(examples=["expire-orders"])
    started_at: Instant
