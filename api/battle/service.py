"""The Battle Zone's rules: each event of a member is one step, judged by the server's clock."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from api.battle import repository, rules
from api.battle.enums import StepKind
from api.battle.errors import REFUSALS
from api.battle.rules import Draw, GivenAnswer, PlayerSocket, Step
from api.battle.schemas import BattleConfig, BattleToday
from api.clubs import service as clubs
from api.core import clock
from api.core.ids import new_id
from api.database.database import Database
from api.media.storage import picture_url
from api.questions.schemas import KEYS
from api.ranking import service as ranking
from api.ranking.enums import SeasonState
from api.ranking.events import PointsAwarded
from api.ranking.schemas import ChallengerRow
from api.ranking.service import SeasonRules
from api.security.members import Member
from api.users import service as users

OVERDUE_BATCH = 500


async def config(database: Database, user_id: UUID, now: datetime) -> BattleConfig | None:
    """Return the rules of the season that is open, else the next, else the last; None without.

    While it is open the member's day is told, too.
    """
    season = await ranking.shown_season(database, now)
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
    """Take the seat for a socket; return the running question, a result, an end, or a new one.

    The step's ``previous_sid`` is the socket that had the seat. A step may be a refusal: the seat
    is taken all the same, see ``require_allowed``.
    """
    return await repository.enter(database, seat, _draw(now), resume=resume)


def require_allowed(step: Step) -> None:
    """Raise what a refused step says.

    Raises:
        DomainError: plan, season or rank do not let the member play, or the seat is another's.
    """
    if step["kind"] == StepKind.REFUSED:
        raise REFUSALS[step["code"]](content=rules.refusal_detail(step))


async def go_on(database: Database, seat: PlayerSocket, now: datetime) -> Step:
    """Return the next question, or what is in its way.

    Raises:
        DomainError: plan, season or rank do not let the member play, or the seat is another's.
    """
    step = await repository.go_on(database, seat, _draw(now))
    require_allowed(step)
    return step


def given_answer(
    seat: PlayerSocket, question_id: UUID, key: str, received_at: datetime
) -> GivenAnswer:
    """Return an answer to be judged; an empty key is the empty answer of a time-up."""
    option = KEYS.index(key) if key else None
    return GivenAnswer(seat, question_id, option, new_id(), received_at)


async def judge(database: Database, answers: Sequence[GivenAnswer]) -> Sequence[Step]:
    """Return the one result of each question; the first answer in time decides it.

    A step may be a refusal: the question was not served to this member, the answer is empty
    before the deadline, or the seat is another socket's. Judging again answers the same.
    """
    steps = await repository.answer_all(database, answers)
    if any(step.get("points_awarded") for step in steps):
        await database.publish([PointsAwarded()])
    return steps


async def start_timer(
    database: Database, seat: PlayerSocket, question_id: UUID, now: datetime
) -> datetime | None:
    """Give a question that appeared late its full time, once; None when nothing changed."""
    deadline_ms = await repository.start_timer(database, seat, question_id, now)
    return None if deadline_ms is None else rules.instant_of(deadline_ms)


async def end_overdue(
    database: Database, now: datetime, user_ids: list[UUID] | None = None
) -> list[Step]:
    """End the attempts whose time ran out, of these members or of anybody."""
    return await repository.end_overdue(database, user_ids, now, OVERDUE_BATCH)


async def challenger(database: Database, member: Member) -> ChallengerRow:
    """Return a member's own row of the challengers, before the first points."""
    row = await users.find(database, member.user_id)
    return ChallengerRow(
        rank=0,
        firstname="" if row is None else row["first_name"],
        lastname="" if row is None else row["last_name"],
        avatar=None if row is None else picture_url(row["avatar"]),
        points=0,
        me=True,
        name=member.club_name,
        emblem=clubs.emblem_of(member.club_id),
    )


async def _today(
    database: Database, user_id: UUID, season: SeasonRules, now: datetime
) -> BattleToday:
    quota, next_at = season.questions_per_day, clock.next_midnight(now)
    served, is_running = await repository.read_today(
        database, user_id, clock.lagos_day(now), now - rules.GRACE
    )
    left = max(0, quota - served)
    return BattleToday(
        state=rules.today_state(left, is_running=is_running),
        left=left,
        of=quota,
        next_at=next_at if next_at < season.ends_at else None,
    )


def _draw(now: datetime) -> Draw:
    return Draw(new_id(), new_id(), rules.draw_order(), clock.lagos_day(now), now)
