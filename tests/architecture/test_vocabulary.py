"""Names and prose use the field's terms; see "How code reads" in CONTRIBUTING.md."""

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Words that readers from this field have to translate. Routers and schemas keep some, because they
# are in the API's description, and the database keeps some columns.
IN_NAMES = re.compile(
    "tells?|told|telling|hears?|heard|hearing|ears|looks?|looking|looked|most|longest|fewest|"
    "patience|desk|shelf|deed|acting|siblings?|strangers|ripe|hopeless|pointless|nobody|somebody|"
    "whoever|nonsense|dial|house|street|standing|staying|garbage|doors?|anew|begun|happening"
)
IN_PROSE = re.compile(
    r"\b(nobody|somebody|whoever|for ever|anew|lest|what became of|of ours|told|tells|mend\w*|"
    r"by itself|of its own|of our own|in vain|goes on|lets? go|lets? in|put out|at work)\b",
    re.IGNORECASE,
)
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
COMMENT = re.compile(r"(?<![^\s])#\s.*")
MAX_NAMES, MAX_PROSE = 42, 70


def _files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "api", "tests", "bench"],  # noqa: S607 the one on the PATH
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.splitlines() if name.endswith(".py")]


def _read(text: str) -> tuple[list[str], list[str]]:
    """Return a module's names, without those of tests, and its docstrings and comments."""
    names, prose = [], COMMENT.findall(text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
            prose.append(ast.get_docstring(node, clean=False) or "")
        elif isinstance(node, ast.Module):
            prose.append(ast.get_docstring(node, clean=False) or "")
        elif isinstance(node, ast.arg):
            names.append(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
    return [name for name in names if not name.startswith("test_")], prose


def _is_private(name: str) -> bool:
    return any(IN_NAMES.fullmatch(part.lower()) for part in PARTS.findall(name))


def test_names_and_prose_use_the_words_of_the_field() -> None:
    names, prose = [], []
    for path in _files():
        place = path.relative_to(ROOT)
        used, said = _read(path.read_text())
        names += [f"{place} {name}" for name in (path.stem, *used) if _is_private(name)]
        prose += [f"{place} {word}" for text in said for word in IN_PROSE.findall(text)]

    assert len(names) <= MAX_NAMES, names
    assert len(prose) <= MAX_PROSE, prose
