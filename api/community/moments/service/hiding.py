"""Hides a moment, whether operators or reports cause it."""

from datetime import datetime

from api.community.moments.repository.moments import VisibleMoment, change_hidden
from api.foundation.database.database import Transaction
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify


async def hide_locked(tx: Transaction, row: VisibleMoment, now: datetime) -> None:
    """Hide a locked, visible moment, and notify its member."""
    await change_hidden(tx, row.id, now)
    # A moment can be restored and hidden again, which is a new notification.
    kind, subject = NotificationKind.MOMENT_HIDDEN, f"{row.id}:{now.isoformat()}"
    await notify(tx, row.user_id, kind, subject, now, moment=row.title)
