"""Operations of the chat: joining, posting, reading, and moderating."""

from api.chat.service.days import count_day
from api.chat.service.evidence import read_evidence
from api.chat.service.measures import (
    BANNED_CHANNEL,
    LIFT_OWN,
    ban,
    conduct,
    lift_approved,
    list_bans,
    list_mutes,
    mute,
    unban,
    unmute,
)
from api.chat.service.messages import as_message, outgoing_message, post_all, receipt
from api.chat.service.moderation import (
    HIDDEN_CHANNEL,
    MODERATE_OWN,
    count_reported,
    list_reported,
    moderate,
    moderate_approved,
    report,
)
from api.chat.service.people import search_people
from api.chat.service.reactions import REACTIONS_CHANNEL, announce_leaving, delete_message, react
from api.chat.service.rooms import (
    banned_among,
    hidden_since,
    join,
    list_messages,
    mark_read,
    recently_hidden,
    require_admitted,
    take_seat,
    unread_rooms,
)

__all__ = [
    "BANNED_CHANNEL",
    "HIDDEN_CHANNEL",
    "LIFT_OWN",
    "MODERATE_OWN",
    "REACTIONS_CHANNEL",
    "announce_leaving",
    "as_message",
    "ban",
    "banned_among",
    "conduct",
    "count_day",
    "count_reported",
    "delete_message",
    "hidden_since",
    "join",
    "lift_approved",
    "list_bans",
    "list_messages",
    "list_mutes",
    "list_reported",
    "mark_read",
    "moderate",
    "moderate_approved",
    "mute",
    "outgoing_message",
    "post_all",
    "react",
    "read_evidence",
    "receipt",
    "recently_hidden",
    "report",
    "require_admitted",
    "search_people",
    "take_seat",
    "unban",
    "unmute",
    "unread_rooms",
]
