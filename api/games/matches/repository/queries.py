import functools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, or_, select, tuple_
from sqlalchemy.orm import aliased

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query, compile_statement
from api.games.matches.enums import FixtureState
from api.games.matches.models import Competition, Fixture, Team
from api.games.matches.rules.rows import NamedMatchRow
from api.people.clubs.models import Club

MAX_COMPETITIONS = 200
MAX_DATES = 500
ANY_CLUB = UUID(int=0)
ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
LIVE = (FixtureState.LIVE, FixtureState.HALF_TIME)
MAX_MATCH_DURATION = timedelta(days=1)  # a match that has not ended by then is not shown as running


@dataclass(frozen=True)
class LockedMatch:
    state: str
    kick_off_at: datetime


# Shared lock: readers and writers of the match wait for each other.
LOCK_MATCH_SHARED = Query(
    "SELECT state, kick_off_at FROM fixture WHERE id = $1 FOR SHARE",
    LockedMatch,
)


@dataclass(frozen=True)
class TablePlace:
    position: int
    team_id: UUID
    played: int
    won: int
    drawn: int
    lost: int
    goals_for: int
    goals_against: int
    difference: int
    points: int
    club_id: UUID | None
    name: str


@dataclass(frozen=True)
class CompetitionRow:
    id: UUID
    name: str
    season: str
    demo: bool
    has_table: bool
    version: int


# Finished and awarded matches count; a team without a match is listed with zeros.
TABLE = Query(
    """
WITH played AS (
  SELECT home_id AS team_id, home_goals AS scored, away_goals AS conceded FROM fixture
   WHERE competition_id = $1 AND state IN ('finished', 'awarded')
  UNION ALL
  SELECT away_id, away_goals, home_goals FROM fixture
   WHERE competition_id = $1 AND state IN ('finished', 'awarded')
), teams AS (
  SELECT home_id AS team_id FROM fixture WHERE competition_id = $1 AND state <> 'cancelled'
  UNION
  SELECT away_id FROM fixture WHERE competition_id = $1 AND state <> 'cancelled'
), summed AS (
  SELECT t.team_id, count(p.team_id)::int AS played,
         count(*) FILTER (WHERE p.scored > p.conceded)::int AS won,
         count(*) FILTER (WHERE p.scored = p.conceded)::int AS drawn,
         count(*) FILTER (WHERE p.scored < p.conceded)::int AS lost,
         coalesce(sum(p.scored), 0)::int AS goals_for,
         coalesce(sum(p.conceded), 0)::int AS goals_against
    FROM teams t LEFT JOIN played p ON p.team_id = t.team_id GROUP BY t.team_id
)
SELECT rank() OVER (ORDER BY 3 * s.won + s.drawn DESC, s.goals_for - s.goals_against DESC,
                             s.goals_for DESC)::int AS position,
       s.*, s.goals_for - s.goals_against AS difference, 3 * s.won + s.drawn AS points,
       t.club_id, coalesce(c.name, t.name) AS name
  FROM summed s JOIN team t ON t.id = s.team_id LEFT JOIN club c ON c.id = t.club_id
 ORDER BY position, lower(coalesce(c.name, t.name))
""",
    TablePlace,
)


# The last match that began decides: a new season's table shows once it is played.
FIND_TABLE = """
SELECT c.id FROM fixture f
  JOIN competition c ON c.id = f.competition_id AND c.has_table
  JOIN team t ON t.id IN (f.home_id, f.away_id)
 WHERE t.club_id = $1 AND f.state <> 'cancelled'
 ORDER BY f.state IN ('scheduled', 'postponed'), f.kick_off_at DESC, f.id LIMIT 1
"""


@dataclass(frozen=True)
class FixtureFilter:
    """A filter of matches; None means any. ``until`` is exclusive."""

    state: FixtureState | None = None
    since: datetime | None = None
    until: datetime | None = None
    before: UUID | None = None
    club_id: UUID | None = None
    competition_id: UUID | None = None


