"""HTTP routes of fixtures and of the calendar."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response, status

from api.foundation.core import clock
from api.foundation.database.days import DayRange
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.admission import LoadClass
from api.foundation.http.attachments import attachment
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.dependencies import (
    AddressDep,
    CurrentMember,
    DatabaseDep,
    LimiterDep,
    SecurityDep,
    SettingsDep,
    WritingMember,
    provided,
)
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.http.uploads import UploadGate
from api.foundation.media.uploading import UploadContext
from api.foundation.security.events import SecurityEvent
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, LagosDay, SearchText, ok
from api.games.matches.enums import FixtureState
from api.games.matches.errors import FeedSignatureError
from api.games.matches.schemas.admin import (
    AdminCompetition,
    AdminFixture,
    CompetitionChange,
    FixtureChange,
    FixtureInput,
)
from api.games.matches.schemas.feeds import IMPORT_FORM, FeedOutcome, FixtureImport
from api.games.matches.schemas.members import (
    CalendarDate,
    CompetitionAnswer,
    FixtureAnswer,
    ReminderAnswer,
    TableRow,
)
from api.games.matches.service import admin as admin_service
from api.games.matches.service import calendar, competitions, import_rows, queries, reminders
from api.games.matches.service.calendar import Days
from api.games.matches.service.context import FixtureContext
from api.games.matches.service.feeds import Signing
from api.games.matches.service.queries import MatchSearch

FIXTURES = "/api/v1/admin/fixtures"
COMPETITIONS = "/api/v1/admin/competitions"
BODY_LIMITS = {f"{FIXTURES}/imports": BodyLimit(import_rows.FORM.body_bytes, import_rows.TOO_LARGE)}
LOAD_CLASSES = {"/api/v1/fixtures/feed/push": LoadClass.PROVIDER}
ICS = "text/calendar; charset=utf-8"
CALENDAR_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"text/calendar": {"schema": {"type": "string"}}},
        "description": "An iCalendar file",
    }
}
ContextDep = Annotated[FixtureContext, Depends(provided(FixtureContext))]
FirstDay = Annotated[LagosDay | None, Query(alias="from", description="A day in Lagos")]
LastDay = Annotated[LagosDay | None, Query(alias="to", description="A day in Lagos")]

router = APIRouter(tags=["fixtures"], route_class=StrictRoute)
back_office = admin_router()


@router.get("/api/v1/fixtures", responses=documented(401, 404))
async def list_matches(
    member: CurrentMember,
    context: ContextDep,
    club: Annotated[
        SearchText | None,
        Query(description="A club's id or name, or all; defaults to the member's club"),
    ] = None,
    competition: ExistingId | None = None,
    state: FixtureState | None = None,
    first: FirstDay = None,
    last: LastDay = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[list[FixtureAnswer]]:
    """List matches, earliest first; by default those of the last two weeks and the next four."""
    search = MatchSearch(club, competition, state, first, last)
    now = clock.now()
    return ok(await queries.list_matches(context, member, search, limit=limit, now=now))


@router.post("/api/v1/fixtures/feed/push", responses=documented(409, 413))
async def push_feed(
    request: Request,
    context: ContextDep,
    security: SecurityDep,
    limiter: LimiterDep,
    address: AddressDep,
    sent_at: Annotated[str, Header(alias="X-Feed-Time")] = "",
    sequence: Annotated[str, Header(alias="X-Feed-Sequence")] = "",
    signature: Annotated[str, Header(alias="X-Feed-Signature")] = "",
) -> Envelope[FeedOutcome]:
    """Receive match updates from another server; only that server can sign them.

    The signature is the hex HMAC-SHA-256 of `<time>.<sequence>.<raw body>`. The time is in seconds
    since 1970, at most 300 from the server's clock; the sequence is higher than in every earlier
    push. Repeat a push whose response was lost under a new sequence. Refused rows do not affect
    the others; unchanged rows are skipped.
    """
    raw = await request.body()
    try:
        signing = Signing(sent_at, sequence, signature)
        return ok(await import_rows.receive_push(context, raw, signing))
    except FeedSignatureError:
        origin = limiter.origin(address)
        security.record(SecurityEvent.SIGNATURE_REFUSED, gateway="fixtures", origin=origin)
        raise


@router.get("/api/v1/fixtures/{fixture_id}", responses=documented(401, 404))
async def read_match(
    member: CurrentMember, context: ContextDep, fixture_id: ExistingId
) -> Envelope[FixtureAnswer]:
    """Read one match."""
    return ok(await queries.read_match(context, member.user_id, fixture_id))


@router.get(
    "/api/v1/fixtures/{fixture_id}/export",
    response_class=Response,
    responses=documented(401, 404) | CALENDAR_FILE,
)
async def export_match(
    _member: CurrentMember, context: ContextDep, settings: SettingsDep, fixture_id: ExistingId
) -> Response:
    """Download one match as an iCalendar file."""
    content = await calendar.export_match(context.database, fixture_id, settings.public_url)
    return attachment(content, ICS, f"{fixture_id}.ics")


@router.get("/api/v1/fixtures/{fixture_id}/reminder", responses=documented(401, 404))
async def read_reminder(
    member: CurrentMember, database: DatabaseDep, fixture_id: ExistingId
) -> Envelope[ReminderAnswer]:
    """Read whether the member asked to be reminded of a match."""
    return ok(await reminders.is_reminded(database, member.user_id, fixture_id))


@router.put("/api/v1/fixtures/{fixture_id}/reminder", responses=documented(401, 404, 409, 429))
async def set_reminder(
    member: WritingMember, database: DatabaseDep, fixture_id: ExistingId
) -> Envelope[ReminderAnswer]:
    """Remind the member of a match an hour before its kick-off, even if the match is moved.

    409 `too_late` within that hour, or if the match is not scheduled.
    """
    reminded = await reminders.remind(database, member.user_id, fixture_id)
    return ok(reminded, "We will remind you an hour before kick-off.")


@router.delete("/api/v1/fixtures/{fixture_id}/reminder", responses=documented(401, 404, 429))
async def remove_reminder(
    member: WritingMember, database: DatabaseDep, fixture_id: ExistingId
) -> Envelope[ReminderAnswer]:
    """Remove the member's reminder of a match."""
    return ok(await reminders.remove_reminder(database, member.user_id, fixture_id))


