"""Housekeeping deletes expired rows and no others, one worker at a time."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import asyncpg
import pytest
import structlog
from api.foundation.core import clock
from api.foundation.core.ids import first_id_at, new_id
from api.foundation.database import housekeeping
from api.foundation.database.errors import DatabaseRefusal
from api.foundation.database.housekeeping import tidy, tidy_job
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.retention import REMOVED
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from tests.conftest import CLUB_A, RunningApp, SignedIn
from tests.waiting import DEADLINE_SECONDS

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
RULES = {rule.table: rule for rule in REMOVED}
# A row of each table, with ``{at}`` as its date and an id of that time.
ROWS: Mapping[str, str] = {
    "idempotency_key": "(user_id, key, route, fingerprint, created_at) "
    "VALUES ('{id}', 'k', '/', 'f', '{at}')",
    "used_claim": "(id, expires_at) VALUES ('{id}', '{at}')",
    "solved_challenge": "(nonce, expires_at) VALUES ('{id}', '{at}')",
    "rate_limit": "(bucket, window_started_at, hits) VALUES ('{id}', '{at}', 1)",
    "sign_in_guard": "(digest, attempts, attempted_at, admitted) VALUES ('{id}', 1, '{at}', true)",
    "mailed_code": "(id, subject_id, address, purpose, digest, is_from_known, created_at, "
    "expires_at) VALUES ('{id}', '{id}', 'a', 'activation', 'd', true, '{at}', '{at}')",
    "sms_message": "(id, number, day, place, subject_id, state, created_at, changed_at) "
    "VALUES ('{id}', '{id}', '{at}', 1, '{id}', 'sent', '{at}', '{at}')",
    "sign_up_attempt": "(id, address, origin, club_id, first_name, last_name, email, phone, "
    "password_hash, created_at, expires_at) VALUES ('{id}', 'a', 'o', '{club}', 'A', 'B', 'e', "
    "'+2348031234567', 'h', '{at}', '{at}')",
    "known_origin": "(user_id, origin, seen_at) VALUES ('{id}', 'o', '{at}')",
    "known_operator_network": "(operator_id, origin, seen_at) VALUES ('{id}', 'o', '{at}')",
    "known_browser": "(user_id, browser, seen_at) VALUES ('{id}', 'b', '{at}')",
    "session": "(id, user_id, expires_at) VALUES ('{id}', '{id}', '{at}')",
    "heartbeat": "(worker_id, beat_at) VALUES ('{id}', '{at}')",
    "pgqueuer_log": "(created, job_id, status, priority, entrypoint) "
    "VALUES ('{at}', 1, 'failed', 0, 'nothing')",
    "pgqueuer": "(priority, status, entrypoint, updated) VALUES (0, 'failed', 'nothing', '{at}')",
    "job_run": "(kind, subject, started_at, seconds, size_bytes, succeeded, outcome) "
    "VALUES ('backup', 's', '{at}', 0, 0, true, 'o')",
    "ledger_proof": "(id, at, source, ok, difference_kobo, transfers, checks, took_ms) "
    "VALUES ('{id}', '{at}', 'clock', true, 0, 0, '[]', 1)",
    "payment_event": "(id, gateway, dedupe_key, type, raw, received_at) "
    "VALUES ('{id}', 'paystack', '{id}', 'charge.success', 'x', '{at}')",
    "battle_attempt": "(id, user_id, club_id, season_id, day, n, question_id, rank, shown, "
    "opened_at, deadline_at, outcome, closed_at) VALUES ('{id}', '{id}', '{club}', '{id}', "
    "'{at}', 1, '{id}', 'rookie', '{{0,1,2,3}}', '{at}', '{at}', 'timeout', '{at}')",
    "trivia_attempt": "(id, user_id, day, club_id, shown, issued_at) "
    "VALUES ('{id}', '{id}', '{at}', '{club}', '[]', '{at}')",
    "chat_report": "(message_id, user_id, reason, reported_at, settled_at) "
    "VALUES ('{id}', '{id}', 'spam', '{at}', '{at}')",
    "chat_message": "(id, room_id, seq, user_id, client_id, content, sent_at) "
    "VALUES ('{id}', '{club}', {n}, '{id}', '{id}', 'x', '{at}')",
}
BOARD = """
WITH b AS (INSERT INTO board (period, starts_on) VALUES ('{period}', '{at:%Y-%m-%d}') RETURNING id),
t AS (INSERT INTO board_total (board_id, user_id, club_id, points, elapsed_ms, reached_at)
  SELECT id, '{club}', '{club}', 1, 1, '{at}' FROM b)
INSERT INTO rank_histogram (board_id, club_id, level, bucket, members)
  SELECT id, '{club}', 4, 1, 1 FROM b
