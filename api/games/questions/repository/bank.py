from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, insert, or_, select, text

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.games.questions.enums import QuestionFlagFilter, QuestionKind
from api.games.questions.models import Question, QuestionStatistic
from api.people.clubs.models import Club

LOCK_BANK = "SELECT pg_advisory_xact_lock($1)"


@dataclass(frozen=True)
class QuestionClub:
    id: UUID
    name: str


LIST_CLUBS = Query(
    "SELECT id, name FROM club",
    QuestionClub,
)


@dataclass(frozen=True)
class LiveQuestion:
    id: UUID
    slug: str
    kind: str
    club_id: UUID | None
    topic: str
    question: str
    options: list[str]
    right_option: int
    explanation: str
    source: str
    difficulty: int


@dataclass(frozen=True)
class QuestionRow(LiveQuestion):
    """A question with its club's name and its statistics, which are None before a count."""

    retired_at: datetime | None
    created_at: datetime
    club: str | None
    asked: int | None
    right_count: int | None
    median_ms: int | None
    by_rank: list[dict[str, Any]] | None
    flags: list[str] | None


COLUMNS = """
SELECT id, slug, kind, club_id, topic, question, options, right_option, explanation, source,
       difficulty
  FROM question
"""
LIST_LIVE = Query(
    COLUMNS + " WHERE retired_at IS NULL",
    LiveQuestion,
)
RETIRE = "UPDATE question SET retired_at = $2 WHERE id = ANY ($1::uuid[])"
LOSE_FLAGS = "UPDATE question_statistic SET flags = '{}' WHERE question_id = ANY ($1::uuid[])"


async def lock_bank(tx: Transaction) -> None:
    """Lock the bank until commit, waiting for any other import."""
    await tx.execute(LOCK_BANK, AdvisoryLock.QUESTION_IMPORT)


async def list_club_ids(runner: Runner) -> dict[str, UUID]:
    return {row.name: row.id for row in await runner.fetch_rows(LIST_CLUBS)}


async def list_live(runner: Runner) -> Sequence[LiveQuestion]:
    """Return the questions that are not retired, unordered."""
    return await runner.fetch_rows(LIST_LIVE)


async def insert_questions(tx: Transaction, rows: Sequence[dict[str, Any]]) -> None:
    """Insert new questions; their slugs must not be live."""
    await tx.execute_many(insert(Question), rows)


async def retire_questions(tx: Transaction, ids: Sequence[UUID], now: datetime) -> None:
    """Retire questions; attempts that used them are kept."""
    if ids:
        await tx.execute(RETIRE, list(ids), now)
        await tx.execute(LOSE_FLAGS, list(ids))


SHOWN = frozenset(
    {
        *("id", "slug", "kind", "club_id", "topic", "question", "options", "right_option"),
        *("explanation", "source", "difficulty", "retired_at", "created_at"),
    }
)
SIMPLE = text("'simple'::regconfig")


@dataclass(frozen=True)
class QuestionFilter:
    """A filter of questions; None means any.

    ``words`` is a full text query, ``slug`` an alternative match on the slug. ``club`` is a club's
    id; ``for_all`` selects the questions of no club.
    """

    words: str | None
    slug: str | None
    kind: QuestionKind | None
    topic: str | None
    club_id: UUID | None
    for_all: bool
    flag: QuestionFlagFilter | None
    retired: bool
    before: UUID | None


def _questions() -> Select[Any]:
    return (
        select(
            *(column for column in Question.__table__.columns if column.name in SHOWN),
            Club.name.label("club"),
            QuestionStatistic.asked,
            QuestionStatistic.right_count,
            QuestionStatistic.median_ms,
            QuestionStatistic.by_rank,
            QuestionStatistic.flags,
        )
        .outerjoin(Club, Club.id == Question.club_id)
        .outerjoin(QuestionStatistic, QuestionStatistic.question_id == Question.id)
    )


async def list_questions(
    database: Database, wanted: QuestionFilter, limit: int
) -> Sequence[QuestionRow]:
    """Return questions, newest first."""
    query = _questions().order_by(Question.id.desc()).limit(limit)
    if wanted.words is not None:
        words = func.to_tsvector(SIMPLE, Question.question).op("@@")(
            func.to_tsquery(SIMPLE, wanted.words)
        )
        query = query.where(or_(words, Question.slug == wanted.slug))
    retired = Question.retired_at
    query = query.where(retired.is_not(None) if wanted.retired else retired.is_(None))
    if wanted.kind is not None:
        query = query.where(Question.kind == wanted.kind)
    if wanted.topic is not None:
        query = query.where(Question.topic == wanted.topic)
    if wanted.club_id is not None:
        query = query.where(Question.club_id == wanted.club_id)
    if wanted.for_all:
        query = query.where(Question.club_id.is_(None))
    if wanted.flag is not None:
        # With any flag, each list contains the empty one.
        flags = [] if wanted.flag is QuestionFlagFilter.ANY else [wanted.flag.value]
        query = query.where(
            func.cardinality(QuestionStatistic.flags) > text("0"),
            QuestionStatistic.flags.contains(flags),
        )
    if wanted.before is not None:
        query = query.where(Question.id < wanted.before)
    return await database.fetch_rows(Query(query, QuestionRow))


async def read_question(runner: Runner, question_id: UUID) -> QuestionRow | None:
    """Return one question with its statistics, retired or not."""
    query = _questions().where(Question.id == question_id)
    return await runner.fetch_row(Query(query, QuestionRow))


async def read_live(runner: Runner, slug: str) -> QuestionRow | None:
    query = _questions().where(Question.slug == slug, Question.retired_at.is_(None))
    return await runner.fetch_row(Query(query, QuestionRow))
