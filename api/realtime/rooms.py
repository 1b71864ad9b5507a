"""The library's rooms; an event for a room leaves as one packet instead of a task for each."""

from typing import Any

import socketio
import socketio.packet


class Rooms(socketio.AsyncManager):  # type: ignore[misc] # the library has no types
    """The library's rooms; an event for a room leaves as one packet instead of a task for each."""

    async def emit(
        self,
        event: str,
        data: Any,
        namespace: str,
        room: Any = None,
        skip_sid: Any = None,
        callback: Any = None,
        to: Any = None,
        **options: Any,
    ) -> None:
        """Send an event to a room's sockets on this worker."""
        room = to or room
        if callback or skip_sid or not isinstance(room, str) or not isinstance(data, dict):
            await super().emit(event, data, namespace, room, skip_sid, callback, **options)
            return
        members = self.rooms.get(namespace, {}).get(room)
        if members:
            packet = self.server.packet_class(
                socketio.packet.EVENT, namespace=namespace, data=[event, data]
            )
            await self.server.deliver(list(members.values()), packet)


class SharedRooms(socketio.AsyncRedisManager, Rooms):  # type: ignore[misc] # no types
    """The same over all workers: an event is published, and each worker sends to its own."""
