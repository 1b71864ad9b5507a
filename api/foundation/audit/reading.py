"""Queries of operators' recent actions, for rules that depend on them."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.audit import repository
from api.foundation.database.database import Transaction
from api.foundation.security.operators import Operator

RECENTLY = timedelta(days=7)


async def has_changed(
    tx: Transaction,
    operator: Operator,
    ids: Collection[UUID],
    now: datetime,
    *,
    but: Collection[str] = (),
) -> bool:
    """Return whether an operator has created or changed one of these in the last seven days.

    Actions in ``but`` do not count.
    """
    targets, since = [str(id_) for id_ in ids], now - RECENTLY
    return await repository.has_changed(tx, operator.id, targets, since, list(but))
