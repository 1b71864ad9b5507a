"""Rules of the shop: what a cart may hold, how an order is named."""

import secrets
from collections.abc import Iterable
from typing import Protocol, TypeVar

LARGEST_QUANTITY = 99
MOST_LINES = 50
NUMBER_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0, O, 1 and I: read over the phone
NUMBER_LENGTH = 6


class Line(Protocol):
    """What a cart line has."""

    id: str
    quantity: int
    price: int | None


LineT = TypeVar("LineT")


def read_product_id(value: object) -> object:
    """Let the local samples' numeric ids pass as text: they are unknown here, not malformed."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def check_quantity(quantity: int) -> int:
    """Return ``quantity``.

    Raises:
        ValueError: it is not 1 to 99.
    """
    if not 1 <= quantity <= LARGEST_QUANTITY:
        raise ValueError(f"The quantity must be between 1 and {LARGEST_QUANTITY}")
    return quantity


def check_cart(lines: list[LineT]) -> list[LineT]:
    """Return ``lines``.

    Raises:
        ValueError: the cart is empty or too long.
    """
    if not lines:
        raise ValueError("Your cart is empty")
    if len(lines) > MOST_LINES:
        raise ValueError(f"A cart holds at most {MOST_LINES} products")
    return lines


def merge_lines(lines: Iterable[Line]) -> dict[str, tuple[int, int | None]]:
    """Return product id → (quantity, seen price in kobo), repeated lines added up.

    Raises:
        ValueError: a product's quantities add up to more than 99.
    """
    merged: dict[str, tuple[int, int | None]] = {}
    for line in lines:
        quantity, price = merged.get(line.id, (0, line.price))
        seen = price if line.price is None else line.price
        merged[line.id] = (check_quantity(quantity + line.quantity), seen)
    return merged


def draw_order_number() -> str:
    """Return a number such as ``FC-7K3Q9X``, one of a billion."""
    return "FC-" + "".join(secrets.choice(NUMBER_LETTERS) for _ in range(NUMBER_LENGTH))
