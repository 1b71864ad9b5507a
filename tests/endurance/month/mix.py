"""The events of the month, and their shares."""

from collections.abc import Callable, Coroutine
from typing import Any

from tests.endurance.month.chargebacks import ChargebackEvents
from tests.endurance.month.decisions import DecisionEvents
from tests.endurance.month.fundings import FundingEvents
from tests.endurance.month.plans import PlanEvents
from tests.endurance.month.reading import ReadingEvents
from tests.endurance.month.refunds import RefundEvents
from tests.endurance.month.transfers import TransferEvents


class Events(
    FundingEvents,
    TransferEvents,
    RefundEvents,
    PlanEvents,
    DecisionEvents,
    ChargebackEvents,
    ReadingEvents,
):
    """All events that one worker can do."""


Event = Callable[[Events], Coroutine[Any, Any, None]]
# The events, and their share per thousand.
MIX: dict[str, tuple[int, Event]] = {
    event.__name__.replace("_", " "): (weight, event)
    for weight, event in (
        (70, Events.fund),
        (45, Events.fund_reported_twice),
        (30, Events.fund_reported_late),
        (25, Events.fund_reported_never),
        (28, Events.deliver_late_report),
        (22, Events.ask_about_unreported),
        (15, Events.deliver_again),
        (20, Events.forge_report),
        (8, Events.pretend_paid),
        (18, Events.fund_and_fail),
        (16, Events.fund_and_cancel),
        (14, Events.fund_another_amount),
        (8, Events.fund_past_the_limit),
        (85, Events.order_wallet),
        (12, Events.order_twice_with_one_key),
        (100, Events.order_transfer),
        (8, Events.order_at_another_price),
        (8, Events.order_with_a_used_key),
        (20, Events.confirm),
        (14, Events.confirm_part),
        (10, Events.confirm_too_much),
        (14, Events.confirm_late),
        (8, Events.confirm_again),
        (30, Events.cancel),
        (16, Events.cancel_for_club),
        (40, Events.ship),
        (25, Events.deliver),
        (12, Events.race_cancel_confirm),
        (10, Events.race_cancel_ship),
        (12, Events.race_for_the_purse),
        (30, Events.ask_refund),
        (8, Events.ask_too_much),
        (12, Events.ask_plan_refund),
        (26, Events.send_refund),
        (8, Events.race_refund),
        (8, Events.refuse_refund),
        (35, Events.subscribe),
        (14, Events.give_plan),
        (30, Events.wish_renewal),
        (14, Events.review),
        (20, Events.adjust),
        (20, Events.adjust_much),
        (24, Events.decide),
        (6, Events.decide_own),
        (6, Events.decide_unread),
        (10, Events.dispute),
        (8, Events.charge_back),
        (14, Events.charge_back_what_is_spent),
        (6, Events.charge_back_again),
        (8, Events.collect),
        (6, Events.write_off),
        (25, Events.receipt),
        (25, Events.read_wallet),
    )
}
ALWAYS_POSSIBLE = "order wallet"
