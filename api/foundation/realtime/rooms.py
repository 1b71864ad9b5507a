"""The library's rooms; an event for a room is sent as one packet instead of a task for each socket.

Between workers it is published to a Valkey channel for each room, to which only workers with
members in the room subscribe (decision 0056).
"""

from collections.abc import Collection
from typing import Any

import socketio
import socketio.packet
from typing_extensions import override

from api.foundation.core.ids import new_id
from api.foundation.core.supervisor import Job
from api.foundation.realtime.channels import Channels

PREFIX = "king-of-fans"


class Rooms(socketio.AsyncManager):  # type: ignore[misc] # the library has no types
    """The library's rooms; an event is encoded once instead of by a task for each socket."""

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
        choose = self.server.namespace_handlers[namespace].choices.get((room, event))
        sids = None if choose is None else await choose(data)
        await self.emit_here(event, data, namespace, room, sids)

    async def emit_here(
        self,
        event: str,
        data: dict[str, Any],
        namespace: str,
        room: str,
        sids: Collection[str] | None = None,
    ) -> None:
        """Send an event to a room's sockets on this worker, or to those of ``sids`` among them."""
        members = self.rooms.get(namespace, {}).get(room) or {}
        chosen = members if sids is None else [sid for sid in sids if sid in members]
        if chosen:
            packet = self.server.packet_class(
                socketio.packet.EVENT, namespace=namespace, data=[event, data]
            )
            await self.server.deliver([members[sid] for sid in chosen], packet)

    def jobs(self) -> list[Job]:
        """Return the background jobs."""
        return []

    async def aclose(self) -> None:
        """Disconnect from the other workers."""


class SharedRooms(Rooms):
    """Rooms shared by all workers; a socket's own room is shared once the socket has entered it.

    Of the library's ways to reach a socket on another worker it supports two: an event to a room
    without an acknowledgement, and a disconnection.
    """

    def __init__(self, url: str) -> None:
        super().__init__()
        self._worker_id = new_id().hex
        self._channels = Channels(url, self._on_message)

    @override
    def jobs(self) -> list[Job]:
        """Return the background jobs."""
        return [self._channels.job()]

    @override
    async def aclose(self) -> None:
        """Disconnect from the other workers."""
        await self._channels.aclose()

    @override
    async def emit(
        self,
        event: str,
        data: Any,
        namespace: str,
        room: Any = None,
        skip_sid: Any = None,
        callback: Any = None,
        to: Any = None,
        **_options: Any,
    ) -> None:
        """Send an event to a room's sockets on all workers: first on this one.

        Raises:
            ValueError: it has no single room, skips a socket, or wants an acknowledgement.
        """
        room = to or room
        if callback or skip_sid or not isinstance(room, str):
            raise ValueError("other workers hear an event for one room only")
        await super().emit(event, data, namespace, room)
        if not self.is_sid_room(namespace, room):
            await self._publish(namespace, room, [event, data])

    async def enter_room(
        self, sid: str, namespace: str, room: str, eio_sid: str | None = None
    ) -> None:
        """Add a socket to a room; return once other workers' events for the room are received."""
        await super().enter_room(sid, namespace, room, eio_sid=eio_sid)
        await self._channels.enter(_channel(namespace, room))

    def basic_leave_room(self, sid: str, namespace: str, room: str | None) -> None:
        """Remove a socket from a room; the last one unsubscribes from the room's events."""
        super().basic_leave_room(sid, namespace, room)
        if room is not None and room not in self.rooms.get(namespace, {}):
            self._channels.leave(_channel(namespace, room))

    async def can_disconnect(self, sid: str, namespace: str) -> bool:
        """Return whether the socket is here; otherwise ask its worker to disconnect it."""
        if self.is_connected(sid, namespace) or self.is_pre_connected(sid, namespace):
            is_here: bool = await super().can_disconnect(sid, namespace)
            return is_here
        await self._publish(namespace, sid, [])
        return False

    async def _publish(self, namespace: str, room: str, packet: list[Any]) -> None:
        message = self.json.dumps([self._worker_id, *packet])
        await self._channels.publish(_channel(namespace, room), message)

    async def _on_message(self, channel: str, message: bytes) -> None:
        """Apply a message of another worker."""
        _, namespace, room = channel.split(":", 2)
        worker_id, *packet = self.json.loads(message.decode())
        if worker_id == self._worker_id:
            return
        if packet:
            await super().emit(packet[0], packet[1], namespace, room)
        else:
            await self.server.disconnect(room, namespace, ignore_queue=True)


def _channel(namespace: str, room: str) -> str:
    return f"{PREFIX}:{namespace}:{room}"
