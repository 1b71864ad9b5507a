"""``import-questions``: imports files and prints a report."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from api.console.acts import audit_act, record_act
from api.console.opened import open_database
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.games.questions.rules.reading import BankFile
from api.games.questions.service import importing
from api.games.questions.service.importing import ImportReport


async def import_questions(settings: Settings, options: Namespace) -> bool:
    """Import the files of ``options``, print the results, and return whether it succeeded.

    Raises:
        OSError: a path cannot be read, or a folder has no CSV file.
    """
    files = read_paths(options.paths) if options.paths else importing.shipped_bank()
    async with open_database(settings) as database, database.transaction() as tx:
        report = await importing.import_bank(
            tx,
            files,
            now=clock.now(),
            dry_run=options.dry_run,
            retire_missing=options.retire_missing,
            skip_unknown_clubs=options.skip_unknown_clubs,
        )
        done = {name: getattr(report, name) for name in ("added", "replaced", "retired")}
        is_changed = not report.refused and any(done.values()) and not options.dry_run
        if is_changed:
            await audit_act(tx, "import_questions", "questions", "bank", **done)
    if report.refused:
        _print_refusals(report)
    else:
        _print_outcome(report, len(files), dry_run=options.dry_run)
        if is_changed:
            record_act("import_questions", **done)
    return not report.refused


def read_paths(paths: Sequence[Path]) -> list[BankFile]:
    """Return the files of ``paths``; a folder stands for its CSV files.

    Raises:
        OSError: a path cannot be read, or a folder has no CSV file.
    """
    files = [file for path in paths for file in _expand(path)]
    return [BankFile(str(file), file.read_bytes()) for file in dict.fromkeys(files)]


def _expand(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.csv"))
    if not found:
        raise FileNotFoundError(2, "There is no CSV file in this folder", str(path))
    return found


def _print_refusals(report: ImportReport) -> None:
    for refusal in report.refused:
        print(f"{refusal.file}:{refusal.line}: {refusal.sentence}", file=sys.stderr)
    rows = len({(refusal.file, refusal.line) for refusal in report.refused})
    print(f"{_count(rows, 'row')} refused. Nothing was written.", file=sys.stderr)


def _print_outcome(report: ImportReport, files: int, *, dry_run: bool) -> None:
    print(f"Read {_count(files, 'file')}.")
    for name in ("added", "replaced", "retired", "unchanged"):
        print(f"{name:>9}: {getattr(report, name)}")
    if report.skipped:
        print(f"{'skipped':>9}: {report.skipped} (their clubs are not in the database)")
    if dry_run:
        print("This was a dry run. Nothing was written.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
