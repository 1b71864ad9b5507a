"""Every table says how long its rows stay, and what is removed is found by an index."""

import re
from pathlib import Path

import pytest
from api.app.metadata import metadata
from api.foundation.core import clock
from api.foundation.core.ids import first_id_at, new_id
from api.foundation.database.housekeeping import parameters, removal
from api.foundation.database.retention import REMOVED, Retention
from api.foundation.database.retention_exceptions import RETENTION_EXCEPTIONS
from api.foundation.jobs.queue import NAMES

from tests.conftest import RunningApp

PAGE = Path(__file__).parents[3] / "docs" / "operations.md"
ROW = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.MULTILINE)
# Of a foreign key to a table whose rows are removed: is there an index that begins with it?
UNGUIDED = """
SELECT DISTINCT c.conrelid::regclass || '.' || a.attname AS key
  FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
 WHERE c.contype = 'f' AND c.confrelid::regclass::text = ANY ($1)
   AND NOT EXISTS (SELECT FROM pg_index i
                    WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])
"""


def test_every_table_says_how_long_its_rows_stay() -> None:
    removed = [rule.table for rule in REMOVED]
    library = {NAMES.queue_table, NAMES.queue_table_log}

    assert sorted([*removed, *RETENTION_EXCEPTIONS]) == sorted(metadata().tables.keys() | library)


def test_the_operators_page_says_the_same() -> None:
    section = PAGE.read_text(encoding="utf-8").split("## How long rows stay")[1].split("\n## ")[0]

    said = {rule.table: rule.words for rule in REMOVED} | dict(RETENTION_EXCEPTIONS)
    assert dict(ROW.findall(section)) == said


@pytest.mark.parametrize(
    "rule", [rule for rule in REMOVED if not rule.is_small], ids=lambda rule: rule.table
)
async def test_what_has_served_is_found_by_an_index(app: RunningApp, rule: Retention) -> None:
    async with app.database.transaction() as tx:
        # An empty table is read whole by any plan that is left a choice.
        await tx.execute("SET LOCAL enable_seqscan = off")
        await tx.execute("SET LOCAL enable_bitmapscan = off")
        rows = await tx.fetch_rows("EXPLAIN " + removal(rule), *parameters(rule, clock.now()))
    plan = "\n".join(row["QUERY PLAN"] for row in rows)

    assert re.search(rf"Index Scan using \w+ on {rule.table} .*\n +Index Cond:", plan), plan
    assert not re.search(rf"Seq Scan on {rule.table}\b", plan), plan


async def test_whatever_points_to_a_removed_row_is_found_by_an_index(app: RunningApp) -> None:
    rows = await app.database.fetch_rows(UNGUIDED, [rule.table for rule in REMOVED])

    assert [row["key"] for row in rows] == []


def test_ids_before_a_moment_are_smaller_than_its_first() -> None:
    before = new_id()
    first = first_id_at(clock.now())
    after = new_id()

    # Within one millisecond an id may be on either side, so the first is compared by its time.
    assert before.int >> 80 <= first.int >> 80 <= after.int >> 80
    assert first <= after
