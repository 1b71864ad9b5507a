"""Rules of the Battle Zone, without a database."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from api.games.battle.rules import outcomes, situation
from api.games.battle.rules.outcomes import JudgedAnswer
from api.games.battle.rules.situation import Ladder, Situation
from api.games.ranking.enums import KING_OF_FANS

NOON = datetime(2026, 4, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
LADDER = Ladder(("rookie", "super-fan", "legend"), (50, 120, 300), (None,) * 3, (None,) * 3)
SEASON = Situation(
    allows_battle=True,
    season_id=UUID(int=1),
    starts_at=NOON - HOUR,
    ends_at=NOON + HOUR,
    question_time_limit=15,
    questions_per_day=5,
    badge="rookie",
    points=0,
    cnt=0,
    answered_correctly=0,
    served=0,
    today_points=0,
    today_cnt=0,
    today_answered_correctly=0,
    question_id=None,
    outcome=None,
    deadline_at=None,
    shown=None,
    number=None,
    rank=None,
    question=None,
    options=None,
    time_limit=None,
    total=None,
    ranks=["rookie"],
    thresholds=[50],
    opens=[None],
    closes=[None],
)


@pytest.mark.parametrize(
    ("badge", "wanted"),
    [
        ("rookie", [1, 2, 3]),
        ("super-fan", [2, 1, 3]),
        ("legend", [3, 2, 1]),
        (KING_OF_FANS, [3, 2, 1]),
    ],
)
def test_the_higher_the_rank_the_harder_the_questions_it_meets_first(
    badge: str, wanted: list[int]
) -> None:
    assert situation.wanted_difficulties(LADDER, badge) == wanted


@pytest.mark.parametrize(
    ("badge", "battle_points", "goal"),
    [
        ("rookie", 0, ("super-fan", 50)),
        ("super-fan", 50, ("legend", 70)),
        ("legend", 299, (KING_OF_FANS, 1)),
        (KING_OF_FANS, 300, (None, None)),
    ],
)
def test_the_next_goal_is_the_next_rank_and_the_points_missing_to_it(
    badge: str, battle_points: int, goal: tuple[str | None, int | None]
) -> None:
    assert LADDER.next_goal(badge, battle_points) == goal


def test_who_has_no_points_yet_stands_on_the_lowest_rank() -> None:
    assert LADDER.badge(None) == "rookie"
    assert LADDER.badge("legend") == "legend"
    assert Ladder.of(replace(SEASON, ranks=None, thresholds=None)).badge(None) == KING_OF_FANS


def test_a_question_rests_for_thirty_days() -> None:
    assert situation.asked_again_after(date(2026, 4, 30)) == date(2026, 3, 31)


@pytest.mark.parametrize(("late_ms", "is_over"), [(-1, False), (500, False), (501, True)])
def test_the_time_is_over_half_a_second_after_the_deadline(late_ms: int, is_over: bool) -> None:
    assert situation.is_over(NOON, NOON + timedelta(milliseconds=late_ms)) == is_over


def test_who_may_play_is_not_refused() -> None:
    assert situation.refusal(SEASON, NOON) is None


@pytest.mark.parametrize(
    ("change", "code", "detail"),
    [
        ({"allows_battle": False, "starts_at": None}, "plan_required", {}),
        ({"starts_at": None}, "season_over", {}),
        (
            {"starts_at": NOON + HOUR},
            "season_not_begun",
            {"opensAt": "2026-04-20T13:00:00+00:00"},
        ),
        (
            {"opens": [NOON + HOUR]},
            "rank_closed",
            {"rank": "rookie", "opensAt": "2026-04-20T13:00:00+00:00", "closedAt": None},
        ),
        (
            {"opens": [NOON - HOUR], "closes": [NOON]},
            "rank_closed",
            {"rank": "rookie", "opensAt": None, "closedAt": "2026-04-20T12:00:00+00:00"},
        ),
    ],
)
def test_plan_season_and_rank_say_why_a_member_may_not_play(
    change: dict[str, Any], code: str, detail: dict[str, Any]
) -> None:
    step = situation.refusal(replace(SEASON, **change), NOON)

    assert step is not None
    assert (step["kind"], step["code"]) == ("refused", code)
    assert step["detail"] == detail


def test_the_top_rank_has_no_window() -> None:
    assert situation.refusal(replace(SEASON, badge=KING_OF_FANS, closes=[NOON]), NOON) is None


def test_a_right_option_is_told_by_its_place_among_those_shown() -> None:
    row = JudgedAnswer(
        refusal=None,
        fresh=True,
        user_id=UUID(int=1),
        question_id=UUID(int=2),
        outcome="wrong",
        day=NOON.date(),
        points_awarded=0,
        answer=0,
        shown=[2, 0, 3, 1],
        right_option=3,
        explanation="Because.",
        number=1,
        total=5,
        promoted_to=None,
        points=10,
        battle_points=10,
        badge="rookie",
        ranks=["rookie"],
        thresholds=[50],
        opens=[None],
        closes=[None],
    )

    step = outcomes.judged_step(row)

    assert (step["right"], step["fresh"]) == (2, True)
    assert (step["next_rank"], step["points_to_next"]) == (KING_OF_FANS, 40)
    assert "fresh" not in outcomes.judged_step(replace(row, fresh=False))
    assert outcomes.judged_step(replace(row, refusal="not_served")) == situation.refused(
        "not_served"
    )
