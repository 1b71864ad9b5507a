"""The quest's schedule, written in the back office; days without one are drawn at random."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.games.trivia.errors import SetFrozenError
from api.games.trivia.repository import sets
from api.games.trivia.repository.sets import ScheduleEntry
from api.games.trivia.schemas import ScheduledDay, ScheduledQuestion, ScheduleRow
from api.people.clubs.service import queries as clubs_queries

ALL = "all"
UNFIT = "Each question must be live, of the daily quest, and for this club or for all."
REPEATED = "Please name each question once."


@dataclass(frozen=True)
class DaySpan:
    """Lagos days, both inclusive."""

    first: date
    last: date


async def schedule(
    database: Database,
    admin: AdminRequest,
    day: date,
    club: str,
    questions: list[UUID],
    now: datetime,
) -> AdminResult:
    """Set the questions of a day, for a club or ``all``; no questions means a random draw.

    Raises:
        SetFrozenError: the day is over, or its questions were drawn.
        InvalidFieldError: a question is named twice, or may not be asked there.
    """
    club_id = await _club(database, club)

    async def work(tx: Transaction) -> AdminResult:
        await sets.lock_schedule(tx, day, shared=False)
        if day < clock.lagos_day(now) or await sets.is_frozen(tx, day, club_id):
            raise SetFrozenError
        if len(set(questions)) != len(questions):
            raise InvalidFieldError.of("questionIds", REPEATED)
        if await sets.count_fitting(tx, questions, club_id) != len(questions):
            raise InvalidFieldError.of("questionIds", UNFIT)
        before = await sets.read_schedule(tx, day, club_id)
        await sets.replace_schedule(tx, new_id(), day, club_id, questions)
        shown = await _read(tx, day, club_id)
        record = AuditRecord(
            "schedule",
            "trivia_schedule",
            f"{day}/{club_id or ALL}",
            before={"question_ids": before},
            after={"question_ids": questions},
        )
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, message="The questions of the day have been saved.")

    content = {"questionIds": [str(question) for question in questions]}
    return await audit.perform(database, admin, content, work)


async def read_schedule(database: Database, day: date, club: str) -> ScheduledDay:
    """Return the questions of a day, for a club or ``all``: the drawn set, else the schedule."""
    return await _read(database, day, await _club(database, club))


async def list_schedule(
    database: Database, span: DaySpan, *, before: UUID | None, limit: int
) -> Page[ScheduleRow]:
    """Return the schedule of some days, the latest first."""
    rows = await sets.list_schedule(database, span.first, span.last, before, limit + 1)
    known = await _known(database, [one for row in rows for one in row.question_ids])
    return Page.of(rows, limit, lambda row: _shown(row, known))


async def _club(database: Database, club: str) -> UUID | None:
    if club == ALL:
        return None
    club_id = await clubs_queries.find_id(database, club)
    if club_id is None:
        raise NotFoundError
    return club_id


async def _read(runner: Runner, day: date, club_id: UUID | None) -> ScheduledDay:
    drawn = [] if club_id is None else await sets.read_set(runner, club_id, day)
    ids = drawn or await sets.read_schedule(runner, day, club_id)
    return ScheduledDay(
        day=day,
        club_id=club_id,
        question_ids=ids,
        questions=_named(ids, await _known(runner, ids)),
        frozen=bool(drawn) or await sets.is_frozen(runner, day, club_id),
    )


async def _known(runner: Runner, ids: Sequence[UUID]) -> dict[UUID, ScheduledQuestion]:
    rows = await sets.list_names(runner, ids)
    return {row.id: row for row in rows}


def _named(ids: Sequence[UUID], known: Mapping[UUID, ScheduledQuestion]) -> list[ScheduledQuestion]:
    return [known[one] for one in ids if one in known]


def _shown(row: ScheduleEntry, known: Mapping[UUID, ScheduledQuestion]) -> ScheduleRow:
    return ScheduleRow(
        id=row.id,
        day=row.day,
        club_id=row.club_id,
        club=row.club,
        question_ids=row.question_ids,
        questions=_named(row.question_ids, known),
        frozen=row.frozen,
    )
