"""Products as members see them, and products added from a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.media.storage import media_url
from api.shop.errors import (
    ProductNotFoundError,
)
from api.shop.repository import products
from api.shop.repository.products import ShownProduct
from api.shop.schemas.products import ProductAnswer, ProductOffer, VariantAnswer


async def list_products(database: Database) -> list[ProductAnswer]:
    """Return the visible products, in their order."""
    return [_product(row) for row in await products.list_products(database)]


async def read_product(database: Database, product_id: UUID) -> ProductAnswer:
    """Return a product; an unknown and a hidden one are a ``ProductNotFoundError``."""
    row = await products.read_product(database, product_id)
    if row is None:
        raise ProductNotFoundError
    return _product(row)


@dataclass(frozen=True)
class ProductPictures:
    """The storage keys of a product's pictures."""

    image: str
    thumbnail: str


async def missing_products(tx: Transaction, offers: Sequence[ProductOffer]) -> list[ProductOffer]:
    """Return the offers with unknown names; locks adding products until commit."""
    await products.lock_adding(tx)
    names = await products.list_names(tx)
    return [offer for offer in offers if offer.name not in names]


async def add_product(tx: Transaction, offer: ProductOffer, pictures: ProductPictures) -> None:
    """Insert a product after the others."""
    await products.insert_product(
        tx,
        new_id(),
        {
            "name": offer.name,
            "description": offer.description,
            "price_kobo": offer.naira,
            "image": media_url(pictures.image),
            "thumbnail": media_url(pictures.thumbnail),
            "star": offer.star,
        },
        offer.stock,
    )


async def named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` belong to a product's pictures."""
    return await products.list_named_keys(database, keys)


def _product(row: ShownProduct) -> ProductAnswer:
    return ProductAnswer(
        id=row.id,
        name=row.name,
        price=row.price_kobo,
        description=row.description,
        image=row.image,
        thumbnail=row.thumbnail,
        star=row.star,
        available=row.available,
        variants=[VariantAnswer(**variant) for variant in row.variants],
    )
