"""The fundings behind the transfers of a wallet, and what providers reported of fundings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Runner
from api.money.payments import rules
from api.money.payments.ports import GatewayStatus
from api.money.payments.repository import fundings, reports
from api.money.payments.service.context import PaymentContext
from api.money.wallet.enums import PaymentMode, ReceiptKind
from api.money.wallet.ports import Movement, Origin, ReportedPayment

TITLE = "Wallet funding"
FUNDING_STATUS_SQL = rules.status_sql("t")  # expects the funding under the alias t


async def explain_fundings(
    database: Database, movements: Sequence[Movement]
) -> Mapping[UUID, Origin]:
    """Return the fundings that the movements were credited for; both share a reference."""
    by_reference = {movement.reference: movement.id for movement in movements}
    rows = await fundings.list_by_reference(database, list(by_reference))
    return {
        by_reference[row.reference]: Origin(TITLE, (ReceiptKind.FUNDING, row.id)) for row in rows
    }


async def list_reported_payments(
    context: PaymentContext, runner: Runner, references: Sequence[str]
) -> Mapping[str, Sequence[ReportedPayment]]:
    """Return the stored reports of successful payments for fundings, oldest first.

    A report whose signature does not cover its bytes is left out, and so is one of a gateway that
    is not offered any more.
    """
    found: defaultdict[str, list[ReportedPayment]] = defaultdict(list)
    for row in await reports.list_reports_of(runner, references):
        guard = context.find_gateway(row.gateway)
        said = None if guard is None else guard.gateway.read_report(row.raw).verification
        if said is None or said.status is not GatewayStatus.SUCCESS:
            continue
        found[row.reference].append(
            ReportedPayment(
                amount=Kobo(said.amount_kobo),
                requested=None if said.requested_kobo is None else Kobo(said.requested_kobo),
                currency=said.currency,
                mode=PaymentMode.LIVE if said.livemode else PaymentMode.TEST,
                member_id=said.user_id,
                received_at=row.received_at,
            )
        )
    return found
