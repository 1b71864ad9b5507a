"""The demo's plans; every benefit is a real feature."""

from dataclasses import dataclass

from api.money.subscriptions.enums import PlanPeriod


@dataclass(frozen=True)
class DemoPlan:
    """A plan of the demo for one ``period``; ``amount_kobo`` is in kobo."""

    slug: str
    name: str
    amount_kobo: int
    benefits: tuple[str, ...]
    battle_zone: bool
    period: PlanPeriod = PlanPeriod.MONTH


PLANS = (
    DemoPlan(
        "terrace",
        "Terrace",
        50_000,
        (
            "Two streak freezes a week",
            "Three club moments a day",
            "Terrace mark on your share cards",
        ),
        battle_zone=False,
    ),
    DemoPlan(
        "battle-pass",
        "Battle Pass",
        150_000,
        (
            "Everything in Terrace",
            "Battle Zone on every day of the season",
            "Climb the ranks to King of Fans",
        ),
        battle_zone=True,
    ),
)
