from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.community.chat.rules import MAX_FOUND_PEOPLE, PUBLIC_ROOM
from api.foundation.database.database import Transaction
from api.foundation.database.statements import PLAN_FOR_VALUES, Query

# Names lead, by their prefix indexes: a room has no list of its recent authors.
IN_ROOM = """
u.erased_at IS NULL AND u.id <> $1 AND $2::uuid IN (u.club_id, $3)
   AND EXISTS (SELECT FROM chat_membership s WHERE s.user_id = u.id AND s.room_id = $2)
   AND (EXISTS (SELECT FROM chat_worker w JOIN chat_presence p ON p.worker_id = w.id
                 WHERE p.user_id = u.id AND w.seen_at > $5)
     OR EXISTS (SELECT FROM chat_message m WHERE m.user_id = u.id AND m.sent_at > $4
                   AND m.room_id = $2 AND m.hidden_at IS NULL))
"""
FOUND = f"""
(SELECT u.id, u.first_name, u.last_name, u.avatar FROM user_account u
  WHERE {{begins}} AND {IN_ROOM} LIMIT {MAX_FOUND_PEOPLE})
"""  # noqa: S608 constants only
# Last name first, as members are shown.
BEGINS = (
    "lower(u.first_name || ' ' || u.last_name) LIKE lower($6)",
    "lower(u.last_name) LIKE lower($7)"
    " AND lower(u.last_name || ' ' || u.first_name) LIKE lower($6)",
)
FOUND_BY_NAME = "UNION".join(FOUND.format(begins=begins) for begins in BEGINS)


@dataclass(frozen=True)
class FoundMember:
    id: UUID
    first_name: str
    last_name: str
    avatar: str | None


SEARCH = Query(
    f"""
SELECT * FROM ({FOUND_BY_NAME}) AS found ORDER BY last_name, first_name, id LIMIT {MAX_FOUND_PEOPLE}
""",  # noqa: S608 constants only
    FoundMember,
)


async def search_people(
    tx: Transaction,
    user_id: UUID,
    room_id: UUID,
    *,
    name: str,
    first_word: str,
    wrote_after: datetime,
    seen_after: datetime,
) -> Sequence[FoundMember]:
    """Return a room's members whose names match, except the caller.

    They wrote there after ``wrote_after``, or are online at a worker seen after ``seen_after``.
    ``name`` and ``first_word`` are patterns.
    """
    await tx.execute(PLAN_FOR_VALUES)
    return await tx.fetch_rows(
        SEARCH, user_id, room_id, PUBLIC_ROOM, wrote_after, seen_after, name, first_word
    )
