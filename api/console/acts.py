"""What operators did on the command line, among the security events."""

import os

from api.core.metrics import Metrics
from api.security.events import SecurityEvent, SecurityLog


def record_act(action: str, **details: str | int | bool) -> None:
    """Record that something was changed, by whichever user of the system ran the command."""
    SecurityLog(Metrics()).record(
        SecurityEvent.OPERATOR_ACTED,
        user_id=None,
        by="console",
        system_user=os.getuid(),
        action=action,
        **details,
    )
