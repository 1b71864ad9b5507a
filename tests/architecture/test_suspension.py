"""A suspension may expire, so it is checked in only one way."""

import re
from pathlib import Path

API = Path(__file__).parents[2] / "api"
RAW = re.compile(r"\bsuspended_at IS (NOT )?(NULL|DISTINCT)", re.IGNORECASE)


def test_no_statement_takes_the_begin_of_a_suspension_for_one_that_holds() -> None:
    files = [*API.rglob("repository*.py"), *API.rglob("repository/*.py"), *API.rglob("*.sql")]

    assert [
        path.relative_to(API).as_posix() for path in files if RAW.search(path.read_text())
    ] == []
