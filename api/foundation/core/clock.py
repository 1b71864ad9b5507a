"""The only clock: UTC instants internally, Africa/Lagos days externally."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

LAGOS = ZoneInfo("Africa/Lagos")


def now() -> datetime:
    """Return the current instant, timezone-aware, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 the only use of the system clock


def lagos_day(instant: datetime) -> date:
    """Return the calendar day in Lagos at ``instant`` (UTC+1 all year)."""
    return instant.astimezone(LAGOS).date()


def midnight(day: date) -> datetime:
    """Return the instant, in UTC, at which ``day`` begins in Lagos."""
    return datetime.combine(day, time(), LAGOS).astimezone(UTC)


def next_midnight(instant: datetime) -> datetime:
    """Return the instant, in UTC, at which the Lagos day after the one of ``instant`` begins."""
    return midnight(lagos_day(instant) + timedelta(days=1))
