"""The question bank in the back office: search, add, correct and retire questions."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.games.questions.enums import QuestionFlag, QuestionFlagFilter, QuestionKind
from api.games.questions.errors import QuestionExistsError, QuestionRetiredError
from api.games.questions.repository import bank as bank_repository
from api.games.questions.repository.bank import QuestionFilter, QuestionRow
from api.games.questions.rules import judging
from api.games.questions.rules import reading as reading_rules
from api.games.questions.schemas import (
    AdminQuestion,
    QuestionInput,
    QuestionPreview,
    RankShare,
    label_options,
)
from api.games.questions.service.importing import compare, lock_bank_for_import, write
from api.people.clubs.service import queries as clubs_queries

ALL = "all"
_dice = secrets.SystemRandom()


@dataclass(frozen=True)
class QuestionSearch:
    """A search of questions; None means any.

    ``q`` is words of the question, or its slug; ``club`` a club's id or name, or ``all``.
    """

    q: str | None = None
    kind: QuestionKind | None = None
    topic: str | None = None
    club: str | None = None
    flag: QuestionFlagFilter | None = None
    retired: bool = False


async def list_questions(
    database: Database, search: QuestionSearch, *, before: UUID | None, limit: int
) -> Page[AdminQuestion]:
    """Return questions, newest first; none if the club does not exist."""
    club_id = None
    if search.club is not None and search.club != ALL:
        club_id = await clubs_queries.find_id(database, search.club)
        if club_id is None:
            return Page(rows=[], next=None)
    wanted = QuestionFilter(
        words=None if search.q is None else judging.search_words(search.q),
        slug=search.q,
        kind=search.kind,
        topic=search.topic,
        club_id=club_id,
        for_all=search.club == ALL,
        flag=search.flag,
        retired=search.retired,
        before=before,
    )
    rows = await bank_repository.list_questions(database, wanted, limit + 1)
    return Page.of(rows, limit, _shown)


async def add_question(
    database: Database, admin: AdminRequest, form: QuestionInput, now: datetime
) -> AdminResult:
    """Add one question, validated like an imported row; corrects the live one with its slug.

    Raises:
        InvalidFieldError: the row does not fit.
        QuestionExistsError: the bank already has an equal question.
        StaleVersionError: what it replaces was replaced or retired in the meantime.
    """
    reading = reading_rules.read_one(form.cells())

    async def work(tx: Transaction) -> AdminResult:
        bank = await lock_bank_for_import(tx)
        plan, refusals = compare(reading, bank)
        if refusals:
            fields = {one.column or "question": one.sentence for one in reversed(refusals)}
            raise InvalidFieldError(refusals[0].sentence, fields=fields)
        if not plan.new:
            raise QuestionExistsError
        if form.replaces is not None and plan.old != [form.replaces]:
            raise StaleVersionError
        await write(tx, plan, now)
        shown = await _read(tx, plan.new[0]["id"])
        before = {"replaced": plan.old[0]} if plan.old else None
        record = AuditRecord("create", "question", shown.id, before, shown.model_dump(mode="json"))
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, status=201, message="The question has been saved.")

    return await audit.perform(database, admin, form, work)


async def retire(
    database: Database, admin: AdminRequest, question_id: UUID, reason: str, now: datetime
) -> AdminResult:
    """Retire a question; attempts that used it are kept."""

    async def work(tx: Transaction) -> AdminResult:
        await bank_repository.lock_bank(tx)
        if (await _read(tx, question_id)).retired_at is not None:
            raise QuestionRetiredError(content={"status": "retired"})
        await bank_repository.retire_questions(tx, [question_id], now)
        shown = await _read(tx, question_id)
        record = AuditRecord("retire", "question", question_id, reason=reason)
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, message="The question has been retired.")

    return await audit.perform(database, admin, {"reason": reason}, work)


async def preview(database: Database, question_id: UUID) -> QuestionPreview:
    """Return a question as a phone shows it, with its options shuffled."""
    row = await bank_repository.read_question(database, question_id)
    if row is None:
        raise NotFoundError
    options = list(row.options)
    _dice.shuffle(options)
    return QuestionPreview(
        id=row.id,
        question=row.question,
        options=label_options(options),
        explanation=row.explanation,
    )


async def _read(tx: Transaction, question_id: UUID) -> AdminQuestion:
    row = await bank_repository.read_question(tx, question_id)
    if row is None:
        raise NotFoundError
    return _shown(row)


def _shown(row: QuestionRow) -> AdminQuestion:
    options, right = row.options, row.right_option
    return AdminQuestion(
        id=row.id,
        slug=row.slug,
        kind=QuestionKind(row.kind),
        club=row.club,
        club_id=row.club_id,
        topic=row.topic,
        question=row.question,
        right=options[right],
        wrong=[option for place, option in enumerate(options) if place != right],
        explanation=row.explanation,
        source=row.source,
        difficulty=row.difficulty,
        created_at=row.created_at,
        retired_at=row.retired_at,
        asked=row.asked or 0,
        right_share=judging.share(row.right_count or 0, row.asked or 0),
        by_rank=[
            RankShare(
                rank=one["rank"],
                asked=one["asked"],
                right_share=judging.share(one["right"], one["asked"]),
            )
            for one in row.by_rank or ()
        ],
        median_seconds=None if row.median_ms is None else row.median_ms / 1000,
        flags=[QuestionFlag(flag) for flag in row.flags or ()],
    )
