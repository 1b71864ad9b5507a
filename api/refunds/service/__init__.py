"""Refunds: requested, sent once, or refused; and orders that the club cancels."""

from api.refunds.service.asking import ask_for_order, ask_for_plan
from api.refunds.service.cancelling import cancel_order
from api.refunds.service.listing import count_asked, list_refunds, list_refunds_of, owed
from api.refunds.service.sending import SEND_REFUND, refuse, send, send_approved

__all__ = [
    "SEND_REFUND",
    "ask_for_order",
    "ask_for_plan",
    "cancel_order",
    "count_asked",
    "list_refunds",
    "list_refunds_of",
    "owed",
    "refuse",
    "send",
    "send_approved",
]
