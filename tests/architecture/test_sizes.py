"""File sizes: long files are split, or state a reason."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAX_FILE_LINES = 350
REASON = "Long because"
MAX_REASONS = 2


def long_files() -> dict[str, bool]:
    """Return the server's long files, and whether each states a reason."""
    found = {}
    for path in sorted((ROOT / "api").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if len(text.splitlines()) > MAX_FILE_LINES:
            head = (ast.get_docstring(ast.parse(text)) or "").splitlines()
            place = path.relative_to(ROOT).as_posix()
            found[place] = any(line.startswith(REASON) for line in head)
    return found


def test_no_file_of_the_server_is_long_without_a_reason_in_its_head() -> None:
    reasons = long_files()

    assert [place for place, has_reason in reasons.items() if not has_reason] == []
    assert len(reasons) <= MAX_REASONS
