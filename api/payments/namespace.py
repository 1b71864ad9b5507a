"""Socket events of payments: tells a member's screens when a funding is decided.

The web app holds it open on every screen, so it also tells what the menu shows.
"""

from collections import defaultdict, deque
from collections.abc import Iterable
from uuid import UUID

import structlog
from typing_extensions import override

from api.core.errors import DomainError
from api.core.metrics import Metrics
from api.database.database import Database
from api.http.wire import WireModel
from api.notifications.schemas import NotificationNews
from api.payments import rules, service
from api.payments.enums import FundingState
from api.payments.events import FundingDecided
from api.payments.schemas import RoomMoved, VerifyWalletTransaction, WalletTransaction
from api.realtime.namespaces import MemberNamespace, member_room
from api.security.identity import Identity
from api.security.members import Member

log = structlog.get_logger(__name__)

PATH = "/payment"
EVENT = "verify_wallet_transaction"
REMEMBERED_NOTICES = 256
MESSAGES = {
    FundingState.SUCCEEDED: "Successfully funded your wallet.",
    FundingState.REVIEW: "Unable to fund wallet.",
    FundingState.EXPIRED: "Wallet funding failed.",
}


class PaymentNamespace(MemberNamespace):
    """``/payment``: what a member's every screen is told; what comes in is others' to answer.

    Each decided funding is told once. Where the member has a socket on this worker the notice is
    claimed first; a member who is away is told at the next connection.
    """

    def __init__(self, *, identity: Identity, metrics: Metrics, database: Database) -> None:
        super().__init__(PATH, identity=identity, metrics=metrics)
        self._database = database
        self._told_at_connection: deque[str] = deque(maxlen=REMEMBERED_NOTICES)
        # By the club of their members; None is all.
        self._sids: defaultdict[UUID | None, set[str]] = defaultdict(set)
        # Apart from the clubs: a member may name any id to watch.
        self._watchers: defaultdict[UUID, set[str]] = defaultdict(set)
        self._watched: dict[str, set[UUID]] = {}

    async def push_funding_decided(self, event: FundingDecided) -> None:
        """Tell the member's screens of a funding that was just decided."""
        self._metrics.fundings.labels(rules.status(event.state, is_cancelled=False)).inc()
        if self.has_socket_of(event.user_id):
            # Whoever claimed it before was a verify call, which told one screen of perhaps several,
            # or a screen that connected this moment and has been told.
            is_ours = await service.claim_notice(self._database, event.reference)
            if not is_ours and event.reference in self._told_at_connection:
                return
        await self._tell(event)

    async def push_room_moved(self, club_id: UUID | None, moved: RoomMoved) -> None:
        """Tell this worker's screens of a club's members, or all, that a chat room has moved."""
        await self.tell(list(self._sids[club_id]), "room_moved", moved)

    async def push_to(
        self, clubs: Iterable[UUID], watched: UUID, event: str, payload: WireModel
    ) -> None:
        """Tell this worker's screens of some clubs' members, and those that watch, once each."""
        sids = set(self._watchers.get(watched, ()))
        sids = sids.union(*(self._sids.get(club, ()) for club in clubs))
        if sids:
            await self.tell(sids, event, payload)

    def watch(self, sid: str, topics: Iterable[UUID]) -> None:
        """Tell a screen of some topics from now on, and of none that it watched before."""
        for topic in self._watched.pop(sid, ()):
            self._watchers[topic].discard(sid)
            if not self._watchers[topic]:
                del self._watchers[topic]
        if self.is_open(sid) and (wanted := set(topics)):
            self._watched[sid] = wanted
            for topic in wanted:
                self._watchers[topic].add(sid)

    async def push_notification(self, user_id: UUID, news: NotificationNews) -> None:
        """Tell this worker's screens of a member what is new, and how much is unread."""
        await self.emit_to_member(user_id, "notification", news)

    @override
    async def left(self, sid: str, member: Member) -> None:
        """Forget a socket that is gone."""
        self.watch(sid, ())
        for club_id in (member.club_id, None):
            self._sids[club_id].discard(sid)

    @override
    async def joined(self, sid: str, member: Member) -> None:
        """Tell a member who has just connected what was decided in the meantime."""
        for club_id in (member.club_id, None):
            self._sids[club_id].add(sid)
        try:
            for notice in await service.claim_notices(self._database, member.user_id):
                self._told_at_connection.append(notice.reference)
                await self._tell(notice)
        except DomainError as refusal:
            log.warning("notices could not be read", code=refusal.code, sid=sid)

    async def _tell(self, event: FundingDecided) -> None:
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
