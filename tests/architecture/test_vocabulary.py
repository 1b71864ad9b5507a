"""Names and prose use the field's terms; see "Words" in CONTRIBUTING.md."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
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
MAX_NAMES, MAX_PROSE = 36, 60


def _files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "api", "tests", "bench"],  # noqa: S607 the one on the PATH
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.splitlines() if name.endswith(".py")]


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.arg():
                yield node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.id


def _prose(text: str, tree: ast.AST) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield ast.get_docstring(node) or ""


def test_names_and_prose_use_the_words_of_the_field() -> None:
    names, prose = [], []
    for path in _files():
        text = path.read_text()
        tree, place = ast.parse(text), path.relative_to(ROOT)
        names += [
            f"{place} {name}"
            for name in (path.stem, *_names(tree))
            if not name.startswith("test_")
            and any(IN_NAMES.fullmatch(part.lower()) for part in PARTS.findall(name))
        ]
        prose += [
            f"{place} {found[0]}"
            for said in _prose(text, tree)
            for found in IN_PROSE.finditer(said)
        ]

    assert len(names) <= MAX_NAMES, names
    assert len(prose) <= MAX_PROSE, prose
