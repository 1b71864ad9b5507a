"""Messages: posted, acknowledged, and as members see them."""

from collections.abc import Sequence
from datetime import datetime

from api.chat import repository
from api.chat.enums import PostOutcome
from api.chat.errors import (
    MutedError,
    NotJoinedError,
    RepeatedMessageError,
    ReusedClientIdError,
    TooManyMessagesError,
)
from api.chat.rules import (
    LIMITS,
    ChatSocket,
    OutgoingMessage,
    Posted,
    Refused,
    Stored,
    posted,
)
from api.chat.schemas import (
    ChatMessage,
    MessageSent,
    SendMessage,
)
from api.core.errors import NotFoundError
from api.core.ids import new_id
from api.database.database import Database
from api.database.statements import Row
from api.media.storage import picture_url


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
    client_id = message.client_id or new_id()
    return OutgoingMessage(new_id(), seat, room_id, client_id, message.chat_message, received_at)


async def post_all(database: Database, messages: Sequence[OutgoingMessage]) -> list[Posted]:
    """Store messages that came together; return what became of each.

    Posting a message again answers with its first try, so that a retry never doubles.
    """
    return [posted(row) for row in await repository.post_all(database, messages, LIMITS)]


def as_message(sent: OutgoingMessage, stored: Stored) -> ChatMessage:
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
    )


def receipt(posted: Posted, now: datetime) -> MessageSent:
    """Return what the sender is told.

    Raises:
        DomainError: the message was refused, and why.
    """
    if isinstance(posted, Stored):
        return MessageSent(id=posted.id, seq=posted.seq, time=milliseconds(posted.sent_at))
    match posted:
        case Refused(PostOutcome.MUTED, datetime() as until):
            raise MutedError(content={"until": until.isoformat()})
        case Refused(PostOutcome.TOO_MANY, datetime() as until):
            seconds = max(0.1, (until - now).total_seconds())
            raise TooManyMessagesError(content={"retryAfter": round(seconds, 1)})
        case Refused(PostOutcome.REPEATED):
            raise RepeatedMessageError
        case Refused(PostOutcome.REUSED):
            raise ReusedClientIdError.of("client_id", ReusedClientIdError.message)
    raise NotJoinedError


def shown_message(row: Row, tab: str) -> ChatMessage:
    """Return a stored message as the members of a tab see it."""
    return ChatMessage(
        id=row["id"],
        seq=row["seq"],
        client_id=row["client_id"],
        user_id=row["user_id"],
        club=tab,
        chat_message=row["content"],
        firstname=row["first_name"],
        lastname=row["last_name"],
        avatar=picture_url(row["avatar"]),
        time=milliseconds(row["sent_at"]),
    )


def milliseconds(moment: datetime) -> int:
    """Return an instant in milliseconds since 1970."""
    return int(moment.timestamp() * 1000)
