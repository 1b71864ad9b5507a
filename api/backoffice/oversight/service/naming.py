"""Display names for the ids in proposals and audit entries."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeAlias, TypeVar
from uuid import UUID

from api.backoffice.oversight.repository import subjects as subjects_repository
from api.backoffice.oversight.schemas.approvals import Subject
from api.foundation.database.database import Database
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
RowT = TypeVar("RowT")
Contents: TypeAlias = Callable[[RowT], Sequence[object]]


class Names(Generic[RowT]):
    """Display names for the ids of some rows that an operator may read."""

    def __init__(self, contents: Contents[RowT], subjects: dict[str, Subject]) -> None:
        self._contents = contents
        self._subjects = subjects

    def of(self, row: RowT) -> list[Subject]:
        """Return the subjects of a row, in the order of its ids."""
        ids = _ids_in(self._contents(row))
        return [self._subjects[one] for one in ids if one in self._subjects]


async def name_subjects(
    database: Database, operator: Operator, rows: Sequence[RowT], contents: Contents[RowT]
) -> Names[RowT]:
    """Resolve names for the ids in the ``contents`` of rows, with a single statement.

    Only the first 50 ids of each row get a name, and only those the operator may read.
    """
    types = [kind for kind, right in READ_BY.items() if right is None or operator.holds(right)]
    ids = {one for row in rows for one in _ids_in(contents(row))}
    found = (
        await subjects_repository.list_subjects(database, [UUID(one) for one in ids], types)
        if ids
        else []
    )
    return Names(contents, {str(subject.id): subject for subject in found})


def _ids_in(contents: Sequence[object]) -> list[str]:
    text = json.dumps(contents, default=str)
    return list(islice(dict.fromkeys(ID.findall(text)), MAX_IDS_PER_ROW))
