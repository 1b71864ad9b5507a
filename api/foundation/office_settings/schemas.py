import re
from datetime import date, time
from typing import Annotated

from pydantic import (
    BeforeValidator,
    Field,
    PlainSerializer,
    StringConstraints,
    WithJsonSchema,
)

from api.foundation.office_settings.enums import NewTerms
from api.foundation.wire.schemas import (
    Email,
    LagosDay,
    Naira,
    SafeText,
    ShownName,
    WireInput,
    WireModel,
)

CLOCK = re.compile(r"^([01][0-9]|2[0-3]):[0-5][0-9]$")


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

PublisherText = Annotated[ShownName, StringConstraints(min_length=2, max_length=200)]


class TransferAccountAnswer(WireModel):
    """The account for bank transfers, set by the back office or the deployment."""

    account_name: str
    account_number: str
    bank: str


class Publisher(WireInput):
    """Who runs the app, as the legal pages name them; ``effective`` is since when they hold.

    Without a ``regulator`` they name the Nigeria Data Protection Commission.
    """

    name: PublisherText = Field(examples=["Harbour Rovers FC Ltd"])
    address: PublisherText = Field(examples=["1 Stadium Road, Lagos, Nigeria"])
    email: Email = Field(examples=["privacy@example.com"])
    phone: Annotated[
        SafeText, StringConstraints(pattern=r"^\+?[0-9][0-9 ]{6,20}$", strip_whitespace=True)
    ] = Field(examples=["+234 800 000 0000"])
    regulator: PublisherText | None = None
    effective: LagosDay = Field(examples=["2026-12-01"], strict=False)


class PublisherAnswer(WireModel):
    """Who runs the app; a null ``regulator`` is the Nigeria Data Protection Commission."""

    name: str
    address: str
    email: str
    phone: str
    regulator: str | None
    effective: date


class OfficeSettings(WireModel):
    """The settings in effect; above the limits, in naira or members, a second person is needed.

    From ``quietFrom`` to ``quietTo``, in Lagos, mail waits; mail about money is sent at once, and
    match reminders are dropped. A member's open
    unpaid orders hold at most ``transferUnitsLimit`` units and ``transferValueLimit`` naira.
    ``legal`` is null until the legal pages name who runs the app; ``newTerms`` is what happens when
    their texts have a new version.
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
    legal: PublisherAnswer | None
    new_terms: NewTerms
