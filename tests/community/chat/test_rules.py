"""The outcome of posting, and the acknowledgement, without a database."""

from datetime import UTC, datetime, timedelta

import pytest
from api.community.chat.enums import PostOutcome
from api.community.chat.rules import LIMITS, PostRow, RefusedPost, StoredPost, posted
from api.foundation.core.ids import new_id

NOON = datetime(2026, 4, 20, 12, tzinfo=UTC)
FIRST_TRY = new_id()


def row(outcome: PostOutcome, *, is_there: bool, until: datetime | None = None) -> PostRow:
    if is_there:
        return PostRow(1, outcome.value, FIRST_TRY, 7, NOON, until)
    return PostRow(1, outcome.value, None, None, None, until)


@pytest.mark.parametrize("outcome", [PostOutcome.STORED, PostOutcome.REPLAYED])
def test_what_was_stored_or_is_to_be_told_once_more_is_due(outcome: PostOutcome) -> None:
    found = row(outcome, is_there=True)

    assert posted(found) == StoredPost(FIRST_TRY, 7, NOON, is_due=True)


@pytest.mark.parametrize(
    "outcome",
    [PostOutcome.KNOWN, PostOutcome.NOT_JOINED, PostOutcome.MUTED, PostOutcome.TOO_MANY],
)
def test_a_retry_that_may_not_be_told_again_is_answered_with_its_first_try(
    outcome: PostOutcome,
) -> None:
    found = row(outcome, is_there=True, until=NOON)

    assert posted(found) == StoredPost(FIRST_TRY, 7, NOON, is_due=False)


def test_other_words_under_a_known_id_are_refused() -> None:
    assert posted(row(PostOutcome.REUSED, is_there=True)) == RefusedPost(PostOutcome.REUSED, None)


@pytest.mark.parametrize(
    ("outcome", "until"),
    [
        (PostOutcome.MUTED, NOON),
        (PostOutcome.TOO_MANY, NOON),
        (PostOutcome.REPEATED, None),
        (PostOutcome.NOT_JOINED, None),
    ],
)
def test_a_new_message_that_may_not_be_written_is_refused(
    outcome: PostOutcome, until: datetime | None
) -> None:
    assert posted(row(outcome, is_there=False, until=until)) == RefusedPost(outcome, until)


def test_what_counts_for_the_pace_was_sent_within_the_patience_of_its_last_telling() -> None:
    assert LIMITS.counting_window == timedelta(seconds=65)
