"""Wire schemas of the settings and of jobs."""

from datetime import time
from typing import Annotated

from pydantic import (
    BeforeValidator,
    Field,
    PlainSerializer,
    StringConstraints,
    WithJsonSchema,
)

from api.backoffice.operators.enums import JobOutcome
from api.backoffice.operators.schemas.common import CLOCK, Reason
from api.foundation.http.wire import (
    KEEP_NAIRA,
    READ_KEPT_NAIRA,
    Instant,
    Naira,
    NairaOrNothing,
    SafeText,
    ShownName,
    WireInput,
    WireModel,
)


def _read_time(value: object) -> object:
    return time.fromisoformat(value) if isinstance(value, str) and CLOCK.fullmatch(value) else value


ClockTime = Annotated[
    time,
    BeforeValidator(_read_time),
    PlainSerializer(lambda moment: f"{moment:%H:%M}", return_type=str),
    WithJsonSchema({"type": "string", "pattern": CLOCK.pattern, "examples": ["22:00"]}),
]
"""A time of day in Lagos, to the minute."""

MAX_UNITS_LIMIT = 5000

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

    Mail that is not about money waits from ``quietFrom`` to ``quietTo``, in Lagos. A member's open
    unpaid orders hold at most ``transferUnitsLimit`` units and ``transferValueLimit`` naira.
    """

    version: int
    transfer_account: TransferAccountAnswer | None
    state_required: bool
    quiet_from: ClockTime
    quiet_to: ClockTime
    adjustment_limit: Annotated[Naira, Field(examples=[10000])]
    adjustment_day_limit: Annotated[Naira, Field(examples=[50000])]
    refund_limit: Annotated[Naira, Field(examples=[100000])]
    refund_day_limit: Annotated[Naira, Field(examples=[500000])]
    confirm_day_limit: Annotated[Naira, Field(examples=[1000000])]
    gift_limit: int = Field(examples=[20])
    transfer_units_limit: int = Field(examples=[20])
    transfer_value_limit: Annotated[Naira, Field(examples=[500000])]


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
