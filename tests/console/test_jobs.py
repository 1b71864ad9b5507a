"""``python -m api.console jobs`` as an operator runs it."""

from api.foundation.core.config import Settings

from tests.console.command_line import acts, run
from tests.foundation.jobs.conftest import FAILING, Bench, bench

__all__ = ["bench"]


async def test_an_empty_queue_says_so(bench: Bench, settings: Settings) -> None:
    shown = await run("jobs", url=settings.database_url)

    assert (shown.returncode, shown.stdout) == (0, "The queue is empty.\n"), shown.stderr


async def test_what_waits_and_what_failed_is_listed_without_what_it_is_about(
    bench: Bench, settings: Settings
) -> None:
    await bench.add("ada@example.com", kind=FAILING, key="1")
    await bench.worker().drain()
    await bench.add("bello@example.com", key="2")

    shown = await run("jobs", url=settings.database_url)

    head, failed, waiting = (line.split() for line in shown.stdout.splitlines())
    assert head == ["id", "kind", "state", "age", "tries", "last", "error"]
    assert (failed[1:3], failed[4:]) == (["failing", "failed"], ["3", "ValueError"])
    assert (waiting[1:3], waiting[4:]) == (["noting", "waiting"], ["0", "-"])
    assert "example" not in shown.stdout + shown.stderr


async def test_a_failed_job_is_tried_again_once_it_is_said(
    bench: Bench, settings: Settings
) -> None:
    await bench.add("bad", kind=FAILING)
    await bench.worker().drain()
    row = await bench.database.fetch_row("SELECT id FROM pgqueuer")
    assert row is not None

    retried = await run("jobs", "retry", str(row["id"]), url=settings.database_url)
    again = await run("jobs", "retry", str(row["id"]), url=settings.database_url)

    assert (retried.returncode, retried.stdout) == (
        0,
        f"Job {row['id']} waits for its next try.\n",
    ), retried.stderr
    assert [act["action"] for act in acts(retried)] == ["retry_job"]
    assert (again.returncode, again.stdout) == (1, f"No failed job has the id {row['id']}.\n")
    assert await bench.states() == ["queued"]