@router.get("/api/v1/competitions", responses=documented(401))
async def list_competitions(
    _member: CurrentMember, context: ContextDep
) -> Envelope[list[CompetitionAnswer]]:
    """List competitions by name, the newest season first."""
    return ok(await queries.list_competitions(context))


@router.get("/api/v1/competitions/{competition_id}/table", responses=documented(401, 404))
async def read_table(
    _member: CurrentMember, context: ContextDep, competition_id: ExistingId
) -> Envelope[list[TableRow]]:
    """Read a competition's table: by points, goal difference and goals; ties share a place."""
    return ok(await queries.read_table(context, competition_id))


@router.get("/api/v1/calendar", responses=documented(401))
async def read_calendar(
    member: CurrentMember, context: ContextDep, first: FirstDay = None, last: LastDay = None
) -> Envelope[list[CalendarDate]]:
    """List the dates of matches, seasons, ranks and the end of the plan; at most 120 days."""
    days = Days(first, last)
    return ok(await calendar.read_calendar(context.database, member, days, clock.now()))


@router.get(
    "/api/v1/calendar/export",
    response_class=Response,
    responses=documented(401) | CALENDAR_FILE,
)
async def export_calendar(
    member: CurrentMember,
    context: ContextDep,
    settings: SettingsDep,
    first: FirstDay = None,
    last: LastDay = None,
) -> Response:
    """Download the calendar as an iCalendar file, including cancelled matches."""
    days, url = Days(first, last), settings.public_url
    content = await calendar.export_calendar(context.database, member, days, url, clock.now())
    return attachment(content, ICS, "king-of-fans.ics")


@back_office.get(FIXTURES, responses=documented_admin())
async def list_fixtures(
    _admin: Annotated[AdminRequest, may_read(Right.GAMES_READ)],
    database: DatabaseDep,
    state: FixtureState | None = None,
    first: FirstDay = None,
    last: LastDay = None,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[AdminFixture]]:
    """List matches, the latest kick-off first."""
    days = DayRange(first, last)
    return ok(await admin_service.list_fixtures(database, state, days, before=before, limit=limit))


@back_office.post(FIXTURES, status_code=status.HTTP_201_CREATED, responses=documented_admin(409))
async def create_fixture(
    admin: Annotated[AdminRequest, may_write(Right.GAMES_WRITE)],
    context: ContextDep,
    form: FixtureInput,
) -> Envelope[AdminFixture]:
    """Create a match."""
    return to_response(await admin_service.create_fixture(context, admin, form, clock.now()))


@back_office.put(f"{FIXTURES}/{{fixture_id}}", responses=documented_admin(409))
async def change_fixture(
    admin: Annotated[AdminRequest, may_write(Right.GAMES_WRITE)],
    context: ContextDep,
    fixture_id: ExistingId,
    form: FixtureChange,
) -> Envelope[AdminFixture]:
    """Replace the details of a match, and lock it against feeds."""
    return to_response(
        await admin_service.change_fixture(context, admin, fixture_id, form, clock.now())
    )


@back_office.post(
    f"{FIXTURES}/imports",
    responses=documented_admin(409, 413),
    openapi_extra=IMPORT_FORM,
)
async def import_fixtures(
    request: Request,
    admin: Annotated[AdminRequest, may_write(Right.GAMES_WRITE)],
    context: ContextDep,
    uploads: Annotated[UploadContext, Depends(provided(UploadContext))],
    gate: Annotated[UploadGate, Depends(provided(UploadGate))],
) -> Envelope[FixtureImport]:
    """Check a CSV file of at most 262,144 bytes; with its digest, import all of it or nothing."""
    async with gate.received_form(
        request, import_rows.FORM, uploads.uploads, admin.operator.user_id
    ) as form:
        return to_response(await import_rows.import_file(context, admin, form, clock.now()))


@back_office.get(COMPETITIONS, responses=documented_admin())
async def list_all_competitions(
    _admin: Annotated[AdminRequest, may_read(Right.GAMES_READ)],
    database: DatabaseDep,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[AdminCompetition]]:
    """List competitions, newest first."""
    return ok(await competitions.list_all_competitions(database, before=before, limit=limit))


@back_office.put(f"{COMPETITIONS}/{{competition_id}}", responses=documented_admin(409))
async def change_competition(
    admin: Annotated[AdminRequest, may_write(Right.GAMES_WRITE)],
    database: DatabaseDep,
    competition_id: ExistingId,
    form: CompetitionChange,
) -> Envelope[AdminCompetition]:
    """Change a competition's name and season, and whether it has a table."""
    return to_response(await competitions.change_competition(database, admin, competition_id, form))


router.routes.extend(back_office.routes)
