"""Names and messages must have visible characters."""

import pytest
from api.community.chat.rules import tidy_message
from api.foundation.wire.schemas import check_visible
from api.foundation.wire.visible import is_seen
from api.people.users.rules import plain


@pytest.mark.parametrize(
    "nothing",
    [
        *("\u115f", "\u1160", "\u3164", "\uffa0", "\ufe00", "\ufe0f", "\u034f", "\u180b"),
        *("\u2800", "\U000e0100", "\u3164 \ufe0f\u115f", "\u0301"),
    ],
    ids=lambda text: text.encode("unicode_escape").decode(),
)
def test_a_text_of_which_nothing_is_drawn_is_refused(nothing: str) -> None:
    assert not is_seen(nothing)
    for check in (plain("First name"), check_visible, tidy_message):
        with pytest.raises(ValueError, match=r"required|do not show|type a message"):
            check(nothing)


@pytest.mark.parametrize("symbol", ["\u2764\ufe0f", "\U0001d159", "\ufffc", "..."])
def test_a_name_has_a_letter_or_a_number_and_a_message_need_not(symbol: str) -> None:
    assert tidy_message(symbol) == symbol
    for check in (plain("First name"), check_visible):
        with pytest.raises(ValueError, match=r"required|do not show"):
            check(symbol)


@pytest.mark.parametrize("name", ["Ada", "\u1eccl\u00e1", "\ud55c\uae00", "Ada \u2764\ufe0f", "7"])
def test_a_name_of_which_something_is_drawn_stays_as_it_is(name: str) -> None:
    assert plain("First name")(name) == check_visible(name) == tidy_message(name) == name
