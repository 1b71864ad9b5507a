"""Funding a wallet: prepare, verify, settle once, cancel, sweep."""

from api.payments.service.admin import (
    ask_about,
    count_open_disputes,
    count_unsettled_reports,
    ignore_report,
    list_disputes,
    list_fundings,
    list_fundings_of,
    list_reports,
    replay_report,
)
from api.payments.service.cancelling import cancel_funding
from api.payments.service.charging_back import (
    WRITE_OFF,
    charge_back,
    collect_debt,
    count_open_debts,
    list_debts,
    propose_write_off,
    write_off_approved,
)
from api.payments.service.context import GatewayGuard, PaymentContext, read_limits
from api.payments.service.explaining import (
    FUNDING_STATUS_SQL,
    explain_fundings,
    list_reported_payments,
)
from api.payments.service.preparing import FundingIntent, PrepareResult, prepare_funding
from api.payments.service.settling import WebhookOutcome, receive_webhook, settle
from api.payments.service.sweeping import sweep, sweep_job
from api.payments.service.verifying import (
    claim_notice,
    claim_notices,
    return_from_checkout,
    verify_funding,
)
from api.payments.service.watching import FundingMetrics

__all__ = [
    "FUNDING_STATUS_SQL",
    "WRITE_OFF",
    "FundingIntent",
    "FundingMetrics",
    "GatewayGuard",
    "PaymentContext",
    "PrepareResult",
    "WebhookOutcome",
    "ask_about",
    "cancel_funding",
    "charge_back",
    "claim_notice",
    "claim_notices",
    "collect_debt",
    "count_open_debts",
    "count_open_disputes",
    "count_unsettled_reports",
    "explain_fundings",
    "ignore_report",
    "list_debts",
    "list_disputes",
    "list_fundings",
    "list_fundings_of",
    "list_reported_payments",
    "list_reports",
    "prepare_funding",
    "propose_write_off",
    "read_limits",
    "receive_webhook",
    "replay_report",
    "return_from_checkout",
    "settle",
    "sweep",
    "sweep_job",
    "verify_funding",
    "write_off_approved",
]
