"""Rules of the chat: rooms, texts, and how often the user list is emitted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from api.community.chat.enums import PostOutcome, ReactionKey
from api.foundation.core.ids import parse_id
from api.foundation.wire.visible import is_seen

PUBLIC_ROOM = UUID(int=0)
PUBLIC_TAB = "Public"
MAX_MESSAGE_LENGTH = 1000  # characters after trimming (contract B-49)
MAX_UNREAD = 100  # counted per room
BLANK_LINES = re.compile(r"\n{3,}")
LIST_SECONDS = 2.0  # contract B-2
CROWD_SECONDS_PER_MEMBER = 0.05
MAX_LIST_DELAY_SECONDS = 30.0
MAX_LISTED_USERS = 100
MAX_MESSAGES_ON_SCREEN = 50  # newest messages of a room that an open screen may show
MAX_MENTIONS = 5
MAX_EXCERPT_LENGTH = 120
DELETE_WINDOW = timedelta(minutes=10)  # contract G
MAX_FOUND_PEOPLE = 8
MIN_NAME_LENGTH = 2  # minimum letters of a search for people
RECENT_AUTHORS_WINDOW = timedelta(days=30)
GONE_SECONDS = 45.0  # a worker not seen for this long is considered dead
AROUND = 10  # messages around a reported one that are evidence, too


@dataclass(frozen=True, slots=True)
class ChatSocket:
    user_id: UUID
    club_id: UUID
    club_name: str
    first_name: str
    last_name: str
    avatar: str | None

    def room_of(self, tab: str) -> UUID | None:
        """Return the room that ``tab`` names, or None when it is not for this member."""
        return room_of(tab, self.club_id, self.club_name)

    def tab_of(self, room_id: UUID) -> str:
        """Return this member's name for one of their rooms."""
        return tab_of(room_id, self.club_name)


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message as received, not stored yet; ``mentions`` are unchecked."""

    id: UUID
    seat: ChatSocket
    room_id: UUID
    client_id: UUID
    content: str
    received_at: datetime
    reply_to: UUID | None = None
    mentions: tuple[UUID, ...] = ()

    @property
    def is_addressed(self) -> bool:
        """Whether it answers a message or mentions members."""
        return self.reply_to is not None or bool(self.mentions)


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """The message that another one answers, as it is now; deleted if it has no excerpt."""

    id: UUID
    user_id: UUID
    first_name: str
    last_name: str
    excerpt: str | None


@dataclass(frozen=True, slots=True)
class StoredPost:
    """A stored message's place; ``is_due`` says whether it has to be emitted.

    ``mentions`` are the stored ones, ``quoted`` is the message it answers.
    """

    id: UUID
    seq: int
    sent_at: datetime
    is_due: bool
    mentions: tuple[UUID, ...] = ()
    quoted: QuotedMessage | None = None


@dataclass(frozen=True, slots=True)
class RefusedPost:
    """Why a message was not stored; ``until`` is when the reason ends, if it does."""

    outcome: PostOutcome
    until: datetime | None


PostResult = StoredPost | RefusedPost


@dataclass(frozen=True, slots=True)
class Reactions:
    """The reaction counts of a message; ``mine`` is the caller's own reaction."""

    counts: Mapping[ReactionKey, int]
    mine: ReactionKey | None = None


NO_REACTIONS = Reactions({})


@dataclass(frozen=True)
class PostRow:
    """The outcome of posting; ``id``, ``seq`` and ``sent_at`` may be those of a first try."""

    place: int
    outcome: str
    id: UUID | None
    seq: int | None
    sent_at: datetime | None
    until: datetime | None


@dataclass(frozen=True)
class MessageAddress:
    """Whom a stored message mentions, and the message it answers."""

    id: UUID
    mentions: list[UUID]
    quoted_id: UUID | None
    quoted_user_id: UUID | None
    quoted_first_name: str | None
    quoted_last_name: str | None
    excerpt: str | None


