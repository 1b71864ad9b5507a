"""The shop's rules: the products, the checkout, the purchases."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

import structlog

from api.core import clock
from api.core.config import Settings
from api.core.errors import InvalidFieldError, NotFoundError
from api.core.ids import new_id
from api.core.money import LARGEST_KOBO, format_naira, naira_from_kobo
from api.core.supervisor import Job
from api.database.database import Database, Transaction
from api.database.errors import DatabaseRefusal
from api.database.idempotency import KeyReusedError, fingerprint
from api.database.statements import Row
from api.media.storage import media_url
from api.shop import repository, rules
from api.shop.enums import OrderStatus, PaymentMethod
from api.shop.errors import (
    PriceChangedError,
    ProductNotFoundError,
    ProductUnavailableError,
    TooManyOpenOrdersError,
    TransferNotOfferedError,
)
from api.shop.events import OrderPlaced
from api.shop.schemas import (
    CheckoutAnswer,
    CheckoutInput,
    CheckoutOptions,
    OpenOrder,
    OrderAnswer,
    OrderedProduct,
    ProductAnswer,
    ProductOffer,
    TransferInstructions,
)
from api.wallet.service import refusals

log = structlog.get_logger(__name__)

MOST_ORDERS = 100
EXPIRY_BATCH = 100
EXPIRY_PAUSE_SECONDS = 60.0
TRANSFER_INSTRUCTIONS = (
    "Use your order number as the payment reference and email the receipt to your club."
)
TOTAL_SENTENCE = f"One order can be at most {format_naira(LARGEST_KOBO)}."
CHANGED = {"KF411": ProductUnavailableError, "KF412": PriceChangedError}


@dataclass(frozen=True)
class Placed:
    """A checkout's outcome; ``replayed`` when an earlier call with the key had placed it."""

    answer: CheckoutAnswer
    replayed: bool


async def list_products(database: Database) -> list[ProductAnswer]:
    """Return the products that are shown, in their order."""
    return [_product(row) for row in await repository.list_products(database)]


async def read_product(database: Database, product_id: UUID) -> ProductAnswer:
    """Return one product.

    Raises:
        ProductNotFoundError: it is unknown or hidden.
    """
    row = await repository.read_product(database, product_id)
    if row is None:
        raise ProductNotFoundError
    return _product(row)


@dataclass(frozen=True)
class ProductPictures:
    """Under which keys a product's pictures are stored."""

    image: str
    thumbnail: str


async def missing_products(tx: Transaction, offers: Sequence[ProductOffer]) -> list[ProductOffer]:
    """Return which offers no product has the name of; nobody else adds one meanwhile."""
    await repository.lock_adding(tx)
    names = await repository.list_names(tx)
    return [offer for offer in offers if offer.name not in names]


async def add_product(tx: Transaction, offer: ProductOffer, pictures: ProductPictures) -> None:
    """Put a product on the shelf, behind the others."""
    await repository.insert_product(
        tx,
        new_id(),
        {
            "name": offer.name,
            "description": offer.description,
            "price_kobo": offer.naira,
            "image": media_url(pictures.image),
            "thumbnail": media_url(pictures.thumbnail),
            "star": offer.star,
            "stock": offer.stock,
        },
    )


