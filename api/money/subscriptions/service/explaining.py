"""The periods behind the transfers of a wallet."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from api.foundation.database.database import Database
from api.money.subscriptions.enums import PlanPeriod
from api.money.subscriptions.repository import subscriptions
from api.money.subscriptions.rules import paid_title
from api.money.wallet.enums import ReceiptKind
from api.money.wallet.ports import Movement, Origin


async def explain_periods(
    database: Database, movements: Sequence[Movement]
) -> Mapping[UUID, Origin]:
    """Return the periods that the movements paid for."""
    rows = await subscriptions.list_paid_by(database, [movement.id for movement in movements])
    return {
        row.transfer_id: Origin(
            paid_title(row.plan, row.starts_at, row.ends_at, PlanPeriod(row.period)),
            (ReceiptKind.SUBSCRIPTION, row.id),
        )
        for row in rows
    }
