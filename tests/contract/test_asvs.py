"""The security documents are complete and decided, and every test they name exists.

``docs/asvs.csv`` has one row for each requirement of OWASP ASVS 5.0 level 2 that applies to an
application like this one, in our words. ``docs/security.md`` names a test for each of its promises.
"""

import csv
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "asvs.csv"
COLUMNS = ["id", "applies", "verdict", "evidence", "control"]
VERDICTS = {"test": "yes", "document": "yes", "not-applicable": "no"}
CHAPTERS = {
    "1": 19, "2": 11, "3": 18, "4": 8, "5": 7, "6": 25, "7": 11, "8": 7, "9": 7, "11": 10,
    "13": 10, "14": 8, "15": 13, "16": 12,
}  # fmt: skip
SHORTEST_CONTROL = 40
PAGE = ROOT / "docs" / "security.md"
WITHOUT_PROMISES = {"Security", "Background", "Upkeep"}  # sections of the page
TEST_FILE = re.compile(r"(.*/)?(test_\w+\.py|[\w.-]+\.(test|spec)\.tsx?)")


def rows() -> list[dict[str, str]]:
    with TABLE.open(newline="") as file:
        reader = csv.DictReader(file)
        assert reader.fieldnames == COLUMNS
        return list(reader)


@cache
def text_of(path: str) -> str:
    return (ROOT / path).read_text()


@cache
def anchors_of(path: str) -> frozenset[str]:
    """Return the anchors of a Markdown page's headings."""
    headings = re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE)
    return frozenset(
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings
    )


def is_test(evidence: str) -> bool:
    """Return whether a test of that file and name exists; web tests are named by their titles."""
    path, _, name = evidence.partition("::")
    if not name or not (ROOT / path).is_file():
        return False
    if path.endswith(".py"):
        return re.search(rf"^(async )?def {re.escape(name)}\(", text_of(path), re.M) is not None
    return any(f"{quote}{name}{quote}" in text_of(path) for quote in "\"'`")


def is_section(evidence: str) -> bool:
    path, _, anchor = evidence.partition("#")
    return (ROOT / path).is_file() and (not anchor or anchor in anchors_of(path))


def test_every_requirement_that_concerns_the_product_has_one_row() -> None:
    ids = [row["id"] for row in rows()]
    chapters = [name.split(".")[0] for name in ids]

    assert len(set(ids)) == len(ids) == 166
    assert {chapter: chapters.count(chapter) for chapter in chapters} == CHAPTERS


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_the_row_is_decided_and_its_proof_exists(row: dict[str, str]) -> None:
    proofs = [proof for proof in row["evidence"].split("; ") if proof]

    assert row["applies"] == VERDICTS.get(row["verdict"]), "an unknown verdict"
    assert len(row["control"]) >= SHORTEST_CONTROL
    if row["verdict"] == "test":
        assert proofs
        assert [proof for proof in proofs if not is_test(proof)] == []
    elif row["verdict"] == "document":
        assert proofs
        assert [proof for proof in proofs if not is_section(proof)] == []
    else:
        assert proofs == []


def promises() -> list[str]:
    """Return each row, bullet and paragraph of the page outside the sections without promises."""
    found: list[str] = []
    section = ""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        is_head = after.startswith("|---") or line.startswith("|---")
        if line.startswith(("# ", "## ")):
            section = line.lstrip("# ")
        elif line and not line.startswith("#") and not is_head and section not in WITHOUT_PROMISES:
            found.append(line)
    return found


def named_tests(line: str) -> list[str]:
    """Return the tests named in a line of the page, relative to the repository."""
    quoted = re.findall(r"`([^`]+)`", line)
    named = [one for one in quoted if TEST_FILE.fullmatch(one.partition("::")[0])]
    return [one if one.startswith("web/") else f"tests/{one}" for one in named]


def test_every_promise_of_the_security_page_names_a_test() -> None:
    assert len(promises()) > 150
    assert [line for line in promises() if not named_tests(line)] == []


def test_the_last_column_of_the_security_pages_tables_is_the_test() -> None:
    rows_of_tables = [line for line in promises() if line.startswith("|")]

    assert [row for row in rows_of_tables if not named_tests(row.split(" | ")[-1])] == []


def test_every_test_that_the_security_page_names_exists() -> None:
    named = {test for line in promises() for test in named_tests(line)}

    assert [
        test
        for test in sorted(named)
        if not (is_test(test) if "::" in test else (ROOT / test).is_file())
    ] == []
