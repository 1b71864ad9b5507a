"""Carts to send, and queries of the resulting stock."""

from typing import Any
from uuid import UUID

from api.foundation.core.ids import new_id

from tests.conftest import RunningApp

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


async def count(app: RunningApp, table: str) -> int:
    row = await app.database.fetch_row(f"SELECT count(*) AS n FROM {table}")
    assert row is not None
    return int(row["n"])


async def stock(app: RunningApp, product: UUID) -> int:
    """Return how many units of a product are not allocated."""
    available = await app.database.fetch_value(
        "SELECT sum(stock - allocated) FROM product_variant WHERE product_id = $1", product
    )
    assert available is not None
    return int(available)


async def sized_product(
    app: RunningApp, sizes: dict[str, int], *, default: str = "M"
) -> tuple[UUID, dict[str, UUID]]:
    """Insert a jersey at 2,500.50 naira; return its id and the ids of its sizes."""
    product = new_id()
    variants = {size: new_id() for size in sizes}
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO product (id, name, description, price_kobo, image, thumbnail, star, "
            "position) VALUES ($1, 'Jersey', 'Light', 250_050, '/media/j.svg', '/media/j.svg', 9, "
            "2)",
            product,
        )
        for position, (size, units) in enumerate(sizes.items()):
            await tx.execute(
                "INSERT INTO product_variant (id, product_id, size, is_default, position, stock) "
                "VALUES ($1, $2, $3, $4, $5, $6)",
                variants[size],
                product,
                size,
                size == default,
                position,
                units,
            )
    return product, variants


async def stock_and_allocated(app: RunningApp, variant: UUID) -> tuple[int, int]:
    """Return the stock of a size, and how much of it is allocated."""
    row = await app.database.fetch_row(
        "SELECT stock, allocated FROM product_variant WHERE id = $1", variant
    )
    assert row is not None
    return row["stock"], row["allocated"]
