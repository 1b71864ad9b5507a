"""Background work of push: enqueues due pushes and sends them."""

from datetime import datetime, timedelta

import structlog

from api.foundation.core import clock
from api.foundation.core.errors import UnavailableError
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.foundation.jobs.kinds import PermanentFailureError
from api.foundation.jobs.queue import JobQueue
from api.foundation.security.sealing import UnsealableError
from api.foundation.security.web_push import decode_key, encrypt
from api.messaging.notifications import service as notifications
from api.messaging.notifications.enums import NotificationKind
from api.messaging.push import repository, rules, service
from api.messaging.push.jobs import SEND_PUSH, PushTask
from api.messaging.push.ports import PushCarrier, PushReceipt
from api.messaging.push.repository import ClaimedDelivery
from api.messaging.push.service import BATCH_SIZE, PushContext

log = structlog.get_logger(__name__)
SEND_SECONDS = 1.0
LEASE = SEND_PUSH.limit  # a worker that claimed a delivery longer ago than that has died
RETRY_DELAY = timedelta(minutes=1)  # for a service that sends no Retry-After
GONE = frozenset({404, 410})
TOO_MANY = 429


def send_pushes_job(database: Database, queue: JobQueue) -> Job:
    """Return the job that enqueues due pushes."""

    async def step() -> None:
        while await service.send_due(database, queue, clock.now()) == BATCH_SIZE:
            pass

    return Job(name="send_pushes", step=step, every_seconds=SEND_SECONDS)


class PushSender:
    """Runs ``SEND_PUSH`` jobs.

    A delivery is claimed, sent, then deleted. If a worker dies between sending and deleting, it is
    sent a second time under the same tag, which a phone shows once: missing a notification would be
    worse.
    """

    def __init__(self, context: PushContext, carrier: PushCarrier) -> None:
        self._context = context
        self._database = context.database
        self._carrier = carrier

    async def send(self, task: PushTask) -> None:
        """Push to one browser, unless it is signed out or already has this push.

        Each try checks again whether it is night, and whether the member still wants the push.

        Raises:
            UnavailableError: the service failed this time, or another worker is sending it.
            PermanentFailureError: the service refuses it permanently.
        """
        now = clock.now()
        row = await repository.claim(self._database, task.delivery_id, now, now - LEASE)
        if row is None:
            if await repository.is_claimed(self._database, task.delivery_id, now - LEASE):
                raise UnavailableError
            await self.give_up(task)
            return
        leaves_at = await self._leaves_at(row, now)
        if leaves_at is None:
            await self.give_up(task)
            return
        if leaves_at > now:
            await repository.postpone(self._database, task.delivery_id, leaves_at)
            return
        try:
            sealed = self._context.sealer.open(row.sealed, service.place_of(row.endpoint_digest))
        except UnsealableError:  # its key is gone; the browser will subscribe again
            await repository.delete_gone(self._database, row.subscription_id)
            return
        receipt = await self._post(row, sealed, now)
        await self._apply(task, row, receipt, now)

    async def give_up(self, task: PushTask) -> None:
        """Delete a delivery that will never arrive."""
        await repository.delete_delivery(self._database, task.delivery_id)

    async def _leaves_at(self, row: ClaimedDelivery, now: datetime) -> datetime | None:
        """Return when a delivery may be sent; None when it is obsolete."""
        kind, created_at = NotificationKind(row.kind), row.created_at
        if self._context.key is None or now - created_at > rules.ttl_of(kind):
            return None
        return await notifications.push_leaves_at(
            self._database, row.user_id, kind, created_at, now
        )

    async def _post(
        self, row: ClaimedDelivery, sealed: dict[str, dict[str, str]], now: datetime
    ) -> PushReceipt:
        endpoint, keys = str(sealed["endpoint"]), sealed["keys"]
        kind = NotificationKind(row.kind)
        content = rules.content_of(kind, row.data, row.together, row.notification_id)
        body = encrypt(content, decode_key(keys["p256dh"]), decode_key(keys["auth"]))
        headers = {
            "Authorization": self._authorization(endpoint, now),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(rules.ttl_of(kind).total_seconds())),
            "Topic": row.notification_id.hex,
        }
        return await self._carrier.post(endpoint, headers, body)

    async def _apply(
        self, task: PushTask, row: ClaimedDelivery, receipt: PushReceipt, now: datetime
    ) -> None:
        if 200 <= receipt.status < 300:
            await repository.delete_delivery(self._database, task.delivery_id)
        elif receipt.status in GONE:
            await repository.delete_gone(self._database, row.subscription_id)
        elif receipt.status == TOO_MANY:
            due_at = now + (receipt.retry_after or RETRY_DELAY)
            await repository.postpone(self._database, task.delivery_id, due_at)
        elif receipt.status >= 500:
            raise UnavailableError
        else:
            log.error("push refused", http_status=receipt.status)
            raise PermanentFailureError

    def _authorization(self, endpoint: str, now: datetime) -> str:
        if self._context.key is None:
            raise PermanentFailureError
        return self._context.key.authorization(endpoint, now)
