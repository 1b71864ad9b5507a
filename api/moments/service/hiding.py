"""How a moment is hidden, whoever causes it."""

from datetime import datetime

from api.database.database import Transaction
from api.database.statements import Row
from api.moments import repository
from api.notifications.enums import NotificationKind
from api.notifications.service import notify


async def take_off(tx: Transaction, row: Row, now: datetime) -> None:
    """Hide a locked moment that is shown, and tell its member: nothing disappears in silence."""
    await repository.change_hidden(tx, row["id"], now)
    # It may be shown and hidden again, which is told again.
    kind, subject = NotificationKind.MOMENT_HIDDEN, f"{row['id']}:{now.isoformat()}"
    await notify(tx, row["user_id"], kind, subject, now, moment=row["title"])
