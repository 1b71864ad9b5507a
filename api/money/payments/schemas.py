from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema

from api.foundation.core.money import KOBO_PER_NAIRA, kobo_from_naira
from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import (
    ExistingId,
    ExistingName,
    Id,
    Instant,
    Naira,
    NairaAmount,
    SafeText,
    WireInput,
    WireModel,
)
from api.money.payments.enums import DebtState, DisputeState, FundingStatus, Outcome, ReportState
from api.money.wallet.rules import read_reference
from api.money.wallet.schemas import MoneyMember

ONLY_NUMBER = "Please enter only number in the amount field."  # spec 5
REFERENCE_EXAMPLE = "FW-7K3Q9X2M4N5P6R7S8T9V0W1X2Y"


def _read_amount(value: object) -> int:
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    naira = Decimal(value) if is_number else Decimal("NaN")  # type: ignore[arg-type]  # checked above
    if not naira.is_finite() or naira <= 0:
        raise ValueError(ONLY_NUMBER)
    return kobo_from_naira(naira)


FundingAmount = Annotated[
    int,
    BeforeValidator(_read_amount),
    WithJsonSchema(
        {
            "type": "number",
            "exclusiveMinimum": 0,
            "multipleOf": 1 / KOBO_PER_NAIRA,
            "description": "naira",
            "examples": [5000],
        }
    ),
]


class PrepareFunding(WireInput):
    """The amount to add to the wallet, and the gateway to use."""

    amount: FundingAmount
    user_id: ExistingId | None = Field(default=None, description="The member's own id")
    gateway: SafeText | None = Field(
        default=None,
        description="A gateway of funding-limits; defaults to the first",
        examples=["paystack"],
    )


class CancelFunding(WireInput):
    """The funding whose checkout the member has closed."""

    reference: ExistingName = Field(examples=[REFERENCE_EXAMPLE])


class CancelledFunding(WireModel):
    """The checkout is cancelled; a payment that arrives anyway is credited."""

    status: Literal["cancelled"] = "cancelled"


class CheckoutAddresses(WireModel):
    """The sandbox addresses that the checkout library uses instead of the provider's."""

    checkout_url: str
    paystack_api_url: str
    payment_base_url: str


class PreparedFunding(WireModel):
    """A checkout that the member can open (spec 3, including the spellings)."""

    gateway: str = Field(examples=["paystack"])
    access_code: str | None = Field(
        alias="access_code", examples=["0peioxfhpn"], description="If null, open ``link``"
    )
    redirect_url: str = Field(
        alias="redirectURL", description="Open in a new tab once the checkout reports success"
    )
    link: str = Field(description="The checkout as a separate page")
    reference: str = Field(examples=[REFERENCE_EXAMPLE])
    checkout: CheckoutAddresses | None = Field(description="Only with the sandbox provider")


class OfferedGateway(WireModel):
    """A provider that members can pay through."""

    name: str = Field(examples=["paystack"])
    title: str = Field(examples=["Paystack"])


class FundingLimitsAnswer(WireModel):
    """Funding limits in naira, and the gateways: the default one first."""

    minimum: Naira = Field(examples=[100])
    maximum: Naira = Field(examples=[1_000_000])
    daily_maximum: Naira = Field(examples=[2_000_000])
    remaining_today: Naira = Field(examples=[1_995_000])
    gateways: list[OfferedGateway]


class FundingOutcome(WireModel):
    """The outcome of a funding; pending is neither success nor failure: ask again."""

    status: Outcome = Field(examples=["success"])
    amount: Naira = Field(examples=[5000])


class FundingRow(WireModel):
    """A funding in the back office; ``transactionId`` is the provider's id of the payment."""

    id: UUID
    reference: str
    gateway: str
    amount: Naira
    state: FundingStatus
    review_reason: str | None
    transaction_id: str | None
    member: MoneyMember
    created_at: Instant
    decided_at: Instant | None
    cancelled_at: Instant | None


class AskedFunding(WireModel):
    """The status of a funding, just fetched from its provider."""

    state: FundingStatus


class ReportRow(WireModel):
    """A provider report with a valid signature; 0 bytes if deleted with its member's data."""

    id: UUID
    gateway: str
    type: str
    reference: str | None
    state: ReportState
    funding_state: FundingStatus | None
    reason: str | None
    size_bytes: int
    received_at: Instant


class ReportAnswer(WireModel):
    """The state of a report, and the status of the funding it names, if any."""

    state: ReportState
    funding_state: FundingStatus | None


class DisputeRow(WireModel):
    """A payer's dispute; ``status`` and ``resolution`` are the provider's values."""

    id: UUID
    gateway: str
    case_id: str
    funding_reference: str
    amount: Naira
    charged_back: Naira
    state: DisputeState
    status: str
    resolution: str | None
    member: MoneyMember | None
    opened_at: Instant
    told_at: Instant
    closed_at: Instant | None


class WhyInput(WireInput):
    """The operator's reason."""

    reason: Reason


class ChargebackInput(WireInput):
    """The amount a provider took back from a funding; ``caseId`` is the provider's id."""

    funding_reference: ExistingName = Field(examples=[REFERENCE_EXAMPLE])
    amount: Annotated[NairaAmount, Field(examples=[2500])]
    case_id: Annotated[
        SafeText, StringConstraints(min_length=1, max_length=64), AfterValidator(read_reference)
    ] = Field(examples=["358950"])
    reason: Reason


class ChargedBack(WireModel):
    """The amount debited from the wallet, and the debt."""

    taken: Naira
    debt: Naira
    review_case_id: UUID | None


class DebtRow(WireModel):
    """A chargeback's shortfall; ``debt`` is what is still owed, or was written off.

    ``approvalId`` is the pending proposal to write it off.
    """

    id: UUID
    member: MoneyMember
    funding_reference: str
    case_id: str
    amount: Naira
    debt: Naira
    state: DebtState
    opened_at: Instant
    settled_at: Instant | None
    approval_id: UUID | None


class CollectedDebt(WireModel):
    """The amount collected from the wallet, and what is still owed."""

    taken: Naira
    debt: Naira


class DebtWriteOff(WireInput):
    """The proposal a second person approves: this amount of debt is written off."""

    debt_id: Id
    left_kobo: Annotated[int, Field(ge=1)]
    reason: Reason


def prepared_answer(prepared: PreparedFunding) -> dict[str, Any]:
    """Return the answer to store under an idempotency key."""
    return prepared.model_dump(mode="json", by_alias=True)
