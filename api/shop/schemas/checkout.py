"""Wire schemas of the checkout (spec 3, 7; contract B-31 to B-36, B-88)."""

from typing import Annotated
from uuid import UUID

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)

from api.foundation.wire.schemas import (
    ExistingId,
    Instant,
    Naira,
    NairaInput,
    SafeText,
    WireInput,
    WireModel,
)
from api.shop import rules
from api.shop.enums import (
    PaymentMethod,
)

ProductId = Annotated[
    UUID | str,
    PlainValidator(rules.read_product_id),
    WithJsonSchema(
        {
            "anyOf": [{"type": "string"}, {"type": "integer"}],
            "description": "The id of a product; whatever is none is an unknown product.",
        }
    ),
]
ShortText = Annotated[SafeText, StringConstraints(min_length=1, max_length=200)]
BillingText = Annotated[SafeText, StringConstraints(min_length=1, max_length=100)]


class TransferInstructions(WireModel):
    """Where a bank transfer goes."""

    account_name: str
    account_number: str
    bank: str
    instructions: str


class StateFee(WireModel):
    """What the delivery into a state costs."""

    state: str = Field(examples=["Lagos"])
    fee: Annotated[Naira, Field(examples=[1500])]


class SavedAddressAnswer(WireModel):
    """Where a member's orders go, as they asked to have it kept."""

    first_name: str
    last_name: str
    phone: str
    address: str
    state: str | None = None


class CheckoutOptions(WireModel):
    """Which ways to pay are open, what deliveries cost, and where the member's go.

    ``bankTransfer`` is null where the house has not set its account.
    """

    bank_transfer: TransferInstructions | None
    states: list[StateFee]
    state_required: bool = Field(description="Whether an order must name its state")
    saved_address: SavedAddressAnswer | None


class CartLine(WireInput):
    """One wish: the product and how many. The price is what the member saw, and only compared.

    Browsers send the whole stored line, so its other fields are let through and ignored.
    """

    model_config = ConfigDict(extra="ignore")

    id: ProductId
    variant_id: ProductId | None = Field(
        default=None, description="A size of the product; without one it is the default"
    )
    quantity: Annotated[int, AfterValidator(rules.check_quantity)] = Field(examples=[2])
    price: NairaInput | None = Field(default=None, examples=[2500.5])


class Billing(WireInput):
    """Where the order goes."""

    first_name: Annotated[BillingText, Field(examples=["Ada"])]
    last_name: Annotated[BillingText, Field(examples=["Obi"])]
    phone: Annotated[SafeText, StringConstraints(min_length=10, max_length=20)] = Field(
        examples=["08031234567"]
    )
    address: Annotated[SafeText, StringConstraints(min_length=1, max_length=300)] = Field(
        examples=["12 Stadium Road, Aba"]
    )
    state: Annotated[SafeText, AfterValidator(rules.check_state)] | None = Field(
        default=None, examples=["Lagos"]
    )


class CheckoutInput(WireInput):
    """A checkout; the server's prices decide."""

    carts: Annotated[list[CartLine], AfterValidator(rules.check_cart)]
    user_id: ExistingId | None = None
    billing: Billing
    payment_method: Annotated[PaymentMethod, Field(strict=False)]
    delivery_fee: NairaInput | None = Field(default=None, description="The fee the member saw")
    save_address: bool = Field(default=False, description="Keep the address for the next order")


class CheckoutAnswer(WireModel):
    """The order that was placed; ``total`` is its items and the delivery."""

    order_number: str = Field(examples=["FC-7K3Q9X"])
    order_id: UUID
    total: Annotated[Naira, Field(examples=[17500.5])]
    items_total: Naira
    delivery_fee: Naira
    pay_by: Instant | None = Field(description="When an unpaid bank transfer order expires")


class OpenOrder(WireModel):
    """An order that waits for its bank transfer."""

    order_id: UUID
    order_number: str = Field(examples=["FC-7K3Q9X"])
    total: Naira
    created_at: Instant
    pay_by: Instant
