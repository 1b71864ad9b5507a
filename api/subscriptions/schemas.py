"""Wire shapes of the plans (spec 3, 7; contract B-56 to B-59)."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from api.core.money import LARGEST_KOBO
from api.http.wire import (
    Existing,
    ExistingId,
    Instant,
    Naira,
    NairaInput,
    ShownName,
    WireInput,
    WireModel,
)
from api.subscriptions import rules
from api.subscriptions.enums import PlanPeriod
from api.subscriptions.errors import PlanNotFoundError


class PlanAnswer(WireModel):
    """One plan on offer; ``benefits`` are separated by commas."""

    id: UUID
    plan: str = Field(examples=["Battle Pass"])
    amount: Annotated[Naira, Field(examples=[1500])]
    duration: int = Field(ge=1, examples=[1])
    period: PlanPeriod
    benefits: str = Field(examples=["Battle Zone every day,Five Daily Quest questions a day"])
    battle_zone: bool


class SubscribeInput(WireInput):
    """Which plan to take; the server's price and clock decide."""

    subscription_id: Annotated[UUID, Existing(PlanNotFoundError)] = Field(
        examples=["0190b5c2-7d3e-7a41-9c55-0f2b8d1e6a70"]
    )
    user_id: ExistingId | None = None


class SubscribeAnswer(WireModel):
    """The period that was bought; ``credited`` is what unused days of an older plan gave back."""

    subscription_id: UUID
    plan: str = Field(examples=["Battle Pass"])
    starts_at: Instant
    ends_at: Instant
    credited: Annotated[Naira, Field(examples=[0])]


class CurrentPlan(WireModel):
    """Which plan the member is on; all null when none, or when its period is over."""

    is_battle_zone_plan: bool
    subscription_id: UUID | None
    plan: Annotated[str | None, Field(examples=["Battle Pass"])]
    starts_at: Instant | None
    ends_at: Instant | None


PlanText = Annotated[
    ShownName, StringConstraints(strip_whitespace=True, min_length=2, max_length=60)
]


class PlanOffer(BaseModel):
    """A plan as operators write it: ``naira`` for ``duration`` periods."""

    model_config = ConfigDict(extra="forbid")

    name: PlanText
    naira: Annotated[NairaInput, Field(ge=0, le=LARGEST_KOBO)]
    duration: Annotated[int, Field(ge=1, le=1000)] = 1
    period: PlanPeriod
    benefits: Annotated[
        list[Annotated[PlanText, AfterValidator(rules.check_benefit)]], Field(max_length=12)
    ] = []
    battle_zone: bool = False
