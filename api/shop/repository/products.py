from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select

from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.foundation.media.storage import media_url
from api.shop.models import Product, ProductVariant

COLUMNS = """
SELECT p.id, p.name, p.price_kobo, p.description, p.image, p.thumbnail, p.star,
       least(coalesce(shelf.available, 0), 99) AS available, shelf.variants
  FROM product p CROSS JOIN LATERAL
       (SELECT sum(v.stock - v.allocated) AS available,
               coalesce(jsonb_agg(jsonb_build_object(
                 'id', v.id, 'size', v.size, 'available', least(v.stock - v.allocated, 99),
                 'is_default', v.is_default) ORDER BY v.position, v.id)
                 FILTER (WHERE v.size IS NOT NULL), '[]') AS variants
          FROM product_variant v WHERE v.product_id = p.id AND NOT v.hidden) shelf
"""


@dataclass(frozen=True)
class ShownProduct:
    """A visible product with its sizes, and the units that can be ordered now."""

    id: UUID
    name: str
    price_kobo: Kobo
    description: str
    image: str
    thumbnail: str
    star: int
    available: int
    variants: list[dict[str, Any]]


LIST_PRODUCTS = Query(
    COLUMNS + " WHERE NOT p.hidden ORDER BY p.position, p.id LIMIT 500", ShownProduct
)
READ_PRODUCT = Query(COLUMNS + " WHERE p.id = $1 AND NOT p.hidden", ShownProduct)


LIST_NAMED_URLS = """
SELECT image FROM product WHERE image = ANY ($1::text[])
UNION ALL
SELECT thumbnail FROM product WHERE thumbnail = ANY ($1::text[])
UNION ALL
SELECT thumbnail FROM former_picture WHERE thumbnail = ANY ($1::text[])
"""


async def list_products(database: Database) -> Sequence[ShownProduct]:
    """Return the visible products, in their order."""
    return await database.fetch_rows(LIST_PRODUCTS)


async def read_product(database: Database, product_id: UUID) -> ShownProduct | None:
    """Return a product; None if it is unknown or hidden."""
    return await database.fetch_row(READ_PRODUCT, product_id)


async def lock_adding(tx: Transaction) -> None:
    """Lock adding products until commit: a name has no unique index."""
    await tx.execute("SELECT pg_advisory_xact_lock($1)", AdvisoryLock.PRODUCT_CREATION)


async def list_names(tx: Transaction) -> set[str]:
    """Return the names of all products, including hidden ones."""
    return set(await tx.fetch_column(select(Product.name)))


async def insert_product(
    tx: Transaction, product_id: UUID, values: Mapping[str, Any], stock: int
) -> None:
    """Insert a product without sizes after the others, with this many units in stock."""
    last = select(func.coalesce(func.max(Product.position), -1) + 1).scalar_subquery()
    await tx.execute(insert(Product).values(id=product_id, position=last, **values))
    variant = {"id": new_id(), "product_id": product_id, "stock": stock, "is_default": True}
    await tx.execute(insert(ProductVariant).values(**variant))


async def list_named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` are pictures of products or of order lines."""
    urls = {media_url(key): key for key in keys}
    return {urls[url] for url in await database.fetch_column(LIST_NAMED_URLS, list(urls))}
