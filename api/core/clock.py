"""The one clock: UTC instants inside, Africa/Lagos days outside."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

LAGOS = ZoneInfo("Africa/Lagos")


def now() -> datetime:
    """Return the current instant, timezone-aware, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 the one place that may ask the system clock


def lagos_day(instant: datetime) -> date:
    """Return the calendar day in Lagos at ``instant`` (UTC+1 all year)."""
    return instant.astimezone(LAGOS).date()
