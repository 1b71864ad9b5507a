"""Wire formats of the chat; messages keep the specification's spelling (spec 3, contract B-3)."""

from collections.abc import Collection, Mapping
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, PlainSerializer, StringConstraints

from api.community.chat import rules
from api.community.chat.enums import (
    LIFTING,
    ON_MESSAGES,
    ModerationAction,
    ReactionKey,
    ReportReason,
)
from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import (
    Content,
    ExistingId,
    Id,
    Instant,
    LaterMoment,
    SafeText,
    ShortText,
    WireInput,
    WireModel,
)

MESSAGE_EXAMPLE = "What a goal. The whole street heard it!"
MAX_MUTE_MINUTES = 60 * 24 * 365
UuidText = Annotated[UUID, PlainSerializer(str)]


def _one_of(actions: Collection[ModerationAction]) -> AfterValidator:
    def check(action: ModerationAction) -> ModerationAction:
        if action not in actions:
            raise ValueError("This is not done to it")
        return action

    return AfterValidator(check)


class JoinChat(WireInput):
    """The tab to join; ``id`` is the member's own."""

    club_name: SafeText = Field(examples=["Enyimba"])
    id: ExistingId


class RoomStanding(WireModel):
    """A room of the member; ``unread`` counts others' messages, at most a hundred."""

    club: str = Field(examples=["Enyimba"])
    unread: int = Field(ge=0, le=rules.MAX_UNREAD, examples=[3])
    last_read_seq: int
    last_seq: int


class ChatStanding(WireModel):
    """The member's rooms: the club's, then Public; empty before the first join."""

    rooms: list[RoomStanding]


class Quote(WireModel):
    """The message that another one answers; without an excerpt it was deleted."""

    model_config = ConfigDict(alias_generator=None)

    id: UuidText
    user_id: UuidText
    firstname: str = Field(examples=["Bello"])
    lastname: str = Field(examples=["Musa"])
    excerpt: str | None = Field(max_length=rules.MAX_EXCERPT_LENGTH, examples=["Who is going?"])


class ChatMessage(WireModel):
    """A message as everybody sees it; ``time`` is in milliseconds since 1970.

    ``seq`` numbers the room's messages; hidden ones leave gaps. ``reactions`` counts members by
    reaction; those without members are omitted.
    """

    model_config = ConfigDict(alias_generator=None)

    id: UuidText
    seq: int = Field(examples=[42])
    client_id: UuidText
    user_id: UuidText
    club: str = Field(examples=["Public"])
    chat_message: str = Field(examples=[MESSAGE_EXAMPLE])
    firstname: str = Field(examples=["Ada Grace"])
    lastname: str = Field(examples=["Obi"])
    avatar: str | None
    time: int = Field(examples=[1_795_190_400_000])
    reply_to: Quote | None
    mentions: list[UuidText]
    reactions: Mapping[ReactionKey, int] = Field(examples=[{"goal": 3, "fire": 1}])


class HistoryMessage(ChatMessage):
    """A message in the history; ``mine`` is the member's own reaction, or null."""

    mine: ReactionKey | None


class SendMessage(WireInput):
    """A message as a client sends it (spec 3).

    The server decides the sender and the time: ``user_id``, ``lastname`` and ``time`` are accepted
    and ignored. Without a ``client_id`` a retry is a second message.
    """

    model_config = ConfigDict(alias_generator=None, extra="ignore")

    club: SafeText
    chat_message: Annotated[
        SafeText,
        StringConstraints(max_length=8 * rules.MAX_MESSAGE_LENGTH),
        AfterValidator(rules.tidy_message),
    ]
    client_id: Id | None = None
    reply_to: Id | None = None
    mentions: Annotated[list[Id], Field(max_length=rules.MAX_MENTIONS)] = Field(
        default_factory=list
    )


class MessageSent(WireModel):
    """The acknowledgement of a stored message; ``mentions`` has those that are in the room."""

    id: UuidText
    seq: int
    time: int
    mentions: list[UuidText]


class React(WireInput):
    """Set the member's reaction to a message; null removes it."""

    club: SafeText
    id: Id
    key: ReactionKey | None = Field(strict=False)


class MessageReactions(WireModel):
    """A message's reaction counts, for everybody in its room."""

    id: UuidText
    club: str
    counts: Mapping[ReactionKey, int]