@dataclass(frozen=True, slots=True)
class SlowMode:
    """The pause between a member's messages in a room with at least so many ``members`` online."""

    members: int
    pause: timedelta


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one member may write: ``messages`` within ``pace``.

    ``repeat_pause`` is the time before the same text, or the same retry, is emitted again;
    ``retry_delay`` is how long after the first try a retry may still be emitted. ``slow_mode`` is
    sorted by members, and empty if it is off. ``deliveries`` is how many messages of the Public
    room a phone gets in a second, and 0 if it gets all.
    """

    messages: int
    pace: timedelta
    repeat_pause: timedelta
    retry_delay: timedelta
    slow_mode: tuple[SlowMode, ...]
    deliveries: int

    @property
    def counting_window(self) -> timedelta:
        """The age up to which a message counts for the pace."""
        return self.retry_delay + self.pace

    def slow_seconds(self, online: int) -> int:
        """Return the seconds between a member's messages in a room with so many online, or 0."""
        pauses = [step.pause for step in self.slow_mode if online >= step.members]
        return int(pauses[-1].total_seconds()) if pauses else 0


SLOW_MODE = (SlowMode(200, timedelta(seconds=5)), SlowMode(2_000, timedelta(seconds=15)))  # D-8
LIMITS = Limits(
    5, timedelta(seconds=5), timedelta(seconds=10), timedelta(minutes=1), SLOW_MODE, deliveries=10
)


def posted(row: PostRow) -> PostResult:
    """Return the outcome of posting; ``id``, ``seq`` and ``sent_at`` may be those of a first try.

    A retry that may not be emitted again is not refused: its first try counts.
    """
    outcome = PostOutcome(row.outcome)
    if row.id is None or row.seq is None or row.sent_at is None or outcome is PostOutcome.REUSED:
        return RefusedPost(outcome, row.until)
    is_due = outcome in {PostOutcome.STORED, PostOutcome.REPLAYED}
    return StoredPost(row.id, row.seq, row.sent_at, is_due)


def quoted_message(row: MessageAddress) -> QuotedMessage | None:
    """Return the message that a stored message answers, or None."""
    first_name, last_name = row.quoted_first_name, row.quoted_last_name
    if row.quoted_id is None or row.quoted_user_id is None:
        return None
    if first_name is None or last_name is None:
        return None
    return QuotedMessage(row.quoted_id, row.quoted_user_id, first_name, last_name, row.excerpt)


def room_of(tab: str, club_id: UUID, club_name: str) -> UUID | None:
    """Return the room that ``tab`` names for a member of this club, or None.

    A tab is ``Public``, or the member's own club by name or id (contract B-3, B-17).
    """
    if tab == PUBLIC_TAB:
        return PUBLIC_ROOM
    return club_id if tab == club_name or parse_id(tab) == club_id else None


def tab_of(room_id: UUID, club_name: str) -> str:
    """Return a club's members' name for one of their rooms."""
    return PUBLIC_TAB if room_id == PUBLIC_ROOM else club_name


def nearest(before: int, after: int) -> tuple[int, int]:
    """Return how many messages before and after one are the ten around it.

    Half of them on either side; where one side has fewer, the other side has more.
    """
    half = AROUND // 2
    shown_before = min(before, AROUND - min(after, half))
    return shown_before, min(after, AROUND - shown_before)


def tidy_message(text: str) -> str:
    """Return a message's text as stored: plain line ends, and no runs of blank lines.

    Raises:
        ValueError: it has no visible characters, or is too long.
    """
    tidied = BLANK_LINES.sub("\n\n", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not is_seen(tidied):
        raise ValueError("Please type a message")
    if len(tidied) > MAX_MESSAGE_LENGTH:
        raise ValueError(f"A message has at most {MAX_MESSAGE_LENGTH:,} characters")
    return tidied


def list_pause_seconds(online: int) -> float:
    """Return the pause between two user lists: longer when many are online.

    A list of a hundred names has 15 kB, and in a crowd the list changes all the time.
    """
    pause = online * CROWD_SECONDS_PER_MEMBER
    return max(LIST_SECONDS, min(MAX_LIST_DELAY_SECONDS, pause))
