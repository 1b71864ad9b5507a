"""A member's calendar: matches, seasons, ranks, and the end of the plan."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database
from api.foundation.security.members import Member
from api.games.matches.enums import CalendarKind, FixtureState
from api.games.matches.repository import queries
from api.games.matches.rules import exporting, moving
from api.games.matches.rules.exporting import CalendarEvent, EventStatus
from api.games.matches.rules.rows import NamedMatchRow
from api.games.matches.schemas.members import CalendarDate
from api.games.matches.service.queries import span
from api.games.ranking.enums import SeasonDateKind
from api.games.ranking.service import seasons
from api.money.subscriptions.service import member_plans

SAYS = {
    SeasonDateKind.BEGINS: (CalendarKind.SEASON, "begins", "/leaderboard"),
    SeasonDateKind.ENDS: (CalendarKind.SEASON, "ends", "/leaderboard"),
    SeasonDateKind.RANK_OPENS: (CalendarKind.RANK, "opens", "/battle-zone"),
}
PLANS = "/subscriptions"
UPCOMING, OVER = "upcoming", "over"
STATUS = {
    FixtureState.POSTPONED: EventStatus.TENTATIVE,
    FixtureState.CANCELLED: EventStatus.CANCELLED,
}


@dataclass(frozen=True)
class Days:
    """The requested Lagos days, both inclusive; None means the default range."""

    first: date | None = None
    last: date | None = None


async def read_calendar(
    database: Database, member: Member, days: Days, now: datetime
) -> list[CalendarDate]:
    """Return the entries of some days, in order, without cancelled ones.

    Raises:
        InvalidFieldError: the last day is before the first, or the range is too long.
    """
    since, until = span(days.first, days.last, now)
    matches = await queries.list_dates(database, member.club_id, since, until)
    dates = [
        *(_match(row) for row in matches if row.state != FixtureState.CANCELLED),
        *await _season_dates(database, since, until, now),
        *await _plan_dates(database, member.user_id, since, until, now),
    ]
    return sorted(dates, key=lambda one: one.starts_at)


async def export_calendar(
    database: Database, member: Member, days: Days, public_url: str, now: datetime
) -> bytes:
    """Return the calendar as a file, including cancelled entries, so that programs remove them.

    Raises:
        InvalidFieldError: the last day is before the first, or the range is too long.
    """
    since, until = span(days.first, days.last, now)
    events = [
        _event(row, public_url)
        for row in await queries.list_dates(database, member.club_id, since, until)
    ]
    others: Sequence[CalendarDate] = [
        *await _season_dates(database, since, until, now),
        *await _plan_dates(database, member.user_id, since, until, now),
    ]
    events += [
        CalendarEvent(
            id=one.id,
            title=one.title,
            starts_at=one.starts_at,
            changed_at=now,
            address=f"{public_url}{one.path}",
        )
        for one in others
    ]
    return exporting.write_calendar(sorted(events, key=lambda one: one.starts_at))


async def export_match(database: Database, fixture_id: UUID, public_url: str) -> bytes:
    """Return one match as a calendar file."""
    row = await queries.read_fixture(database, fixture_id)
    if row is None:
        raise NotFoundError
    return exporting.write_calendar([_event(row, public_url)])


def _path(row: NamedMatchRow) -> str:
    return f"/match/{row.id}"


def _title(row: NamedMatchRow) -> str:
    return f"{row.home_name} v {row.away_name}"


def _match(row: NamedMatchRow) -> CalendarDate:
    state = FixtureState(row.state)
    return CalendarDate(
        id=str(row.id),
        kind=CalendarKind.FIXTURE,
        title=_title(row) + (" (postponed)" if state is FixtureState.POSTPONED else ""),
        starts_at=row.kick_off_at,
        ends_at=row.kick_off_at + moving.MATCH_LASTS,
        state=state,
        path=_path(row),
    )


def _event(row: NamedMatchRow, public_url: str) -> CalendarEvent:
    return CalendarEvent(
        id=str(row.id),
        title=_title(row),
        starts_at=row.kick_off_at,
        ends_at=row.kick_off_at + moving.MATCH_LASTS,
        changed_at=row.updated_at,
        address=f"{public_url}{_path(row)}",
        place=row.venue,
        note=" ".join(filter(None, (row.competition, row.season, row.round))),
        sequence=row.version,
        status=STATUS.get(FixtureState(row.state), EventStatus.CONFIRMED),
    )


def _state(at: datetime, now: datetime) -> str:
    return UPCOMING if at > now else OVER


async def _season_dates(
    database: Database, since: datetime, until: datetime, now: datetime
) -> list[CalendarDate]:
    dates = []
    for one in await seasons.list_dates(database, since, until):
        kind, does, path = SAYS[SeasonDateKind(one.kind)]
        is_rank = kind is CalendarKind.RANK
        dates.append(
            CalendarDate(
                id=f"{one.id}-{one.name}-{does}" if is_rank else f"{one.id}-{does}",
                kind=kind,
                title=f"{one.name} {does}",
                starts_at=one.at,
                ends_at=None,
                state=_state(one.at, now),
                path=path,
            )
        )
    return dates


async def _plan_dates(
    database: Database, user_id: UUID, since: datetime, until: datetime, now: datetime
) -> list[CalendarDate]:
    plan = await member_plans.current_plan(database, user_id, now)
    if plan.ends_at is None or not since <= plan.ends_at < until:
        return []
    does = "renews" if plan.renews else "ends"
    return [
        CalendarDate(
            id=f"plan-{user_id}",
            kind=CalendarKind.PLAN,
            title=f"{plan.plan} {does}",
            starts_at=plan.ends_at,
            ends_at=None,
            state=_state(plan.ends_at, now),
            path=PLANS,
        )
    ]
