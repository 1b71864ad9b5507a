"""The demo's season, and the points its members have earned."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from api.dev.demo.people import PEOPLE

SEASON = "Season 1"
SEASON_BEGAN = timedelta(days=21)  # before the demo is written
SEASON_LASTS = timedelta(days=140)
POINT_PER_QUESTION = 10
QUESTION_TIME_LIMIT = 15
QUESTIONS_PER_DAY = 5
RANKS = (("rookie", 50), ("super-fan", 120))
TRIVIA_POINTS = 5
DAYS_PLAYED = 14
SEED = 1960  # makes all demos identical
STREAKS = {"ada": 3}  # days up to yesterday
KNOWN = {"ada": ((1, 2, 3),), "bello": ((2, 2, 2), (1, 3, 4)), "ops": ()}


@dataclass(frozen=True)
class DemoDay:
    """A member's correct answers ``days_ago``, in the Battle Zone and in the daily quest."""

    person: str
    days_ago: int
    battle: int
    trivia: int


def played_days() -> Iterator[DemoDay]:
    """Return every demo member's days, from the first to yesterday."""
    dice = random.Random(SEED)  # noqa: S311 a demo, not a secret
    for person in PEOPLE:
        known = KNOWN.get(person.slug)
        if known is not None:
            for days_ago, battle, trivia in known:
                yield DemoDay(person.slug, days_ago, battle, trivia)
            continue
        keenness = dice.random()
        for days_ago in range(DAYS_PLAYED, 0, -1):
            if dice.random() < keenness:
                yield DemoDay(person.slug, days_ago, dice.randint(0, 2), dice.randint(0, 5))
