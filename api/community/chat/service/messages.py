"""Messages: posting, acknowledgement, and how members see them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from api.community.chat.enums import PostOutcome
from api.community.chat.errors import (
    MutedError,
    NotJoinedError,
    RepeatedMessageError,
    ReusedClientIdError,
    SlowModeError,
    TooManyMessagesError,
)
from api.community.chat.repository import messages as messages_repository
from api.community.chat.repository import rooms as rooms_repository
from api.community.chat.repository.messages import ChatMessageRow
from api.community.chat.rules import (
    LIMITS,
    NO_REACTIONS,
    ChatSocket,
    Limits,
    MessageAddress,
    OutgoingMessage,
    PostResult,
    QuotedMessage,
    Reactions,
    RefusedPost,
    StoredPost,
    posted,
    quoted_message,
)
from api.community.chat.schemas import (
    ChatMessage,
    HistoryMessage,
    MessageSent,
    Quote,
    SendMessage,
)
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.media.storage import picture_url
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify_each


def outgoing_message(
    seat: ChatSocket, message: SendMessage, received_at: datetime
) -> OutgoingMessage:
    """Return a message ready to be posted.

    Raises:
        NotFoundError: its tab is not the member's.
    """
    room_id = seat.room_of(message.club)
    if room_id is None:
        raise NotFoundError
    return OutgoingMessage(
        id=new_id(),
        seat=seat,
        room_id=room_id,
        client_id=message.client_id or new_id(),
        content=message.chat_message,
        received_at=received_at,
        reply_to=message.reply_to,
        mentions=tuple(dict.fromkeys(message.mentions)),
    )


async def post_all(
    database: Database, messages: Sequence[OutgoingMessage], limits: Limits = LIMITS
) -> list[PostResult]:
    """Store messages in one batch; return the outcome of each.

    Posting a message again returns its first try, so a retry never duplicates it. A message that
    answers or mentions members is stored together with their notifications.
    """
    if not any(message.is_addressed for message in messages):
        return [
            posted(row) for row in await messages_repository.post_all(database, messages, limits)
        ]
    async with database.transaction() as tx:
        messages = await _with_members_only(tx, messages)
        outcome = [posted(row) for row in await messages_repository.post_all(tx, messages, limits)]
        stored = [
            (message, one)
            for message, one in zip(messages, outcome, strict=True)
            if message.is_addressed and isinstance(one, StoredPost)
        ]
        addresses = await messages_repository.list_addresses(tx, [one.id for _, one in stored])
        new = [(message, addresses[one.id]) for message, one in stored if one.id == message.id]
        answered = {
            (row.quoted_user_id, message.room_id)
            for message, row in new
            if message.reply_to and row.quoted_user_id
        }
        readers = await rooms_repository.list_named(tx, answered) if answered else set()
        for message, address in new:
            answers = (address.quoted_user_id, message.room_id) in readers
            await _notify_addressed(tx, message, address, answers=answers)
    return [
        replace(
            one,
            mentions=tuple(addresses[one.id].mentions),
            quoted=quoted_message(addresses[one.id]),
        )
        if isinstance(one, StoredPost) and one.id in addresses
        else one
        for one in outcome
    ]


async def _with_members_only(
    tx: Transaction, messages: Sequence[OutgoingMessage]
) -> list[OutgoingMessage]:
    named = {(one, message.room_id) for message in messages for one in message.mentions}
    kept = await rooms_repository.list_named(tx, named) if named else set()
    return [
        replace(
            message,
            mentions=tuple(one for one in message.mentions if (one, message.room_id) in kept),
        )
        for message in messages
    ]


async def _notify_addressed(
    tx: Transaction, message: OutgoingMessage, address: MessageAddress, *, answers: bool
) -> None:
    """Notify the author of the answered message and the mentioned members, each once.

    The sender is not notified. ``answers`` says whether the author of the answered message is still
    in the room.
    """
    club, now = message.seat.tab_of(message.room_id), message.received_at
    sender_id = message.seat.user_id
    author_id = address.quoted_user_id if answers else None
    answered = set() if author_id is None else {author_id} - {sender_id}
    named = set(address.mentions) - {sender_id} - answered
    for kind, recipients in ((NotificationKind.REPLY, answered), (NotificationKind.MENTION, named)):
        if recipients:
            facts = {one: {"club": club} for one in sorted(recipients)}
            await notify_each(tx, facts, kind, message.id, now, sender_id=sender_id)


def as_message(sent: OutgoingMessage, stored: StoredPost) -> ChatMessage:
    """Return a stored message as everybody in its room sees it."""
    seat = sent.seat
    return ChatMessage(
        id=stored.id,
        seq=stored.seq,
        client_id=sent.client_id,
        user_id=seat.user_id,
        club=seat.tab_of(sent.room_id),
        chat_message=sent.content,
        firstname=seat.first_name,
        lastname=seat.last_name,
        avatar=seat.avatar,
        time=milliseconds(stored.sent_at),
        reply_to=_quote(stored.quoted),
        mentions=list(stored.mentions),
        reactions={},
    )


def receipt(posted: PostResult, now: datetime) -> MessageSent:
    """Return the sender's acknowledgement.

    Raises:
        DomainError: the message was refused.
    """
    if isinstance(posted, StoredPost):
        return MessageSent(
            id=posted.id,
            seq=posted.seq,
            time=milliseconds(posted.sent_at),
            mentions=list(posted.mentions),
        )
    match posted:
        case RefusedPost(PostOutcome.MUTED, datetime() as until):
            raise MutedError(content={"until": until.isoformat()})
        case RefusedPost(PostOutcome.TOO_MANY, datetime() as until):
            raise TooManyMessagesError(content=_retry_after(until, now))
        case RefusedPost(PostOutcome.SLOW_MODE, datetime() as until):
            raise SlowModeError(content=_retry_after(until, now))
        case RefusedPost(PostOutcome.REPEATED):
            raise RepeatedMessageError
        case RefusedPost(PostOutcome.REUSED):
            raise ReusedClientIdError.of("client_id", ReusedClientIdError.message)
        case RefusedPost(PostOutcome.GONE):
            raise NotFoundError
    raise NotJoinedError


def _retry_after(until: datetime, now: datetime) -> dict[str, float]:
    return {"retryAfter": round(max(0.1, (until - now).total_seconds()), 1)}


def shown_message(
    row: ChatMessageRow, tab: str, reactions: Reactions = NO_REACTIONS
) -> HistoryMessage:
    """Return a stored message as a tab's members see it in the history."""
    return HistoryMessage(
        id=row.id,
        seq=row.seq,
        client_id=row.client_id,
        user_id=row.user_id,
        club=tab,
        chat_message=row.content,
        firstname=row.first_name,
        lastname=row.last_name,
        avatar=picture_url(row.avatar),
        time=milliseconds(row.sent_at),
        reply_to=_quote(quoted_message(row)),
        mentions=row.mentions,
        reactions=reactions.counts,
        mine=reactions.mine,
    )


def _quote(quoted: QuotedMessage | None) -> Quote | None:
    if quoted is None:
        return None
    return Quote(
        id=quoted.id,
        user_id=quoted.user_id,
        firstname=quoted.first_name,
        lastname=quoted.last_name,
        excerpt=quoted.excerpt,
    )


def milliseconds(moment: datetime) -> int:
    """Return an instant in milliseconds since 1970."""
    return int(moment.timestamp() * 1000)
