"""The shop's rules: the shelf, the checkout, the purchases."""

from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any
from uuid import UUID

from api.core.config import Settings
from api.core.database import Database, DatabaseRefusal, Row
from api.core.errors import InvalidFieldError, NotFoundError
from api.core.idempotency import KeyReusedError, fingerprint
from api.core.ids import new_id, parse_id
from api.core.money import naira_from_kobo
from api.shop import repository, rules
from api.shop.enums import OrderStatus, PaymentMethod
from api.shop.errors import (
    PriceChangedError,
    ProductUnavailableError,
    TransferNotOfferedError,
)
from api.shop.events import OrderPlaced
from api.shop.schemas import (
    CheckoutAnswer,
    CheckoutInput,
    CheckoutOptions,
    OrderAnswer,
    OrderedProduct,
    ProductAnswer,
    TransferInstructions,
)
from api.wallet.service import refusals

MOST_ORDERS = 100
TRANSFER_INSTRUCTIONS = (
    "Use your order number as the payment reference and email the receipt to your club."
)
CHANGED = {"KF411": ProductUnavailableError, "KF412": PriceChangedError}


@dataclass(frozen=True)
class Placed:
    """A checkout's outcome; ``replayed`` when an earlier call with the key had placed it."""

    answer: CheckoutAnswer
    replayed: bool


async def list_products(database: Database) -> list[ProductAnswer]:
    """Return the shelf in its order."""
    return [_product(row) for row in await repository.list_products(database)]


async def read_product(database: Database, product_id: UUID) -> ProductAnswer:
    """Return one product.

    Raises:
        NotFoundError: it is unknown or hidden.
    """
    row = await repository.read_product(database, product_id)
    if row is None:
        raise NotFoundError("Product not found")
    return _product(row)


def checkout_options(settings: Settings) -> CheckoutOptions:
    """Return which ways to pay are open."""
    name, number, bank = (
        settings.transfer_account_name,
        settings.transfer_account_number,
        settings.transfer_bank,
    )
    if not (name and number and bank):
        return CheckoutOptions(bank_transfer=None)
    return CheckoutOptions(
        bank_transfer=TransferInstructions(
            account_name=name,
            account_number=number,
            bank=bank,
            instructions=TRANSFER_INSTRUCTIONS,
        )
    )


async def check_out(
    database: Database, settings: Settings, user_id: UUID, form: CheckoutInput, key: str | None
) -> Placed:
    """Place an order with the server's prices; stock and money move with it or not at all.

    Raises:
        InsufficientFundsError: the wallet does not hold the total.
        ProductUnavailableError: stock is short, or a product unknown.
        PriceChangedError: the member saw another price.
        KeyReusedError: the idempotency key named another cart.
    """
    if (
        form.payment_method is PaymentMethod.BANK_TRANSFER
        and checkout_options(settings).bank_transfer is None
    ):
        raise TransferNotOfferedError
    outcome = await _place(database, _new_order(user_id, form, key))
    order_id = UUID(outcome["id"])
    if not outcome["replayed"]:
        await database.publish([OrderPlaced(order_id, user_id, form.payment_method)])
    answer = CheckoutAnswer(
        order_number=outcome["number"], order_id=order_id, total=outcome["total_kobo"]
    )
    return Placed(answer, outcome["replayed"])


async def _place(database: Database, order: repository.NewOrder) -> dict[str, Any]:
    """Place ``order``, under another number for as long as the drawn one is taken."""
    while True:
        try:
            with refusals():
                return await repository.place_order(database, order)
        except repository.NumberTakenError:
            order = replace(order, number=rules.draw_order_number())
        except DatabaseRefusal as refusal:
            raise _changed(refusal) from refusal


async def list_orders(database: Database, user_id: UUID) -> list[OrderAnswer]:
    """Return a member's orders, newest first, at most a hundred."""
    rows = await repository.list_orders(database, user_id, MOST_ORDERS)
    return [_order(list(lines)) for _, lines in groupby(rows, key=lambda row: row["id"])]


def _new_order(user_id: UUID, form: CheckoutInput, key: str | None) -> repository.NewOrder:
    try:
        merged = rules.merge_lines(form.carts)
    except ValueError as error:
        raise InvalidFieldError.of("carts", str(error)) from None
    unknown = [product_id for product_id in merged if parse_id(product_id) is None]
    if unknown:
        lines = [
            {"id": product_id, "name": None, "price": None, "quantity": 0, "available": 0}
            for product_id in unknown
        ]
        raise ProductUnavailableError(content={"lines": lines})
    content = form.model_dump(mode="json", by_alias=True)
    return repository.NewOrder(
        id=new_id(),
        number=rules.draw_order_number(),
        user_id=user_id,
        payment_method=form.payment_method.value,
        lines=[
            {"id": product_id, "quantity": quantity, "price_kobo": seen}
            for product_id, (quantity, seen) in merged.items()
        ],
        billing=form.billing.model_dump(by_alias=True),
        key=key,
        fingerprint=fingerprint(content),
    )


def _changed(refusal: DatabaseRefusal) -> Exception:
    if refusal.code == "KF422":
        return KeyReusedError()
    error = CHANGED.get(refusal.code)
    if error is None:
        return refusal
    lines = [
        {
            "id": line["id"],
            "name": line["name"],
            "price": None if line["price_kobo"] is None else naira_from_kobo(line["price_kobo"]),
            "quantity": line["quantity"],
            "available": line["available"],
        }
        for line in refusal.detail
    ]
    return error(content={"lines": lines})


def _product(row: Row) -> ProductAnswer:
    return ProductAnswer(
        id=row["id"],
        name=row["name"],
        price=row["price_kobo"],
        description=row["description"],
        image=row["image"],
        thumbnail=row["thumbnail"],
        star=row["star"],
        available=row["available"],
    )


def _order(lines: list[Row]) -> OrderAnswer:
    first = lines[0]
    return OrderAnswer(
        id=first["id"],
        order_number=first["number"],
        product_meta_data=[
            OrderedProduct(
                id=line["product_id"],
                name=line["name"],
                price=line["price_kobo"],
                thumbnail=line["thumbnail"],
                quantity=line["quantity"],
            )
            for line in lines
        ],
        billing=first["billing"],
        status=OrderStatus(first["status"]),
        is_paid=first["is_paid"],
        payment_method=PaymentMethod(first["payment_method"]),
        total=first["total_kobo"],
        created_at=first["created_at"],
    )
