"""SQL of the shop: products, the checkout, orders that stand."""

from api.shop.repository.checkout import (
    OPEN_ORDERS_LOCK,
    NewOrder,
    NumberTakenError,
    place_order,
)
from api.shop.repository.orders import (
    OrderMove,
    list_events,
    list_lines,
    list_orders,
    lock_due,
    lock_order,
    lock_to_remind,
    move,
    note_reminded,
    read_order,
    return_stock,
)
from api.shop.repository.products import (
    insert_product,
    list_named_keys,
    list_names,
    list_products,
    lock_adding,
    read_product,
)

__all__ = [
    "OPEN_ORDERS_LOCK",
    "NewOrder",
    "NumberTakenError",
    "OrderMove",
    "insert_product",
    "list_events",
    "list_lines",
    "list_named_keys",
    "list_names",
    "list_orders",
    "list_products",
    "lock_adding",
    "lock_due",
    "lock_order",
    "lock_to_remind",
    "move",
    "note_reminded",
    "place_order",
    "read_order",
    "read_product",
    "return_stock",
]
