"""What lives only while sockets chat: messages on their way out, reactions, who is online.

A message is stored before it is told, and told in its room's order. Nothing here decides
anything: what a worker could not tell any more is read back by its sequence, which every list of
users names.
"""

from api.chat.live.messages import MessageDispatcher
from api.chat.live.pace import ALIVE_SECONDS
from api.chat.live.presence import HEARTBEAT_SECONDS, PRESENCE_CHANNEL, Presence
from api.chat.live.reactions import ReactionTeller
from api.chat.live.rooms import RoomWatch

__all__ = [
    "ALIVE_SECONDS",
    "HEARTBEAT_SECONDS",
    "PRESENCE_CHANNEL",
    "MessageDispatcher",
    "Presence",
    "ReactionTeller",
    "RoomWatch",
]
