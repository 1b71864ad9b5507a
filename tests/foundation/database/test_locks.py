"""Advisory locks are numbers of one enumeration: each purpose has its own."""

import re
from pathlib import Path

from api.foundation.database.locks import AdvisoryLock

ROOT = Path(__file__).parents[3]
LOCK = re.compile(r"pg_(?:try_)?advisory\w*\((.*)\)")
# A parameter, or a constant of an SQL source that is one of the enumeration's.
TAKEN_FROM_THE_ENUM = re.compile(
    r"(\$\d|:key|\{\{fold_points_lock\}\}|\{AdvisoryLock\.\w+\}|hashtextextended\(.*, \$\d\))"
)


def test_every_purpose_has_a_number_of_its_own() -> None:
    numbers = [member.value for member in AdvisoryLock.__members__.values()]

    assert len(numbers) == len(set(numbers)) > 20


def test_no_statement_names_a_number_itself() -> None:
    found = [
        (path.relative_to(ROOT).as_posix(), arguments)
        for folder in ("api", "migrations")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".sql"} and "versions" not in path.parts
        for arguments in LOCK.findall(path.read_text(encoding="utf-8"))
    ]

    assert len(found) > 15
    assert [one for one in found if not TAKEN_FROM_THE_ENUM.match(one[1])] == []
