"""HTTP calls of the daily quest."""

from fastapi import APIRouter, Response, status

from api.core import clock
from api.http.dependencies import CurrentMember, DatabaseDep, SettingsDep
from api.http.idempotency_header import REPLAYED_HEADER, IdempotencyKeyHeader
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, ExistingId, ExistingName, created, ok
from api.trivia import service
from api.trivia.schemas import DailyAttempt, SubmitAnswer, SubmitInput, TriviaQuestion

FINISHED = "Congratulations! You have attempted today daily quest question."  # spec 2
ATTEMPTED = "You have attempted today's daily quest. Please check back tomorrow."
NOTHING = "Apologies! No daily quest question for your club at the moment"  # spec 2

router = APIRouter(tags=["trivia"], route_class=StrictRoute)


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
    """Read today's questions; an empty list after the submit, or when there is nothing to ask."""
    member.require_self(user_id)
    member.require_club(club)
    quest = await service.open_quest(
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
    """Read what the member did today: points null before the submit, a review after it."""
    member.require_self(user_id)
    member.require_club(club)
    return ok(await service.daily_attempt(database, member.user_id, clock.now()))


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
    """Submit the answers, once a day; the same Idempotency-Key again answers the first submit."""
    if form.user_id is not None:
        member.require_self(form.user_id)
    if form.club_id is not None:
        member.require_club(form.club_id)
    done = await service.submit(database, member.user_id, form, key, clock.now())
    if done.replayed:
        response.headers[REPLAYED_HEADER] = "true"
    return created(done.answer, FINISHED)
