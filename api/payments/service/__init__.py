"""Funding a wallet: prepare, ask, settle once, cancel, sweep up."""

from api.payments.service.asking import (
    claim_notice,
    claim_notices,
    return_from_checkout,
    verify_funding,
)
from api.payments.service.cancelling import cancel_funding
from api.payments.service.context import PaymentContext, read_limits
from api.payments.service.explaining import explain_fundings
from api.payments.service.preparing import Intent, Prepared, prepare_funding
from api.payments.service.settling import WebhookOutcome, receive_webhook, settle
from api.payments.service.sweeping import sweep, sweep_job
from api.payments.service.watching import FundingFigures

__all__ = [
    "FundingFigures",
    "Intent",
    "PaymentContext",
    "Prepared",
    "WebhookOutcome",
    "cancel_funding",
    "claim_notice",
    "claim_notices",
    "explain_fundings",
    "prepare_funding",
    "read_limits",
    "receive_webhook",
    "return_from_checkout",
    "settle",
    "sweep",
    "sweep_job",
    "verify_funding",
]
