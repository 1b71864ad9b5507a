from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.foundation.audit.models import AuditEntry
from api.foundation.database.database import Transaction

HAS_CHANGED = """
SELECT EXISTS (SELECT FROM audit_entry
                WHERE target_id = ANY ($2) AND operator_id = $1 AND at >= $3
                  AND action NOT LIKE 'look-%' AND action <> ALL ($4))
"""


async def insert_entry(tx: Transaction, values: dict[str, Any]) -> None:
    await tx.execute(insert(AuditEntry).values(**values))


async def has_changed(
    tx: Transaction,
    operator_id: UUID,
    target_ids: Sequence[str],
    since: datetime,
    but: Sequence[str],
) -> bool:
    """Return whether an operator changed one of these, other than by the actions in ``but``."""
    values = (operator_id, list(target_ids), since, list(but))
    found: bool = await tx.fetch_value(HAS_CHANGED, *values)
    return found
