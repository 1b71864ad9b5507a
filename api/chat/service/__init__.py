"""The chat's rules at work: joining, posting, reading back, and what moderators do."""

from api.chat.service.days import count_day
from api.chat.service.messages import as_message, outgoing_message, post_all, receipt
from api.chat.service.moderation import (
    HIDDEN_CHANNEL,
    count_reported,
    list_reported,
    moderate,
    mute,
    report,
    unmute,
)
from api.chat.service.rooms import (
    hidden_since,
    join,
    list_messages,
    mark_read,
    recently_hidden,
    standing,
    take_seat,
)

__all__ = [
    "HIDDEN_CHANNEL",
    "as_message",
    "count_day",
    "count_reported",
    "hidden_since",
    "join",
    "list_messages",
    "list_reported",
    "mark_read",
    "moderate",
    "mute",
    "outgoing_message",
    "post_all",
    "receipt",
    "recently_hidden",
    "report",
    "standing",
    "take_seat",
    "unmute",
]
