"""Rules of the member record, without a database."""

import subprocess
import sys
from pathlib import Path

import pytest
from api.people.users import rules

ROOT = Path(__file__).resolve().parents[3]
JUDGE = "from api.people.users import rules; rules.plain('The name')({!r} * 1_000_000)"


@pytest.mark.parametrize("name", ["Ada.Obi", "see fans.ng", "a.bb.cc", "x1.ng", "é1.éé"])
def test_what_reads_as_an_address_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot have links"):
        rules.plain("The name")(name)


@pytest.mark.parametrize(
    "name", ["A. B. Obi", "a.bb", "aa.b", "St. John", "no. 12", "12.34", "a_.ng"]
)
def test_a_point_alone_is_no_address(name: str) -> None:
    assert rules.plain("The name")(name) == name


@pytest.mark.parametrize("letter", ["x", "1", "é"])
def test_a_million_letters_are_judged_as_fast_as_they_are_read(letter: str) -> None:
    # In a process with a timeout: a pattern with quadratic matching would take hours.
    subprocess.run([sys.executable, "-c", JUDGE.format(letter)], cwd=ROOT, timeout=60, check=True)
