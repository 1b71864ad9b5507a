"""Members who may play, and phones that play over a real socket."""

from contextlib import AbstractAsyncContextManager
from uuid import UUID

from tests.conftest import RunningApp, SignedIn
from tests.phone import Phone, connected

PATH = "/battle-ground"
EVENTS = (
    "new_question",
    "time_update",
    "time_up",
    "answer_result",
    "attempted_all_question",
    "no_more_questions",
    "empty_question",
    "challengers_list",
    "session_taken_over",
)


def phone(app: RunningApp, member: SignedIn) -> AbstractAsyncContextManager[Phone]:
    """Connect a member's phone to the Battle Zone."""
    return connected(app, member, PATH, EVENTS)


async def right_key(app: RunningApp, member: SignedIn, question_id: str) -> str:
    """Return the key under which this member sees the right option, read from the database."""
    row = await app.database.fetch_row(
        "SELECT array_position(a.shown, q.right_option) AS place FROM battle_attempt a "
        "JOIN question q ON q.id = a.question_id WHERE a.user_id = $1 AND a.question_id = $2 "
        "ORDER BY a.day DESC LIMIT 1",
        member.id,
        UUID(question_id),
    )
    assert row is not None
    return "ABCD"[row["place"] - 1]


def another_key(key: str) -> str:
    return "B" if key == "A" else "A"
