"""The channel to all of a member's screens: the ``/payment`` socket namespace.

The web app keeps it open on every screen. It carries decided fundings, notifications, the menu's
counters and changes of matches.
"""

from collections import defaultdict, deque
from collections.abc import Iterable
from uuid import UUID

import structlog
from pydantic import Field
from typing_extensions import override

from api.foundation.core.errors import DomainError
from api.foundation.core.metrics import Metrics
from api.foundation.database.database import Database
from api.foundation.realtime.namespaces import MemberNamespace, member_room
from api.foundation.security.identity import Identity
from api.foundation.security.members import Member
from api.foundation.wire.schemas import WireModel
from api.messaging.notifications.schemas import NotificationNews
from api.money.payments import rules
from api.money.payments.enums import FundingState
from api.money.payments.events import FundingDecided
from api.money.payments.schemas import REFERENCE_EXAMPLE
from api.money.payments.service import verifying

log = structlog.get_logger(__name__)

PATH = "/payment"
EVENT = "verify_wallet_transaction"
REMEMBERED_NOTICES = 256
MESSAGES = {
    FundingState.SUCCEEDED: "Successfully funded your wallet.",
    FundingState.REVIEW: "Unable to fund wallet.",
    FundingState.EXPIRED: "Wallet funding failed.",
}


class WalletTransaction(WireModel):
    """An event's transaction; ``id`` is the reference for verify-transaction."""

    id: str = Field(examples=[REFERENCE_EXAMPLE])
    user_id: UUID = Field(alias="user_id")  # snake_case on the wire: spec 3


class VerifyWalletTransaction(WireModel):
    """The socket event ``verify_wallet_transaction``; without data the wallet was not funded."""

    data: WalletTransaction | None
    message: str


class RoomMoved(WireModel):
    """The socket event ``room_moved``: ``last`` is the newest message's place in a chat room."""

    club: str = Field(examples=["Enyimba"])
    last: int = Field(examples=[42])


class MemberChannel(MemberNamespace):
    """``/payment``: events for all of a member's screens; it handles no incoming events.

    Each decided funding is announced once. If the member has a socket on this worker, the notice is
    claimed first; a member who is offline is notified at the next connection.
    """

    def __init__(self, *, identity: Identity, metrics: Metrics, database: Database) -> None:
        super().__init__(PATH, identity=identity, metrics=metrics)
        self._database = database
        self._sent_at_connection: deque[str] = deque(maxlen=REMEMBERED_NOTICES)
        # By the club of their members; None is every club.
        self._sids: defaultdict[UUID | None, set[str]] = defaultdict(set)
        # Separate from the clubs: a member may name any id to watch.
        self._watchers: defaultdict[UUID, set[str]] = defaultdict(set)
        self._watched: dict[str, set[UUID]] = {}

    async def push_funding_decided(self, event: FundingDecided) -> None:
        """Notify the member's screens of a funding that was just decided."""
        self._metrics.fundings.labels(rules.status(event.state, is_cancelled=False)).inc()
        if self.has_socket_of(event.user_id):
            # The notice may already be claimed by a verify call, which notified only one of perhaps
            # several screens, or by a screen that has just connected and has been notified.
            is_ours = await verifying.claim_notice(self._database, event.reference)
            if not is_ours and event.reference in self._sent_at_connection:
                return
        await self._emit_decided(event)

    async def push_room_moved(self, club_id: UUID | None, moved: RoomMoved) -> None:
        """Emit to this worker's sockets of a club, or of all, that a chat room has moved."""
        await self.emit_here(list(self._sids[club_id]), "room_moved", moved)

    async def push_to(
        self, clubs: Iterable[UUID], watched: UUID, event: str, payload: WireModel
    ) -> None:
        """Emit an event to this worker's sockets of some clubs and to watchers, once per socket."""
        sids = set(self._watchers.get(watched, ()))
        sids = sids.union(*(self._sids.get(club, ()) for club in clubs))
        if sids:
            await self.emit_here(sids, event, payload)

    def watch(self, sid: str, topics: Iterable[UUID]) -> None:
        """Subscribe a socket to some topics, replacing its earlier subscriptions."""
        for topic in self._watched.pop(sid, ()):
            self._watchers[topic].discard(sid)
            if not self._watchers[topic]:
                del self._watchers[topic]
        if self.is_open(sid) and (new_topics := set(topics)):
            self._watched[sid] = new_topics
            for topic in new_topics:
                self._watchers[topic].add(sid)

    async def push_notification(self, user_id: UUID, news: NotificationNews) -> None:
        """Send a member's sockets on this worker the new notification and the unread count."""
        await self.emit_to_member(user_id, "notification", news)

    @override
    async def left(self, sid: str, member: Member) -> None:
        """Remove a socket that has disconnected."""
        self.watch(sid, ())
        for club_id in (member.club_id, None):
            self._sids[club_id].discard(sid)

    @override
    async def joined(self, sid: str, member: Member) -> None:
        """Notify a newly connected member of the fundings that were decided in the meantime."""
        for club_id in (member.club_id, None):
            self._sids[club_id].add(sid)
        try:
            for notice in await verifying.claim_notices(self._database, member.user_id):
                self._sent_at_connection.append(notice.reference)
                await self._emit_decided(notice)
        except DomainError as refusal:
            log.warning("notices could not be read", code=refusal.code, sid=sid)

    async def _emit_decided(self, event: FundingDecided) -> None:
        """Emit one notice; without data when the money was set aside (spec 4)."""
        transaction = WalletTransaction(id=event.reference, user_id=event.user_id)
        set_aside = event.state is FundingState.REVIEW
        await self.push(
            EVENT,
            VerifyWalletTransaction(
                data=None if set_aside else transaction, message=MESSAGES[event.state]
            ),
            room=member_room(event.user_id),
        )
