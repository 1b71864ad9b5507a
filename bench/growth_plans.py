"""What the database did for the calls: sequential scans, and each statement's plan."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from api.dev.postgres.install import PostgresError
from api.foundation.core import clock
from api.foundation.database.housekeeping import parameters, removal
from api.foundation.database.retention import REMOVED

from bench.database import BenchDatabase

LARGE = 100_000
ENTRY = re.compile(
    r"^\d{4}-\d\d-\d\d [\d:.]+ \w+ \[(?P<pid>\d+)\] (?P<level>[A-Z]+):  (?P<text>.*?)"
    r"(?=^\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\] |\Z)",
    re.MULTILINE | re.DOTALL,
)
EXECUTED = re.compile(r"duration: [\d.]+ ms  execute [^:]+: (?P<sql>.*)", re.DOTALL)
PARAMETER = re.compile(r"\$\d+ = (NULL|'(?:[^']|'')*')")
PLANNED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
SCANNED = re.compile(r"Seq Scan on (\w+)")
SCANS = """
SELECT s.relname, s.seq_scan FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
 WHERE c.reltuples > {large}
"""
LISTEN = "ALTER SYSTEM SET log_min_duration_statement = {milliseconds}"


@dataclass(frozen=True)
class Executed:
    """A statement as sent by the server, with the values of one execution."""

    sql: str
    values: tuple[str, ...]


def whole_reads(rows: BenchDatabase) -> dict[str, int]:
    """Return the number of sequential scans of each large table."""
    rows.sql("SELECT pg_stat_force_next_flush()")
    found = (line.split("|") for line in rows.sql(SCANS.format(large=LARGE)).splitlines())
    return {table: int(scans) for table, scans in found}


def listen(rows: BenchDatabase, *, is_on: bool) -> None:
    """Enable or disable logging of every statement with its values."""
    rows.sql(LISTEN.format(milliseconds=0 if is_on else -1))
    rows.sql("SELECT pg_reload_conf()")


def executed(log: str) -> list[Executed]:
    """Return each distinct statement of a server's log, with its latest values."""
    found: dict[str, Executed] = {}
    sql: dict[str, str] = {}
    for entry in ENTRY.finditer(log):
        pid, text = entry["pid"], entry["text"]
        if entry["level"] == "LOG":
            matched = EXECUTED.match(text)
            sql.pop(pid, None)
            if matched is not None:
                sql[pid] = matched["sql"].replace("\n\t", "\n").strip()
                found.setdefault(sql[pid], Executed(sql[pid], ()))
        elif entry["level"] == "DETAIL" and pid in sql and "arameters: " in text:
            found[sql[pid]] = Executed(sql[pid], tuple(PARAMETER.findall(text)))
    return [one for one in found.values() if one.sql.upper().startswith(PLANNED)]


def explain(rows: BenchDatabase, statement: Executed) -> str:
    """Return a statement's plan after running it and rolling back; not run if rejected."""
    values = f"({', '.join(statement.values)})" if statement.values else ""
    refusal = ""
    for options in ("ANALYZE, BUFFERS, COSTS OFF, SUMMARY OFF", "COSTS OFF"):
        try:
            return rows.sql(
                f"BEGIN; PREPARE wanted AS {statement.sql}; "
                f"EXPLAIN ({options}) EXECUTE wanted{values}; ROLLBACK"
            )
        except PostgresError as error:
            refusal = str(error)
    return refusal


def removals() -> Iterator[Executed]:
    """Yield the statements of housekeeping."""
    for rule in REMOVED:
        values = parameters(rule, clock.now())
        yield Executed(removal(rule), tuple(f"'{value}'" for value in values))


def read_whole(rows: BenchDatabase, plan: str) -> set[str]:
    """Return the large tables that a plan scans sequentially."""
    large = {line.split("|")[0] for line in rows.sql(SCANS.format(large=LARGE)).splitlines()}
    return set(SCANNED.findall(plan)) & large
