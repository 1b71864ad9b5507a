"""The shop: products, checkout, orders, transfers and refunds."""

from api.shop.rules import PROOF_REVIEW_REMINDERS
from api.shop.service.admin import OrderSearch, change_status, list_all_orders, read_any_order
from api.shop.service.bank_lines import (
    count_open_bank,
    list_bank_lines,
    list_missing,
    match_by_hand,
)
from api.shop.service.bank_statements import FORM as STATEMENT_FORM_RULES
from api.shop.service.bank_statements import TOO_LARGE as STATEMENT_TOO_LARGE
from api.shop.service.bank_statements import import_statement
from api.shop.service.cancelling import CancelResult, cancel, cancel_all, owed
from api.shop.service.catalog_admin import (
    change_product,
    create_product,
    list_all_products,
    read_any_product,
)
from api.shop.service.checkout import CheckoutResult, check_out, checkout_options, forget_address
from api.shop.service.confirming import CONFIRM_TRANSFER, confirm_approved, confirm_transfer
from api.shop.service.days import count_day
from api.shop.service.explaining import explain_purchases
from api.shop.service.fees import change_fees, list_fees
from api.shop.service.orders import (
    expire_batch,
    expire_job,
    expire_orders,
    expire_orders_once,
    list_orders,
    read_order,
    remind_once,
)
from api.shop.service.picturing import FORM as PICTURE_FORM_RULES
from api.shop.service.picturing import TOO_LARGE as PICTURE_TOO_LARGE
from api.shop.service.picturing import change_picture
from api.shop.service.placing import OrderPlacer
from api.shop.service.products import (
    ProductPictures,
    add_product,
    list_products,
    missing_products,
    named_keys,
    read_product,
)
from api.shop.service.proofs import FORM as PROOF_FORM_RULES
from api.shop.service.proofs import TOO_LARGE as PROOF_TOO_LARGE
from api.shop.service.proofs import (
    ProofFile,
    UploadResult,
    count_waiting_proofs,
    erase_proofs,
    named_proofs,
    read_file,
    read_proof_file,
    reject,
    upload,
)
from api.shop.service.refunding import (
    RefundableOrder,
    cancel_for_club,
    lock_for_refund,
    record_refund,
    refund_lines,
)
from api.shop.service.sizes import change_stock, change_variant, create_variant

__all__ = [
    "CONFIRM_TRANSFER",
    "PICTURE_FORM_RULES",
    "PICTURE_TOO_LARGE",
    "PROOF_FORM_RULES",
    "PROOF_REVIEW_REMINDERS",
    "PROOF_TOO_LARGE",
    "STATEMENT_FORM_RULES",
    "STATEMENT_TOO_LARGE",
    "CancelResult",
    "CheckoutResult",
    "OrderPlacer",
    "OrderSearch",
    "ProductPictures",
    "ProofFile",
    "RefundableOrder",
    "UploadResult",
    "add_product",
    "cancel",
    "cancel_all",
    "cancel_for_club",
    "change_fees",
    "change_picture",
    "change_product",
    "change_status",
    "change_stock",
    "change_variant",
    "check_out",
    "checkout_options",
    "confirm_approved",
    "confirm_transfer",
    "count_day",
    "count_open_bank",
    "count_waiting_proofs",
    "create_product",
    "create_variant",
    "erase_proofs",
    "expire_batch",
    "expire_job",
    "expire_orders",
    "expire_orders_once",
    "explain_purchases",
    "forget_address",
    "import_statement",
    "list_all_orders",
    "list_all_products",
    "list_bank_lines",
    "list_fees",
    "list_missing",
    "list_orders",
    "list_products",
    "lock_for_refund",
    "match_by_hand",
    "missing_products",
    "named_keys",
    "named_proofs",
    "owed",
    "read_any_order",
    "read_any_product",
    "read_file",
    "read_order",
    "read_product",
    "read_proof_file",
    "record_refund",
    "refund_lines",
    "reject",
    "remind_once",
    "upload",
]
