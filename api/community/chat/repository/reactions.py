from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.community.chat.enums import ReactionKey
from api.community.chat.repository.messages import MessagePlace
from api.community.chat.rules import Reactions
from api.foundation.database.database import Runner, Transaction
from api.foundation.database.statements import Query

# A transaction that deletes the message waits for this one, or this one finds no message.
LOCK_SHOWN = """
SELECT id FROM chat_message WHERE id = $1 AND room_id = $2 AND hidden_at IS NULL FOR SHARE
"""
SET = """
INSERT INTO chat_reaction AS r (message_id, user_id, key, reacted_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (message_id, user_id) DO UPDATE SET key = excluded.key, reacted_at = excluded.reacted_at
 WHERE r.key <> excluded.key
RETURNING r.key
"""
UNSET = "DELETE FROM chat_reaction WHERE message_id = $1 AND user_id = $2 RETURNING key"
UNSET_ALL = "DELETE FROM chat_reaction WHERE message_id = $1"


@dataclass(frozen=True)
class ReactionCount:
    message_id: UUID
    key: str
    members: int
    is_mine: bool


@dataclass(frozen=True)
class ShownReactionCount:
    """How many have a reaction to a visible message; one without reactions has no key."""

    id: UUID
    key: str | None
    members: int


@dataclass(frozen=True)
class TouchedMessage:
    id: UUID
    room_id: UUID
    is_own: bool


LIST_REACTIONS = Query(
    """
SELECT message_id, key, count(*) AS members, coalesce(bool_or(user_id = $2), false) AS is_mine
  FROM chat_reaction WHERE message_id = ANY ($1::uuid[]) GROUP BY message_id, key
""",
    ReactionCount,
)
COUNT_SHOWN = Query(
    """
SELECT m.id, r.key, count(r.key) AS members
  FROM chat_message m LEFT JOIN chat_reaction r ON r.message_id = m.id
 WHERE m.id = ANY ($1::uuid[]) AND m.hidden_at IS NULL GROUP BY m.id, r.key
""",
    ShownReactionCount,
)
LIST_TOUCHED = Query(
    """
SELECT m.id, m.room_id, m.user_id = $1 AS is_own FROM chat_membership s
 CROSS JOIN LATERAL (SELECT id, room_id, user_id FROM chat_message
                      WHERE room_id = s.room_id AND hidden_at IS NULL
                      ORDER BY seq DESC LIMIT $2) m
 WHERE s.user_id = $1
   AND (m.user_id = $1 OR EXISTS (SELECT FROM chat_reaction r
                                   WHERE r.message_id = m.id AND r.user_id = $1))
""",
    TouchedMessage,
)
# Ids as texts: see ``repository.messages``.
LIST_REACTABLE = Query(
    """
SELECT m.id, m.room_id FROM unnest($1::text[]::uuid[]) AS room (id)
 CROSS JOIN LATERAL (SELECT id, room_id FROM chat_message
                      WHERE room_id = room.id AND hidden_at IS NULL
                      ORDER BY seq DESC LIMIT $2) m
""",
    MessagePlace,
)


async def lock_shown(tx: Transaction, message_id: UUID, room_id: UUID) -> bool:
    """Lock a visible message of a room against deletion; False when there is none."""
    return await tx.fetch_row(LOCK_SHOWN, message_id, room_id) is not None


async def change_reaction(
    tx: Transaction, message_id: UUID, user_id: UUID, key: ReactionKey | None, now: datetime
) -> bool:
    """Set a member's reaction to a message; return whether it changed."""
    if key is None:
        return await tx.fetch_row(UNSET, message_id, user_id) is not None
    return await tx.fetch_row(SET, message_id, user_id, key.value, now) is not None


async def delete_reactions(tx: Transaction, message_id: UUID) -> None:
    await tx.execute(UNSET_ALL, message_id)


async def list_reactable(runner: Runner, room_ids: Sequence[UUID], limit: int) -> dict[UUID, UUID]:
    """Return the newest messages of each of these rooms, as a dict of message id to room id."""
    rows = await runner.fetch_rows(LIST_REACTABLE, [str(room) for room in room_ids], limit)
    return {row.id: row.room_id for row in rows}


async def count_shown_reactions(
    runner: Runner, message_ids: Sequence[UUID]
) -> dict[UUID, dict[ReactionKey, int]]:
    """Return the reaction counts of visible messages, including those without reactions."""
    counts: dict[UUID, dict[ReactionKey, int]] = {}
    for row in await runner.fetch_rows(COUNT_SHOWN, list(message_ids)):
        counted = counts.setdefault(row.id, {})
        if row.key is not None:
            counted[ReactionKey(row.key)] = row.members
    return counts


async def list_touched(tx: Transaction, user_id: UUID, limit: int) -> Sequence[TouchedMessage]:
    """Return the newest messages of a member's rooms that the member wrote or reacted to."""
    return await tx.fetch_rows(LIST_TOUCHED, user_id, limit)


async def list_reactions(
    runner: Runner, message_ids: Sequence[UUID], user_id: UUID | None = None
) -> dict[UUID, Reactions]:
    """Return the reactions to messages, with ``user_id``'s own; omits messages without any."""
    counts: dict[UUID, dict[ReactionKey, int]] = {}
    mine: dict[UUID, ReactionKey] = {}
    for row in await runner.fetch_rows(LIST_REACTIONS, list(message_ids), user_id):
        key = ReactionKey(row.key)
        counts.setdefault(row.message_id, {})[key] = row.members
        if row.is_mine:
            mine[row.message_id] = key
    return {one: Reactions(found, mine.get(one)) for one, found in counts.items()}
