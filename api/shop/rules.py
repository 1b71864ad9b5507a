"""Rules of the shop: limits of a cart, order numbers, status changes."""

import re
import secrets
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from pathlib import PurePath
from typing import TypeVar
from uuid import UUID

from api.foundation.core.ids import parse_id
from api.foundation.core.money import format_naira
from api.money.wallet.rules import plain_reference
from api.shop.enums import OrderActor, OrderStatus, PaymentMethod

MAX_QUANTITY = 99
MAX_LINES = 50
MAX_OPEN_ORDERS = 3  # of one member, waiting for a bank transfer
NEW_ACCOUNT_AGE = timedelta(hours=72)
NEW_ACCOUNT_UNITS = 5  # unpaid units of a younger account that has no paid order
TRANSFER_WINDOW = timedelta(hours=72)
REMINDER_LEAD_TIME = timedelta(hours=12)
MAX_PROOFS = 3  # of one order, including replaced ones
PROOF_REVIEW_PERIOD = timedelta(days=7)
PROOF_REVIEW_REMINDERS = (timedelta(days=2), timedelta(days=5))
TIME_AFTER_REJECTION = timedelta(hours=24)
PROOF_AFTER_EXPIRY = timedelta(days=14)
MAX_ECHO_LENGTH = 64
MIN_BANK_REFERENCE_LENGTH = 4
QUANTITY_SENTENCE = f"The quantity must be between 1 and {MAX_QUANTITY}"
NUMBER_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0, O, 1 and I: read over the phone
NUMBER_LENGTH = 6
NUMBER = re.compile(rf"\bFC-?([{NUMBER_LETTERS}]{{{NUMBER_LENGTH}}})\b")

FIRST_STATUS: Mapping[PaymentMethod, OrderStatus] = {
    PaymentMethod.WALLET: OrderStatus.PROCESSING,
    PaymentMethod.BANK_TRANSFER: OrderStatus.PENDING,
}

# The allowed status changes, and who may make them (contract B-79).
MOVES: Mapping[tuple[OrderStatus, OrderStatus], frozenset[OrderActor]] = {
    (OrderStatus.PENDING, OrderStatus.PROCESSING): frozenset({OrderActor.ADMIN}),
    (OrderStatus.PENDING, OrderStatus.CANCELLED): frozenset({OrderActor.MEMBER, OrderActor.ADMIN}),
    (OrderStatus.PENDING, OrderStatus.EXPIRED): frozenset({OrderActor.CLOCK}),
    (OrderStatus.PROCESSING, OrderStatus.SHIPPED): frozenset({OrderActor.ADMIN}),
    (OrderStatus.PROCESSING, OrderStatus.CANCELLED): frozenset(
        {OrderActor.MEMBER, OrderActor.ADMIN}
    ),
    (OrderStatus.SHIPPED, OrderStatus.DELIVERED): frozenset({OrderActor.ADMIN}),
    # Everything that was paid was refunded.
    (OrderStatus.PROCESSING, OrderStatus.REFUNDED): frozenset({OrderActor.ADMIN}),
    (OrderStatus.SHIPPED, OrderStatus.REFUNDED): frozenset({OrderActor.ADMIN}),
    (OrderStatus.DELIVERED, OrderStatus.REFUNDED): frozenset({OrderActor.ADMIN}),
}

STATES = (
    *("Abia", "Adamawa", "Akwa Ibom", "Anambra", "Bauchi", "Bayelsa", "Benue", "Borno"),
    *("Cross River", "Delta", "Ebonyi", "Edo", "Ekiti", "Enugu", "FCT", "Gombe", "Imo"),
    *("Jigawa", "Kaduna", "Kano", "Katsina", "Kebbi", "Kogi", "Kwara", "Lagos", "Nasarawa"),
    *("Niger", "Ogun", "Ondo", "Osun", "Oyo", "Plateau", "Rivers", "Sokoto", "Taraba", "Yobe"),
    "Zamfara",
)
STATE_SENTENCE = "Please choose the state to deliver to."

MAX_FEE_KOBO = 100_000_000
MAX_STOCK = 1_000_000_000
LOW_STOCK = 5  # available units of a size, at most
LOW_STOCK_LISTED = 10
MAX_STOCK_CHANGE = 1_000_000
STOCK_SENTENCE = f"A product has at most {MAX_STOCK:,} units"

