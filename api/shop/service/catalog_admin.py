"""Products in the back office."""

from typing import Any
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.database.statements import literal_pattern
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.shop.errors import ProductNotFoundError
from api.shop.repository import catalog_admin
from api.shop.repository.catalog_admin import CatalogProduct
from api.shop.schemas.catalog_admin import ProductChange, ProductInput, ProductRow, VariantRow

COLUMNS = {"price": "price_kobo"}  # fields whose column has another name
NO_PICTURE = "/icons/product.svg"  # part of the web app, until one is uploaded
SAVED = "The product has been saved."


async def list_all_products(
    database: Database, q: str | None, *, before: UUID | None, limit: int
) -> Page[ProductRow]:
    """Return products, including hidden ones, newest first; ``q`` is a prefix of the name."""
    pattern = None if q is None else literal_pattern(q) + "%"
    rows = await catalog_admin.list_all_products(database, pattern, before, limit + 1)
    return Page.of(rows, limit, _shown)


async def read_any_product(database: Database, product_id: UUID) -> ProductRow:
    """Return a product, hidden or not, with its sizes."""
    return await shown_product(database, product_id)


async def create_product(
    database: Database, admin: AdminRequest, form: ProductInput
) -> AdminResult:
    """Create a product, without a picture and with no stock."""

    async def work(tx: Transaction) -> AdminResult:
        product_id = new_id()
        pictures = {"image": NO_PICTURE, "thumbnail": NO_PICTURE}
        await catalog_admin.insert_new_product(tx, {"id": product_id, **pictures, **_columns(form)})
        variant = {"id": new_id(), "product_id": product_id, "stock": 0, "is_default": True}
        await catalog_admin.insert_variant(tx, variant)
        shown = await shown_product(tx, product_id)
        await audit.audited(tx, admin, record("create", None, shown))
        return AdminResult.of(shown, status=201, message=SAVED)

    return await audit.perform(database, admin, form, work)


async def change_product(
    database: Database, admin: AdminRequest, product_id: UUID, form: ProductChange
) -> AdminResult:
    """Change a product. Placed orders keep its old name, price and picture.

    A member with another price in the cart is informed at the checkout.
    """

    async def work(tx: Transaction) -> AdminResult:
        before = await lock_product_row(tx, product_id)
        if before.version != form.version:
            raise StaleVersionError
        await catalog_admin.change_product(tx, product_id, _columns(form))
        shown = await shown_product(tx, product_id)
        await audit.audited(tx, admin, record("change", before, shown))
        return AdminResult.of(shown, message=SAVED)

    return await audit.perform(database, admin, form, work)


async def lock_product_row(tx: Transaction, product_id: UUID) -> ProductRow:
    """Lock a product against other operators and return it; checkouts are not blocked."""
    if await catalog_admin.lock_product(tx, product_id) is None:
        raise ProductNotFoundError
    return await shown_product(tx, product_id)


async def shown_product(runner: Runner, product_id: UUID) -> ProductRow:
    """Return a product as the back office shows it."""
    row = await catalog_admin.read_any_product(runner, product_id)
    if row is None:
        raise ProductNotFoundError
    return _shown(row)


def record(action: str, before: ProductRow | None, after: ProductRow) -> AuditRecord:
    """Return the audit record of a change of a product."""
    was = None if before is None else before.model_dump(mode="json")
    return AuditRecord(action, "product", after.id, before=was, after=after.model_dump(mode="json"))


def _columns(form: ProductInput | ProductChange) -> dict[str, Any]:
    given = form.model_dump(by_alias=False, exclude_none=True, exclude={"version"})
    return {COLUMNS.get(name, name): value for name, value in given.items()}


def _shown(row: CatalogProduct) -> ProductRow:
    stock, allocated = row.stock or 0, row.allocated or 0
    return ProductRow(
        id=row.id,
        name=row.name,
        price=row.price_kobo,
        description=row.description,
        image=row.image,
        thumbnail=row.thumbnail,
        star=row.star,
        hidden=row.hidden,
        position=row.position,
        version=row.version,
        stock=stock,
        allocated=allocated,
        available=stock - allocated,
        variants=[VariantRow(**one) for one in row.variants or ()],
    )
