"""Carts to send, and what is left afterwards."""

from typing import Any
from uuid import UUID

from tests.conftest import House

CHECKOUT = "/api/v1/products/checkout"
BILLING = {
    "firstName": "Ada",
    "lastName": "Obi",
    "phone": "08031234567",
    "address": "12 Stadium Road, Aba",
}


def cart(*lines: tuple[object, int, float | None], **changes: Any) -> dict[str, Any]:
    return {
        "carts": [
            {"id": str(product), "quantity": quantity} | ({} if price is None else {"price": price})
            for product, quantity, price in lines
        ],
        "billing": BILLING,
        "paymentMethod": "wallet",
    } | changes


async def count(house: House, table: str) -> int:
    row = await house.database.fetch_row(f"SELECT count(*) AS n FROM {table}")
    assert row is not None
    return int(row["n"])


async def stock(house: House, product: UUID) -> int:
    row = await house.database.fetch_row("SELECT stock FROM product WHERE id = $1", product)
    assert row is not None
    return int(row["stock"])
