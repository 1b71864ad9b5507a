"""One Lagos day, as statements ask for its rows without reading those of other days."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from api.core import clock
from api.core.ids import first_id_at

OLDEST = datetime(2000, 1, 1, tzinfo=UTC)  # no row is older, and no id can say so
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


def id_bounds(since: datetime | None, until: datetime | None) -> tuple[UUID | None, UUID | None]:
    """Return between which ids rows of these moments are; None is any."""
    return (
        None if since is None else first_id_at(max(since, OLDEST) - MARGIN),
        None if until is None else first_id_at(max(until, OLDEST) + MARGIN),
    )
