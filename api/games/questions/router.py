"""HTTP routes of the question bank, all of the back office."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response, status

from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.attachments import attachment
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.dependencies import DatabaseDep, provided
from api.foundation.http.uploads import UploadGate
from api.foundation.media.uploading import UploadContext
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, SearchText, ok
from api.games.questions.enums import QuestionFlagFilter, QuestionKind
from api.games.questions.schemas import (
    IMPORT_FORM,
    AdminQuestion,
    ApplyImport,
    ImportApplied,
    ImportReview,
    QuestionInput,
    QuestionPreview,
    RetireQuestion,
)
from api.games.questions.service import admin as admin_service
from api.games.questions.service import imports
from api.games.questions.service.admin import QuestionSearch

QUESTIONS = "/api/v1/admin/questions"
IMPORTS = f"{QUESTIONS}/imports"
BODY_LIMITS = {IMPORTS: BodyLimit(imports.FORM.body_bytes, imports.TOO_LARGE)}
Reader = Annotated[AdminRequest, may_read(Right.GAMES_READ)]
Writer = Annotated[AdminRequest, may_write(Right.GAMES_WRITE)]

router: APIRouter = admin_router()


@router.get(QUESTIONS, responses=documented_admin())
async def list_questions(
    _admin: Reader,
    database: DatabaseDep,
    q: Annotated[SearchText | None, Query(description="Words or a slug")] = None,
    kind: QuestionKind | None = None,
    topic: SearchText | None = None,
    club: Annotated[SearchText | None, Query(description="A club's id or name, or all")] = None,
    flag: QuestionFlagFilter | None = None,
    retired: Annotated[bool, Query(description="List retired questions instead")] = False,
    before: ExistingId | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[Page[AdminQuestion]]:
    """List the questions of the bank, newest first, with answer statistics."""
    search = QuestionSearch(q, kind, topic, club, flag, retired)
    return ok(await admin_service.list_questions(database, search, before=before, limit=limit))


@router.post(QUESTIONS, status_code=status.HTTP_201_CREATED, responses=documented_admin(409))
async def add_question(
    admin: Writer, database: DatabaseDep, form: QuestionInput
) -> Envelope[AdminQuestion]:
    """Add a question, or correct the live one with its slug."""
    return to_response(await admin_service.add_question(database, admin, form, clock.now()))


@router.post(
    IMPORTS,
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(413, 415),
    openapi_extra=IMPORT_FORM,
)
async def upload_questions(
    request: Request,
    admin: Writer,
    context: Annotated[UploadContext, Depends(provided(UploadContext))],
    gate: Annotated[UploadGate, Depends(provided(UploadGate))],
) -> Envelope[ImportReview]:
    """Check a CSV file of at most 2,097,152 bytes; nothing is imported yet."""
    async with gate.received_form(
        request, imports.FORM, context.uploads, admin.operator.user_id
    ) as form:
        return to_response(await imports.upload(context.database, admin, form, clock.now()))


@router.post(f"{IMPORTS}/{{import_id}}/apply", responses=documented_admin(409))
async def apply_import(
    admin: Writer, database: DatabaseDep, import_id: ExistingId, form: ApplyImport
) -> Envelope[ImportApplied]:
    """Import a checked file: all of it, or nothing."""
    return to_response(await imports.apply(database, admin, import_id, form.digest, clock.now()))


@router.get(f"{IMPORTS}/{{import_id}}/problems.csv", responses=documented_admin())
async def read_import_problems(
    _admin: Reader, database: DatabaseDep, import_id: ExistingId
) -> Response:
    """Download the refused rows, each with its reasons."""
    content = await imports.read_problems(database, import_id)
    return attachment(content, "text/csv; charset=utf-8", "problems.csv")


@router.post(f"{QUESTIONS}/{{question_id}}/retire", responses=documented_admin(409))
async def retire_question(
    admin: Writer, database: DatabaseDep, question_id: ExistingId, form: RetireQuestion
) -> Envelope[AdminQuestion]:
    """Retire a question from the games."""
    return to_response(
        await admin_service.retire(database, admin, question_id, form.reason, clock.now())
    )


@router.post(f"{QUESTIONS}/{{question_id}}/preview", responses=documented_admin())
async def preview_question(
    _admin: Reader, database: DatabaseDep, question_id: ExistingId
) -> Envelope[QuestionPreview]:
    """Preview a question as a phone shows it."""
    return ok(await admin_service.preview(database, question_id))
