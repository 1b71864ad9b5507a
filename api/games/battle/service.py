"""Steps of the Battle Zone: each event of a member is one step, judged by the server's clock."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.days import Day, DayActivity
from api.foundation.media.storage import picture_url
from api.foundation.security.members import Member
from api.games.achievements.enums import BadgeKey
from api.games.achievements.service import badges as achievements_badges
from api.games.achievements.service import streaks
from api.games.battle import repository
from api.games.battle.enums import DoorState, StepKind
from api.games.battle.errors import REFUSALS, TakenOverError
from api.games.battle.repository import OverdueAttempt
from api.games.battle.rules import outcomes, situation
from api.games.battle.rules.situation import (
    BattleStatus as BattleStatus,  # return type of ``battle_status``
)
from api.games.battle.rules.situation import GivenAnswer, PlayerSocket, Situation, Step
from api.games.battle.schemas import BattleConfig, BattleToday
from api.games.questions.schemas import KEYS
from api.games.ranking.enums import SeasonState
from api.games.ranking.events import PointsAwarded
from api.games.ranking.rules import SeasonRules
from api.games.ranking.schemas import ChallengerRow
from api.games.ranking.service import seasons
from api.people.clubs.service import queries as clubs_queries
from api.people.users.service import account as users_account

OVERDUE_BATCH = 500


async def config(database: Database, user_id: UUID, now: datetime) -> BattleConfig | None:
    """Return the rules of the season that is open, else the next, else the last; None if none.

    Includes the member's day while it is open.
    """
    season = await seasons.shown_season(database, now)
    if season is None:
        return None
    is_open = season.state(now) is SeasonState.OPEN
    return BattleConfig(
        point_per_question=season.point_per_question,
        question_time_limit=season.question_time_limit,
        questions_per_day=season.questions_per_day,
        start_date=season.starts_at,
        end_date=season.ends_at,
        name=season.name,
        state=season.state(now),
        server_now=now,
        today=await _today(database, user_id, season, now) if is_open else None,
    )


async def enter(database: Database, seat: PlayerSocket, now: datetime, *, resume: bool) -> Step:
    """Acquire the seat for a socket; return the running question, a result, an end, or a new one.

    The step's ``previous_sid`` is the socket that had the seat. The seat is acquired even if the
    step is a refusal, see ``require_allowed``.
    """
    async with database.transaction() as tx:
        previous = await repository.take_seat(tx, seat, now, resume=resume)
        step = await _step(tx, seat, now, resume=resume)
    return step | {"previous_sid": None if previous == seat.sid else previous}


def require_allowed(step: Step) -> None:
    """Raise the error of a refused step.

    Raises:
        DomainError: plan, season or rank do not let the member play, or another socket has the
            seat.
    """
    if step["kind"] == StepKind.REFUSED:
        raise REFUSALS[step["code"]](content=step["detail"])


async def go_on(database: Database, seat: PlayerSocket, now: datetime) -> Step:
    """Return the next question, or what prevents it; raises as ``require_allowed``.

    Raises:
        DomainError: plan, season or rank do not let the member play, or another socket has the
            seat.
    """
    async with database.transaction() as tx:
        if not await repository.lock_seat(tx, seat):
            raise TakenOverError
        step = await _step(tx, seat, now, resume=False)
    require_allowed(step)
    return step


def given_answer(
    seat: PlayerSocket, question_id: UUID, key: str, received_at: datetime
) -> GivenAnswer:
    """Return an answer to be judged; an empty key is the empty answer of a time-out."""
    option = KEYS.index(key) if key else None
    return GivenAnswer(seat, question_id, option, new_id(), received_at)


async def judge(database: Database, answers: Sequence[GivenAnswer]) -> Sequence[Step]:
    """Judge answers and return the one result of each question; the first one in time counts.

    A step may be a refusal: the question was not served to this member, the answer is empty before
    the deadline, or another socket has the seat. Judging is idempotent.
    """
    async with database.transaction() as tx:
        rows = await repository.answer_all(tx, answers, situation.GRACE)
        days = outcomes.first_answers(rows)
        if days:
            now = max(one.received_at for one in answers)
            await streaks.count_days(tx, days, now)
            badges = {(user_id, BadgeKey.FIRST_BATTLE) for user_id, _ in days}
            await achievements_badges.earn(tx, badges, now)
        steps = [outcomes.judged_step(row) for row in rows]
        if any(step.get("points_awarded") for step in steps):
            tx.record(PointsAwarded())
    return steps


async def battle_status(database: Database, member: Member, now: datetime) -> BattleStatus:
    """Return what the Battle Zone offers a member at ``now``."""
    today = clock.lagos_day(now)
    found = await repository.read_situation(database, member.user_id, today, now)
    status = situation.status(found, clock.next_midnight(now), now)
    not_since = situation.asked_again_after(today)
    if status.state is not DoorState.OPEN or await repository.has_question(
        database, member.user_id, member.club_id, not_since
    ):
        return status
    return BattleStatus(DoorState.EMPTY)


async def start_timer(
    database: Database, seat: PlayerSocket, question_id: UUID, now: datetime
) -> datetime | None:
    """Restart the time of a question that appeared late, once; return None if nothing changed."""
    return await repository.start_timer(database, seat, question_id, now, now - situation.ANCHOR)


async def end_overdue(
    database: Database, now: datetime, user_ids: list[UUID] | None = None
) -> list[Step]:
    """End the overdue attempts of these members, or of all."""
    async with database.transaction() as tx:
        due = await repository.lock_overdue(tx, user_ids, now - situation.GRACE, OVERDUE_BATCH)
        steps = await _time_out(tx, due, now) if due else []
    return [step for step in steps if step.get("fresh")]


async def _time_out(
    tx: Transaction, running: Sequence[OverdueAttempt], now: datetime
) -> list[Step]:
    """End overdue questions; one that has ended meanwhile keeps its result."""
    answers = [
        GivenAnswer(
            PlayerSocket(row.user_id, row.club_id, row.sid), row.question_id, None, new_id(), now
        )
        for row in running
    ]
    rows = await repository.answer_all(tx, answers, situation.GRACE)
    return [outcomes.judged_step(row) for row in rows]


async def _step(tx: Transaction, seat: PlayerSocket, now: datetime, *, resume: bool) -> Step:
    """Return the step of a member who enters or continues; the transaction holds the seat.

    That is the running question, a time-out not shown yet, the visit's last result when resuming,
    or the next question.
    """
    found = await repository.read_situation(tx, seat.user_id, clock.lagos_day(now), now)
    attempt = found.attempt()
    if attempt is not None:
        is_running = found.outcome is None
        if is_running and not situation.is_over(attempt.deadline_at, now):
            return outcomes.question_step(attempt) | {"resumed": True}
        if is_running or resume:
            ended = GivenAnswer(seat, attempt.question_id, None, new_id(), now)
            [row] = await repository.answer_all(tx, [ended], situation.GRACE)
            return outcomes.judged_step(row)
    return {"kind": StepKind.IDLE} if resume else await _serve(tx, seat, found, now)


async def _serve(tx: Transaction, seat: PlayerSocket, found: Situation, now: datetime) -> Step:
    """Serve the next question of the day, or return why there is none."""
    refusal = situation.refusal(found, now)
    if refusal is not None:
        return refusal
    season = found.season()
    if found.served >= season.questions_per_day:
        if found.question_id is None:
            return {"kind": StepKind.ATTEMPTED}
        # The end is shown once per visit: attempts that ended before this moment no longer belong
        # to it.
        await repository.change_visit(tx, seat.user_id, now + timedelta(microseconds=1))
        return outcomes.finished_step(found)
    new = situation.next_draw(found, clock.lagos_day(now), now)
    drawn = await repository.insert_attempt(tx, seat, new)
    return {"kind": StepKind.EMPTY} if drawn is None else outcomes.served_step(new, season, drawn)


async def challenger(database: Database, member: Member) -> ChallengerRow:
    """Return a member's row of the challengers, without points."""
    row = await users_account.find(database, member.user_id)
    return ChallengerRow(
        rank=0,
        firstname="" if row is None else row.first_name,
        lastname="" if row is None else row.last_name,
        avatar=None if row is None else picture_url(row.avatar),
        points=0,
        me=True,
        name=member.club_name,
        emblem=clubs_queries.emblem_of(member.club_id),
    )


async def _today(
    database: Database, user_id: UUID, season: SeasonRules, now: datetime
) -> BattleToday:
    quota, next_at = season.questions_per_day, clock.next_midnight(now)
    day = await repository.read_today(
        database, user_id, clock.lagos_day(now), now - situation.GRACE
    )
    left = max(0, quota - day.served)
    return BattleToday(
        state=situation.today_state(left, is_running=day.is_running),
        left=left,
        of=quota,
        next_at=next_at if next_at < season.ends_at else None,
    )


async def count_day(database: Database, day: Day) -> DayActivity:
    """Count the questions answered in a day."""
    return await repository.count_day(database, day)
