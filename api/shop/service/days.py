"""The orders of a day, and what is nearly sold out."""

from api.foundation.core import clock
from api.foundation.database.database import Database
from api.foundation.database.days import Day
from api.foundation.wire.schemas import Content
from api.shop import rules
from api.shop.repository import days
from api.shop.repository.days import OrderDay


async def count_day(database: Database, day: Day) -> OrderDay:
    """Return the orders that were placed in a day, whatever their status now."""
    return await days.count_day(database, day)


async def read_today(database: Database) -> Content:
    """Return today's orders in Lagos, and the sizes that are nearly sold out, as ``ShopToday``."""
    sales = await days.read_sales(database, Day.of(clock.lagos_day(clock.now())))
    low = await days.list_low_stock(database, rules.LOW_STOCK, rules.LOW_STOCK_LISTED)
    return {
        "orders": sales.orders,
        "total": sales.amount_kobo,
        "paid": sales.paid,
        "paidTotal": sales.paid_kobo,
        "lowStock": [
            {
                "productId": row.product_id,
                "name": row.name,
                "size": row.size,
                "available": row.available,
            }
            for row in low
        ],
    }
