"""Rules of periods, ladders and ties."""

from datetime import UTC, date, datetime

import pytest
from api.foundation.core import clock
from api.games.ranking import rules
from api.games.ranking.enums import Period, PointSource, SeasonState
from api.games.ranking.rules import LadderPlace, LadderRank

LADDER = [LadderRank("rookie", 50), LadderRank("super-fan", 120)]


@pytest.mark.parametrize(
    ("points", "place"),
    [
        (0, LadderPlace("rookie", "super-fan", 50)),
        (49, LadderPlace("rookie", "super-fan", 1)),
        (50, LadderPlace("super-fan", "king-of-fans", 70)),
        (119, LadderPlace("super-fan", "king-of-fans", 1)),
        (120, LadderPlace("king-of-fans", None, None)),
        (9999, LadderPlace("king-of-fans", None, None)),
    ],
)
def test_a_threshold_is_what_it_takes_to_leave_a_rank(points: int, place: LadderPlace) -> None:
    assert rules.place_on(LADDER, points) == place


def test_periods_begin_on_their_lagos_day() -> None:
    saturday = date(2026, 11, 21)
    assert rules.first_day(Period.DAY, saturday) == saturday
    assert rules.first_day(Period.WEEK, saturday) == date(2026, 11, 16)
    assert rules.first_day(Period.MONTH, saturday) == date(2026, 11, 1)
    assert rules.first_day(Period.SEASON, saturday) is None


@pytest.mark.parametrize(
    ("period", "starts_on", "after"),
    [
        (Period.DAY, date(2026, 12, 31), date(2027, 1, 1)),
        (Period.WEEK, date(2026, 12, 28), date(2027, 1, 4)),
        (Period.MONTH, date(2028, 2, 1), date(2028, 3, 1)),
        (Period.MONTH, date(2026, 12, 1), date(2027, 1, 1)),
    ],
)
def test_a_period_ends_where_the_next_begins(period: Period, starts_on: date, after: date) -> None:
    assert rules.day_after(period, starts_on) == after


def test_a_lagos_day_begins_an_hour_before_utc_midnight() -> None:
    assert clock.midnight(date(2026, 11, 21)) == datetime(2026, 11, 20, 23, tzinfo=UTC)


def test_a_season_is_over_at_its_very_end() -> None:
    starts, ends = datetime(2026, 8, 1, tzinfo=UTC), datetime(2027, 5, 1, tzinfo=UTC)
    assert rules.state_of(starts, ends, datetime(2026, 7, 31, tzinfo=UTC)) is SeasonState.UPCOMING
    assert rules.state_of(starts, ends, starts) is SeasonState.OPEN
    assert rules.state_of(starts, ends, ends) is SeasonState.OVER


def test_equals_share_a_rank_also_with_those_of_the_page_before() -> None:
    assert rules.share_ranks([30, 30, 20], first_position=1, first_rank=1) == [1, 1, 3]
    assert rules.share_ranks([20, 20, 5], first_position=51, first_rank=49) == [49, 49, 53]
    assert rules.share_ranks([], first_position=1, first_rank=0) == []


def test_an_award_explains_itself() -> None:
    assert rules.title_of(PointSource.TRIVIA, {"right": 2, "of": 5}, None) == (
        "Daily Quest: 2 of 5 right"
    )
    assert rules.title_of(PointSource.BATTLE, {}, "Who won?") == "Right answer: Who won?"
