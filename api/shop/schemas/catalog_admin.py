"""Wire schemas of products, sizes and fees in the back office (contract section E)."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import (
    ExistingId,
    Naira,
    NairaAmount,
    NairaOrNothing,
    SafeText,
    ShownName,
    WireInput,
    WireModel,
)
from api.shop import rules
from api.shop.schemas.checkout import StateFee

ProductName = Annotated[
    ShownName, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)
]
Description = Annotated[SafeText, StringConstraints(max_length=2000)]
Price = Annotated[NairaAmount, Field(examples=[15000])]
Star = Annotated[int, Field(ge=0, le=10)]
Position = Annotated[int, Field(ge=0, le=100_000)]
Version = Annotated[int, Field(ge=1)]
Size = Annotated[
    ShownName,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=12),
    Field(examples=["XL"]),
]


class VariantRow(WireModel):
    """A size in the back office; without a size it is the product itself.

    ``available`` is ``stock`` less what is ``allocated`` to unshipped orders.
    """

    id: UUID
    size: Annotated[str | None, Field(examples=["XL"])]
    is_default: bool
    hidden: bool
    position: int
    version: int
    stock: int
    allocated: int
    available: int


class ProductRow(WireModel):
    """A product in the back office, hidden or not; quantities are totals over its sizes."""

    id: UUID
    name: str = Field(examples=["Club Scarf"])
    price: Annotated[Naira, Field(examples=[2500.5])]
    description: str
    image: str
    thumbnail: str
    star: int
    hidden: bool
    position: int
    version: int
    stock: int
    allocated: int
    available: int
    variants: list[VariantRow]


class ProductInput(WireInput):
    """A new product, without a picture or stock."""

    name: ProductName = Field(examples=["Club Scarf"])
    price: Price
    description: Description = ""
    star: Star = 0
    hidden: bool = False
    position: Position | None = None


def _emptied(text: object) -> object:
    return "" if text is None else text


class ProductChange(WireInput):
    """Fields of a product to change; existing orders keep their prices.

    A ``description`` of null clears it.
    """

    version: Version
    name: ProductName | None = None
    price: Price | None = None
    description: Annotated[Description | None, BeforeValidator(_emptied)] = None
    star: Star | None = None
    hidden: bool | None = None
    position: Position | None = None


class VariantInput(WireInput):
    """A new size, without stock; it goes last if no position is given."""

    size: Size
    is_default: bool = False
    hidden: bool = False
    position: Position | None = None


class VariantChange(WireInput):
    """Fields of a size to change. A new default replaces the previous one."""

    version: Version
    size: Size | None = None
    is_default: bool | None = None
    hidden: bool | None = None
    position: Position | None = None


class StockInput(WireInput):
    """Units to add or remove; without a size, those of the product's default."""

    product_id: ExistingId
    variant_id: ExistingId | None = None
    change: Annotated[int, AfterValidator(rules.check_stock_change), Field(examples=[40])]
    reason: Reason


class ShelfStock(WireModel):
    """The stock of a size, how much is allocated to orders, and what is left."""

    stock: int
    allocated: int
    available: int


class FeeInput(WireInput):
    """The delivery fee of a state."""

    state: Annotated[SafeText, AfterValidator(rules.check_state)] = Field(examples=["Lagos"])
    fee: Annotated[NairaOrNothing, AfterValidator(rules.check_fee), Field(examples=[1500])]


def _each_once(fees: list[FeeInput]) -> list[FeeInput]:
    if len({one.state for one in fees}) != len(fees):
        raise ValueError("A state has one fee")
    return fees


class FeesInput(WireInput):
    """Delivery fees to set; omitted states keep theirs."""

    version: Version
    fees: Annotated[
        list[FeeInput],
        Field(min_length=1, max_length=len(rules.STATES)),
        AfterValidator(_each_once),
    ]


class FeeList(WireModel):
    """The delivery fee of each state; send ``version`` back with a change."""

    version: int
    fees: list[StateFee]


PICTURE_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {
                            "type": "string",
                            "format": "binary",
                            "description": "a JPEG, PNG or WebP of at most 2,097,152 bytes",
                        }
                    },
                }
            }
        },
    }
}
