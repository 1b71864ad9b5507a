"""The shop's rules: the products, the checkout, the purchases."""

from api.shop.rules import PROOF_REVIEW_REMINDERS
from api.shop.service.bank_lines import (
    count_open_bank,
    list_bank_lines,
    list_missing,
    match_by_hand,
)
from api.shop.service.bank_statements import FORM as STATEMENT_FORM_RULES
from api.shop.service.bank_statements import TOO_LARGE as STATEMENT_TOO_LARGE
from api.shop.service.bank_statements import import_statement
from api.shop.service.cancelling import Cancelled, cancel, cancel_all, owed
from api.shop.service.checkout import Placed, check_out, checkout_options, forget_address
from api.shop.service.confirming import CONFIRM_TRANSFER, confirm_approved, confirm_transfer
from api.shop.service.days import count_day
from api.shop.service.desk import OrderSearch, list_all_orders, move_on, read_any_order
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
    Uploaded,
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
    hold_for_refund,
    note_refund,
    take_back,
)
from api.shop.service.shelf import (
    change_product,
    create_product,
    list_all_products,
    read_any_product,
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
    "Cancelled",
    "OrderPlacer",
    "OrderSearch",
    "Placed",
    "ProductPictures",
    "ProofFile",
    "RefundableOrder",
    "Uploaded",
    "add_product",
    "cancel",
    "cancel_all",
    "cancel_for_club",
    "change_fees",
    "change_picture",
    "change_product",
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
    "hold_for_refund",
    "import_statement",
    "list_all_orders",
    "list_all_products",
    "list_bank_lines",
    "list_fees",
    "list_missing",
    "list_orders",
    "list_products",
    "match_by_hand",
    "missing_products",
    "move_on",
    "named_keys",
    "named_proofs",
    "note_refund",
    "owed",
    "read_any_order",
    "read_any_product",
    "read_file",
    "read_order",
    "read_product",
    "read_proof_file",
    "reject",
    "remind_once",
    "take_back",
    "upload",
]
