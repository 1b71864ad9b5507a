"""Wire shapes of the shop (spec 3, 7; contract B-30 to B-39)."""

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
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus, PaymentMethod

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


class TransferInstructions(WireModel):
    """Where a bank transfer goes."""

    account_name: str
    account_number: str
    bank: str
    instructions: str


class CheckoutOptions(WireModel):
    """Which ways to pay are open; null where the house has not set its account."""

    bank_transfer: TransferInstructions | None


class CartLine(WireInput):
    """One wish: the product and how many. The price is what the member saw, and only compared.

    Browsers send the whole stored line, so its other fields are let through and ignored.
    """

    model_config = ConfigDict(extra="ignore")

    id: ProductId
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


class CheckoutInput(WireInput):
    """A checkout; the server's prices decide."""

    carts: Annotated[list[CartLine], AfterValidator(rules.check_cart)]
    user_id: ExistingId | None = None
    billing: Billing
    payment_method: Annotated[PaymentMethod, Field(strict=False)]


class CheckoutAnswer(WireModel):
    """The order that was placed."""

    order_number: str = Field(examples=["FC-7K3Q9X"])
    order_id: UUID
    total: Annotated[Naira, Field(examples=[17500.5])]
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
