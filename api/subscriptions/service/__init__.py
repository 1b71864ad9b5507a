"""The plans' rules: what is on offer, subscribing, renewing, and what the current plan allows."""

from api.subscriptions.service.buying import Subscribed, add_plan, list_plans, subscribe
from api.subscriptions.service.explaining import explain_periods
from api.subscriptions.service.giving import GIVE_PLANS, give, give_all, give_approved
from api.subscriptions.service.offering import change_plan, create_plan, list_all_plans
from api.subscriptions.service.refunding import RefundablePeriod, end_refunded, hold_for_refund
from api.subscriptions.service.reminding import remind_due, remind_job
from api.subscriptions.service.renewing import renew_due, renew_job, set_renewal
from api.subscriptions.service.standing import current_plan, had_plan, list_periods

__all__ = [
    "GIVE_PLANS",
    "RefundablePeriod",
    "Subscribed",
    "add_plan",
    "change_plan",
    "create_plan",
    "current_plan",
    "end_refunded",
    "explain_periods",
    "give",
    "give_all",
    "give_approved",
    "had_plan",
    "hold_for_refund",
    "list_all_plans",
    "list_periods",
    "list_plans",
    "remind_due",
    "remind_job",
    "renew_due",
    "renew_job",
    "set_renewal",
    "subscribe",
]