"""


async def as_owner(owner: AsyncEngine, *statements: str) -> None:
    """Write rows that are older than any route could write."""
    async with owner.begin() as connection:
        await connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        for statement in statements:
            await connection.exec_driver_sql(statement)


def row(table: str, at: datetime, n: int = 1) -> str:
    """Return the statement that writes a row of that date."""
    values = ROWS[table].format(at=at.isoformat(), id=first_id_at(at), club=CLUB_A, n=n)
    return f"INSERT INTO {table} {values}"


async def left_in(app: RunningApp, table: str) -> int:
    found = await app.database.fetch_row(f"SELECT count(*)::int AS n FROM {table}")
    assert found is not None
    left: int = found["n"]
    return left


@pytest.mark.parametrize("table", ROWS)
async def test_what_has_served_goes_and_what_has_not_stays(
    app: RunningApp, owner: AsyncEngine, table: str
) -> None:
    old, young = (clock.now() - RULES[table].age + side * HOUR for side in (-1, 1))
    await as_owner(owner, f"DELETE FROM {table}", row(table, old, 1), row(table, young, 2))

    tidied = await tidy(app.database, [RULES[table]])

    assert tidied.removed == {table: 1}
    assert await left_in(app, table) == 1


@pytest.mark.parametrize("table", ["streak_day", "streak_freeze"])
async def test_days_of_a_streak_go_by_their_date(
    app: RunningApp, owner: AsyncEngine, member: SignedIn, table: str
) -> None:
    last = (clock.now() - RULES[table].age).date()
    days = ", ".join(f"('{member.id}', '{last + side * DAY}')" for side in (-2, 2))
    await as_owner(owner, f"INSERT INTO {table} (user_id, day) VALUES {days}")

    assert (await tidy(app.database, [RULES[table]])).removed == {table: 1}
    assert await left_in(app, table) == 1


async def test_what_waits_or_runs_is_no_dead_letter(app: RunningApp, owner: AsyncEngine) -> None:
    old = (clock.now() - 400 * DAY).isoformat()
    await as_owner(
        owner,
        "INSERT INTO pgqueuer (priority, status, entrypoint, updated) "
        f"VALUES (0, 'picked', 'nothing', '{old}'), (0, 'queued', 'nothing', '{old}')",
    )

    assert (await tidy(app.database, [RULES["pgqueuer"]])).removed == {"pgqueuer": 0}


@pytest.mark.parametrize(("ahead", "age"), [(3 * DAY, DAY), (-3 * DAY, 3 * DAY)])
async def test_a_clock_that_differs_from_the_databases_removes_nothing_early(
    app: RunningApp,
    owner: AsyncEngine,
    monkeypatch: pytest.MonkeyPatch,
    ahead: timedelta,
    age: timedelta,
) -> None:
    real_now = clock.now
    await as_owner(owner, row("idempotency_key", real_now() - age))
    monkeypatch.setattr(clock, "now", lambda: real_now() + ahead)

    await tidy(app.database, [RULES["idempotency_key"]])

    assert await left_in(app, "idempotency_key") == 1


async def test_boards_of_days_go_before_those_of_weeks_and_seasons_stay(
    app: RunningApp, owner: AsyncEngine
) -> None:
    now = clock.now()
    boards = [
        BOARD.format(period=period, at=now - days * DAY, club=CLUB_A)
        for period, days in (("day", 89), ("day", 92), ("week", 92), ("week", 402), ("month", 402))
    ]
    season = f"INSERT INTO board (period, season_id) VALUES ('season', '{new_id()}')"
    await as_owner(owner, *boards, season)

    removed = (await tidy(app.database)).removed

    assert [removed[table] for table in ("board_total", "rank_histogram", "board")] == [3, 3, 3]
    left = await app.database.fetch_rows("SELECT period FROM board ORDER BY period")
    assert [one["period"] for one in left] == ["day", "season", "week"]


async def test_messages_that_were_reported_or_moderated_stay(
    app: RunningApp, owner: AsyncEngine
) -> None:
    old = clock.now() - 800 * DAY
    ids = [first_id_at(old + n * HOUR) for n in range(3)]
    await as_owner(
        owner,
        *(row("chat_message", old + n * HOUR, n) for n in range(3)),
        "INSERT INTO chat_report (message_id, user_id, reason, reported_at) "
        f"VALUES ('{ids[0]}', '{ids[0]}', 'spam', now())",
        "INSERT INTO chat_moderation (id, operator_id, user_id, message_id, deed, detail, done_at) "
        f"VALUES ('{ids[0]}', '{ids[0]}', '{ids[0]}', '{ids[1]}', 'hide', '{{}}', now())",
    )

    assert (await tidy(app.database)).removed["chat_message"] == 1
    rows = await app.database.fetch_rows("SELECT id FROM chat_message ORDER BY id")
    assert [one["id"] for one in rows] == ids[:2]


@pytest.mark.parametrize(
    "table", ["payment_event", "battle_attempt", "trivia_attempt", "chat_message"]
)
async def test_the_running_role_cannot_remove_evidence_before_its_time(
    app: RunningApp, owner: AsyncEngine, table: str
) -> None:
    await as_owner(owner, row(table, clock.now() - RULES[table].age + HOUR))

    with pytest.raises(DatabaseRefusal, match="KF423"):
        await app.database.fetch_row(f"DELETE FROM {table}")


@pytest.mark.parametrize(
    ("table", "written_at"),
    [
        ("payment_event", "received_at"),
        ("battle_attempt", "opened_at"),
        ("trivia_attempt", "issued_at"),
        ("chat_message", "sent_at"),
    ],
)
async def test_the_running_role_cannot_make_evidence_old_and_then_remove_it(
    app: RunningApp, owner: AsyncEngine, table: str, written_at: str
) -> None:
    await as_owner(owner, row(table, clock.now()))

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await app.database.fetch_row(f"UPDATE {table} SET {written_at} = '2001-01-01'")
    with pytest.raises(DatabaseRefusal, match="KF423"):
        await app.database.fetch_row(f"DELETE FROM {table}")


async def test_what_retention_goes_by_is_the_owners_alone_where_rows_are_evidence(
    app: RunningApp,
) -> None:
    changeable = await app.database.fetch_rows(
        "SELECT t.tgrelid::regclass::text AS name, a.attname AS column FROM pg_trigger t "
        "JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum > 0 "
        "WHERE t.tgname = 'keep_until_served' "
        "AND has_column_privilege($1, t.tgrelid, a.attnum, 'UPDATE')",
        app.settings.database_runtime_role,
    )

    assert changeable
    for found in changeable:
        assert not re.search(rf"\b{found['column']}\b", RULES[found["name"]].served)


async def test_orders_are_neither_removed_nor_said_otherwise(app: RunningApp) -> None:
    for statement in (
        "DELETE FROM shop_order",
        "DELETE FROM order_line",
        "UPDATE shop_order SET total_kobo = 1",
        "UPDATE order_line SET price_kobo = 1",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await app.database.fetch_row(statement)


async def test_a_turn_goes_on_while_batches_are_full(
    app: RunningApp, owner: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        housekeeping, "log", structlog.wrap_logger(None, wrapper_class=structlog.BoundLogger)
    )
    old = clock.now() - 400 * DAY
    await as_owner(owner, *(row("battle_attempt", old + n * HOUR) for n in range(7)))

    with capture_logs() as lines:
        tidied = await tidy(app.database, [RULES["battle_attempt"]], batch=3)

    assert (tidied.removed, tidied.is_done) == ({"battle_attempt": 7}, True)
    assert lines == [{"event": "served rows removed", "log_level": "info", "battle_attempt": 7}]


async def test_a_turn_that_is_over_is_followed_by_another(
    app: RunningApp, owner: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = clock.now() - 400 * DAY
    await as_owner(owner, *(row("battle_attempt", old + n * HOUR) for n in range(7)))
    monkeypatch.setattr(housekeeping, "TURN_SECONDS", 0.01)

    job = tidy_job(app.database, batch=3)

    turns = 0
    while turns == 0 or job.wake.is_set():
        job.wake.clear()
        await job.step()
        turns += 1

    assert turns > 1
    assert await left_in(app, "battle_attempt") == 0


async def test_one_worker_tidies_at_a_time(app: RunningApp, owner: AsyncEngine) -> None:
    await as_owner(owner, row("rate_limit", clock.now() - 2 * DAY))
    async with owner.begin() as other:
        await other.exec_driver_sql(f"SELECT pg_advisory_xact_lock({AdvisoryLock.ROW_RETENTION})")
        taken = await tidy(app.database, [RULES["rate_limit"]])
    free = await tidy(app.database, [RULES["rate_limit"]])

    assert (taken.removed, free.removed) == ({"rate_limit": None}, {"rate_limit": 1})


async def test_a_table_that_cannot_be_tidied_keeps_no_other_from_it(
    app: RunningApp, owner: AsyncEngine
) -> None:
    await as_owner(owner, "DELETE FROM rate_limit", row("rate_limit", clock.now() - 2 * DAY))
    unknown = replace(RULES["rate_limit"], table="no_such_table")

    with pytest.raises(ExceptionGroup) as failed:
        await asyncio.wait_for(tidy(app.database, [unknown, RULES["rate_limit"]]), DEADLINE_SECONDS)

    assert [type(error).__name__ for error in failed.value.exceptions] == ["UndefinedTableError"]
    assert await left_in(app, "rate_limit") == 0


async def test_a_checkout_is_replayed_until_its_key_has_served(app: RunningApp) -> None:
    member = await app.member("ada")
    scarf = await app.stock_product()
    await app.give(member, 5000)
    wish = {
        "carts": [{"id": str(scarf), "quantity": 1}],
        "billing": {"firstName": "A", "lastName": "B", "phone": "08031234567", "address": "x"},
        "paymentMethod": "wallet",
    }
    await member.post("/api/v1/products/checkout", wish, key="kept-for-two-days")

    assert set((await tidy(app.database)).removed.values()) == {0}
    replay = await member.post("/api/v1/products/checkout", wish, key="kept-for-two-days")
    assert replay.headers["Idempotent-Replayed"] == "true"
