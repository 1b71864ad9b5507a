"""Matches, competitions and tables as members see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import parse_id
from api.foundation.database.database import Transaction
from api.foundation.security.members import Member
from api.games.matches.enums import FixtureState
from api.games.matches.ports import MatchPredictions
from api.games.matches.repository import queries
from api.games.matches.repository.queries import FixtureFilter
from api.games.matches.rules import moving
from api.games.matches.rules.rows import NamedMatchRow
from api.games.matches.schemas.members import CompetitionAnswer, FixtureAnswer, TableRow
from api.games.matches.service.context import FixtureContext
from api.games.matches.service.serializers import shown, team_shown
from api.people.clubs.service import queries as clubs_queries

ALL = "all"
BACKWARDS = "This day must not be before the first one."
MAX_LIVE = 2
NO_MEMBER = UUID(int=0)  # has no predictions
LATEST_KICK_OFF = timedelta(hours=1)  # a match this late still counts as the next one
TOO_LONG = "Please ask for at most 120 days."


@dataclass(frozen=True)
class MatchSearch:
    """A member's search of matches; None means any, except for ``club``: the member's own.

    ``club`` is an id, a name or ``all``. Days are Lagos days, both inclusive.
    """

    club: str | None = None
    competition_id: UUID | None = None
    state: FixtureState | None = None
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True)
class ClubMatches:
    """A club's running matches, and the next one.

    The running ones lack the scored goals, which can be many: read a single match for them.
    """

    coming: FixtureAnswer | None
    live: list[FixtureAnswer]


def span(first: date | None, last: date | None, now: datetime) -> tuple[datetime, datetime]:
    """Return the start and end of a range of Lagos days, both inclusive.

    The default is the last two weeks and the next four.

    Raises:
        InvalidFieldError: the last day is before the first, or the range is too long.
    """
    today = clock.lagos_day(now)
    first = first or (today if last is None else min(today, last)) - moving.BEHIND
    last = last or max(today, first) + moving.AHEAD
    if last < first:
        raise InvalidFieldError.of("to", BACKWARDS)
    if last - first > moving.MAX_SPAN:
        raise InvalidFieldError.of("to", TOO_LONG)
    return clock.midnight(first), clock.midnight(last + timedelta(days=1))


async def list_matches(
    context: FixtureContext, member: Member, search: MatchSearch, *, limit: int, now: datetime
) -> list[FixtureAnswer]:
    """Return matches, the earliest kick-off first.

    Raises:
        InvalidFieldError: the range of days is invalid.
    """
    since, until = span(search.first, search.last, now)
    competition_id = search.competition_id
    if competition_id is not None:
        await _require_competition(context, competition_id)
    wanted = FixtureFilter(
        state=search.state,
        since=since,
        until=until,
        club_id=await _club_id(context, member, search.club),
        competition_id=competition_id,
    )
    rows = await queries.list_shown(context.database, wanted, limit)
    return await show(context, member.user_id, rows)


async def club_matches(context: FixtureContext, member: Member, now: datetime) -> ClubMatches:
    """Return the running matches of a member's club, and the next one."""
    return await _club_matches(context, member.club_id, member.user_id, now)


async def matches_of_club(context: FixtureContext, club_id: UUID, now: datetime) -> ClubMatches:
    """Return the running matches of a club and the next one, without anyone's predictions."""
    return await _club_matches(context, club_id, NO_MEMBER, now)


async def _club_matches(
    context: FixtureContext, club_id: UUID, user_id: UUID, now: datetime
) -> ClubMatches:
    since = now - LATEST_KICK_OFF
    rows = await queries.list_coming(context.database, club_id, since, MAX_LIVE + 1)
    matches = await show(context, user_id, rows)
    coming = [match for match in matches if match.state is FixtureState.SCHEDULED]
    live = [
        match.model_copy(update={"scored": []})
        for match in matches
        if match.state is not FixtureState.SCHEDULED
    ]
    return ClubMatches(next(iter(coming), None), live[:MAX_LIVE])


