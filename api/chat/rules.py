"""The chat's rules: whose rooms, which texts, and how often the list of users is told."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from api.chat.enums import PostOutcome, ReactionKey
from api.core.ids import parse_id
from api.http.visible import is_seen

PUBLIC_ROOM = UUID(int=0)
PUBLIC_TAB = "Public"
MAX_MESSAGE_LENGTH = 1000  # characters after trimming (contract B-49)
MAX_UNREAD = 100  # what is counted of a room
BLANK_LINES = re.compile(r"\n{3,}")
LIST_SECONDS = 2.0  # contract B-2
CROWD_SECONDS_PER_MEMBER = 0.05
MAX_LIST_DELAY_SECONDS = 30.0
LISTED_USERS = 100
MAX_MESSAGES_ON_SCREEN = 50  # messages of a room that open screens may be taken to show
MAX_MENTIONS = 5
MAX_EXCERPT_LENGTH = 120
DELETED_WITHIN = timedelta(minutes=10)  # contract G
FOUND_PEOPLE = 8
SHORTEST_NAME = 2  # letters that people are looked for by
WROTE_WITHIN = timedelta(days=30)
GONE_SECONDS = 45.0  # a worker not seen for so long has no sockets any more
AROUND = 10  # messages that evidence shows beside the one it is about


@dataclass(frozen=True, slots=True)
class ChatSocket:
    """One socket's place: who sits there and what their club is called."""

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
        """Return what this member calls a room of theirs."""
        return tab_of(room_id, self.club_name)


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message as it was received: not stored yet. ``mentions`` may name anybody."""

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
        """Whether it is meant for somebody: it answers a message, or names members."""
        return self.reply_to is not None or bool(self.mentions)


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """What a message answers, as it is now; without an excerpt it is not there any more."""

    id: UUID
    user_id: UUID
    first_name: str
    last_name: str
    excerpt: str | None


@dataclass(frozen=True, slots=True)
class Stored:
    """Where a message is now, or already was; ``is_due`` says whether it has to be told.

    ``mentions`` are those that were kept, ``quoted`` is what it answers.
    """

    id: UUID
    seq: int
    sent_at: datetime
    is_due: bool
    mentions: tuple[UUID, ...] = ()
    quoted: QuotedMessage | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a message was not stored; ``until`` says when that ends, if it does."""

    outcome: PostOutcome
    until: datetime | None


Posted = Stored | Refused


@dataclass(frozen=True, slots=True)
class Reactions:
    """How many members feel what about a message; ``mine`` is what the one who asks does."""

    counts: Mapping[ReactionKey, int]
    mine: ReactionKey | None = None


NO_REACTIONS = Reactions({})


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one member may write: ``messages`` within ``pace``.

    ``repeat_pause`` is the time before the same words, or the same retry, are told again;
    ``retry_patience`` is how long a retry may still be told.
    """

    messages: int
    pace: timedelta
    repeat_pause: timedelta
    retry_delay: timedelta

    @property
    def counted_within(self) -> timedelta:
        """How long ago a message may have been sent whose telling still counts."""
        return self.retry_delay + self.pace


LIMITS = Limits(5, timedelta(seconds=5), timedelta(seconds=10), timedelta(minutes=1))


def posted(row: Mapping[str, Any]) -> Posted:
    """Return what became of a message; ``id``, ``seq`` and ``sent_at`` are its own or first try's.

    A retry that may not be told again is not refused: its first try stands.
    """
    outcome = PostOutcome(row["outcome"])
    if row["id"] is None or outcome is PostOutcome.REUSED:
        return Refused(outcome, row["until"])
    is_due = outcome in {PostOutcome.STORED, PostOutcome.REPLAYED}
    return Stored(row["id"], row["seq"], row["sent_at"], is_due)


def quoted_message(row: Mapping[str, Any]) -> QuotedMessage | None:
    """Return what a stored message answers, None when it answers nothing that is known."""
    if row["quoted_id"] is None:
        return None
    return QuotedMessage(
        row["quoted_id"],
        row["quoted_user_id"],
        row["quoted_first_name"],
        row["quoted_last_name"],
        row["excerpt"],
    )


def room_of(tab: str, club_id: UUID, club_name: str) -> UUID | None:
    """Return the room that ``tab`` names for a member of this club, or None.

    A tab is ``Public``, or the member's own club by name or id (contract B-3, B-17).
    """
    if tab == PUBLIC_TAB:
        return PUBLIC_ROOM
    return club_id if tab == club_name or parse_id(tab) == club_id else None


def tab_of(room_id: UUID, club_name: str) -> str:
    """Return what a club's members call one of their rooms."""
    return PUBLIC_TAB if room_id == PUBLIC_ROOM else club_name


def nearest(before: int, after: int) -> tuple[int, int]:
    """Return how many of so many messages before and after one are the ten around it.

    Half of them on either side; where one side has fewer, the other fills up.
    """
    half = AROUND // 2
    shown_before = min(before, AROUND - min(after, half))
    return shown_before, min(after, AROUND - shown_before)


def tidy_message(text: str) -> str:
    """Return a message's text as it is kept: its line ends plain, no tower of blank lines.

    Raises:
        ValueError: there is nothing to see in it, or it is too long.
    """
    tidied = BLANK_LINES.sub("\n\n", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not is_seen(tidied):
        raise ValueError("Please type a message")
    if len(tidied) > MAX_MESSAGE_LENGTH:
        raise ValueError(f"A message has at most {MAX_MESSAGE_LENGTH:,} characters")
    return tidied


def list_pause_seconds(online: int) -> float:
    """Return how long to wait between two lists of users: longer for a crowd.

    A list of a hundred names weighs 15 kB, and in a crowd somebody always comes or goes.
    """
    pause = online * CROWD_SECONDS_PER_MEMBER
    return max(LIST_SECONDS, min(MAX_LIST_DELAY_SECONDS, pause))
