"""Wire shapes of the shop (spec 3, 7; contract B-30 to B-39)."""

from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)

from api.core.money import LARGEST_KOBO
from api.http.wire import (
    ExistingId,
    Instant,
    Naira,
    NairaInput,
    SafeText,
    ShownName,
    WireInput,
    WireModel,
)
from api.shop import rules
from api.shop.enums import (
    OrderActor,
    OrderEventKind,
    OrderStatus,
    PaymentMethod,
    TransferOutcome,
)
from api.users.rules import check_bank

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
BillingText = Annotated[SafeText, StringConstraints(min_length=1, max_length=100)]


class VariantAnswer(WireModel):
    """One size of a product; ``available`` is how many units can be ordered now, at most 99."""

    id: UUID
    size: str = Field(examples=["L"])
    available: int = Field(ge=0, le=99)
    is_default: bool


class ProductAnswer(WireModel):
    """One product; ``available`` is how many units can be ordered now, at most 99."""

    id: UUID
    name: str = Field(examples=["Enyimba Home Jersey 2026"])
    price: Annotated[Naira, Field(examples=[15000])]
    description: str
    image: str
    thumbnail: str
    star: int = Field(ge=0, le=10)
    available: int = Field(ge=0, le=99)
    variants: list[VariantAnswer] = Field(description="Its sizes; none for one that has no sizes")


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


class OrderedProduct(WireModel):
    """One line of an order, as it was then; ``id`` is the product's."""

    line: int
    id: UUID
    name: str
    price: Naira
    thumbnail: str
    quantity: int
    variant_id: UUID | None = None
    size: str | None = None
    refunded_quantity: int


class OrderAnswer(WireModel):
    """One of the member's orders."""

    id: UUID
    order_number: str
    product_meta_data: Annotated[list[OrderedProduct], Field(alias="product_meta_data")]  # spec 3
    billing: dict[str, Any]
    status: OrderStatus
    is_paid: Annotated[bool, Field(alias="is_paid")]  # spec 3: snake_case
    payment_method: Annotated[PaymentMethod, Field(alias="payment_method")]  # spec 3: snake_case
    total: Naira
    pay_by: Instant | None = Field(description="When an unpaid bank transfer order expires")
    created_at: Instant


class OrderEventAnswer(WireModel):
    """Something that happened to an order, and where it led."""

    kind: OrderEventKind | Literal["placed"]
    status: OrderStatus
    at: Instant
    by: OrderActor
    note: str | None


class OrderDetail(OrderAnswer):
    """One order with its history; ``received`` is what came in for it, in naira."""

    items_total: Naira
    delivery_fee: Naira
    refunded_total: Naira
    received: Naira
    transfer: TransferInstructions | None = Field(description="Null once it is paid or over")
    events: list[OrderEventAnswer] = Field(description="Oldest first")
    can_cancel: bool


class CancelOrder(WireInput):
    """Why the member cancels, if they say."""

    reason: Annotated[SafeText, StringConstraints(min_length=1, max_length=200)] | None = None


class CancelledOrder(WireModel):
    """What a cancellation came to: what went back to the wallet, and what it holds now."""

    status: OrderStatus
    refunded: Naira
    balance: Naira


class OrderMember(WireModel):
    """Whose order it is."""

    id: UUID
    first_name: str
    last_name: str
    email: str | None
    phone: str | None


class AdminOrder(OrderAnswer):
    """An order in the back office's list."""

    member: OrderMember


class AdminOrderDetail(OrderDetail):
    """An order as its member sees it, and whose it is."""

    member: OrderMember


class ConfirmTransfer(WireInput):
    """A bank transfer as the bank's statement has it; ``bank`` is a code of ``banks``."""

    bank: Annotated[str, StringConstraints(min_length=1), AfterValidator(check_bank)] = Field(
        examples=["058"]
    )
    reference: Annotated[
        SafeText,
        StringConstraints(min_length=4, max_length=64),
        AfterValidator(rules.check_bank_reference),
    ]
    amount: Annotated[NairaInput, Field(ge=1, le=LARGEST_KOBO)]
    paid_on: Annotated[date, Field(strict=False)]


class TransferConfirmed(WireModel):
    """What a bank transfer came to: what came in altogether, is missing, or is too much."""

    outcome: TransferOutcome
    status: OrderStatus
    received: Naira
    missing: Naira
    surplus: Naira


class ShipOrder(WireInput):
    """Who carries an order, and under which number."""

    carrier: Annotated[SafeText, StringConstraints(min_length=1, max_length=60)] | None = None
    tracking: Annotated[SafeText, StringConstraints(min_length=1, max_length=60)] | None = None


class MovedOrder(WireModel):
    """Where an order is now."""

    status: OrderStatus


class ProductOffer(BaseModel):
    """A product as operators write it; ``picture`` is a file beside theirs."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[
        ShownName, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)
    ]
    description: Annotated[SafeText, StringConstraints(max_length=2000)] = ""
    naira: Annotated[NairaInput, Field(ge=1, le=LARGEST_KOBO)]
    star: Annotated[int, Field(ge=0, le=10)] = 0
    stock: Annotated[int, Field(ge=0, le=1_000_000)]
    picture: Annotated[SafeText, AfterValidator(rules.check_picture)]
