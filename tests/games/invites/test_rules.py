"""The form of codes, and who is rewarded."""

import pytest
from api.games.invites.rules import CAP, RewardFacts, new_code, read_code, rewards

FRIENDS = RewardFacts(
    has_operator=False, shares_browser=False, is_inviter_here=True, rewarded_this_season=0
)


def test_a_code_is_read_however_it_was_typed_and_nothing_else_is_one() -> None:
    code = new_code()

    assert read_code(f" {code.lower()}\n") == code
    assert len({new_code() for _ in range(200)}) == 200
    for written in ("", code[:-1], code + "A", code[:-1] + "0", "ÄÄÄÄÄÄÄÄ", "'; DROP "):
        assert read_code(written) is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, (True, True)),
        ({"rewarded_this_season": CAP - 1}, (True, True)),
        ({"rewarded_this_season": CAP}, (False, True)),
        ({"is_inviter_here": False}, (False, True)),
        ({"has_operator": True}, (False, False)),
        ({"shares_browser": True}, (False, False)),
    ],
)
def test_both_are_rewarded_unless(change: dict[str, object], expected: tuple[bool, bool]) -> None:
    assert rewards(RewardFacts(**(vars(FRIENDS) | change))) == expected
