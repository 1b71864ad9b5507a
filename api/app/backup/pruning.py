"""Retention of backups: those of seven days and of four weeks, and the last tested one."""

import re
import shutil
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from api.foundation.core import clock
from api.foundation.jobs.runs import CLOCKS_DIFFER_BY

DAYS, WEEKS = 7, 4
NAME = re.compile(r"fans-(\d{8}T\d{6})Z")
STAMP = "%Y%m%dT%H%M%S"


def name_of(instant: datetime) -> str:
    """Return the name of a backup taken at ``instant``."""
    return f"fans-{instant.astimezone(UTC).strftime(STAMP)}Z"


def list_backups(folder: Path, now: datetime) -> list[str]:
    """Return the names of the backups in a folder, newest first; ignores other files.

    Backups from the future, taken while a clock was fast, are ignored: until then they are not the
    newest, count for no day, and are not deleted.
    """
    if not folder.is_dir():
        return []
    latest = name_of(now + CLOCKS_DIFFER_BY)
    return sorted(
        (path.name for path in folder.iterdir() if _is_backup(path) and path.name <= latest),
        reverse=True,
    )


def superfluous(names: Iterable[str], proven: str | None) -> list[str]:
    """Return the backups to delete.

    Kept are the newest of each of the last seven Lagos days that have one, the newest of each of
    the last four weeks that have one, and the last one that was tested.
    """
    newest_first = sorted(names, reverse=True)
    kept = {proven, *_newest_of(newest_first, _day, DAYS), *_newest_of(newest_first, _week, WEEKS)}
    return [name for name in newest_first if name not in kept]


def prune(folder: Path, proven: str | None, now: datetime) -> list[str]:
    """Delete superfluous backups and return their names."""
    removed = superfluous(list_backups(folder, now), proven)
    for name in removed:
        # Renamed first: a half-deleted backup must not look complete.
        leaving = (folder / name).rename(folder / f".unfinished-{name}")
        shutil.rmtree(leaving)
    return removed


def _newest_of(names: list[str], period: Callable[[str], object], limit: int) -> list[str]:
    newest: dict[object, str] = {}
    for name in names:
        newest.setdefault(period(name), name)
    return list(newest.values())[:limit]


def _is_backup(path: Path) -> bool:
    if NAME.fullmatch(path.name) is None or path.is_symlink() or not path.is_dir():
        return False
    try:
        _instant(path.name)
    except ValueError:  # not a valid date or time
        return False
    return True


def _day(name: str) -> object:
    return clock.lagos_day(_instant(name))


def _week(name: str) -> object:
    return clock.lagos_day(_instant(name)).isocalendar()[:2]


def _instant(name: str) -> datetime:
    return datetime.strptime(name[5:-1], STAMP).replace(tzinfo=UTC)
