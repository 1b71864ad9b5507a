"""Operations of push: subscribing browsers, and selecting the pushes to send."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core.clock import lagos_day
from api.foundation.core.errors import NotFoundError, TokenError
from api.foundation.database.database import Database, Transaction
from api.foundation.jobs.queue import JobQueue
from api.foundation.security.members import Member
from api.foundation.security.sealing import Sealer
from api.foundation.security.web_push import VapidKey, check_browser_keys, decode_key, digest_of
from api.messaging.notifications import service as notifications
from api.messaging.notifications.service import DuePush
from api.messaging.push import repository, rules
from api.messaging.push.errors import NoBrowserKeysError, UnsupportedPushServiceError
from api.messaging.push.jobs import SEND_PUSH, PushTask
from api.messaging.push.repository import CountedPush, NewBrowser
from api.messaging.push.schemas import (
    PushKeyAnswer,
    PushSubscriptionAnswer,
    PushSubscriptionId,
    PushSubscriptionInput,
)

BATCH_SIZE = 200


@dataclass(frozen=True)
class PushContext:
    """Dependencies of push; without a ``key`` nothing is pushed.

    ``allows_loopback`` permits subscriptions on this machine.
    """

    database: Database
    sealer: Sealer
    key: VapidKey | None
    allows_loopback: bool


def read_key(context: PushContext) -> PushKeyAnswer:
    """Return the key that browsers subscribe with."""
    return PushKeyAnswer(public_key=None if context.key is None else context.key.public)


async def subscribe(
    context: PushContext, member: Member, form: PushSubscriptionInput, now: datetime
) -> PushSubscriptionId:
    """Store a browser for as long as the member's session; the oldest beyond five is deleted.

    The same endpoint keeps its id, and moves from its previous member.

    Raises:
        NoBrowserKeysError: the keys are invalid.
        TokenError: the session has ended meanwhile.
    """
    if context.key is None or not rules.is_supported(
        form.endpoint, allows_loopback=context.allows_loopback
    ):
        raise UnsupportedPushServiceError
    try:
        check_browser_keys(decode_key(form.keys.p256dh), decode_key(form.keys.auth))
    except ValueError:
        raise NoBrowserKeysError from None
    digest = digest_of(form.endpoint)
    sealed = context.sealer.seal(form.model_dump(), place_of(digest))
    new = NewBrowser(member.user_id, member.session_id, digest, sealed)
    async with context.database.transaction() as tx:
        await repository.lock_member(tx, member.user_id)
        subscription_id = await repository.insert(tx, new, now, rules.MAX_SUBSCRIPTIONS)
        if subscription_id is None:
            raise TokenError
    return PushSubscriptionId(id=subscription_id)


async def list_subscriptions(database: Database, member: Member) -> list[PushSubscriptionAnswer]:
    """Return the browsers that a member's pushes go to, last seen first."""
    return [
        PushSubscriptionAnswer(
            id=row.id,
            current=row.session_id == member.session_id,
            created_at=row.created_at,
        )
        for row in await repository.list_of(database, member.user_id)
    ]


async def unsubscribe(database: Database, user_id: UUID, subscription_id: UUID) -> None:
    """Delete a member's browser.

    Raises:
        NotFoundError: it is not the member's.
    """
    if not await repository.delete(database, subscription_id, user_id):
        raise NotFoundError


async def forget_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    """Delete the browsers of sessions that end with this transaction."""
    if session_ids:
        await repository.delete_of_sessions(tx, session_ids)


async def forget_member(tx: Transaction, user_id: UUID) -> None:
    """Delete all browsers of a suspended member."""
    await repository.delete_of_member(tx, user_id)


async def send_due(database: Database, queue: JobQueue, now: datetime) -> int:
    """Enqueue the due pushes, each once; return how many there were."""
    async with database.transaction() as tx:
        if not await repository.try_lock(tx):
            return 0
        due = await notifications.claim_pushes(tx, now, BATCH_SIZE)
        deliveries = await _deliveries(tx, due, now) if due else []
        again = await repository.claim_due(tx, now, BATCH_SIZE)
        for delivery_id in (*deliveries, *again):
            task = PushTask(delivery_id=delivery_id)
            await queue.enqueue(tx, SEND_PUSH, task, key=str(delivery_id))
    return max(len(due), len(again))


def place_of(endpoint_digest: bytes) -> str:
    """Return the context that a subscription is sealed with."""
    return f"push:{endpoint_digest.hex()}"


async def _deliveries(tx: Transaction, due: Sequence[DuePush], now: datetime) -> list[UUID]:
    browsers: dict[UUID, list[UUID]] = {}
    for row in await repository.list_live(tx, [push.user_id for push in due]):
        browsers.setdefault(row.user_id, []).append(row.id)
    found: list[UUID] = []
    for push in due:
        to = browsers.get(push.user_id, [])
        is_late = now - push.due_at > rules.ttl_of(push.kind)
        if not to or is_late or not await _has_room(tx, push, now):
            continue
        found += await repository.insert_deliveries(
            tx, push.notification_id, to, push.together, now
        )
    return found


async def _has_room(tx: Transaction, push: DuePush, now: datetime) -> bool:
    """Count a push of a limited group; False when the limit is reached and it stays in the app."""
    group = rules.push_group_of(push.kind)
    limit = rules.DAY_LIMITS[group]
    if limit is None:
        return True
    day = lagos_day(now)
    counted = CountedPush(
        push.user_id, group, day, push.sender_id, limit=limit, sender_limit=rules.SENDER_LIMIT
    )
    return await repository.count_push(tx, counted)
