"""What is done beside the writing: what is due is made jobs of, and leaves."""

from datetime import datetime, timedelta

import structlog

from api.core import clock
from api.core.errors import UnavailableError
from api.core.supervisor import Job
from api.database.database import Database
from api.database.statements import Row
from api.jobs.kinds import PermanentFailureError
from api.jobs.queue import JobQueue
from api.notifications import service as notifications
from api.notifications.enums import NotificationKind
from api.push import repository, rules, service
from api.push.jobs import SEND_PUSH, PushTask
from api.push.ports import PushCarrier, PushReceipt
from api.push.service import BATCH_SIZE, PushContext
from api.security.sealing import UnsealableError
from api.security.web_push import decode_key, encrypt

log = structlog.get_logger(__name__)
SEND_SECONDS = 1.0
LEASE = SEND_PUSH.limit  # whoever claimed a delivery longer ago than that has died
ASK_AGAIN = timedelta(minutes=1)  # of a service that does not say when
GONE = frozenset({404, 410})
TOO_MANY = 429


def send_pushes_job(database: Database, queue: JobQueue) -> Job:
    """Return what makes stored jobs of the pushes that are due, again and again."""

    async def step() -> None:
        while await service.send_due(database, queue, clock.now()) == BATCH_SIZE:
            pass

    return Job(name="send_pushes", step=step, every_seconds=SEND_SECONDS)


class PushSender:
    """Does ``SEND_PUSH``.

    A delivery is claimed, sent, then struck. A worker that dies between sending and striking lets
    it be sent a second time, under the same tag, which a phone shows once: a member who hears
    nothing of a match would be worse off.
    """

    def __init__(self, context: PushContext, carrier: PushCarrier) -> None:
        self._context = context
        self._database = context.database
        self._carrier = carrier

    async def send(self, task: PushTask) -> None:
        """Push to one browser, unless it is signed out by now or had this push already.

        Each try asks whether it is night by now, and whether the member still wants the push.

        Raises:
            UnavailableError: the service did not take it this time, or another worker is at it.
            PermanentFailureError: it never will.
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
            sealed = self._context.sealer.open(
                row["sealed"], service.place_of(row["endpoint_digest"])
            )
        except UnsealableError:  # its key is gone; the browser subscribes anew
            await repository.delete_gone(self._database, row["subscription_id"])
            return
        receipt = await self._post(row, sealed, now)
        await self._note(task, row, receipt, now)

    async def give_up(self, task: PushTask) -> None:
        """Forget a delivery that will never arrive."""
        await repository.delete_delivery(self._database, task.delivery_id)

    async def _leaves_at(self, row: Row, now: datetime) -> datetime | None:
        """Return when a delivery may be made; None: it is of no use any more."""
        kind, created_at = NotificationKind(row["kind"]), row["created_at"]
        if self._context.key is None or now - created_at > rules.ttl_of(kind):
            return None
        return await notifications.push_leaves_at(
            self._database, row["user_id"], kind, created_at, now
        )

    async def _post(
        self, row: Row, sealed: dict[str, dict[str, str]], now: datetime
    ) -> PushReceipt:
        endpoint, keys = str(sealed["endpoint"]), sealed["keys"]
        kind = NotificationKind(row["kind"])
        content = rules.content_of(kind, row["data"], row["together"], row["notification_id"])
        body = encrypt(content, decode_key(keys["p256dh"]), decode_key(keys["auth"]))
        headers = {
            "Authorization": self._authorization(endpoint, now),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(rules.ttl_of(kind).total_seconds())),
            "Topic": row["notification_id"].hex,
        }
        return await self._carrier.post(endpoint, headers, body)

    async def _note(self, task: PushTask, row: Row, receipt: PushReceipt, now: datetime) -> None:
        """Write down what a service answered."""
        if 200 <= receipt.status < 300:
            await repository.delete_delivery(self._database, task.delivery_id)
        elif receipt.status in GONE:
            await repository.delete_gone(self._database, row["subscription_id"])
        elif receipt.status == TOO_MANY:
            due_at = now + (receipt.retry_after or ASK_AGAIN)
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
