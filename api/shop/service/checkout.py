"""The checkout: an order with the server's prices, or why there is none."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core import clock
from api.core.config import Settings
from api.core.errors import InvalidFieldError, NotFoundError
from api.core.ids import new_id
from api.core.money import LARGEST_KOBO, format_naira, naira_from_kobo
from api.database.database import Database
from api.database.errors import DatabaseRefusal
from api.database.idempotency import KeyReusedError, fingerprint
from api.operators import service as operators
from api.shop import repository, rules
from api.shop.enums import PaymentMethod
from api.shop.errors import (
    PriceChangedError,
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
    TransferInstructions,
)
from api.wallet.service import refusals

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


async def checkout_options(database: Database, settings: Settings) -> CheckoutOptions:
    """Return which ways to pay are open."""
    return CheckoutOptions(bank_transfer=await transfer_instructions(database, settings))


async def transfer_instructions(
    database: Database, settings: Settings
) -> TransferInstructions | None:
    """Return where transfers go: the account of the back office, else the deployment's, or None."""
    account = (await operators.read_settings(database, settings)).transfer_account
    if account is None:
        return None
    return TransferInstructions(
        account_name=account.account_name,
        account_number=account.account_number,
        bank=account.bank,
        instructions=TRANSFER_INSTRUCTIONS,
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
        and await transfer_instructions(database, settings) is None
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
