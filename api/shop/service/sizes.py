"""Sizes in the back office, and their stock."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.errors import StaleVersionError, UniqueViolation
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult
from api.shop import rules
from api.shop.errors import DefaultSizeError, SizeTakenError, StockAllocatedError
from api.shop.repository import catalog_admin
from api.shop.repository.catalog_admin import LockedVariant
from api.shop.schemas.catalog_admin import (
    ShelfStock,
    StockInput,
    VariantChange,
    VariantInput,
    VariantRow,
)
from api.shop.service.catalog_admin import lock_product_row

SAVED = "The size has been saved."


async def create_variant(
    database: Database, admin: AdminRequest, product_id: UUID, form: VariantInput
) -> AdminResult:
    """Add a size to a product, with no stock.

    The first size replaces the variant without a size: that one is hidden, with whatever stock it
    has, until an operator moves it.

    Raises:
        DefaultSizeError: it would be the default, and hidden.
    """

    async def work(tx: Transaction) -> AdminResult:
        await lock_product_row(tx, product_id)
        others = await catalog_admin.lock_variants(tx, product_id)
        default = _default(others)
        takes_over = form.is_default or default is None or default.size is None
        if takes_over and form.hidden:
            raise DefaultSizeError
        if takes_over and default is not None:
            is_unsized = default.size is None
            values = {"is_default": False} | ({"hidden": True} if is_unsized else {})
            await catalog_admin.change_variant(tx, default.id, values)
        position = form.position
        if position is None:
            position = max((row.position for row in others), default=-1) + 1
        variant_id = new_id()
        new = {
            "id": variant_id,
            "product_id": product_id,
            "size": form.size,
            "is_default": takes_over,
            "hidden": form.hidden,
            "position": position,
            "stock": 0,
        }
        try:
            await catalog_admin.insert_variant(tx, new)
        except UniqueViolation as error:  # the sizes have the only unique index
            raise SizeTakenError from error
        shown = await _read(tx, product_id, variant_id)
        await audit.audited(tx, admin, _audit_record("create", None, shown))
        return AdminResult.of(shown, status=201, message=SAVED)

    return await audit.perform(database, admin, form, work)


async def change_variant(
    database: Database, admin: AdminRequest, product_id: UUID, variant_id: UUID, form: VariantChange
) -> AdminResult:
    """Change a size. A new default replaces the old one; there is always one.

    Raises:
        ProductNotFoundError, NotFoundError: there is no such product, or not this size of it.
        DefaultSizeError: there would be no default, or a hidden one.
    """

    async def work(tx: Transaction) -> AdminResult:
        await lock_product_row(tx, product_id)
        rows = await catalog_admin.lock_variants(tx, product_id)
        row = _of(rows, variant_id)
        if row.version != form.version:
            raise StaleVersionError
        given = form.model_dump(by_alias=False, exclude_none=True, exclude={"version"})
        _require_default_stays(row, given)
        default = _default(rows)
        if given.get("is_default") and default is not None and default.id != variant_id:
            await catalog_admin.change_variant(tx, default.id, {"is_default": False})
        try:
            await catalog_admin.change_variant(tx, variant_id, given)
        except UniqueViolation as error:  # the sizes have the only unique index
            raise SizeTakenError from error
        shown = await _read(tx, product_id, variant_id)
        await audit.audited(tx, admin, _audit_record("change", _shown(row), shown))
        return AdminResult.of(shown, message=SAVED)

    return await audit.perform(database, admin, form, work)


async def change_stock(database: Database, admin: AdminRequest, form: StockInput) -> AdminResult:
    """Add or remove units, of a size or of the default.

    Raises:
        ProductNotFoundError, NotFoundError: there is no such product, or not this size of it.
        StockAllocatedError: less would be left than is allocated to orders.
        InvalidFieldError: the stock would exceed its maximum.
    """

    async def work(tx: Transaction) -> AdminResult:
        product = await lock_product_row(tx, form.product_id)
        rows = await catalog_admin.lock_variants(tx, form.product_id)
        row = _default(rows) if form.variant_id is None else _of(rows, form.variant_id)
        if row is None:
            raise NotFoundError
        stock = row.stock + form.change
        if stock < row.allocated:
            raise StockAllocatedError(content=_stock(row.stock, row.allocated).model_dump())
        if stock > rules.MAX_STOCK:
            raise InvalidFieldError.of("change", rules.STOCK_SENTENCE)
        await catalog_admin.change_stock(tx, row.id, stock)
        shown = _stock(stock, row.allocated)
        what = {"product": product.name, "size": row.size}
        record = AuditRecord(
            "stock",
            "product_variant",
            row.id,
            before=what | {"stock": row.stock},
            after=what | {"stock": stock},
            reason=form.reason,
        )
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, message="The stock has been saved.")

    return await audit.perform(database, admin, form, work)


def _require_default_stays(row: LockedVariant, given: dict[str, Any]) -> None:
    """Refuse a change that would leave no default size, or a hidden one."""
    is_default = given.get("is_default", row.is_default)
    is_hidden = given.get("hidden", row.hidden)
    if (row.is_default and not is_default) or (is_default and is_hidden):
        raise DefaultSizeError


def _default(rows: Sequence[LockedVariant]) -> LockedVariant | None:
    return next((row for row in rows if row.is_default), None)


def _of(rows: Sequence[LockedVariant], variant_id: UUID) -> LockedVariant:
    for row in rows:
        if row.id == variant_id:
            return row
    raise NotFoundError


async def _read(tx: Transaction, product_id: UUID, variant_id: UUID) -> VariantRow:
    return _shown(_of(await catalog_admin.lock_variants(tx, product_id), variant_id))


def _stock(stock: int, allocated: int) -> ShelfStock:
    return ShelfStock(stock=stock, allocated=allocated, available=stock - allocated)


def _audit_record(action: str, before: VariantRow | None, after: VariantRow) -> AuditRecord:
    was = None if before is None else before.model_dump(mode="json")
    now = after.model_dump(mode="json")
    return AuditRecord(action, "product_variant", after.id, before=was, after=now)


def _shown(row: LockedVariant) -> VariantRow:
    return VariantRow(**vars(row), available=row.stock - row.allocated)
