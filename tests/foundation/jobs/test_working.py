"""Stored jobs: committed with their transaction, run, retried, or kept as dead letters."""

import asyncio
import itertools
from datetime import timedelta

import pytest
from api.app.schema.sources import read_sources
from api.foundation.core.logs import set_up_logs
from api.foundation.database.database import Database, Transaction
from api.foundation.jobs import working
from api.foundation.jobs.figures import StoredJobFigures, list_jobs
from api.foundation.jobs.queue import CHANNEL, LIBRARY_TABLES, queries
from api.foundation.metrics.snapshots import render
from pgqueuer import AsyncpgDriver
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.foundation.jobs.conftest import FAILING, NOTING, Bench, Note
from tests.waiting import DEADLINE_SECONDS, until


async def all_text(database: Database) -> str:
    """Return all readable text in the library's tables."""
    rows = [
        row["line"]
        for table in sorted(LIBRARY_TABLES - {"pgqueuer_schedules", "pgqueuer_statistics"})
        for row in await database.fetch_rows(f"SELECT t::text AS line FROM {table} t")
    ]
    payloads = await database.fetch_rows("SELECT payload FROM pgqueuer")
    return "\n".join([*rows, *(row["payload"].decode("latin-1") for row in payloads)])


async def test_a_job_goes_with_the_transaction_that_causes_it(bench: Bench) -> None:
    class ChangedMindError(Exception):
        pass

    async def change_mind(tx: Transaction) -> None:
        await bench.queue.enqueue(tx, NOTING, Note(words="never"), key="1")
        raise ChangedMindError

    with pytest.raises(ChangedMindError):
        async with bench.database.transaction() as tx:
            await change_mind(tx)
    assert await bench.states() == []

    await bench.add("kept")
    await bench.worker().drain()

    assert bench.recorded == ["kept"]
    assert await bench.states() == []


async def test_a_waiting_worker_hears_of_a_job_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "POLL", timedelta(hours=1))  # only a notification wakes it
    async with bench.working(bench.worker()):
        await bench.add("first")
        await until(lambda: bench.recorded == ["first"])
        await asyncio.sleep(0.3)  # it has checked the queue again, and waits
        await bench.add("soon")
        await until(lambda: bench.recorded[1:] == ["soon"])


async def test_the_same_key_is_stored_once_while_its_job_waits(bench: Bench) -> None:
    await bench.add("first", key="same")
    await bench.add("second", key="same")
    await bench.add("another", key="other")
    await bench.worker().drain()
    await bench.add("later", key="same")
    await bench.worker().drain()

    assert bench.recorded == ["first", "another", "later"]


async def test_two_workers_do_each_job_once(bench: Bench) -> None:
    async with bench.working(bench.worker(), bench.worker()):
        async with asyncio.TaskGroup() as adding:
            for number in range(40):
                adding.create_task(bench.add(f"job {number}"))
        await until(lambda: len(bench.recorded) >= 40)

        async def is_empty() -> bool:
            return await bench.states() == []

        await until(is_empty)

    assert sorted(bench.recorded) == sorted({f"job {number}" for number in range(40)})


async def test_a_job_that_always_fails_becomes_a_dead_letter_and_holds_nobody_up(
    bench: Bench,
) -> None:
    async with bench.working(bench.worker()):
        await bench.add("bad", kind=FAILING)
        await until(lambda: len(bench.failed) == 1)
        await bench.add("good")
        await until(lambda: bench.recorded == ["good"])
        assert await bench.states() != ["failed"], "it was not tried again"

        async def is_dead() -> bool:
            return await bench.states() == ["failed"]

        await until(is_dead)

    assert (bench.failed, bench.given_up) == (["bad"] * 3, ["bad"])
    tries = await bench.database.fetch_rows(
        "SELECT created FROM pgqueuer_log WHERE status = 'picked' AND entrypoint = 'failing' "
        "ORDER BY created"
    )
    pauses = [later["created"] - row["created"] for row, later in itertools.pairwise(tries)]
    assert pauses[0] >= timedelta(milliseconds=200)
    assert pauses[1] >= timedelta(milliseconds=300), "the second pause is longer, up to the cap"


async def test_the_figures_show_what_waits_what_failed_and_what_succeeded_last(
    bench: Bench,
) -> None:
    await bench.add("good")
    await bench.add("bad", kind=FAILING)
    await bench.worker().drain()
    await bench.add("waiting")
    await bench.worker().beat()

    await StoredJobFigures(bench.database, bench.metrics).refresh()

    shown = render(bench.metrics).decode().splitlines()
    for line in (
        'stored_jobs{kind="noting",state="waiting"} 1.0',
        'stored_jobs{kind="noting",state="failed"} 0.0',
        'stored_jobs{kind="failing",state="failed"} 1.0',
        'stored_jobs{kind="failing",state="running"} 0.0',
    ):
        assert line in shown
    assert any(line.startswith('stored_job_last_success_seconds{kind="noting"}') for line in shown)
    assert not any('last_success_seconds{kind="failing"}' in line for line in shown)
    assert any(line.startswith('stored_job_last_beat_seconds{kind="failing"}') for line in shown)
    assert any(
        line.startswith('stored_job_oldest_waiting_seconds{kind="noting"}') for line in shown
    )


