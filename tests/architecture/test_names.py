"""Class names are unique."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]


def classes() -> dict[str, list[str]]:
    """Return the modules that define each class of the server, by class name."""
    found = defaultdict(list)
    for path in sorted((ROOT / "api").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path.relative_to(ROOT).as_posix())
    return found


def test_no_two_classes_share_a_name() -> None:
    shared = {name: places for name, places in classes().items() if len(places) > 1}

    assert shared == {}
