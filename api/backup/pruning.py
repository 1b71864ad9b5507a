"""Which backups are kept: of seven days, of four weeks, and the last that was proven."""

import re
import shutil
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from api.core import clock
from api.jobs.runs import CLOCKS_DIFFER_BY

DAYS, WEEKS = 7, 4
NAME = re.compile(r"fans-(\d{8}T\d{6})Z")
STAMP = "%Y%m%dT%H%M%S"


def name_of(instant: datetime) -> str:
    """Return the name of a backup that is taken at ``instant``."""
    return f"fans-{instant.astimezone(UTC).strftime(STAMP)}Z"


def list_backups(folder: Path, now: datetime) -> list[str]:
    """Return the names of the backups in a folder, newest first; what is others' is left alone.

    So is one of the future, taken while a clock was ahead: until its time comes it is not the
    newest, counts for no day, and is not removed.
    """
    if not folder.is_dir():
        return []
    latest = name_of(now + CLOCKS_DIFFER_BY)
    return sorted(
        (path.name for path in folder.iterdir() if _is_backup(path) and path.name <= latest),
        reverse=True,
    )


def superfluous(names: Iterable[str], proven: str | None) -> list[str]:
    """Return which of these backups are not kept.

    Kept are the newest of each of the last seven Lagos days that have one, the newest of each of
    the last four weeks that have one, and the last one that was proven.
    """
    newest_first = sorted(names, reverse=True)
    kept = {proven, *_newest_of(newest_first, _day, DAYS), *_newest_of(newest_first, _week, WEEKS)}
    return [name for name in newest_first if name not in kept]


def prune(folder: Path, proven: str | None, now: datetime) -> list[str]:
    """Remove what is not kept, and return the names."""
    removed = superfluous(list_backups(folder, now), proven)
    for name in removed:
        # Out of the list at once: half a backup must not look whole.
        leaving = (folder / name).rename(folder / f".unfinished-{name}")
        shutil.rmtree(leaving)
    return removed


def _newest_of(names: list[str], period: Callable[[str], object], most: int) -> list[str]:
    newest: dict[object, str] = {}
    for name in names:
        newest.setdefault(period(name), name)
    return list(newest.values())[:most]


def _is_backup(path: Path) -> bool:
    if NAME.fullmatch(path.name) is None or path.is_symlink() or not path.is_dir():
        return False
    try:
        _instant(path.name)
    except ValueError:  # of a month or an hour that there is not
        return False
    return True


def _day(name: str) -> object:
    return clock.lagos_day(_instant(name))


def _week(name: str) -> object:
    return clock.lagos_day(_instant(name)).isocalendar()[:2]


def _instant(name: str) -> datetime:
    return datetime.strptime(name[5:-1], STAMP).replace(tzinfo=UTC)
