"""Display names for the ids in proposals and audit entries."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from uuid import UUID

from api.backoffice.oversight.repository import subjects as subjects_repository
from api.backoffice.oversight.schemas.approvals import Subject
from api.foundation.database.database import Database
from api.foundation.database.statements import Row
from api.foundation.security.operators import Operator
from api.foundation.security.rights import Right

ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
MAX_IDS_PER_ROW = 50
# The right needed to read each type; None for all. Ids may be typed by operators: an operator
# without the right must not learn a name by entering its id.
READ_BY: Mapping[str, Right | None] = {
    "member": Right.MEMBERS_READ,
    "operator": Right.OPERATORS_WRITE,
    "review_case": Right.MEMBERS_READ,
    "debt": Right.MEMBERS_READ,
    "chat_message": Right.MEMBERS_READ,
    "moment": Right.CHAT_WRITE,
    "approval": None,
    "order": Right.ORDERS_CONFIRM,
    "refund": Right.REFUND_ASK,
    "product": Right.SHOP_READ,
    "product_variant": Right.SHOP_READ,
    "plan": Right.PLANS_WRITE,
    "subscription": Right.PLANS_WRITE,
    "club": None,
    "season": None,
    "fixture": None,
    "competition": None,
    "question": Right.GAMES_READ,
    "article": Right.NEWS_WRITE,
    "webhook": Right.MONEY_READ,
}


class Names:
    """Display names for the ids of some rows that an operator may read."""

    def __init__(self, columns: Sequence[str], subjects: dict[str, Subject]) -> None:
        self._columns = columns
        self._subjects = subjects

    def of(self, row: Row) -> list[Subject]:
        """Return the subjects of a row, in the order of its ids."""
        ids = _ids_in(row, self._columns)
        return [self._subjects[one] for one in ids if one in self._subjects]


async def name_subjects(
    database: Database, operator: Operator, rows: Sequence[Row], columns: Sequence[str]
) -> Names:
    """Resolve names for the ids in some columns of rows, with a single statement.

    Only the first 50 ids of each row get a name, and only those the operator may read.
    """
    types = [kind for kind, right in READ_BY.items() if right is None or operator.holds(right)]
    ids = {one for row in rows for one in _ids_in(row, columns)}
    found = (
        await subjects_repository.list_subjects(database, [UUID(one) for one in ids], types)
        if ids
        else []
    )
    return Names(columns, {str(row["id"]): Subject(**row) for row in found})


def _ids_in(row: Row, columns: Sequence[str]) -> list[str]:
    text = json.dumps([row[column] for column in columns], default=str)
    return list(islice(dict.fromkeys(ID.findall(text)), MAX_IDS_PER_ROW))
