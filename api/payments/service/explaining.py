"""The fundings behind the transfers of a wallet."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from api.database.database import Database
from api.payments import repository, rules
from api.wallet.enums import ReceiptKind
from api.wallet.ports import Movement, Origin

TITLE = "Wallet funding"
FUNDING_STATUS_SQL = rules.status_sql("t")  # expects the funding under the alias t


async def explain_fundings(
    database: Database, movements: Sequence[Movement]
) -> Mapping[UUID, Origin]:
    """Return the fundings that the movements were credited for; both share a reference."""
    by_reference = {movement.reference: movement.id for movement in movements}
    rows = await repository.list_by_reference(database, list(by_reference))
    return {
        by_reference[row["reference"]]: Origin(TITLE, (ReceiptKind.FUNDING, row["id"]))
        for row in rows
    }
