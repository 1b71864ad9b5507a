"""HTTP routes of the daily quest."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.dependencies import CurrentMember, DatabaseDep, SettingsDep
from api.foundation.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ExistingName, LagosDay, created, ok
from api.games.trivia.schemas import (
    DailyAttempt,
    ScheduledDay,
    ScheduleInput,
    ScheduleRow,
    SubmitAnswer,
    SubmitInput,
    TriviaQuestion,
)
from api.games.trivia.service import quest as quest_service
from api.games.trivia.service import scheduling
from api.games.trivia.service.scheduling import DaySpan

FINISHED = "Congratulations! You have attempted today daily quest question."  # spec 2
ATTEMPTED = "You have attempted today's daily quest. Please check back tomorrow."
NOTHING = "Apologies! No daily quest question for your club at the moment"  # spec 2

SCHEDULE = "/api/v1/admin/trivia/schedule"
DAY_PATH = f"{SCHEDULE}/{{day}}/{{club}}"
AHEAD = timedelta(days=28)  # default range of the list
BACKWARDS = "This day must not be before the first one."

router = APIRouter(tags=["trivia"], route_class=StrictRoute)
back_office = admin_router()


@router.get(
    "/api/v1/question/daily-trivial-question/{club}/{user_id}", responses=documented(401, 404)
)
async def open_daily_quest(
    member: CurrentMember,
    database: DatabaseDep,
    settings: SettingsDep,
    club: ExistingName,
    user_id: ExistingId,
) -> Envelope[list[TriviaQuestion]]:
    """Read today's questions; an empty list after the submit, or if there are none."""
    member.require_self(user_id)
    member.require_club(club)
    quest = await quest_service.open_quest(
        database,
        member.user_id,
        member.club_id,
        size=settings.trivia_questions_per_day,
        now=clock.now(),
    )
    if quest.questions:
        return ok(quest.questions)
    return ok(quest.questions, ATTEMPTED if quest.is_submitted else NOTHING)


@router.get(
    "/api/v1/question/attempted-daily-trivial-question/{club}/{user_id}",
    responses=documented(401, 404),
)
async def read_daily_attempt(
    member: CurrentMember, database: DatabaseDep, club: ExistingName, user_id: ExistingId
) -> Envelope[DailyAttempt]:
    """Read the member's attempt today: points are null before the submit, a review follows it."""
    member.require_self(user_id)
    member.require_club(club)
    return ok(await quest_service.daily_attempt(database, member.user_id, clock.now()))


@router.post(
    "/api/v1/question/submit-trivia-question",
    status_code=status.HTTP_201_CREATED,
    responses=documented(401, 404, 409),
)
async def submit_daily_quest(
    response: Response,
    member: CurrentMember,
    database: DatabaseDep,
    form: SubmitInput,
    key: IdempotencyKeyHeader,
) -> Envelope[SubmitAnswer]:
    """Submit the answers, once a day; the same Idempotency-Key again returns the first result."""
    if form.user_id is not None:
        member.require_self(form.user_id)
    if form.club_id is not None:
        member.require_club(form.club_id)
    done = await quest_service.submit(database, member.user_id, form, key, clock.now())
    if done.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return created(done.answer, FINISHED)


@back_office.get(SCHEDULE, responses=documented_admin())
async def list_trivia_schedule(
    _admin: Annotated[AdminRequest, may_read(Right.GAMES_READ)],
    database: DatabaseDep,
    first: Annotated[LagosDay | None, Query(alias="from", description="A day in Lagos")] = None,
    last: Annotated[LagosDay | None, Query(alias="to", description="A day in Lagos")] = None,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[ScheduleRow]]:
    """List scheduled days, the latest first; by default for four weeks from today."""
    first = first or clock.lagos_day(clock.now())
    span = DaySpan(first, last or first + AHEAD)
    if span.last < span.first:
        raise InvalidFieldError.of("to", BACKWARDS)
    return ok(await scheduling.list_schedule(database, span, before=before, limit=limit))


@back_office.get(DAY_PATH, responses=documented_admin())
async def read_trivia_schedule(
    _admin: Annotated[AdminRequest, may_read(Right.GAMES_READ)],
    database: DatabaseDep,
    day: LagosDay,
    club: ExistingName,
) -> Envelope[ScheduledDay]:
    """Read the questions of a day, for a club or ``all``."""
    return ok(await scheduling.read_schedule(database, day, club))


@back_office.put(DAY_PATH, responses=documented_admin(409))
async def schedule_trivia(
    admin: Annotated[AdminRequest, may_write(Right.GAMES_WRITE)],
    database: DatabaseDep,
    day: LagosDay,
    club: ExistingName,
    form: ScheduleInput,
) -> Envelope[ScheduledDay]:
    """Set the questions of a day, for a club or ``all``; a club's own take precedence."""
    return to_response(
        await scheduling.schedule(database, admin, day, club, form.question_ids, clock.now())
    )


router.routes.extend(back_office.routes)
