"""Wire schemas of subscriptions (spec 3, 7; contract B-56 to B-59)."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import (
    Existing,
    ExistingId,
    Id,
    Instant,
    Naira,
    NairaOrNothing,
    ShownName,
    WireInput,
    WireModel,
)
from api.money.subscriptions import rules
from api.money.subscriptions.enums import PeriodState, PlanPeriod, PlanStanding
from api.money.subscriptions.errors import PlanNotFoundError

Period = Annotated[PlanPeriod, Field(strict=False)]


class PlanAnswer(WireModel):
    """A plan on offer; ``benefits`` are separated by commas."""

    id: UUID
    plan: str = Field(examples=["Battle Pass"])
    amount: Annotated[Naira, Field(examples=[1500])]
    duration: int = Field(ge=1, examples=[1])
    period: PlanPeriod
    benefits: str = Field(examples=["Battle Zone every day,Five Daily Quest questions a day"])
    battle_zone: bool


class AgreedTerms(WireInput):
    """What a plan cost, and how long a period of it was, when the member decided."""

    amount: NairaOrNothing
    duration: Annotated[int, Field(ge=1)]
    period: Period


class SubscribeInput(WireInput):
    """The plan to subscribe to; the server's price and clock apply.

    With ``agreed``, the terms that the member saw, it is bought on these terms or not at all.
    """

    subscription_id: Annotated[UUID, Existing(PlanNotFoundError)] = Field(
        examples=["0190b5c2-7d3e-7a41-9c55-0f2b8d1e6a70"]
    )
    user_id: ExistingId | None = None
    agreed: AgreedTerms | None = None


class SubscribeAnswer(WireModel):
    """The purchased period; ``credited`` is the refund for unused days of an older plan."""

    subscription_id: UUID
    plan: str = Field(examples=["Battle Pass"])
    starts_at: Instant
    ends_at: Instant
    credited: Annotated[Naira, Field(examples=[0])]


class ComingPrice(WireModel):
    """The plan's future price for the member, from the renewal at ``from`` on."""

    amount: Annotated[Naira, Field(examples=[1800])]
    from_: Annotated[Instant, Field(alias="from")]


class CurrentPlan(WireModel):
    """The member's plan; all null without one, or once its period is over.

    ``state`` is ``grace`` from the end of a period that could not be renewed until ``graceEndsAt``.
    ``nextAmount`` is what the next renewal would cost, null if the plan cannot be renewed;
    ``priceChange`` is a later price.
    """

    is_battle_zone_plan: bool
    subscription_id: UUID | None
    plan: Annotated[str | None, Field(examples=["Battle Pass"])]
    starts_at: Instant | None
    ends_at: Instant | None
    state: PlanStanding
    renews: bool
    grace_ends_at: Instant | None
    gift: bool
    next_amount: Annotated[Naira | None, Field(examples=[1500])]
    price_change: ComingPrice | None


class RenewalInput(WireInput):
    """Whether the plan renews automatically when its period ends."""

    renews: bool


class PeriodAnswer(WireModel):
    """A period of a member's plan; ``credited`` is the refund for its unused days."""

    id: UUID
    subscription_id: UUID
    plan: str = Field(examples=["Battle Pass"])
    amount: Annotated[Naira, Field(examples=[1500])]
    starts_at: Instant
    ends_at: Instant
    state: PeriodState
    renews: bool
    gift: bool
    credited: Annotated[Naira, Field(examples=[0])]


PlanText = Annotated[
    ShownName, StringConstraints(strip_whitespace=True, min_length=2, max_length=60)
]
Benefits = Annotated[
    list[
        Annotated[
            ShownName,
            StringConstraints(min_length=1, max_length=80),
            AfterValidator(rules.check_benefit),
        ]
    ],
    Field(min_length=1, max_length=12, examples=[["Battle Zone every day"]]),
]
Amount = Annotated[NairaOrNothing, Field(examples=[1500])]
Duration = Annotated[int, Field(ge=1, le=1000)]
Position = Annotated[int, Field(ge=0, le=100_000)]
Periods = Annotated[int, Field(ge=1, le=12)]
UserIds = Annotated[list[Id], Field(min_length=1, max_length=500)]


class PlanInput(WireInput):
    """A new plan: ``amount`` for ``duration`` periods; it goes last if no position is given."""

    plan: PlanText = Field(examples=["Battle Pass"])
    amount: Amount
    duration: Duration
    period: Period
    benefits: Benefits
    battle_zone: bool = False
    hidden: bool = False
    position: Position | None = None


class PlanChange(WireInput):
    """Fields of a plan to change; current periods are never affected."""

    version: Annotated[int, Field(ge=1)]
    plan: PlanText | None = None
    amount: Amount | None = None
    duration: Duration | None = None
    period: Period | None = None
    benefits: Benefits | None = None
    battle_zone: bool | None = None
    hidden: bool | None = None
    position: Position | None = None


class PlanRow(WireModel):
    """A plan in the back office; send ``version`` back with a change."""

    id: UUID
    plan: str = Field(examples=["Battle Pass"])
    amount: Annotated[Naira, Field(examples=[1500])]
    duration: int
    period: PlanPeriod
    benefits: list[str]
    battle_zone: bool
    hidden: bool
    position: int
    version: int


class GiftInput(WireInput):
    """A plan to give to a member; ``replace`` ends another one that they have paid for."""

    plan_id: Annotated[UUID, Existing(PlanNotFoundError)]
    periods: Periods
    replace: bool = False
    reason: Reason


class GiftAnswer(WireModel):
    """The period that was given."""

    id: UUID
    starts_at: Instant
    ends_at: Instant


class GiftsInput(WireInput):
    """Members to give a plan; above the settings' limits a second person decides."""

    user_ids: UserIds
    periods: Periods
    reason: Reason


class GiftsWanted(WireInput):
    """The proposal a second person approves: members are given a plan."""

    plan_id: Id
    user_ids: UserIds
    periods: Periods
    replace: bool = False


class SkippedGift(WireModel):
    """A member who was skipped, and why."""

    user_id: UUID
    code: str = Field(examples=["already_subscribed"])


class GiftsAnswer(WireModel):
    """How many members were given the plan, and who was skipped."""

    given: int
    skipped: list[SkippedGift]


class PlanOffer(BaseModel):
    """A plan as operators define it: ``naira`` for ``duration`` periods."""

    model_config = ConfigDict(extra="forbid")

    name: PlanText
    naira: NairaOrNothing
    duration: Annotated[int, Field(ge=1, le=1000)] = 1
    period: PlanPeriod
    benefits: Annotated[
        list[Annotated[PlanText, AfterValidator(rules.check_benefit)]], Field(max_length=12)
    ] = []
    battle_zone: bool = False
