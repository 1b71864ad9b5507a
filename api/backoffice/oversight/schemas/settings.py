from typing import Annotated

from pydantic import (
    Field,
    StringConstraints,
)

from api.backoffice.oversight.enums import JobOutcome
from api.foundation.office_settings.schemas import AccountText, ClockTime
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
    """Where members transfer money to."""

    account_name: AccountText = Field(examples=["King of Fans"])
    account_number: Annotated[SafeText, StringConstraints(pattern=r"^[0-9]{10}$")] = Field(
        examples=["0123456789"]
    )
    bank: AccountText = Field(examples=["Demo Bank"])


class NewTransferAccount(WireInput):
    """What a second person agrees to: transfers go to another account."""

    transfer_account: TransferAccount


LimitInput = Annotated[NairaOrNothing, Field(examples=[10000]), READ_KEPT_NAIRA, KEEP_NAIRA]


class LimitsInput(WireInput):
    """Limits that are to hold, naira or members; what is not named stays."""

    adjustment_limit: LimitInput | None = None
    adjustment_day_limit: LimitInput | None = None
    refund_limit: LimitInput | None = None
    refund_day_limit: LimitInput | None = None
    confirm_day_limit: LimitInput | None = None
    gift_limit: Annotated[int, Field(ge=0, le=500)] | None = None
    transfer_units_limit: Annotated[int, Field(ge=0, le=MAX_UNITS_LIMIT)] | None = None
    transfer_value_limit: LimitInput | None = None


class SettingsInput(LimitsInput):
    """What is to hold; what is not named stays."""

    version: Annotated[int, Field(ge=1)]
    transfer_account: TransferAccount | None = None
    state_required: bool | None = None
    quiet_from: ClockTime | None = None
    quiet_to: ClockTime | None = None
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
