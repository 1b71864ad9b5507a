"""Parts of the growth benchmark: parsing of logs, and detection of sequential scans."""

from bench.growth_calls import calls
from bench.growth_fill import FILLS, TABLES
from bench.growth_people import Person
from bench.growth_plans import Executed, executed

LOG = """\
2026-11-23 01:53:24.404 UTC [7] LOG:  duration: 0.1 ms  parse __asyncpg_1__: SELECT 1
2026-11-23 01:53:24.405 UTC [7] LOG:  duration: 0.2 ms  execute __asyncpg_1__: \n\
\tSELECT id
\t  FROM product WHERE id = $1 AND name = $2 AND star > $3
2026-11-23 01:53:24.405 UTC [7] DETAIL:  Parameters: $1 = 'it''s', $2 = NULL, $3 = '10'
2026-11-23 01:53:24.406 UTC [8] LOG:  duration: 0.2 ms  execute __asyncpg_2__: BEGIN
2026-11-23 01:53:24.407 UTC [9] LOG:  duration: 0.2 ms  execute __asyncpg_3__: SELECT 2
2026-11-23 01:53:24.408 UTC [9] ERROR:  canceling statement
"""


def test_statements_are_read_from_the_log_with_their_values() -> None:
    assert executed(LOG) == [
        Executed(
            "SELECT id\n  FROM product WHERE id = $1 AND name = $2 AND star > $3",
            ("'it''s'", "NULL", "'10'"),
        ),
        Executed("SELECT 2", ()),
    ]


def test_no_table_is_filled_by_two_at_once() -> None:
    first, second = (
        {fill.split("INSERT INTO ")[1].split()[0] for fill in part if "INSERT INTO " in fill}
        for part in FILLS
    )

    assert first & second == set()
    assert set(TABLES) <= first | second


def test_every_call_is_another_and_can_be_sent() -> None:
    made = calls("product-id", "plan-id")
    person = Person(
        "user-id", "token", "club-id", "Enyimba", {"messages": [{"id": "m"}], "quest": []}
    )

    assert len({call.name for call in made}) == len(made)
    assert all("Authorization: Bearer token" in call.request(person) for call in made)
