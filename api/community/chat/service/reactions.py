"""Reactions to messages, and deletion of own messages."""

from datetime import datetime
from uuid import UUID

from api.community.chat.enums import ReactionKey
from api.community.chat.errors import MutedError, TooLateError
from api.community.chat.repository import measures, messages
from api.community.chat.repository import reactions as reactions_repository
from api.community.chat.rules import (
    DELETE_WINDOW,
    MAX_MESSAGES_ON_SCREEN,
    NO_REACTIONS,
    ChatSocket,
    Reactions,
)
from api.community.chat.service.moderation import HIDDEN_CHANNEL
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Transaction

REACTIONS_CHANNEL = "chat_message_reactions"


async def react(
    database: Database,
    seat: ChatSocket,
    tab: str,
    message_id: UUID,
    key: ReactionKey | None,
    now: datetime,
) -> Reactions:
    """Set a member's reaction to a message, replacing the earlier one; None removes it.

    Every worker is notified of a change. A muted member may still remove a reaction.

    Raises:
        NotFoundError: the tab is not the member's, or has no such message.
        MutedError: the member is muted.
    """
    room_id = _room_of(seat, tab)
    async with database.transaction() as tx:
        if not await reactions_repository.lock_shown(tx, message_id, room_id):
            raise NotFoundError
        if key is not None:
            await require_may_write(tx, seat.user_id, now)
        if await reactions_repository.change_reaction(tx, message_id, seat.user_id, key, now):
            await messages.announce(tx, REACTIONS_CHANNEL, f"{room_id} {message_id}")
        reactions = await reactions_repository.list_reactions(tx, [message_id], seat.user_id)
    return reactions.get(message_id, NO_REACTIONS)


async def require_may_write(tx: Transaction, user_id: UUID, now: datetime) -> None:
    """Raise MutedError if a member is muted; ``post_chat_messages`` has the same rule."""
    until = await measures.read_muted_until(tx, user_id, now)
    if until is not None:
        raise MutedError(content={"until": until.isoformat()})


async def delete_message(
    database: Database, seat: ChatSocket, tab: str, message_id: UUID, now: datetime
) -> None:
    """Delete a member's own message for everybody; deleting it again changes nothing.

    Its text is gone, except stored evidence. Every screen that shows it is notified.

    Raises:
        NotFoundError: the tab is not the member's, or has no such message by the member.
        TooLateError: it was sent too long ago.
    """
    room_id = _room_of(seat, tab)
    async with database.transaction() as tx:
        row = await messages.lock_message(tx, message_id)
        if row is None or (row.room_id, row.user_id) != (room_id, seat.user_id):
            raise NotFoundError
        if row.content == "":  # it is deleted; one that is only hidden could be shown again
            return
        if row.sent_at <= now - DELETE_WINDOW:
            raise TooLateError
        await messages.change_deleted(tx, message_id, now)
        await reactions_repository.delete_reactions(tx, message_id)
        await messages.announce(tx, HIDDEN_CHANNEL, f"{room_id} {message_id}")


async def announce_leaving(tx: Transaction, user_id: UUID) -> None:
    """Remove a locked member's messages from open screens, and recount what they reacted to.

    Call it before the deletion. It covers what screens show: the newest messages of each room.
    """
    for row in await reactions_repository.list_touched(tx, user_id, MAX_MESSAGES_ON_SCREEN):
        channel = HIDDEN_CHANNEL if row.is_own else REACTIONS_CHANNEL
        await messages.announce(tx, channel, f"{row.room_id} {row.id}")


def _room_of(seat: ChatSocket, tab: str) -> UUID:
    room_id = seat.room_of(tab)
    if room_id is None:
        raise NotFoundError
    return room_id
