"""The bank's rules: importing files, and reading what was asked."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID

from api.core.ids import new_id
from api.database.database import Transaction
from api.database.statements import Row
from api.questions import repository, rules
from api.questions.rules import BankFile, Entry, RefusedLine

__all__ = ["BankFile", "ImportReport", "import_bank", "shipped_bank"]

SHIPPED_BANK = Path(__file__).with_name("bank")


@dataclass(frozen=True)
class ImportReport:
    """What an import did, or would do in a dry run; with refusals it did nothing.

    ``skipped`` are rows of clubs that do not exist here, left out because that was asked.
    """

    added: int = 0
    unchanged: int = 0
    replaced: int = 0
    retired: int = 0
    skipped: int = 0
    refused: tuple[RefusedLine, ...] = ()


@dataclass
class _Plan:
    new: list[dict[str, Any]] = field(default_factory=list)
    old: list[UUID] = field(default_factory=list)
    unchanged: int = 0


def shipped_bank() -> list[BankFile]:
    """Return the files of the bank that the product ships with."""
    return [BankFile(path.name, path.read_bytes()) for path in sorted(SHIPPED_BANK.glob("*.csv"))]


async def import_bank(
    tx: Transaction,
    files: Sequence[BankFile],
    *,
    now: datetime,
    dry_run: bool = False,
    retire_missing: bool = False,
    skip_unknown_clubs: bool = False,
) -> ImportReport:
    """Bring the bank to what ``files`` say, or change nothing when one row is refused.

    A new slug is added; a changed row becomes a new question and retires the old one; a row that
    says what the bank says is left alone, so running it twice is safe. ``retire_missing`` also
    retires the live questions of the files' topics that the files no longer have; a file's name
    without its ending counts as a topic of it.
    """
    reading = rules.read_files(files)
    await repository.lock_bank(tx)
    clubs = await repository.list_club_ids(tx)
    live = {row["slug"]: row for row in await repository.list_live(tx)}
    gone = _missing(reading.entries, live, files) if retire_missing else {}
    entries = [entry for entry in reading.entries if entry.club is None or entry.club in clubs]
    refusals = [
        *reading.refusals,
        *_asked_already(reading.entries, live.keys() - gone.keys(), live),
    ]
    if not skip_unknown_clubs:
        refusals += _unknown_clubs(reading.entries, clubs)
    if refusals:
        return ImportReport(refused=tuple(refusals))

    plan = _compare(entries, live, clubs)
    if not dry_run:
        await repository.retire_questions(tx, [*plan.old, *gone.values()], now)
        await repository.insert_questions(tx, plan.new)
    return ImportReport(
        added=len(plan.new) - len(plan.old),
        unchanged=plan.unchanged,
        replaced=len(plan.old),
        retired=len(gone),
        skipped=len(reading.entries) - len(entries),
    )


def _compare(entries: Sequence[Entry], live: dict[str, Row], clubs: dict[str, UUID]) -> _Plan:
    plan = _Plan()
    for entry in entries:
        wanted = _content(entry, clubs)
        old = live.get(entry.slug)
        if old is not None and all(old[name] == value for name, value in wanted.items()):
            plan.unchanged += 1
            continue
        if old is not None:
            plan.old.append(old["id"])
        plan.new.append({"id": new_id(), **wanted})
    return plan


def _content(entry: Entry, clubs: dict[str, UUID]) -> dict[str, Any]:
    return {
        "slug": entry.slug,
        "kind": entry.kind,
        "club_id": None if entry.club is None else clubs[entry.club],
        "topic": entry.topic,
        "question": entry.question,
        "options": list(entry.options),
        "right_option": entry.right_option,
        "explanation": entry.explanation,
        "source": entry.source,
        "difficulty": entry.difficulty,
    }


def _missing(
    entries: Sequence[Entry], live: dict[str, Row], files: Sequence[BankFile]
) -> dict[str, UUID]:
    kept = {entry.slug for entry in entries}
    topics = {entry.topic for entry in entries} | {PurePath(file.name).stem for file in files}
    return {
        slug: row["id"] for slug, row in live.items() if slug not in kept and row["topic"] in topics
    }


def _unknown_clubs(entries: Sequence[Entry], clubs: dict[str, UUID]) -> Iterator[RefusedLine]:
    for entry in entries:
        if entry.club is not None and entry.club not in clubs:
            yield RefusedLine(entry.file, entry.line, f"There is no club named {entry.club}.")


def _asked_already(
    entries: Sequence[Entry], staying: AbstractSet[str], live: dict[str, Row]
) -> Iterator[RefusedLine]:
    """Refuse what is asked by a live question that stays and that the files do not speak of."""
    others = staying - {entry.slug for entry in entries}
    asked = {rules.normalise(live[slug]["question"]): slug for slug in others}
    for entry in entries:
        slug = asked.get(rules.normalise(entry.question))
        if slug is not None:
            sentence = f"The bank asks the same question already, as {slug}."
            yield RefusedLine(entry.file, entry.line, sentence)
