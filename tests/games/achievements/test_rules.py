"""Rules of streaks and freezes, without a database."""

from datetime import UTC, date, datetime, timedelta

import pytest
from api.foundation.core.ids import new_id
from api.games.achievements import rules
from api.games.achievements.enums import BadgeKey
from api.games.achievements.rules import StreakDays
from api.games.trivia.rules import GRACE

MONDAY = date(2026, 4, 20)


def days(*numbers: int) -> frozenset[date]:
    """Return days by their distance from a Monday."""
    return frozenset(MONDAY + timedelta(days=number) for number in numbers)


def known(*played: int) -> StreakDays:
    first = min(played, default=0)
    return StreakDays(new_id(), days(*played), settled_on=MONDAY + timedelta(days=first - 1))


def settled(one: StreakDays, until: int, freezes: int = 1) -> rules.StreakUpdate:
    last = MONDAY + timedelta(days=until)
    return rules.close_days(one, last, dict.fromkeys(rules.missed(one, last), freezes))


@pytest.mark.parametrize(
    ("played", "freezes", "spent", "length"),
    [
        ((0, 1, 2), 1, (), 3),  # no day missed
        ((0, 1, 3), 1, (2,), 3),  # one freeze bridges the gap without adding to the length
        ((0, 2, 4), 1, (1,), 1),  # the second missed day of a week ends it
        ((0, 2, 4), 2, (1, 3), 3),  # unless a plan gives two freezes
        ((0, 3), 1, (1,), 1),  # the first missed day takes it, without effect
        ((5, 8), 1, (6, 7), 2),  # Sunday's from one week, Monday's from the next
        ((4, 9), 2, (5, 6, 7, 8), 2),
        ((3, 9), 2, (4, 5), 1),  # three missed days in a week exceed a plan's freezes
        ((0, 1, 7, 9), 1, (2, 8), 2),  # each week has its own
    ],
)
def test_a_week_has_so_many_freezes_for_the_first_missed_days(
    played: tuple[int, ...], freezes: int, spent: tuple[int, ...], length: int
) -> None:
    until = max(played)

    done = settled(known(*played), until, freezes)

    assert frozenset(done.spent) == days(*spent)
    last = MONDAY + timedelta(days=until)
    assert rules.length_on(done.known, last, last) == length


def test_today_unplayed_breaks_nothing_and_is_not_settled() -> None:
    done = settled(known(0, 1), 1)

    assert done.spent == []
    assert rules.length_on(done.known, MONDAY + timedelta(days=2), MONDAY + timedelta(days=1)) == 2


def test_what_is_settled_is_not_settled_anew() -> None:
    ended = settled(known(0, 1), 4).known
    assert ended.frozen == days(2)

    assert rules.missed(ended, MONDAY + timedelta(days=30)) == []
    again = settled(ended, 30, freezes=2)

    assert (again.spent, again.known.frozen) == ([], days(2))
    assert rules.length_on(again.known, MONDAY + timedelta(days=4), MONDAY + timedelta(days=4)) == 0


def test_a_freeze_of_before_counts_against_its_week() -> None:
    first = settled(known(0, 1, 3), 3).known
    more = StreakDays(first.user_id, first.played | days(5), first.frozen, 3, first.settled_on)

    assert settled(more, 5).spent == []
    assert frozenset(settled(more, 5, freezes=2).spent) == days(4)


def test_the_best_is_kept_when_its_days_are_forgotten() -> None:
    done = settled(known(0, 1, 2, 4), 4).known
    assert done.best == 4

    forgotten = StreakDays(done.user_id, days(20), best=done.best, settled_on=MONDAY)
    assert settled(forgotten, 20).known.best == 4


def test_a_streak_that_has_just_ended_is_told_by_its_length() -> None:
    ended = settled(known(0, 1, 2, 4), 7).known

    assert rules.ended_at(ended, MONDAY + timedelta(days=8)) == 4
    assert rules.ended_at(ended, MONDAY + timedelta(days=12)) is None
    assert rules.ended_at(known(), MONDAY) is None


def test_freezes_are_left_by_the_week_of_lagos_and_shown_newest_first() -> None:
    one = StreakDays(new_id(), frozen=days(-30, -2, 1))

    assert rules.freezes_left(one, MONDAY + timedelta(days=6), 1) == 0
    assert rules.freezes_left(one, MONDAY + timedelta(days=6), 2) == 1
    assert rules.freezes_left(one, MONDAY + timedelta(days=7), 1) == 1
    assert rules.shown_freezes(one, MONDAY + timedelta(days=2)) == sorted(days(-2, 1), reverse=True)


def test_a_day_is_settled_only_when_nothing_can_be_handed_in_any_more() -> None:
    midnight = datetime(2026, 4, 20, 23, tzinfo=UTC)  # in Lagos the 21st begins

    assert rules.CLOSE_DELAY > GRACE
    assert rules.last_final_day(midnight) == date(2026, 4, 19)
    assert rules.last_final_day(midnight + rules.CLOSE_DELAY) == date(2026, 4, 20)


def test_streak_badges_are_for_a_week_and_for_a_month() -> None:
    assert rules.streak_badges(6) == []
    assert rules.streak_badges(7) == [BadgeKey.STREAK_7]
    assert rules.streak_badges(30) == [BadgeKey.STREAK_7, BadgeKey.STREAK_30]
    assert set(rules.WORDS) == set(BadgeKey)
