"""Imports files into the bank, all or nothing."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID

from api.foundation.core.ids import new_id
from api.foundation.database.database import Runner, Transaction
from api.games.questions.repository import bank as bank_repository
from api.games.questions.repository.bank import LiveQuestion
from api.games.questions.rules import reading as reading_rules
from api.games.questions.rules.reading import BankFile, BankReading, Entry, RefusedLine

SHIPPED_BANK = Path(__file__).parents[1] / "bank"


@dataclass(frozen=True)
class ImportReport:
    """The result of an import or a dry run; with refusals nothing was changed.

    ``skipped`` are rows of unknown clubs, left out on request.
    """

    added: int = 0
    unchanged: int = 0
    replaced: int = 0
    retired: int = 0
    skipped: int = 0
    refused: tuple[RefusedLine, ...] = ()


@dataclass
class ImportPlan:
    """What an import will write: new rows, and the ids they replace."""

    new: list[dict[str, Any]] = field(default_factory=list)
    old: list[UUID] = field(default_factory=list)
    unchanged: int = 0


@dataclass(frozen=True)
class Bank:
    """The live questions by slug and the clubs by name, to compare rows with."""

    live: Mapping[str, LiveQuestion]
    clubs: Mapping[str, UUID]

    @property
    def digest(self) -> str:
        """The SHA-256 of the live questions' ids; questions never change."""
        ids = sorted(str(row.id) for row in self.live.values())
        return hashlib.sha256("\n".join(ids).encode()).hexdigest()


def shipped_bank() -> list[BankFile]:
    """Return the files of the bank shipped with the product."""
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
    """Make the bank match ``files``, or change nothing if a row is refused.

    A new slug is added; a changed row becomes a new question and retires the old one; an unchanged
    row is skipped, so running it twice is safe. ``retire_missing`` also retires the live questions
    of the files' topics that the files no longer have; a file's name without its extension counts
    as one of its topics.
    """
    reading = reading_rules.read_files(files)
    bank = await lock_bank_for_import(tx)
    gone = _missing(reading.entries, bank.live, files) if retire_missing else {}
    plan, refusals = compare(reading, bank, gone=gone.keys(), skip_unknown=skip_unknown_clubs)
    if refusals:
        return ImportReport(refused=tuple(refusals))
    if not dry_run:
        await write(tx, plan, now, gone=list(gone.values()))
    return ImportReport(
        added=len(plan.new) - len(plan.old),
        unchanged=plan.unchanged,
        replaced=len(plan.old),
        retired=len(gone),
        skipped=len(reading.entries) - plan.unchanged - len(plan.new),
    )


async def lock_bank_for_import(tx: Transaction) -> Bank:
    """Lock the bank until commit and return it."""
    await bank_repository.lock_bank(tx)
    return await read_bank(tx)


async def read_bank(runner: Runner) -> Bank:
    """Return the bank as it is now."""
    live = {row.slug: row for row in await bank_repository.list_live(runner)}
    return Bank(live, await bank_repository.list_club_ids(runner))


async def write(
    tx: Transaction, plan: ImportPlan, now: datetime, *, gone: Sequence[UUID] = ()
) -> None:
    """Carry out a plan, and retire the questions in ``gone``."""
    await bank_repository.retire_questions(tx, [*plan.old, *gone], now)
    await bank_repository.insert_questions(tx, plan.new)


def compare(
    reading: BankReading,
    bank: Bank,
    *,
    gone: AbstractSet[str] = frozenset(),
    skip_unknown: bool = False,
) -> tuple[ImportPlan, list[RefusedLine]]:
    """Return what the valid rows would write, and a refusal for each of the others."""
    refusals = [
        *reading.refusals,
        *_asked_already(reading.entries, bank.live.keys() - gone, bank.live),
    ]
    if not skip_unknown:
        refusals += _unknown_clubs(reading.entries, bank.clubs)
    refused = {(refusal.file, refusal.row) for refusal in refusals}
    entries = [
        entry
        for entry in reading.entries
        if (entry.file, entry.row) not in refused
        and (entry.club is None or entry.club in bank.clubs)
    ]
    return _compare(entries, bank), refusals


def _compare(entries: Sequence[Entry], bank: Bank) -> ImportPlan:
    plan = ImportPlan()
    for entry in entries:
        wanted = _content(entry, bank.clubs)
        old = bank.live.get(entry.slug)
        if old is not None and vars(old) == {"id": old.id, **wanted}:
            plan.unchanged += 1
            continue
        if old is not None:
            plan.old.append(old.id)
        plan.new.append({"id": new_id(), **wanted})
    return plan


def _content(entry: Entry, clubs: Mapping[str, UUID]) -> dict[str, Any]:
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
    entries: Sequence[Entry], live: Mapping[str, LiveQuestion], files: Sequence[BankFile]
) -> dict[str, UUID]:
    kept = {entry.slug for entry in entries}
    topics = {entry.topic for entry in entries} | {PurePath(file.name).stem for file in files}
    return {slug: row.id for slug, row in live.items() if slug not in kept and row.topic in topics}


def _unknown_clubs(entries: Sequence[Entry], clubs: Mapping[str, UUID]) -> Iterator[RefusedLine]:
    for entry in entries:
        if entry.club is not None and entry.club not in clubs:
            yield reading_rules.refuse(entry, f"There is no club named {entry.club}.", "club")


def _asked_already(
    entries: Sequence[Entry],
    retention_exceptions: AbstractSet[str],
    live: Mapping[str, LiveQuestion],
) -> Iterator[RefusedLine]:
    """Refuse rows equal to a live question that stays and that the files do not contain."""
    others = retention_exceptions - {entry.slug for entry in entries}
    asked = {reading_rules.normalise(live[slug].question): slug for slug in others}
    for entry in entries:
        slug = asked.get(reading_rules.normalise(entry.question))
        if slug is not None:
            sentence = f"The bank asks the same question already, as {slug}."
            yield reading_rules.refuse(entry, sentence, "question")