async def coming_of_club(
    context: FixtureContext, club_id: UUID, now: datetime, *, limit: int
) -> list[FixtureAnswer]:
    """Return a club's scheduled matches, the next one first, without anyone's predictions."""
    wanted = FixtureFilter(state=FixtureState.SCHEDULED, since=now, club_id=club_id)
    rows = await queries.list_shown(context.database, wanted, limit)
    return await show(context, NO_MEMBER, rows)


async def results_of_club(
    context: FixtureContext, club_id: UUID, *, limit: int
) -> list[FixtureAnswer]:
    """Return a club's finished matches, the last one first, without anyone's predictions."""
    wanted = FixtureFilter(state=FixtureState.FINISHED, club_id=club_id)
    rows = await queries.list_fixtures(context.database, wanted, limit)
    return await show(context, NO_MEMBER, rows)


async def table_of_club(context: FixtureContext, club_id: UUID) -> list[TableRow]:
    """Return the table that a club is in: of its latest match with one, played or not."""
    competition_id = await queries.find_table(context.database, club_id)
    return [] if competition_id is None else await read_table(context, competition_id)


async def read_match(context: FixtureContext, user_id: UUID, fixture_id: UUID) -> FixtureAnswer:
    """Return one match."""
    row = await queries.read_fixture(context.database, fixture_id)
    if row is None:
        raise NotFoundError
    return (await show(context, user_id, [row]))[0]


async def lock_match_shared(tx: Transaction, fixture_id: UUID) -> tuple[FixtureState, datetime]:
    """Return a match's state and kick-off, locked against changes until commit.

    May wait for a writer of the match: read the clock after it.
    """
    match = await queries.lock_match_shared(tx, fixture_id)
    if match is None:
        raise NotFoundError
    return FixtureState(match.state), match.kick_off_at


async def find_matches(
    context: FixtureContext, user_id: UUID, ids: Sequence[UUID]
) -> list[FixtureAnswer]:
    """Return those of the given matches that exist."""
    rows = await queries.list_by_ids(context.database, ids, len(ids))
    return await show(context, user_id, rows)


async def show(
    context: FixtureContext, user_id: UUID, rows: Sequence[NamedMatchRow]
) -> list[FixtureAnswer]:
    """Return rows as a member sees them, predictions included."""
    predicted: Mapping[UUID, MatchPredictions] = {}
    if rows:
        ids = [row.id for row in rows]
        predicted = await context.predictions.read(context.database, user_id, ids)
    return [shown(row, predicted.get(row.id, MatchPredictions())) for row in rows]


async def list_competitions(context: FixtureContext) -> list[CompetitionAnswer]:
    """Return competitions by name, the newest season first."""
    return [
        CompetitionAnswer(
            id=row.id,
            name=row.name,
            season=row.season,
            demo=row.demo,
            table=row.has_table,
        )
        for row in await queries.list_competitions(context.database)
    ]


async def read_table(context: FixtureContext, competition_id: UUID) -> list[TableRow]:
    """Return a competition's table; empty if it has none."""
    if not await _require_competition(context, competition_id):
        return []
    return [
        TableRow(
            position=row.position,
            team=team_shown(row.team_id, row.club_id, row.name),
            played=row.played,
            won=row.won,
            drawn=row.drawn,
            lost=row.lost,
            goals_for=row.goals_for,
            goals_against=row.goals_against,
            difference=row.difference,
            points=row.points,
        )
        for row in await queries.list_table(context.database, competition_id)
    ]


async def _require_competition(context: FixtureContext, competition_id: UUID) -> bool:
    """Return whether a competition has a table."""
    has_table = await queries.has_table(context.database, competition_id)
    if has_table is None:
        raise NotFoundError
    return has_table


async def _club_id(context: FixtureContext, member: Member, club: str | None) -> UUID | None:
    if club is None or parse_id(club) == member.club_id:
        return member.club_id
    if club == ALL:
        return None
    found = await clubs_queries.find_id(context.database, club)
    if found is None:
        raise NotFoundError
    return found
