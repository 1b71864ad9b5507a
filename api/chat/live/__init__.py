"""In-memory side of the chat: outgoing messages, reaction counts, and who is online.

A message is stored before it is emitted, and emitted in its room's order. Nothing here makes
decisions: clients read back a message that could not be emitted by its sequence, which every user
list contains.
"""

from api.chat.live.messages import MessageDispatcher
from api.chat.live.pace import ALIVE_SECONDS
from api.chat.live.presence import HEARTBEAT_SECONDS, PRESENCE_CHANNEL, Presence
from api.chat.live.reactions import ReactionEmitter
from api.chat.live.rooms import RoomWatch

__all__ = [
    "ALIVE_SECONDS",
    "HEARTBEAT_SECONDS",
    "PRESENCE_CHANNEL",
    "MessageDispatcher",
    "Presence",
    "ReactionEmitter",
    "RoomWatch",
]
