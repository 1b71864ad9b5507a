"""Rules of streaks, freezes and badges; no database access."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from uuid import UUID

from api.foundation.core.clock import lagos_day
from api.games.achievements.enums import BadgeKey

DAY = timedelta(days=1)
# Longer than the grace period of a quest after midnight, and than any Battle Zone question runs.
CLOSE_DELAY = timedelta(minutes=15)
FREEZES = 1  # per week
FREEZES_WITH_PLAN = 2
# The freezes of two weeks bridge at most this many missed days in a row; the next one ends the
# streak.
MAX_MISSED_DAYS = 2 * FREEZES_WITH_PLAN + 1
SHOWN_FREEZES = timedelta(days=28)
END_NOTICE_PERIOD = timedelta(days=7)  # how long the end of a streak is shown
STREAK_BADGES: Mapping[BadgeKey, int] = {BadgeKey.STREAK_7: 7, BadgeKey.STREAK_30: 30}
WORDS: Mapping[BadgeKey, tuple[str, str]] = {
    BadgeKey.FIRST_QUEST: ("First Quest", "Complete your first Daily Quest"),
    BadgeKey.PERFECT_QUEST: ("Perfect Quest", "Answer every question of a Daily Quest right"),
    BadgeKey.STREAK_7: ("One Week", "Keep a streak of 7 days"),
    BadgeKey.STREAK_30: ("One Month", "Keep a streak of 30 days"),
    BadgeKey.FIRST_BATTLE: ("First Battle", "Answer your first question in the Battle Zone"),
    BadgeKey.SUPER_FAN: ("Super Fan", "Reach the rank Super Fan"),
    BadgeKey.KING_OF_FANS: ("King of Fans", "Reach the rank King of Fans"),
    BadgeKey.FIRST_EXACT: ("First Exact Score", "Predict an exact score"),
    BadgeKey.FIVE_EXACT: ("Five Exact Scores", "Predict five exact scores"),
    BadgeKey.FULL_ROUND: ("Full Round", "Predict every match of a round"),
    BadgeKey.FIRST_SHARED: ("First Share", "Share a moment with your club"),
    BadgeKey.INVITER: ("Recruiter", "Invite a friend who pays once or plays on 3 days"),
}
FIVE_EXACT = 5  # results
GAME_BADGES = frozenset(BadgeKey) - {BadgeKey.FIRST_SHARED, BadgeKey.INVITER}


@dataclass(frozen=True)
class StreakDays:
    """The stored days of a member; ``settled_on`` is None before the first day."""

    user_id: UUID
    played: frozenset[date] = frozenset()
    frozen: frozenset[date] = frozenset()
    best: int = 0
    settled_on: date | None = None
    has_plan: bool = False

    @property
    def held(self) -> frozenset[date]:
        """The days that keep the streak alive."""
        return self.played | self.frozen


@dataclass(frozen=True)
class StreakUpdate:
    """A member's days after closing; ``spent`` are the freezes this used."""

    known: StreakDays
    spent: list[date]


def last_final_day(now: datetime) -> date:
    """Return the last day whose results are final."""
    return lagos_day(now - CLOSE_DELAY) - DAY


def week_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def freezes_a_week(*, has_plan: bool) -> int:
    """Return the number of freezes per week."""
    return FREEZES_WITH_PLAN if has_plan else FREEZES


def missed(known: StreakDays, until: date) -> list[date]:
    """Return the missed, unclosed days up to ``until`` that a freeze might bridge."""
    held, found = known.held, []
    if known.settled_on is None or not held:
        return []
    in_a_row = 0 if known.settled_on in held else MAX_MISSED_DAYS  # the streak had already ended
    day, last = known.settled_on + DAY, min(until, max(held) + MAX_MISSED_DAYS * DAY)
    while day <= last:
        in_a_row = 0 if day in held else in_a_row + 1
        if 1 <= in_a_row <= MAX_MISSED_DAYS:
            found.append(day)
        day += DAY
    return found


def close_days(known: StreakDays, until: date, freezes: Mapping[date, int]) -> StreakUpdate:
    """Close the missed days up to ``until``; ``freezes`` holds the freezes of each day's week.

    Each freeze goes to the first missed day of a running streak. Without a freeze left in its week
    the streak ends, and missed days before the next day that counts need none.
    """
    if known.settled_on is None:
        return StreakUpdate(known, [])
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
    return StreakUpdate(replace(after, best=max(known.best, best_length(after))), spent)


def best_length(known: StreakDays) -> int:
    """Return the number of days that count in the longest streak."""
    best = length = 0
    before: date | None = None
    for day in sorted(known.held):
        length = (length if before == day - DAY else 0) + (day in known.played)
        best, before = max(best, length), day
    return best


def length_on(known: StreakDays, last: date, open_after: date) -> int:
    """Return the number of days that count in the streak up to ``last``.

    Days after ``open_after`` are not over, so an empty one does not end the streak.
    """
    held, length, day = known.held, 0, last
    while day in held or day > open_after:
        length += day in known.played
        day -= DAY
    return length


def ended_at(known: StreakDays, today: date) -> int | None:
    """Return the length of a streak that has just ended, or None."""
    last = max(known.played, default=None)
    if last is None or today - last > END_NOTICE_PERIOD:
        return None
    return length_on(known, last, last)


def shown_freezes(known: StreakDays, today: date) -> list[date]:
    """Return the freezes of the last four weeks, newest first."""
    return sorted((day for day in known.frozen if today - day <= SHOWN_FREEZES), reverse=True)


def freezes_left(known: StreakDays, today: date, freezes: int) -> int:
    """Return the number of freezes left in the week of ``today``."""
    return max(0, freezes - sum(week_of(one) == week_of(today) for one in known.frozen))


def streak_badges(best: int) -> Sequence[BadgeKey]:
    """Return the badges earned by a streak of ``best`` days."""
    return [key for key, days in STREAK_BADGES.items() if best >= days]
