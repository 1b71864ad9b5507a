"""Evidence: a message and those around it; outlives its author's account."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from api.community.chat import rules
from api.community.chat.repository import measures, messages
from api.community.chat.repository.messages import ChatMessageRow, ClubMessageRow
from api.community.chat.rules import PUBLIC_TAB
from api.community.chat.schemas import Evidence, EvidenceMessage
from api.community.chat.service.messages import shown_message
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.retention import EVIDENCE_STAYS
from api.foundation.security.operators import AdminRequest


async def store_evidence(tx: Transaction, message: ChatMessageRow, now: datetime) -> None:
    """Store a message and those around it as evidence, retained from now on."""
    await measures.store_evidence(tx, await _around(tx, message), now)


async def read_evidence(
    database: Database, admin: AdminRequest, message_id: UUID, now: datetime
) -> Evidence:
    """Return a message among those around it, and record the operator's access.

    Raises:
        NotFoundError: there is no such message, or it is too old and was not stored as evidence.
    """
    async with database.transaction() as tx:
        row = await messages.read_message(tx, message_id)
        if row is None:
            raise NotFoundError
        since = await measures.read_stored_at(tx, message_id) or row.sent_at
        if max(since, row.sent_at) <= now - EVIDENCE_STAYS:
            raise NotFoundError
        found = await measures.list_evidence(tx, await _around(tx, row))
        await audit.audited(tx, admin, AuditRecord("look-at-evidence", "chat_message", message_id))
    return Evidence(message_id=message_id, messages=[_shown(one) for one in found])


async def _around(runner: Runner, message: ChatMessageRow) -> Sequence[UUID]:
    place = (message.room_id, message.seq, rules.AROUND)
    before = await measures.list_ids_before(runner, *place)
    after = await measures.list_ids_after(runner, *place)
    max_before, max_after = rules.nearest(len(before), len(after))
    return [message.id, *before[:max_before], *after[:max_after]]


def _shown(row: ClubMessageRow) -> EvidenceMessage:
    return EvidenceMessage(
        message=shown_message(row, row.club_name or PUBLIC_TAB),
        hidden=row.hidden_at is not None,
    )