async def test_nothing_of_a_payload_can_be_read_in_tables_figures_or_logs(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logs("DEBUG")
    await bench.add("ada@example.com", kind=FAILING, key="1")
    waiting = await all_text(bench.database)
    async with bench.working(bench.worker()):
        await until(lambda: len(bench.failed) == 3)

    (listed,) = await list_jobs(bench.database, 10)
    said = capsys.readouterr().out
    set_up_logs("WARNING")
    assert (listed.kind, listed.tries, listed.error) == ("failing", 3, "ValueError")
    assert '"error_type": "ValueError"' in said
    assert "in fail" in said  # the place is logged, the message is not
    for readable in (waiting, await all_text(bench.database), said, repr(listed)):
        assert "ada@example" not in readable


async def test_a_dead_letter_is_tried_again_when_an_operator_says_so(bench: Bench) -> None:
    await bench.add("bad", kind=FAILING)
    await bench.worker().drain()
    (listed,) = await list_jobs(bench.database, 10)

    async with bench.database.transaction() as tx:
        assert await bench.queue.retry(tx, listed.id)
    async with bench.database.transaction() as tx:
        assert not await bench.queue.retry(tx, listed.id), "it waits already"
    await bench.worker().drain()

    assert bench.failed == ["bad"] * 6


async def test_a_worker_goes_on_after_its_connections_were_ended(
    bench: Bench, owner: AsyncEngine
) -> None:
    async with bench.working(bench.worker()):
        await bench.add("before")
        await until(lambda: bench.recorded == ["before"])
        async with owner.begin() as connection:
            await connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'king-of-fans' AND pid <> pg_backend_pid()"
                )
            )

        async def is_added() -> bool:
            try:
                await bench.add("after")
            except Exception:
                return False
            return True

        await until(is_added)
        await until(lambda: bench.recorded[1:] == ["after"])


async def test_what_a_lost_worker_had_is_done_by_another(bench: Bench) -> None:
    started, returned, silence = asyncio.Event(), asyncio.Event(), timedelta(seconds=1)

    async def hang(_note: Note) -> None:
        started.set()
        await returned.wait()

    lost = asyncio.create_task(bench.worker(note=hang, silence=timedelta(hours=1)).work())
    await bench.add("left behind")
    await started.wait()

    async with bench.working(bench.worker(silence=silence)):
        await until(lambda: bench.recorded == ["left behind"])

    async def is_empty() -> bool:
        return await bench.states() == []

    await until(is_empty)
    returned.set()
    lost.cancel()
    await asyncio.gather(lost, return_exceptions=True)


async def test_a_stopping_worker_finishes_what_it_can_and_gives_back_the_rest(
    bench: Bench,
) -> None:
    started, finished = asyncio.Event(), asyncio.Event()

    async def work(note: Note) -> None:
        started.set()
        if note.words == "long":
            await asyncio.Event().wait()
        await asyncio.sleep(0.05)
        finished.set()

    async with bench.working(bench.worker(note=work), drain_seconds=DEADLINE_SECONDS):
        await bench.add("short")
        await started.wait()
    assert finished.is_set()
    assert await bench.states() == []

    started.clear()
    async with bench.working(bench.worker(note=work)):
        await bench.add("long")
        await started.wait()
    assert await bench.states() == ["queued"]
    await bench.worker().drain()
    assert bench.recorded == ["long"]


async def test_the_queue_in_the_database_is_what_the_library_declares(
    bench: Bench, owner: AsyncEngine
) -> None:
    async with owner.connect() as connection:
        raw = (await connection.get_raw_connection()).driver_connection
        stored = queries(AsyncpgDriver(raw))
        plan = await stored.plan_upgrade()
        functions = {
            source.name: source for source in read_sources("") if "pgqueuer" in source.name
        }

    assert plan.statements == ()
    install = stored.qbe.build_install_query(create_schema=False)
    body = functions["fn_pgqueuer_changed"].statements[0].partition("$$")[2]
    assert body.strip() in install
    trigger = functions["pgqueuer.tg_pgqueuer_changed"].statements[0]
    assert trigger.removeprefix("CREATE OR REPLACE ") in install
    assert CHANNEL in body