LineT = TypeVar("LineT")


def read_product_id(value: object) -> UUID | str:
    """Return the product's id, or the text of an unknown product.

    Numbers, such as those of the web app's samples, name nothing here; they are unknown, not
    malformed.

    Raises:
        ValueError: it is neither text nor an integer.
    """
    if isinstance(value, UUID):
        return value
    if isinstance(value, str):
        return parse_id(value) or value[:MAX_ECHO_LENGTH].encode(errors="replace").decode()
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    if is_integer or (isinstance(value, Decimal) and value.as_tuple().exponent == 0):
        return str(value)[:MAX_ECHO_LENGTH]
    raise ValueError("This is not a valid id")


def check_quantity(quantity: int) -> int:
    """Return ``quantity``, if it is 1 to 99.

    Raises:
        ValueError: it is not 1 to 99.
    """
    if not 1 <= quantity <= MAX_QUANTITY:
        raise ValueError(QUANTITY_SENTENCE)
    return quantity


def check_cart(lines: list[LineT]) -> list[LineT]:
    """Return ``lines``, unless the cart is empty or too long.

    Raises:
        ValueError: the cart is empty or too long.
    """
    if not lines:
        raise ValueError("Your cart is empty")
    if len(lines) > MAX_LINES:
        raise ValueError(f"A cart holds at most {MAX_LINES} products")
    return lines


def draw_order_number() -> str:
    """Return a number such as ``FC-7K3Q9X``, one of a billion."""
    return "FC-" + "".join(secrets.choice(NUMBER_LETTERS) for _ in range(NUMBER_LENGTH))


def order_numbers_in(text: str) -> list[str]:
    """Return the order numbers in a text, with or without their hyphen, in order."""
    return [f"FC-{letters}" for letters in NUMBER.findall(text.upper())]


def check_picture(name: str) -> str:
    """Return the name of a picture file, unless it leads out of the offer's folder.

    Raises:
        ValueError: it leads out of the offer's folder.
    """
    path = PurePath(name)
    if not name or path.is_absolute() or ".." in path.parts:
        raise ValueError("a picture lies beside the file")
    return name


def may_move(status: OrderStatus, to: OrderStatus, actor: OrderActor) -> bool:
    """Return whether ``actor`` may change an order's status this way."""
    return actor in MOVES.get((status, to), frozenset())


def read_bank_reference(reference: str) -> str:
    """Return a bank's reference in normal form, if enough is left of it.

    Raises:
        ValueError: too little is left of it.
    """
    plain = plain_reference(reference)
    if len(plain) < MIN_BANK_REFERENCE_LENGTH:
        raise ValueError(f"A bank reference has at least {MIN_BANK_REFERENCE_LENGTH} characters")
    return plain


def check_state(state: str) -> str:
    """Return the name of a state of the federation, if there is one.

    Raises:
        ValueError: there is no such state.
    """
    if state not in STATES:
        raise ValueError(STATE_SENTENCE)
    return state


def check_fee(fee_kobo: int) -> int:
    """Return a delivery fee, unless it exceeds the maximum.

    Raises:
        ValueError: it exceeds the maximum.
    """
    if fee_kobo > MAX_FEE_KOBO:
        raise ValueError(f"A delivery costs at most {format_naira(MAX_FEE_KOBO)}")
    return fee_kobo


def units_limit(limit: int, account_age: timedelta, *, has_paid: bool) -> int:
    """Return how many unpaid units a member may hold (contract T-7)."""
    is_new = is_new_buyer(account_age, has_paid=has_paid)
    return min(limit, NEW_ACCOUNT_UNITS) if is_new else limit


def is_new_buyer(account_age: timedelta, *, has_paid: bool) -> bool:
    """Return whether the lower limit of unpaid units applies."""
    return account_age < NEW_ACCOUNT_AGE and not has_paid


def check_stock_change(units: int) -> int:
    """Return a change of stock, negative for units removed.

    Raises:
        ValueError: it is zero, or exceeds the maximum.
    """
    if not 1 <= abs(units) <= MAX_STOCK_CHANGE:
        raise ValueError(f"Please say how many came or went, at most {MAX_STOCK_CHANGE:,} units")
    return units