class Reacted(WireModel):
    """The acknowledgement of a reaction: all counts, and the member's own reaction."""

    id: UuidText
    counts: Mapping[ReactionKey, int]
    mine: ReactionKey | None


class DeleteMessage(WireInput):
    """Delete one of the member's own messages."""

    club: SafeText
    id: Id


class MessageDeleted(WireModel):
    """The acknowledgement of a deletion."""

    id: UuidText


class MarkRead(WireInput):
    """Mark a tab as read up to a message's ``seq``; a lower one changes nothing."""

    club: SafeText
    seq: Annotated[int, Field(ge=0, le=2**53)]


class ReadUpTo(WireModel):
    """The acknowledgement of a read: the last read ``seq`` of a tab."""

    club: str
    seq: int


class OnlineUser(WireModel):
    """A member who is online."""

    id: UuidText
    first_name: str
    last_name: str
    avatar: str | None


class MessagesSkipped(WireModel):
    """Messages of a room that this phone was not sent: ``count`` between two ``seq``, inclusive."""

    club: str
    count: int
    first: int = Field(serialization_alias="from")
    last: int = Field(serialization_alias="to")


class MessageHidden(WireModel):
    """A message was hidden by a moderator or deleted by its author: screens remove it."""

    id: UuidText
    club: str


class ReportMessage(WireInput):
    """A member's report of a message."""

    message_id: Id
    reason: ReportReason = Field(examples=[ReportReason.ABUSE], strict=False)


class ReportTaken(WireModel):
    """The report that the moderators have received."""

    message_id: UUID
    reason: ReportReason


class ReportedMessage(WireModel):
    """A message with its open reports, for moderators."""

    message: ChatMessage
    hidden: bool
    reports: int
    reasons: list[ReportReason]
    first_reported_at: Instant


class OwnMessageModeration(WireInput):
    """The content of an approval: an action on an operator's own message."""

    message_id: Id
    action: Annotated[ModerationAction, Field(strict=False), _one_of(ON_MESSAGES)]


class OwnMeasureRemoval(WireInput):
    """The content of an approval: lifting an operator's own mute or ban."""

    user_id: Id
    action: Annotated[ModerationAction, Field(strict=False), _one_of(LIFTING)]


class MuteMember(WireInput):
    """The member to mute, for how long, and why."""

    user_id: Id
    minutes: Annotated[int, Field(ge=1, le=MAX_MUTE_MINUTES, examples=[60])]
    reason: Annotated[ShortText, StringConstraints(min_length=1)] = Field(
        examples=["Abuse of other members"]
    )


class Mute(WireModel):
    """A mute: the member can read but not write until ``until``."""

    user_id: UUID
    until: Instant
    reason: str


class BanMember(WireInput):
    """The member to ban, until a given time or until the ban is lifted."""

    user_id: Id
    until: LaterMoment | None = None
    reason: Reason


class Ban(WireModel):
    """A ban: the member cannot enter the chat until ``until``; null means until it is lifted."""

    user_id: UUID
    until: Instant | None
    reason: str


class ChatMember(WireModel):
    """The member a measure applies to."""

    id: UUID
    first_name: str
    last_name: str


class MuteRow(WireModel):
    """A mute in force."""

    id: UUID
    member: ChatMember
    until: Instant
    reason: str


class BanRow(WireModel):
    """A ban in force; without ``until`` it lasts until it is lifted."""

    id: UUID
    member: ChatMember
    until: Instant | None
    reason: str
    banned_at: Instant


class EvidenceMessage(WireModel):
    """A message as it was written, hidden or not, including text stored as evidence."""

    message: ChatMessage
    hidden: bool


class Evidence(WireModel):
    """A message and the ten around it, oldest first."""

    message_id: UUID
    messages: list[EvidenceMessage]


class ChatConduct(WireModel):
    """A member's mute and ban in force, and their reported messages."""

    mute: Mute | None
    ban: Ban | None
    reported: list[ReportedMessage]


UserList = Content
"""``userList``: the member's club and ``Public``, each with a list of ``OnlineUser``, and beside
them by the same names ``counts``, ``last`` (the newest ``seq``) and ``slow`` (the seconds between
two messages of a member in slow mode, else 0; contract B-2, D-8)."""
