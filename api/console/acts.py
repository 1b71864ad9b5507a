"""Operators' actions on the command line, recorded in the audit and as security events."""

import os

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.metrics import Metrics
from api.foundation.database.database import Transaction
from api.foundation.security.events import SecurityEvent, SecurityLog


def record_act(action: str, **details: str | int | bool) -> None:
    """Record a change and the system user who ran the command."""
    SecurityLog(Metrics()).record(
        SecurityEvent.OPERATOR_ACTED,
        user_id=None,
        by="console",
        system_user=os.getuid(),
        action=action,
        **details,
    )


async def audit_act(
    tx: Transaction, action: str, target_type: str, target: object, **after: str | int | bool
) -> None:
    """Write an audit entry in the transaction of the change."""
    await audit.audited_console(tx, AuditRecord(action, target_type, target, after=after))
