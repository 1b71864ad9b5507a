"""Bank statements: imported, and their lines matched to confirmed transfers (T-1a)."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import date, datetime

from pydantic import ValidationError

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.idempotency import fingerprint
from api.foundation.http.bodies import read_json_body
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.forms import FileRule, FormRules, ReceivedForm
from api.foundation.wire.results import AdminResult
from api.foundation.wire.schemas import field_errors
from api.shop import rules
from api.shop.enums import BankLineState
from api.shop.errors import StatementChangedError, StatementProblemsError
from api.shop.repository import bank_statements as repository
from api.shop.repository.bank_statements import NewBankLine
from api.shop.schemas.bank import StatementImport, StatementMapping
from api.shop.service.statement_file import (
    DEFAULT_MAPPING,
    Statement,
    StatementLine,
    could_be_reference,
    plain_words,
    read_statement,
    reference_key,
)

MAX_BYTES = 2_097_152  # limit of the back office's imports
TOO_LARGE = "File size exceeds 2MB. Please upload a smaller file."
MISSING = "Please choose a CSV file."
NO_MAPPING = "The mapping names the columns date, amount, reference and narration as JSON."
MAX_PROBLEMS = 1000
MAX_RUN = 4  # words of a reference written in groups
FORM = FormRules(
    files={"file": FileRule(MAX_BYTES, TOO_LARGE)}, fields={"mapping": 1000, "digest": 64}
)


async def import_statement(
    database: Database, admin: AdminRequest, form: ReceivedForm, now: datetime
) -> AdminResult:
    """Check a statement; called again with the returned digest, import all of it or nothing.

    Lines that are already known are unchanged, so importing twice has no effect. Without a mapping,
    uses that of the newest statement. The digest covers the file and the mapping.

    Raises:
        InvalidFieldError: the file is missing, or it or the mapping cannot be read.
        StatementChangedError: the digest is of another file or mapping.
        StatementProblemsError: a row cannot be read.
    """
    received, wanted = form.files.get("file"), form.fields.get("digest")
    if received is None:
        raise InvalidFieldError.of("file", MISSING)
    chosen = form.fields.get("mapping")
    mappings = await _read_mappings(database, chosen)
    received.handle.seek(0)
    statement, lines = await asyncio.to_thread(
        _read, received.handle.read(), mappings, clock.lagos_day(now), is_chosen=bool(chosen)
    )
    mapping = statement.mapping.model_dump(mode="json")
    digest = fingerprint({"file": received.digest, "mapping": mapping})
    if not wanted:
        async with database.transaction() as tx:
            review = await _import(tx, statement, lines, digest, now, is_applied=False)
        return AdminResult.of(review, message="The statement has been checked.")
    if wanted.strip().lower() != digest:
        raise StatementChangedError

    async def work(tx: Transaction) -> AdminResult:
        review = await _import(tx, statement, lines, digest, now, is_applied=True)
        if review.problems:
            raise StatementProblemsError(
                content=review.model_dump(mode="json") | {"applied": False}
            )
        counts = review.model_dump(mode="json", exclude={"problems"})
        await audit.audited(
            tx, admin, AuditRecord("import", "bank_statement", digest, after=counts)
        )
        return AdminResult.of(review, message="The statement has been imported.")

    return await audit.perform(database, admin, form.digests(), work)


async def match_lines(tx: Transaction, amounts_kobo: Collection[int], now: datetime) -> None:
    """Match the open lines of these amounts to confirmed transfers where the match is certain.

    A line and a transfer of one amount, at most three days apart, agree when the line has the
    transfer's reference or its order's number. They are matched when neither agrees with another
    one; the rest is matched by hand. Idempotent. Locks matching until commit, after all other
    locks.
    """
    await repository.lock_matching(tx)
    await repository.match_lines(tx, amounts_kobo, now)


async def _read_mappings(database: Database, given: str | None) -> list[StatementMapping]:
    """Return the mappings to try: the given one, or the newest statement's and the default."""
    if given:
        try:
            return [StatementMapping.model_validate(read_json_body(given.encode()))]
        except ValidationError as error:
            sentence, _ = field_errors(error.errors(include_url=False, include_input=False))
            raise InvalidFieldError.of("mapping", sentence) from error
        except ValueError as error:
            raise InvalidFieldError.of("mapping", NO_MAPPING) from error
    remembered = await repository.read_mapping(database)
    if remembered is None:
        return [DEFAULT_MAPPING]
    return [StatementMapping.model_validate(remembered), DEFAULT_MAPPING]


def _read(
    content: bytes, mappings: Sequence[StatementMapping], today: date, *, is_chosen: bool
) -> tuple[Statement, list[NewBankLine]]:
    statement = read_statement(content, mappings, today, is_chosen=is_chosen)
    return statement, [_line_of(line) for line in statement.lines]


async def _import(
    tx: Transaction,
    statement: Statement,
    lines: Sequence[NewBankLine],
    digest: str,
    now: datetime,
    *,
    is_applied: bool,
) -> StatementImport:
    """Insert the new lines, match them, and return the result.

    A dry run does the same and rolls it back.
    """
    await repository.lock_matching(tx)
    if not is_applied:
        await repository.begin_dry_run(tx)
    statement_id = await repository.find_statement(tx, digest)
    if statement_id is None:
        statement_id = new_id()
        values = {
            "id": statement_id,
            "digest": digest,
            "mapping": statement.mapping.model_dump(mode="json"),
            "imported_at": now,
        }
        await repository.insert_statement(tx, values)
    new = await repository.insert_lines(tx, statement_id, lines)
    amounts_kobo = {row.amount_kobo for row in new}
    await match_lines(tx, amounts_kobo, now)
    states = await repository.count_states(tx, [row.id for row in new], amounts_kobo)
    if not is_applied:
        await repository.undo_dry_run(tx)
    return StatementImport(
        digest=digest,
        applied=is_applied,
        rows=statement.rows,
        new=len(new),
        known=len(lines) - len(new),
        skipped=statement.rows - len(lines) - len(statement.problems),
        matched=states.get(BankLineState.MATCHED, 0),
        ambiguous=states.get(BankLineState.AMBIGUOUS, 0),
        problems=[*statement.problems[:MAX_PROBLEMS]],
    )


def _line_of(line: StatementLine) -> NewBankLine:
    return NewBankLine(id=new_id(), **vars(line), words=" ".join(words_of(line)))


def words_of(line: StatementLine) -> list[str]:
    """Return what a line can be matched by, without letter case, spaces and punctuation.

    These are its reference; every run of words in reference and narration that could be one,
    because banks embed references in text and people write them in groups; and order numbers.
    """
    text = plain_words(f"{line.reference} {line.narration}")
    words = text.replace("-", " ").split()
    runs = {
        "".join(words[first : first + size])
        for size in range(1, MAX_RUN + 1)
        for first in range(len(words) - size + 1)
    }
    found = {run for run in runs.union(text.replace("-", "").split()) if could_be_reference(run)}
    found.update(number.replace("-", "") for number in rules.order_numbers_in(text))
    reference = reference_key(line.reference)
    if len(reference) >= rules.MIN_BANK_REFERENCE_LENGTH:
        found.add(reference)
    return sorted(found)