def _fixtures() -> Select[Any]:
    home, away = aliased(Team), aliased(Team)
    home_club, away_club = aliased(Club), aliased(Club)
    return (
        select(
            *(column for column in Fixture.__table__.columns),
            Competition.name.label("competition"),
            Competition.season.label("season"),
            Competition.demo.label("demo"),
            Competition.has_table.label("has_table"),
            home.club_id.label("home_club_id"),
            func.coalesce(home_club.name, home.name).label("home_name"),
            away.club_id.label("away_club_id"),
            func.coalesce(away_club.name, away.name).label("away_name"),
        )
        .join(Competition, Competition.id == Fixture.competition_id)
        .join(home, home.id == Fixture.home_id)
        .join(away, away.id == Fixture.away_id)
        .outerjoin(home_club, home_club.id == home.club_id)
        .outerjoin(away_club, away_club.id == away.club_id)
    )


def _wanted(query: Select[Any], wanted: FixtureFilter) -> Select[Any]:
    if wanted.state is not None:
        query = query.where(Fixture.state == wanted.state)
    if wanted.since is not None:
        query = query.where(Fixture.kick_off_at >= wanted.since)
    if wanted.until is not None:
        query = query.where(Fixture.kick_off_at < wanted.until)
    if wanted.competition_id is not None:
        query = query.where(Fixture.competition_id == wanted.competition_id)
    if wanted.club_id is not None:
        team = select(Team.id).where(Team.club_id == wanted.club_id).scalar_subquery()
        query = query.where(or_(Fixture.home_id == team, Fixture.away_id == team))
    return query


async def list_fixtures(
    database: Database, wanted: FixtureFilter, limit: int
) -> Sequence[NamedMatchRow]:
    """Return matches, the latest kick-off first."""
    query = _fixtures().order_by(Fixture.kick_off_at.desc(), Fixture.id.desc()).limit(limit)
    if wanted.before is not None:
        other = aliased(Fixture)
        last = select(other.kick_off_at, other.id).where(other.id == wanted.before)
        query = query.where(tuple_(Fixture.kick_off_at, Fixture.id) < last.scalar_subquery())
    return await database.fetch_rows(Query(_wanted(query, wanted), NamedMatchRow))


async def list_shown(
    database: Database, wanted: FixtureFilter, limit: int
) -> Sequence[NamedMatchRow]:
    """Return matches, the earliest kick-off first."""
    query = _fixtures().order_by(Fixture.kick_off_at, Fixture.id).limit(limit)
    return await database.fetch_rows(Query(_wanted(query, wanted), NamedMatchRow))


async def list_coming(
    database: Database, club_id: UUID, since: datetime, limit: int
) -> Sequence[NamedMatchRow]:
    """Return a club's running matches, then those that kick off from ``since`` on."""
    statement, values = _list_coming(limit)
    asked = {
        ANY_CLUB: club_id,
        ANY_TIME: since,
        ANY_TIME - MAX_MATCH_DURATION: since - MAX_MATCH_DURATION,
    }
    return await database.fetch_rows(statement, *(asked.get(value, value) for value in values))


@functools.cache
def _list_coming(limit: int) -> tuple[Query[NamedMatchRow], Sequence[Any]]:
    """Return the statement and its values, cached: building it takes longer than running it.

    ``ANY_CLUB`` and ``ANY_TIME`` are placeholders for the club and the time.
    """
    is_live = Fixture.state.in_(LIVE)
    query = _fixtures().order_by(is_live.desc(), Fixture.kick_off_at, Fixture.id).limit(limit)
    is_coming = (Fixture.state == FixtureState.SCHEDULED) & (Fixture.kick_off_at >= ANY_TIME)
    wanted = FixtureFilter(club_id=ANY_CLUB, since=ANY_TIME - MAX_MATCH_DURATION)
    return _compiled(_wanted(query, wanted).where(or_(is_live, is_coming)))


