"""Wire schemas of products (spec 3, 7; contract B-30, B-87)."""

from typing import Annotated
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
)

from api.foundation.wire.schemas import (
    Naira,
    NairaAmount,
    SafeText,
    ShownName,
    WireModel,
)
from api.shop import rules


class VariantAnswer(WireModel):
    """A size of a product; ``available`` is how many units can be ordered now, at most 99."""

    id: UUID
    size: str = Field(examples=["L"])
    available: int = Field(ge=0, le=99)
    is_default: bool


class ProductAnswer(WireModel):
    """A product; ``available`` is how many units can be ordered now, at most 99."""

    id: UUID
    name: str = Field(examples=["Enyimba Home Jersey 2026"])
    price: Annotated[Naira, Field(examples=[15000])]
    description: str
    image: str
    thumbnail: str
    star: int = Field(ge=0, le=10)
    available: int = Field(ge=0, le=99)
    variants: list[VariantAnswer] = Field(description="Empty if the product has no sizes")


class ProductOffer(BaseModel):
    """A product as operators define it; ``picture`` is a file beside the offer's."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[
        ShownName, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)
    ]
    description: Annotated[SafeText, StringConstraints(max_length=2000)] = ""
    naira: NairaAmount
    star: Annotated[int, Field(ge=0, le=10)] = 0
    stock: Annotated[int, Field(ge=0, le=1_000_000)]
    picture: Annotated[SafeText, AfterValidator(rules.check_picture)]
