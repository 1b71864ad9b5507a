"""Metrics of the last proof, and the mails about a failed one."""

import math
from collections.abc import Sequence

from prometheus_client import Gauge

from api.foundation.core import clock
from api.foundation.core.metrics import Metrics
from api.foundation.core.money import format_naira
from api.foundation.database.database import Database
from api.foundation.jobs.kinds import PermanentFailureError
from api.foundation.jobs.mail import Mailer, MailRefusedError, StoredMail
from api.foundation.jobs.mail_template import Letter, Link, write
from api.money.ledger_audit import service
from api.money.ledger_audit.jobs import LedgerWarning

MOMENT = "%d %B %Y, %H:%M UTC"


class ProofMetrics:
    """Gauges of the last proof."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        registry = metrics.everybodys
        self._difference = Gauge(
            "ledger_difference_kobo", "What did not add up at the last proof", registry=registry
        )
        self._unmatched = Gauge(
            "ledger_unmatched", "What broke a check of the last proof", registry=registry
        )
        self._age = Gauge(
            "ledger_proof_age_seconds", "Time since the last proof", registry=registry
        )
        self._whole_age = Gauge(
            "ledger_whole_proof_age_seconds",
            "Time since the last proof that read everything",
            registry=registry,
        )

    async def refresh(self) -> None:
        """Read the last proof from the database; before the first one there are no figures."""
        for gauge in (self._difference, self._unmatched, self._age, self._whole_age):
            gauge.set(math.nan)
        last = await service.read_last(self._database)
        if last is not None:
            self._difference.set(last.difference_kobo)
            self._unmatched.set(sum(one["count"] for one in last.checks))
            self._age.set((clock.now() - last.at).total_seconds())
        whole = await service.read_last_whole(self._database)
        if whole is not None:
            self._whole_age.set((clock.now() - whole.at).total_seconds())


SUBJECT = "Ledger does not balance"


async def warn(database: Database, warnings: Sequence[LedgerWarning]) -> list[StoredMail]:
    """Return the receivers and subjects of stored warnings for the back office; there are few."""
    read = [await service.read_warning(database, one) for one in warnings]
    return [StoredMail(None if one is None else one[0].email, SUBJECT) for one in read]


class LedgerWarner:
    """Handles ``WARN_OF_LEDGER``; ``public_url`` is the address of the back office."""

    def __init__(self, database: Database, mailer: Mailer, *, public_url: str) -> None:
        self._database = database
        self._mailer = mailer
        self._public_url = public_url

    async def send(self, warning: LedgerWarning) -> None:
        """Mail a proof's findings to an operator, unless they are no longer one.

        Raises:
            UnavailableError: the mail server did not accept it this time.
            PermanentFailureError: the mail server never will.
        """
        read = await service.read_warning(self._database, warning)
        if read is None:
            return
        to, proof = read
        broken = "\n".join(
            f"{one['name']}: {one['count']}, such as {', '.join(one['examples'])}"
            for one in proof.checks
            if not one["ok"]
        )
        difference = format_naira(proof.difference_kobo)
        letter = Letter(
            SUBJECT,
            to.first_name,
            [
                f"The ledger did not balance on {proof.at:{MOMENT}}: {difference} does not add up.",
                *([broken] if broken else []),
            ],
            button=Link("Open Money", f"{self._public_url}/admin/money"),
        )
        try:
            await self._mailer.send(write(to.email, letter))
        except MailRefusedError as error:
            raise PermanentFailureError from error
