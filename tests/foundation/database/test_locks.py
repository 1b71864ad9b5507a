"""Advisory locks are plain numbers: each purpose has its own."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[3]
NUMBER = re.compile(r"^(\w+LOCK) = (7_226_331_\d+)", re.MULTILINE)


def test_every_purpose_has_a_number_of_its_own() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for folder in ("api", "migrations"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for name, number in NUMBER.findall(path.read_text(encoding="utf-8")):
                found[number].append(name)

    assert len(found) > 8
    assert all(len(names) == 1 for names in found.values())