async def named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` a product's pictures are."""
    return await repository.list_named_keys(database, keys)


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
        TooManyOpenOrdersError: as many orders as may be wait for a bank transfer.
        InvalidFieldError: more than 99 of a product, or more money than one transfer can move.
        KeyReusedError: the idempotency key named another cart.
    """
    if (
        form.payment_method is PaymentMethod.BANK_TRANSFER
        and checkout_options(settings).bank_transfer is None
    ):
        raise TransferNotOfferedError
    outcome = await _place(database, _new_order(user_id, form, key, clock.now()))
    order_id = UUID(outcome["id"])
    if not outcome["replayed"]:
        await database.publish([OrderPlaced(order_id, user_id, form.payment_method)])
    pay_by = outcome.get("pay_by")  # answers that were stored before orders had it lack it
    answer = CheckoutAnswer(
        order_number=outcome["number"],
        order_id=order_id,
        total=outcome["total_kobo"],
        pay_by=None if pay_by is None else datetime.fromisoformat(pay_by),
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
            raise _refused(refusal) from refusal


async def expire_orders(database: Database, now: datetime) -> int:
    """Expire every open order whose time to pay is over at ``now``; return how many.

    An order expires once, however many callers run at once and wherever one of them dies.
    """
    expired = 0
    while True:
        async with database.transaction() as tx:
            batch = await expire_batch(tx, now, EXPIRY_BATCH)
        expired += batch
        if batch < EXPIRY_BATCH:
            return expired


async def expire_batch(tx: Transaction, now: datetime, most: int) -> int:
    """Expire up to ``most`` orders that are due and that nobody else decides; return how many.

    The stock goes back with the state. Locks: the orders, then their products by id.
    """
    due = await repository.lock_due(tx, now, most)
    if due:
        await repository.lock_ordered(tx, due)
        await repository.change_expired(tx, due)
    return len(due)


async def expire_orders_once(database: Database) -> int:
    """Expire what is due now; return how many orders that were."""
    expired = await expire_orders(database, clock.now())
    if expired:
        log.info("orders expired", orders=expired)
    return expired


def expire_job(database: Database) -> Job:
    """Return what expires orders again and again."""

    async def step() -> None:
        await expire_orders_once(database)

    return Job(name="expire_orders", step=step, every_seconds=EXPIRY_PAUSE_SECONDS)


async def list_orders(database: Database, user_id: UUID) -> list[OrderAnswer]:
    """Return a member's orders, newest first, at most a hundred."""
    rows = await repository.list_orders(database, user_id, MOST_ORDERS)
    return [_order(list(lines)) for _, lines in groupby(rows, key=lambda row: row["id"])]


def _new_order(
    user_id: UUID, form: CheckoutInput, key: str | None, now: datetime
) -> repository.NewOrder:
    _require_known(form)
    is_transfer = form.payment_method is PaymentMethod.BANK_TRANSFER
    return repository.NewOrder(
        id=new_id(),
        number=rules.draw_order_number(),
        user_id=user_id,
        payment_method=form.payment_method.value,
        lines=[
            {"id": str(line.id), "quantity": line.quantity, "price_kobo": line.price}
            for line in form.carts
        ],
        billing=form.billing.model_dump(by_alias=True),
        key=key,
        fingerprint=fingerprint(form.model_dump(mode="json", by_alias=True)),
        now=now,
        pay_by=now + rules.TRANSFER_PATIENCE if is_transfer else None,
        most_open=rules.MOST_OPEN_ORDERS,
    )


def _require_known(form: CheckoutInput) -> None:
    """Refuse what can be no product's id before the database is asked about the rest."""
    lines = [
        _changed_line(line.id, quantity=line.quantity)
        for line in form.carts
        if not isinstance(line.id, UUID)
    ]
    if lines:
        raise ProductUnavailableError(content={"lines": lines})


def _changed_line(
    product_id: str,
    *,
    quantity: int,
    name: str | None = None,
    price_kobo: int | None = None,
    available: int = 0,
) -> dict[str, Any]:
    price = None if price_kobo is None else naira_from_kobo(price_kobo)
    return {
        "id": product_id,
        "name": name,
        "price": price,
        "quantity": quantity,
        "available": available,
    }


def _refused(refusal: DatabaseRefusal) -> Exception:
    if refusal.code in CHANGED:
        lines = [
            _changed_line(
                line["id"],
                quantity=line["quantity"],
                name=line["name"],
                price_kobo=line["price_kobo"],
                available=line["available"],
            )
            for line in refusal.detail
        ]
        return CHANGED[refusal.code](content={"lines": lines})
    if refusal.code == "KF426":
        return _too_many_open(refusal.detail)
    refused: dict[str, Exception] = {
        "KF404": NotFoundError(),
        "KF422": KeyReusedError(),
        "KF424": InvalidFieldError.of("carts", rules.QUANTITY_SENTENCE),
        "KF425": InvalidFieldError.of("carts", TOTAL_SENTENCE),
    }
    return refused.get(refusal.code, refusal)


def _too_many_open(waiting: list[dict[str, Any]]) -> TooManyOpenOrdersError:
    orders = [
        OpenOrder(
            order_id=UUID(order["id"]),
            order_number=order["number"],
            total=order["total_kobo"],
            created_at=datetime.fromisoformat(order["created_at"]),
            pay_by=datetime.fromisoformat(order["pay_by"]),
        ).model_dump(mode="json")
        for order in waiting
    ]
    return TooManyOpenOrdersError(content={"open": len(orders), "orders": orders})


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
        pay_by=first["pay_by"],
        created_at=first["created_at"],
    )
