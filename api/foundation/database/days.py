"""Lagos days, for statements that read only their rows."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.ids import first_id_at

OLDEST = datetime(2000, 1, 1, tzinfo=UTC)  # older than every row and id
MARGIN = timedelta(hours=1)  # maximum difference between an id's time and the row's


@dataclass(frozen=True)
class Day:
    """A day from ``since`` to before ``until``; its rows' ids are between the two ids."""

    day: date
    since: datetime
    until: datetime
    first_id: UUID
    end_id: UUID

    @classmethod
    def of(cls, day: date) -> "Day":
        """Return the bounds of a Lagos day."""
        since, until = clock.midnight(day), clock.midnight(day + timedelta(days=1))
        return cls(day, since, until, first_id_at(since - MARGIN), first_id_at(until + MARGIN))


@dataclass(frozen=True)
class DayRange:
    """Lagos days, both inclusive; None is unbounded."""

    first: date | None = None
    last: date | None = None

    @property
    def since(self) -> datetime | None:
        """The first moment."""
        return None if self.first is None else clock.midnight(self.first)

    @property
    def until(self) -> datetime | None:
        """The first moment after it."""
        return None if self.last is None else clock.midnight(self.last + timedelta(days=1))


@dataclass(frozen=True)
class DayActivity:
    """A day's activity: how often, and by whom, each once."""

    count: int
    members: list[UUID]


def id_bounds(since: datetime | None, until: datetime | None) -> tuple[UUID | None, UUID | None]:
    """Return the range of ids of rows in this period; None is unbounded."""
    return (
        None if since is None else first_id_at(max(since, OLDEST) - MARGIN),
        None if until is None else first_id_at(max(until, OLDEST) + MARGIN),
    )
