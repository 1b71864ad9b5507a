"""Subscriptions: the offer, subscribing, renewing, and what the current plan includes."""

from api.subscriptions.service.buying import SubscribeResult, add_plan, list_plans, subscribe
from api.subscriptions.service.explaining import explain_periods
from api.subscriptions.service.giving import GIVE_PLANS, give, give_all, give_approved
from api.subscriptions.service.member_plans import current_plan, had_plan, list_periods
from api.subscriptions.service.offering import change_plan, create_plan, list_all_plans
from api.subscriptions.service.refunding import RefundablePeriod, end_refunded, lock_for_refund
from api.subscriptions.service.reminding import remind_due, remind_job
from api.subscriptions.service.renewing import renew_due, renew_job, set_renewal

__all__ = [
    "GIVE_PLANS",
    "RefundablePeriod",
    "SubscribeResult",
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
    "list_all_plans",
    "list_periods",
    "list_plans",
    "lock_for_refund",
    "remind_due",
    "remind_job",
    "renew_due",
    "renew_job",
    "set_renewal",
    "subscribe",
]
