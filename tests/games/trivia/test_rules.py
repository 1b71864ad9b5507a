"""Drawing a day's set, without a database."""

from datetime import date, timedelta

from api.foundation.core.ids import new_id
from api.games.trivia.rules import REST_DAYS, Candidate, draw_set

DAY = date(2026, 4, 20)


def candidate(*, is_own: bool = False, asked: int | None = None, difficulty: int = 1) -> Candidate:
    asked_on = None if asked is None else DAY - timedelta(days=asked)
    return Candidate(new_id(), difficulty, is_own, asked_on)


def test_the_clubs_own_come_first_and_what_rests_comes_last() -> None:
    least_recent = candidate(is_own=True, asked=REST_DAYS - 1)
    own = candidate(is_own=True, asked=REST_DAYS)
    never, long_ago = candidate(), candidate(asked=REST_DAYS + 100)
    bank = [candidate(asked=1), least_recent, long_ago, never, own]

    drawn = [set(draw_set(bank, DAY, size)) for size in range(1, 5)]

    order = [own, never, long_ago, least_recent]
    assert drawn == [{one.id for one in order[:size]} for size in range(1, 5)]


def test_a_set_goes_from_easy_to_hard() -> None:
    bank = [candidate(difficulty=number % 3 + 1) for number in range(9)]
    difficulty = {one.id: one.difficulty for one in bank}

    assert [difficulty[one] for one in draw_set(bank, DAY, 20)] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
