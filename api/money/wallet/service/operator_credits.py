"""Credits that operators initiate: alone within limits, above them with a second person.

Every action of an operator that credits a wallet or is worth money is checked and recorded here,
and nowhere else (contract T-1). The ledger refuses credits without such a record.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import Approved
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Transaction
from api.foundation.office_settings import service as office_settings
from api.foundation.office_settings.schemas import OfficeSettings
from api.foundation.security.operators import AdminRequest, Operator
from api.money.wallet.enums import CreditKind, TransferKind
from api.money.wallet.repository import operator_credits
from api.money.wallet.repository.operator_credits import NewCredit
from api.money.wallet.service.ledger import credit


@dataclass(frozen=True)
class CreditDay:
    """An operator's Lagos day, locked until commit: the limits, and the kobo credited alone.

    Refunds have limits of their own.
    """

    operator: Operator
    limits: OfficeSettings
    credited: int
    refunded: int
    confirmed: int

    def reasons(
        self,
        user_ids: Collection[UUID],
        *,
        each_kobo: int,
        together_kobo: int | None = None,
        confirmed_kobo: int = 0,
        is_refund: bool = False,
    ) -> list[ApprovalReason]:
        """Return why an operator may not do it alone; empty if they may.

        ``each_kobo`` is compared with the limit of one credit, ``together_kobo`` (by default the
        same) is added to the day, and ``confirmed_kobo`` to the day's confirmed transfers.
        """
        limit, day_limit = self.limits_of(is_refund=is_refund)
        day = self.refunded if is_refund else self.credited
        together = each_kobo if together_kobo is None else together_kobo
        checks = {
            ApprovalReason.OWN: self.operator.user_id in user_ids,
            ApprovalReason.LIMIT: each_kobo > limit,
            ApprovalReason.DAY_LIMIT: together > 0 and day + together > day_limit,
            ApprovalReason.CONFIRM_DAY_LIMIT: (
                confirmed_kobo > 0
                and self.confirmed + confirmed_kobo > self.limits.confirm_day_limit
            ),
        }
        return [reason for reason, holds in checks.items() if holds]

    def limits_of(self, *, is_refund: bool) -> tuple[int, int]:
        """Return the limit of one credit and of a day's, kobo."""
        if is_refund:
            return self.limits.refund_limit, self.limits.refund_day_limit
        return self.limits.adjustment_limit, self.limits.adjustment_day_limit


async def open_day(tx: Transaction, admin: AdminRequest, now: datetime) -> CreditDay:
    """Lock an operator's day; called before any lock of a member."""
    since = clock.midnight(clock.lagos_day(now))
    day = await operator_credits.lock_day(tx, admin.operator.id, since)
    limits = await office_settings.read_settings(tx)
    return CreditDay(admin.operator, limits, day.credited, day.refunded, day.confirmed)


CreditAuthority: TypeAlias = CreditDay | Approved
"""What authorises a credit: the operator's day, if alone, or the approval of a second person."""


async def record_credit(
    tx: Transaction, by: CreditAuthority, caused: NewCredit, now: datetime
) -> None:
    """Record a credit before the ledger posts it.

    With a ``CreditDay``, the caller has checked that its ``reasons`` are empty.
    """
    if isinstance(by, CreditDay):
        of_kind = by.limits_of(is_refund=caused.kind.is_refund)
        limits = (*of_kind, by.limits.confirm_day_limit)
        await operator_credits.insert_credit(tx, caused, by.operator.id, None, limits, now)
    else:
        no_limits = (0, 0, 0)
        await operator_credits.insert_credit(
            tx, caused, by.proposed_by, by.approval_id, no_limits, now
        )


async def import_credit(
    tx: Transaction, user_id: UUID, amount_kobo: Kobo, reference: str, now: datetime
) -> bool:
    """Post a credit without an initiator, for demos and tests; once per reference."""
    caused = NewCredit(
        *(CreditKind.ADJUSTMENT, user_id, new_id(), reference, amount_kobo), counted_kobo=0
    )
    await operator_credits.insert_credit(tx, caused, None, None, (0, 0, 0), now)
    return await credit(tx, user_id, amount_kobo, kind=TransferKind.ADJUST, reference=reference)
