from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select, update

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.shop.models import DeliveryFee, FormerPicture, Product, ProductVariant

ALL = """
SELECT p.id, p.name, p.price_kobo, p.description, p.image, p.thumbnail, p.star, p.hidden,
       p.position, p.version, shelf.stock, shelf.allocated, shelf.variants
  FROM product p CROSS JOIN LATERAL
       (SELECT sum(v.stock) AS stock, sum(v.allocated) AS allocated,
               jsonb_agg(jsonb_build_object(
                 'id', v.id, 'size', v.size, 'is_default', v.is_default, 'hidden', v.hidden,
                 'position', v.position, 'version', v.version, 'stock', v.stock,
                 'allocated', v.allocated, 'available', v.stock - v.allocated)
                 ORDER BY v.position, v.id) AS variants
          FROM product_variant v WHERE v.product_id = p.id) shelf
"""
LOCK = "SELECT version FROM product WHERE id = $1 FOR NO KEY UPDATE"


@dataclass(frozen=True)
class CatalogProduct:
    """A product with its stock, all sizes added up."""

    id: UUID
    name: str
    price_kobo: Kobo
    description: str
    image: str
    thumbnail: str
    star: int
    hidden: bool
    position: int
    version: int
    stock: int | None
    allocated: int | None
    variants: list[dict[str, Any]] | None


LIST = Query(
    f"""{ALL}
 WHERE ($1::text IS NULL OR lower(p.name) LIKE lower($1)) AND ($2::uuid IS NULL OR p.id < $2)
 ORDER BY p.id DESC LIMIT $3
""",
    CatalogProduct,
)
READ = Query(f"{ALL} WHERE p.id = $1", CatalogProduct)


@dataclass(frozen=True)
class LockedVariant:
    """A size of a product; without a size it is the product itself."""

    id: UUID
    size: str | None
    is_default: bool
    hidden: bool
    position: int
    version: int
    stock: int
    allocated: int


# All sizes of a product, in the lock order of checkouts.
LOCK_VARIANTS = Query(
    """
SELECT id, size, is_default, hidden, position, version, stock, allocated
  FROM product_variant WHERE product_id = $1 ORDER BY id FOR NO KEY UPDATE
""",
    LockedVariant,
)


@dataclass(frozen=True)
class VersionedFee:
    """The fee of a state; ``version`` is the whole list's."""

    state: str
    fee_kobo: Kobo
    version: int


LOCK_FEES = Query(
    "SELECT state, fee_kobo, version FROM delivery_fee ORDER BY state FOR UPDATE", VersionedFee
)
LIST_FEES = Query("SELECT state, fee_kobo, version FROM delivery_fee ORDER BY state", VersionedFee)


async def list_all_products(
    database: Database, pattern: str | None, before: UUID | None, limit: int
) -> Sequence[CatalogProduct]:
    """Return products, including hidden ones, with their stock; newest first.

    ``pattern`` is a LIKE pattern of their names; None matches all.
    """
    return await database.fetch_rows(LIST, pattern, before, limit)


async def read_any_product(runner: Runner, product_id: UUID) -> CatalogProduct | None:
    return await runner.fetch_row(READ, product_id)


async def lock_product(tx: Transaction, product_id: UUID) -> int | None:
    """Lock a product against other operators; return its version. Checkouts are not blocked."""
    version: int | None = await tx.fetch_value(LOCK, product_id)
    return version


async def insert_new_product(tx: Transaction, values: Mapping[str, Any]) -> None:
    last = select(func.coalesce(func.max(Product.position), -1) + 1).scalar_subquery()
    await tx.execute(insert(Product).values({"position": last, **values}))


async def change_product(tx: Transaction, product_id: UUID, values: Mapping[str, Any]) -> None:
    """Update columns, and increase the version."""
    statement = update(Product).where(Product.id == product_id)
    await tx.execute(statement.values(version=Product.version + 1, **values))


async def insert_former_picture(
    tx: Transaction, thumbnail: str, product_id: UUID, now: datetime
) -> None:
    values = {"thumbnail": thumbnail, "product_id": product_id, "replaced_at": now}
    await tx.execute(insert(FormerPicture).values(**values))


async def lock_variants(tx: Transaction, product_id: UUID) -> Sequence[LockedVariant]:
    """Lock all sizes of a product and return them; checkouts wait."""
    return await tx.fetch_rows(LOCK_VARIANTS, product_id)


async def insert_variant(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Insert a size, or the variant of a product without sizes.

    Raises:
        UniqueViolation: the product has the size.
    """
    await tx.execute(insert(ProductVariant).values(**values))


async def change_variant(tx: Transaction, variant_id: UUID, values: Mapping[str, Any]) -> None:
    """Update columns, and increase the version.

    Raises:
        UniqueViolation: the product has the size.
    """
    statement = update(ProductVariant).where(ProductVariant.id == variant_id)
    await tx.execute(statement.values(version=ProductVariant.version + 1, **values))


async def change_stock(tx: Transaction, variant_id: UUID, stock: int) -> None:
    """Set the stock of a size, which the caller has locked."""
    statement = update(ProductVariant).where(ProductVariant.id == variant_id)
    await tx.execute(statement.values(stock=stock))


async def list_versioned_fees(runner: Runner) -> Sequence[VersionedFee]:
    """Return the fees by name of the state."""
    return await runner.fetch_rows(LIST_FEES)


async def lock_fees(tx: Transaction) -> Sequence[VersionedFee]:
    """Lock the list of fees; rows as in ``list_versioned_fees``."""
    return await tx.fetch_rows(LOCK_FEES)


async def change_fees(tx: Transaction, fees: Mapping[str, int], version: int) -> None:
    """Set fees by state, in kobo, and the version of the whole list."""
    await tx.execute(update(DeliveryFee).values(version=version))
    for state, fee_kobo in fees.items():
        statement = update(DeliveryFee).where(DeliveryFee.state == state)
        await tx.execute(statement.values(fee_kobo=fee_kobo))
