"""What days make a streak, what a freeze bridges, and what badges are for; no database here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from uuid import UUID

from api.achievements.enums import BadgeKey
from api.core.clock import lagos_day

DAY = timedelta(days=1)
# Longer than a quest is taken after its midnight, and than any question of the Battle Zone runs.
SETTLES_AFTER = timedelta(minutes=15)
FREEZES = 1  # a week
FREEZES_WITH_PLAN = 2
# So many missed days in a row two weeks' freezes can bridge, and the next one ends the streak.
MAX_MISSED_DAYS = 2 * FREEZES_WITH_PLAN + 1
SHOWN_FREEZES = timedelta(days=28)
END_NOTICE_PERIOD = timedelta(days=7)  # so long a member is told that a streak has ended
STREAK_BADGES: Mapping[BadgeKey, int] = {BadgeKey.STREAK_7: 7, BadgeKey.STREAK_30: 30}
WORDS: Mapping[BadgeKey, tuple[str, str]] = {
    BadgeKey.FIRST_QUEST: ("First Quest", "Hand in your first Daily Quest"),
    BadgeKey.PERFECT_QUEST: ("Perfect Quest", "Answer every question of a Daily Quest right"),
    BadgeKey.STREAK_7: ("One Week", "Keep a streak of 7 days"),
    BadgeKey.STREAK_30: ("One Month", "Keep a streak of 30 days"),
    BadgeKey.FIRST_BATTLE: ("First Battle", "Answer your first question in the Battle Zone"),
    BadgeKey.SUPER_FAN: ("Super Fan", "Reach the rank Super Fan"),
    BadgeKey.KING_OF_FANS: ("King of Fans", "Reach the rank King of Fans"),
    BadgeKey.FIRST_EXACT: ("First Exact", "Predict a result exactly"),
    BadgeKey.FIVE_EXACT: ("Five Exact", "Predict five results exactly"),
    BadgeKey.FULL_ROUND: ("Full Round", "Predict every match of a round"),
    BadgeKey.FIRST_SHARED: ("First Shared", "Share a moment with your club"),
    BadgeKey.INVITER: ("Inviter", "Invite a friend who pays once or plays on 3 days"),
}
FIVE_EXACT = 5  # results
GAME_BADGES = frozenset(BadgeKey) - {BadgeKey.FIRST_SHARED, BadgeKey.INVITER}


@dataclass(frozen=True)
class Known:
    """What is written of a member's days; ``settled_on`` None stands for no day yet."""

    user_id: UUID
    played: frozenset[date] = frozenset()
    frozen: frozenset[date] = frozenset()
    best: int = 0
    settled_on: date | None = None
    has_plan: bool = False

    @property
    def held(self) -> frozenset[date]:
        """The days that end no streak."""
        return self.played | self.frozen


@dataclass(frozen=True)
class Settled:
    """A member's days with everything settled; ``spent`` are the freezes that this took."""

    known: Known
    spent: list[date]


def settles_on(now: datetime) -> date:
    """Return the last day that nothing can be handed in for any more."""
    return lagos_day(now - SETTLES_AFTER) - DAY


def week_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def freezes_a_week(*, has_plan: bool) -> int:
    """Return how many freezes a week has."""
    return FREEZES_WITH_PLAN if has_plan else FREEZES


def missed(known: Known, until: date) -> list[date]:
    """Return the days up to ``until`` that a freeze might bridge: missed, and not settled yet."""
    held, found = known.held, []
    if known.settled_on is None or not held:
        return []
    in_a_row = 0 if known.settled_on in held else MAX_MISSED_DAYS  # a streak that had ended
    day, last = known.settled_on + DAY, min(until, max(held) + MAX_MISSED_DAYS * DAY)
    while day <= last:
        in_a_row = 0 if day in held else in_a_row + 1
        if 1 <= in_a_row <= MAX_MISSED_DAYS:
            found.append(day)
        day += DAY
    return found


def settle(known: Known, until: date, freezes: Mapping[date, int]) -> Settled:
    """Settle what is missed up to ``until``; ``freezes`` says how many the week of each has.

    Each freeze goes to the first missed day of a running streak. Where a week has none left the
    streak ends, and what is missed until the next day that counts needs none.
    """
    if known.settled_on is None:
        return Settled(known, [])
    frozen, spent = set(known.frozen), []
    ended_on: date | None = None
    for day in missed(known, until):
        if ended_on == day - DAY:
            ended_on = day
        elif sum(week_of(one) == week_of(day) for one in frozen) < freezes[day]:
            frozen.add(day)
            spent.append(day)
        else:
            ended_on = day
    after = replace(known, frozen=frozenset(frozen), settled_on=max(known.settled_on, until))
    return Settled(replace(after, best=max(known.best, longest(after))), spent)


def longest(known: Known) -> int:
    """Return the days that counted in the longest streak."""
    best = length = 0
    before: date | None = None
    for day in sorted(known.held):
        length = (length if before == day - DAY else 0) + (day in known.played)
        best, before = max(best, length), day
    return best


def length_on(known: Known, last: date, open_after: date) -> int:
    """Return the days that count of the streak up to ``last``.

    A day after ``open_after`` without anything breaks nothing: it is not over.
    """
    held, length, day = known.held, 0, last
    while day in held or day > open_after:
        length += day in known.played
        day -= DAY
    return length


def ended_at(known: Known, today: date) -> int | None:
    """Return the length of a streak that has just ended, None for none."""
    last = max(known.played, default=None)
    if last is None or today - last > END_NOTICE_PERIOD:
        return None
    return length_on(known, last, last)


def shown_freezes(known: Known, today: date) -> list[date]:
    """Return the freezes of the last weeks, newest first."""
    return sorted((day for day in known.frozen if today - day <= SHOWN_FREEZES), reverse=True)


def freezes_left(known: Known, today: date, freezes: int) -> int:
    """Return how many freezes the week of ``today`` still has."""
    return max(0, freezes - sum(week_of(one) == week_of(today) for one in known.frozen))


def streak_badges(best: int) -> Sequence[BadgeKey]:
    """Return the badges that a streak of so many days has earned."""
    return [key for key, days in STREAK_BADGES.items() if best >= days]
