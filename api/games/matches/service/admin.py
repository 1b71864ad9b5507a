"""Matches in the back office."""

from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.database.days import DayRange
from api.foundation.database.errors import StaleVersionError
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.games.matches.enums import FixtureSource, FixtureState
from api.games.matches.repository import queries, writing
from api.games.matches.repository.queries import FixtureFilter
from api.games.matches.rules.rows import MatchRow
from api.games.matches.schemas.admin import AdminFixture, FixtureChange, FixtureInput, TeamInput
from api.games.matches.service.changing import MatchDraft, read, write_match
from api.games.matches.service.context import FixtureContext
from api.games.matches.service.serializers import for_operators
from api.people.clubs.service import queries as clubs_queries

DAY = timedelta(days=1)
NO_CLUB = "There is no such club."
ONE_TEAM = "A team does not play against itself."
SAVED = "The fixture has been saved."


async def list_fixtures(
    database: Database,
    state: FixtureState | None,
    days: DayRange,
    *,
    before: UUID | None,
    limit: int,
) -> Page[AdminFixture]:
    """Return matches, the latest kick-off first."""
    wanted = FixtureFilter(state=state, since=days.since, until=days.until, before=before)
    rows = await queries.list_fixtures(database, wanted, limit + 1)
    return Page.of(rows, limit, for_operators)


async def create_fixture(
    context: FixtureContext, admin: AdminRequest, form: FixtureInput, now: datetime
) -> AdminResult:
    """Create a match, scheduled or already played.

    Raises:
        InvalidFieldError: there is no such club, or both teams are the same.
        TooEarlyError: it cannot have been played before its kick-off.
        FixtureStateError: a match cannot begin in that state.
        SameFixtureError: the teams have a match at that time.
    """

    async def work(tx: Transaction) -> AdminResult:
        await writing.lock_writing(tx)
        wanted = await _wanted(tx, form, None)
        origin = {"source": FixtureSource.MANUAL, "locked": True}
        shown = for_operators(await write_match(context, tx, None, wanted, origin, now))
        record = AuditRecord("create", "fixture", shown.id, after=shown.model_dump(mode="json"))
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, status=201, message=SAVED)

    return await audit.perform(context.database, admin, form, work)


async def change_fixture(
    context: FixtureContext,
    admin: AdminRequest,
    fixture_id: UUID,
    form: FixtureChange,
    now: datetime,
) -> AdminResult:
    """Change a match, and lock it against feeds.

    Raises:
        InvalidFieldError: there is no such club, or both teams are the same.
        TooEarlyError: it cannot have been played before its kick-off.
        FixtureStateError: the change does not follow from its state.
        SameFixtureError: the teams have another match at that time.
    """

    async def work(tx: Transaction) -> AdminResult:
        await writing.lock_writing(tx)
        held = await writing.lock_fixture(tx, fixture_id)
        if held is None:
            raise NotFoundError
        if held.version != form.version:
            raise StaleVersionError
        before = for_operators(await read(tx, fixture_id))
        wanted = await _wanted(tx, form, held)
        shown = for_operators(await write_match(context, tx, held, wanted, {"locked": True}, now))
        was, is_now = (one.model_dump(mode="json") for one in (before, shown))
        await audit.audited(tx, admin, AuditRecord("change", "fixture", fixture_id, was, is_now))
        return AdminResult.of(shown, message=SAVED)

    return await audit.perform(context.database, admin, form, work)


async def _wanted(tx: Transaction, form: FixtureInput, held: MatchRow | None) -> MatchDraft:
    home = await _team(tx, form.home, "home")
    away = await _team(tx, form.away, "away")
    if home == away:
        raise InvalidFieldError.of("away", ONE_TEAM)
    return MatchDraft(
        competition_id=await _competition(tx, form, held),
        round=form.round,
        home_id=home,
        away_id=away,
        kick_off_at=form.kick_off_at,
        venue=form.venue,
        state=form.state,
        goals=form.goals,
    )


async def _competition(tx: Transaction, form: FixtureInput, held: MatchRow | None) -> UUID:
    """Return the competition of the form; a new one gets the year of the kick-off as its season."""
    known = None if held is None else held.competition_id
    found = await writing.find_season(tx, form.competition, known)
    if found is not None:
        return found
    season = str(clock.lagos_day(form.kick_off_at).year)
    return await writing.add_competition(tx, form.competition, season)


async def _team(tx: Transaction, team: TeamInput, field: str) -> UUID:
    club_id = await clubs_queries.find_id(tx, team.name or str(team.club_id))
    if club_id is not None:
        return await writing.add_club_team(tx, club_id)
    if team.name is None:
        raise InvalidFieldError.of(field, NO_CLUB)
    return await writing.find_team(tx, team.name)
