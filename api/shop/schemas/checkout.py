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
            "description": "The id of a product; a malformed id is an unknown product.",
        }
    ),
]
ShortText = Annotated[SafeText, StringConstraints(min_length=1, max_length=200)]
BillingText = Annotated[SafeText, StringConstraints(min_length=1, max_length=100)]


class TransferInstructions(WireModel):
    """The bank account that transfers go to."""

    account_name: str
    account_number: str
    bank: str
    instructions: str


class StateFee(WireModel):
    """The delivery fee of a state."""

    state: str = Field(examples=["Lagos"])
    fee: Annotated[Naira, Field(examples=[1500])]


class SavedAddressAnswer(WireModel):
    """The delivery address that the member has saved."""

    first_name: str
    last_name: str
    phone: str
    address: str
    state: str | None = None


class CheckoutOptions(WireModel):
    """The payment methods, the delivery fees and the member's saved address.

    ``bankTransfer`` is null if no account is set.
    """

    bank_transfer: TransferInstructions | None
    states: list[StateFee]
    state_required: bool = Field(description="Whether an order must name its state")
    saved_address: SavedAddressAnswer | None


class CartLine(WireInput):
    """A product and its quantity. ``price`` is what the member saw; it is only compared.

    Browsers send the whole stored line, so other fields are ignored.
    """

    model_config = ConfigDict(extra="ignore")

    id: ProductId
    variant_id: ProductId | None = Field(
        default=None, description="A size of the product; defaults to its default size"
    )
    quantity: Annotated[int, AfterValidator(rules.check_quantity)] = Field(examples=[2])
    price: NairaInput | None = Field(default=None, examples=[2500.5])


class Billing(WireInput):
    """The delivery address."""

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
    """A checkout; the server's prices apply."""

    carts: Annotated[list[CartLine], AfterValidator(rules.check_cart)]
    user_id: ExistingId | None = None
    billing: Billing
    payment_method: Annotated[PaymentMethod, Field(strict=False)]
    delivery_fee: NairaInput | None = Field(default=None, description="The fee the member saw")
    save_address: bool = Field(default=False, description="Keep the address for the next order")


class CheckoutAnswer(WireModel):
    """The order that was placed; ``total`` includes the delivery fee."""

    order_number: str = Field(examples=["FC-7K3Q9X"])
    order_id: UUID
    total: Annotated[Naira, Field(examples=[17500.5])]
    items_total: Naira
    delivery_fee: Naira
    pay_by: Instant | None = Field(description="When an unpaid bank transfer order expires")


class OpenOrder(WireModel):
    """An order awaiting its bank transfer."""

    order_id: UUID
    order_number: str = Field(examples=["FC-7K3Q9X"])
    total: Naira
    created_at: Instant
    pay_by: Instant