async def list_changed(database: Database, since: datetime, limit: int) -> Sequence[NamedMatchRow]:
    """Return the matches changed since then, in order of change."""
    statement, values = _list_changed(limit)
    asked = {ANY_TIME: since}
    return await database.fetch_rows(statement, *(asked.get(value, value) for value in values))


@functools.cache
def _list_changed(limit: int) -> tuple[Query[NamedMatchRow], Sequence[Any]]:
    """Return the statement and its values, cached: every process uses it at startup."""
    query = _fixtures().order_by(Fixture.updated_at, Fixture.id).limit(limit)
    return _compiled(query.where(Fixture.updated_at >= ANY_TIME))


def _compiled(query: Select[Any]) -> tuple[Query[NamedMatchRow], Sequence[Any]]:
    text, values = compile_statement(query)
    return Query(text, NamedMatchRow), values


async def list_by_ids(
    database: Database, ids: Sequence[UUID], limit: int
) -> Sequence[NamedMatchRow]:
    """Return matches by id, the least recently changed first."""
    query = _fixtures().order_by(Fixture.updated_at, Fixture.id).limit(limit)
    return await database.fetch_rows(Query(query.where(Fixture.id.in_(ids)), NamedMatchRow))


async def read_fixture(runner: Runner, fixture_id: UUID) -> NamedMatchRow | None:
    return await runner.fetch_row(_read_one(), fixture_id)


async def lock_match_shared(tx: Transaction, fixture_id: UUID) -> LockedMatch | None:
    return await tx.fetch_row(LOCK_MATCH_SHARED, fixture_id)


@functools.cache
def _read_one() -> Query[NamedMatchRow]:
    """Return the statement, cached: it is used at every goal, and building it is slow."""
    query, _ = _compiled(_fixtures().where(Fixture.id == UUID(int=0)))
    return query


async def list_dates(
    database: Database, club_id: UUID, since: datetime, until: datetime
) -> Sequence[NamedMatchRow]:
    """Return the matches of a member's calendar: those of their club, and those of no club here."""
    query = _fixtures().order_by(Fixture.kick_off_at, Fixture.id).limit(MAX_DATES)
    shown = _wanted(query, FixtureFilter(since=since, until=until))
    clubs = select(Team.id).where(Team.club_id == club_id).scalar_subquery()
    others = select(Team.id).where(Team.club_id.is_(None))
    is_shown = or_(
        Fixture.home_id == clubs,
        Fixture.away_id == clubs,
        Fixture.home_id.in_(others) & Fixture.away_id.in_(others),
    )
    return await database.fetch_rows(Query(shown.where(is_shown), NamedMatchRow))


async def list_competitions(database: Database) -> Sequence[CompetitionRow]:
    """Return competitions by name, the newest season first."""
    query = select(Competition.__table__).order_by(
        func.lower(Competition.name), Competition.season.desc(), Competition.id
    )
    return await database.fetch_rows(Query(query.limit(MAX_COMPETITIONS), CompetitionRow))


async def list_all_competitions(
    database: Database, before: UUID | None, limit: int
) -> Sequence[CompetitionRow]:
    """Return competitions, newest first."""
    query = select(Competition.__table__).order_by(Competition.id.desc()).limit(limit)
    if before is not None:
        query = query.where(Competition.id < before)
    return await database.fetch_rows(Query(query, CompetitionRow))


async def has_table(database: Database, competition_id: UUID) -> bool | None:
    """Return whether a competition has a table; None if there is no such competition."""
    query = select(Competition.has_table).where(Competition.id == competition_id)
    found: bool | None = await database.fetch_value(query)
    return found


async def find_table(database: Database, club_id: UUID) -> UUID | None:
    """Return the competition whose table a club is in, or None."""
    found: UUID | None = await database.fetch_value(FIND_TABLE, club_id)
    return found


async def list_table(database: Database, competition_id: UUID) -> Sequence[TablePlace]:
    """Return a competition's table, in order of places."""
    return await database.fetch_rows(TABLE, competition_id)
