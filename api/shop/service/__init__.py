"""The shop's rules: the products, the checkout, the purchases."""

from api.shop.service.cancelling import Cancelled, cancel
from api.shop.service.checkout import Placed, check_out, checkout_options
from api.shop.service.confirming import confirm_transfer
from api.shop.service.desk import OrderSearch, list_all_orders, move_on, read_any_order
from api.shop.service.explaining import explain_purchases
from api.shop.service.orders import (
    expire_batch,
    expire_job,
    expire_orders,
    expire_orders_once,
    list_orders,
    read_order,
    remind_once,
)
from api.shop.service.products import (
    ProductPictures,
    add_product,
    list_products,
    missing_products,
    named_keys,
    read_product,
)

__all__ = [
    "Cancelled",
    "OrderSearch",
    "Placed",
    "ProductPictures",
    "add_product",
    "cancel",
    "check_out",
    "checkout_options",
    "confirm_transfer",
    "expire_batch",
    "expire_job",
    "expire_orders",
    "expire_orders_once",
    "explain_purchases",
    "list_all_orders",
    "list_orders",
    "list_products",
    "missing_products",
    "move_on",
    "named_keys",
    "read_any_order",
    "read_order",
    "read_product",
    "remind_once",
]
