"""Files imported in the back office: checked on upload, then imported all or nothing."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.forms import FileRule, FormRules, ReceivedForm
from api.foundation.wire.results import AdminResult
from api.games.questions.errors import (
    ImportAppliedError,
    ImportHasProblemsError,
    StaleImportError,
)
from api.games.questions.repository import imports
from api.games.questions.rules import likeness
from api.games.questions.rules import reading as reading_rules
from api.games.questions.rules.reading import BankFile, BankReading, Entry, RefusedLine
from api.games.questions.schemas import ImportApplied, ImportProblem, ImportReview
from api.games.questions.service.importing import (
    Bank,
    ImportPlan,
    compare,
    lock_bank_for_import,
    read_bank,
    write,
)

LARGEST_BYTES = 2_097_152  # limit of the back office's imports
TOO_LARGE = "File size exceeds 2MB. Please upload a smaller file."
MISSING = "Please choose a CSV file."
FORM = FormRules(files={"file": FileRule(LARGEST_BYTES, TOO_LARGE)}, fields={})
FILE = "the file"  # how messages call it; its own name is irrelevant here
MAX_SHOWN = 1000  # problems and warnings each; the file of refused rows has all
COMPARISON_STOPPED = (
    "Too many questions are alike to compare them all. Others may be nearly the same, too."
)


async def upload(
    database: Database, admin: AdminRequest, form: ReceivedForm, now: datetime
) -> AdminResult:
    """Check and store a file: its changes, its problems and its near duplicates.

    Raises:
        InvalidFieldError: the file is missing.
    """
    received = form.files.get("file")
    if received is None:
        raise InvalidFieldError.of("file", MISSING)
    received.handle.seek(0)
    content = received.handle.read()
    bank = await read_bank(database)
    reading, plan, refusals, warnings = await asyncio.to_thread(_examine, content, bank)
    import_id = new_id()
    review = ImportReview(
        id=import_id,
        digest=received.digest,
        rows=_count_rows(reading, refusals),
        new=len(plan.new) - len(plan.old),
        changed=len(plan.old),
        same=plan.unchanged,
        bad=len({one.row for one in refusals}),
        problems=refusals_shown(refusals[:MAX_SHOWN]),
        warnings=refusals_shown(warnings),
    )

    async def work(tx: Transaction) -> AdminResult:
        await imports.insert_import(
            tx,
            {
                "id": import_id,
                "digest": received.digest,
                "bank_digest": bank.digest,
                "content": content,
                "problems": [one.model_dump(mode="json") for one in refusals_shown(refusals)],
                "created_at": now,
            },
        )
        counts = review.model_dump(mode="json", exclude={"problems", "warnings"})
        await audit.audited(tx, admin, AuditRecord("upload", "import", import_id, after=counts))
        return AdminResult.of(review, status=201, message="The file has been checked.")

    return await audit.perform(database, admin, form.digests(), work)


async def apply(
    database: Database, admin: AdminRequest, import_id: UUID, digest: str, now: datetime
) -> AdminResult:
    """Import an uploaded file, all or nothing, once.

    Raises:
        NotFoundError: there is no such import, or it has expired.
        StaleImportError: the digest is another file's, or the bank has changed since.
    """
    stored = await imports.read_import(database, import_id)
    if stored is None:
        raise NotFoundError
    reading = await asyncio.to_thread(_read, stored.content)

    async def work(tx: Transaction) -> AdminResult:
        found = await imports.lock_import(tx, import_id)
        if found is None:
            raise NotFoundError
        if found.applied_at is not None:
            raise ImportAppliedError(content={"status": "applied"})
        if found.digest != digest:
            raise StaleImportError
        if found.problems:
            raise ImportHasProblemsError
        bank = await lock_bank_for_import(tx)
        plan, refusals = compare(reading, bank)
        if bank.digest != found.bank_digest or refusals:
            raise StaleImportError
        await write(tx, plan, now)
        await imports.change_applied(tx, import_id, now)
        done = ImportApplied(
            id=import_id,
            new=len(plan.new) - len(plan.old),
            changed=len(plan.old),
            same=plan.unchanged,
        )
        record = AuditRecord("apply", "import", import_id, after=done.model_dump(mode="json"))
        await audit.audited(tx, admin, record)
        return AdminResult.of(done, message="The questions have been imported.")

    return await audit.perform(database, admin, {"digest": digest}, work)


async def read_problems(database: Database, import_id: UUID) -> bytes:
    """Return the refused rows of a file, each with its reasons, as a file to correct and upload.

    Raises:
        NotFoundError: there is no such import, or it has expired.
    """
    stored = await imports.read_import(database, import_id)
    if stored is None:
        raise NotFoundError
    reasons: dict[int, list[str]] = {}
    for problem in stored.problems:
        reasons.setdefault(problem["row"], []).append(problem["reason"])
    return await asyncio.to_thread(reading_rules.write_refused, stored.content, reasons)


def refusals_shown(refusals: Sequence[RefusedLine]) -> list[ImportProblem]:
    """Return refusals as they are shown and stored."""
    return [ImportProblem(row=one.row, column=one.column, reason=one.sentence) for one in refusals]


def _count_rows(reading: BankReading, refusals: Sequence[RefusedLine]) -> int:
    """Return how many rows were read, refused ones included, without the header."""
    rows = {entry.row for entry in reading.entries} | {refusal.row for refusal in refusals}
    return len(rows - {1})


def _read(content: bytes) -> BankReading:
    return reading_rules.read_files([BankFile(FILE, content)])


def _examine(
    content: bytes, bank: Bank
) -> tuple[BankReading, ImportPlan, list[RefusedLine], list[RefusedLine]]:
    """Return a file's rows, its plan, its refusals and its near duplicates."""
    reading = _read(content)
    plan, refusals = compare(reading, bank)
    refusals.sort(key=lambda one: one.row)
    entries = {entry.slug: entry for entry in reading.entries}
    wanted = {row["slug"]: row["question"] for row in plan.new}
    others = {slug: row.question for slug, row in bank.live.items() if slug not in entries}
    warnings = _compare_wording(entries, wanted, others)
    return reading, plan, refusals, warnings


def _compare_wording(
    entries: Mapping[str, Entry], wanted: Mapping[str, str], others: Mapping[str, str]
) -> list[RefusedLine]:
    """Return near duplicates among questions, up to the limit shown.

    If some were not compared, a warning about the whole file comes first.
    """
    comparison = likeness.Comparison(wanted, others)
    pairs = list(islice(comparison.pairs(), MAX_SHOWN))
    warnings = [
        reading_rules.refuse(
            entries[slug],
            f"The question is nearly that of {other} ({share:.0%} alike).",
            "question",
        )
        for slug, other, share in pairs
    ]
    warnings.sort(key=lambda one: one.row)
    if len(pairs) == MAX_SHOWN or not comparison.is_complete:
        warnings.insert(0, RefusedLine(FILE, 1, COMPARISON_STOPPED))
        del warnings[MAX_SHOWN:]
    return warnings
