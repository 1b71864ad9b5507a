"""One Lagos day, as statements ask for its rows without reading those of other days."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from api.core import clock
from api.core.ids import first_id_at

MARGIN = timedelta(hours=1)  # how far the moment of an id may be from the row's own


@dataclass(frozen=True)
class Day:
    """A day from ``since`` to before ``until``; its rows' ids are in between the two ids."""

    day: date
    since: datetime
    until: datetime
    first_id: UUID
    end_id: UUID

    @classmethod
    def of(cls, day: date) -> "Day":
        """Return a day of Lagos."""
        since, until = clock.midnight(day), clock.midnight(day + timedelta(days=1))
        return cls(day, since, until, first_id_at(since - MARGIN), first_id_at(until + MARGIN))


@dataclass(frozen=True)
class DayActivity:
    """What was done in a day: how often, by whom, and for how much money, in kobo."""

    count: int
    members: frozenset[UUID]
    amount_kobo: int = 0
