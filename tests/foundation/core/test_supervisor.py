"""Background jobs continue: after any failure the next step runs, and the failure is counted."""

import asyncio
import itertools
import os
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from api.community.chat.rules import ChatSocket
from api.foundation.core.ids import new_id
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import SKIPPED, Job, Skipped, Sleep, Supervisor
from api.foundation.metrics.snapshots import render
from api.foundation.wire.schemas import Content
from api.games.battle.live import Player
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp
from tests.waiting import DEADLINE_SECONDS, until


def figure(metrics: Metrics, name: str, job: str) -> float:
    """Return a job's metric as operators see it; 0 if it is missing."""
    found = re.search(
        rf'^{name}{{job="{job}"(?:,process="\d+")?}} (\S+)$',
        render(metrics).decode(),
        flags=re.MULTILINE,
    )
    return float(found[1]) if found else 0.0


@pytest.fixture
async def supervisor() -> AsyncIterator[tuple[Supervisor, Metrics]]:
    metrics = Metrics()
    running = Supervisor(metrics)
    yield running, metrics
    await running.stop()


async def test_a_job_goes_on_after_anything_that_ends_a_step(
    supervisor: tuple[Supervisor, Metrics],
) -> None:
    running, metrics = supervisor
    done = 0

    async def stumble() -> None:
        nonlocal done
        done += 1
        if done == 1:
            raise RuntimeError("never seen before")
        if done == 2:
            raise asyncio.CancelledError  # a stray cancellation by a library
        if done == 3:
            await asyncio.sleep(60)

    running.add(Job(name="stumbler", step=stumble, every_seconds=0.01, limit_seconds=0.2))
    before = time.time()
    running.start()
    await until(lambda: done > 5)

    assert figure(metrics, "job_failures_total", "stumbler") == 3
    assert figure(metrics, "job_restarts_total", "stumbler") == 3
    assert before <= figure(metrics, "job_last_success_seconds", "stumbler") <= time.time()


async def test_a_job_that_never_succeeded_shows_no_success(
    supervisor: tuple[Supervisor, Metrics],
) -> None:
    running, metrics = supervisor

    async def fail() -> None:
        raise RuntimeError("always")

    running.add(Job(name="failing", step=fail, every_seconds=0.01, max_backoff_seconds=0.05))
    running.start()
    await until(lambda: figure(metrics, "job_failures_total", "failing") >= 4)

    assert 'job_last_success_seconds{job="failing"' not in render(metrics).decode()


async def test_failures_are_tried_again_ever_more_slowly_up_to_a_bound(
    supervisor: tuple[Supervisor, Metrics],
) -> None:
    running, _ = supervisor
    started: list[float] = []

    async def fail() -> None:
        started.append(time.monotonic())
        raise RuntimeError("always")

    running.add(Job(name="failing", step=fail, every_seconds=0.01, max_backoff_seconds=0.3))
    running.start()
    await until(lambda: len(started) >= 6)

    pauses = [later - earlier for earlier, later in itertools.pairwise(started)]
    assert pauses[0] >= 0.1
    assert pauses[1] >= 0.2
    assert 0.3 <= pauses[3] < 1.5
    assert 0.3 <= pauses[4] < 1.5


async def test_a_job_is_woken_early_and_rests_as_long_as_its_step_says(
    supervisor: tuple[Supervisor, Metrics],
) -> None:
    running, _ = supervisor
    started: list[float] = []

    async def step() -> Sleep:
        started.append(time.monotonic())
        return Sleep(0.2)

    running.add(Job(name="sleeper", step=step, every_seconds=600))
    running.start()
    await asyncio.sleep(0.05)
    assert started == []
    running.wake("sleeper")
    await until(lambda: len(started) == 1)
    running.wake("sleeper")
    await until(lambda: len(started) == 2)

    assert started[1] - started[0] >= 0.2


async def test_a_step_that_another_worker_kept_from_its_turn_is_no_success_and_comes_again_soon(
    supervisor: tuple[Supervisor, Metrics],
) -> None:
    running, metrics = supervisor
    turns = 0

    async def step() -> Skipped | None:
        nonlocal turns
        turns += 1
        if turns < 3:
            return SKIPPED
        shown.append(figure(metrics, "job_last_success_seconds", "turns"))
        return None

    shown: list[float] = []
    running.add(Job(name="turns", step=step, every_seconds=600))
    running.start()
    running.wake("turns")
    await until(lambda: figure(metrics, "job_last_success_seconds", "turns") > 0)

    assert shown == [0.0]
    assert figure(metrics, "job_failures_total", "turns") == 0


async def test_stopping_ends_every_job_where_it_is(
    supervisor: tuple[Supervisor, Metrics],
) -> None:
    running, _ = supervisor
    ended = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(1)

    running.add(Job(name="long", step=work, every_seconds=0))
    running.add(Job(name="waiting", step=work, every_seconds=600))
    running.start()
    await asyncio.sleep(0.05)

    await asyncio.wait_for(running.stop(), 2)

    assert ended == [1]


@dataclass(frozen=True)
class Loop:
    """A background job of the application: a table it needs, and words of its statement."""

    job: str
    table: str
    words: str


LOOPS = (
    Loop("fold", "points_pending", "fold_points"),
    Loop("club_sizes", "club_size_change", "club_size_change"),
    Loop("payment_sweep", "funding", "FROM funding"),
    Loop("expire_orders", "shop_order", "FROM shop_order"),
    Loop("tidy", "idempotency_key", "DELETE FROM idempotency_key"),
    Loop("media_sweep", "moment", "FROM moment"),
    Loop("battle_sweep", "battle_attempt", "FROM battle_attempt"),
    Loop("battle_challengers", "board", "FROM board"),
    Loop("chat_list", "chat_presence", "chat_presence"),
    Loop("chat_presence", "chat_worker", "chat_worker"),
    Loop("visitors", "session", "UPDATE session"),
)


async def give_work(app: RunningApp) -> None:
    """Create rows that make every job query the database."""
    member = await app.member("ada")
    await app.open_season()
    row: Content = {"rank": 0}
    app.asgi.state.services.battle.arena.join(Player("nobody", member.id, row))
    seat = ChatSocket(member.id, member.club_id, "Enyimba", "Ada", "Obi", None)
    await app.asgi.state.services.chat.presence.join("nobody", seat)
    folder = app.settings.var_dir / "media" / "moments"
    folder.mkdir(parents=True, exist_ok=True)
    orphan = folder / f"{new_id().hex}.webp"
    orphan.write_bytes(b"orphan")
    os.utime(orphan, (time.time() - 86_400,) * 2)


def keep_busy(app: RunningApp) -> None:
    app.asgi.state.services.activity.notice(new_id())
    for loop in LOOPS:
        app.asgi.state.services.supervisor.wake(loop.job)


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.job)
async def test_a_job_goes_on_after_its_connection_was_ended_in_mid_statement(
    app: RunningApp, owner: AsyncEngine, loop: Loop
) -> None:
    await give_work(app)
    metrics: Metrics = app.asgi.state.services.metrics
    async with owner.connect() as holder:
        await holder.execute(text(f"LOCK TABLE {loop.table} IN ACCESS EXCLUSIVE MODE"))
        async with asyncio.timeout(DEADLINE_SECONDS):
            while not await end_who_waits(owner, loop.words):
                keep_busy(app)
                await asyncio.sleep(0.02)
        await until(lambda: figure(metrics, "job_failures_total", loop.job) >= 1)
        await holder.rollback()
    failed_at = time.time()
    async with asyncio.timeout(DEADLINE_SECONDS):
        while figure(metrics, "job_last_success_seconds", loop.job) < failed_at:
            keep_busy(app)
            await asyncio.sleep(0.02)

    assert figure(metrics, "job_restarts_total", loop.job) >= 1


TURNS = (("fold", 7_226_331_106), ("club_sizes", 7_226_331_110), ("tidy", 7_226_331_105))


PENDING = (
    "INSERT INTO points_pending (user_id, club_id, season_id, day, points, elapsed_ms, earned_at) "
    "VALUES (:id, :club, NULL, current_date, 1, 1, now())"
)


@pytest.mark.parametrize(("job", "lock"), TURNS, ids=[job for job, _ in TURNS])
async def test_a_job_whose_turn_another_process_holds_is_not_shown_as_done(
    app: RunningApp, owner: AsyncEngine, job: str, lock: int
) -> None:
    metrics: Metrics = app.asgi.state.services.metrics
    member = await app.member("ada")
    async with owner.connect() as holder:
        await holder.execute(text(f"SELECT pg_advisory_lock({lock})"))
        await holder.execute(text(PENDING), {"id": member.id, "club": member.club_id})
        await holder.execute(
            text("INSERT INTO club_size_change (club_id, members) VALUES (:club, 0)"),
            {"club": member.club_id},
        )
        await holder.commit()
        held_at = time.time()
        for _ in range(10):
            app.asgi.state.services.supervisor.wake(job)
            await asyncio.sleep(0.05)
        seen = figure(metrics, "job_last_success_seconds", job)
        await holder.execute(text(f"SELECT pg_advisory_unlock({lock})"))
    async with asyncio.timeout(DEADLINE_SECONDS):
        while figure(metrics, "job_last_success_seconds", job) < held_at:  # noqa: ASYNC110 figures have no event
            await asyncio.sleep(0.02)

    assert seen < held_at


async def end_who_waits(owner: AsyncEngine, words: str) -> int:
    """Terminate backends that wait for a lock with these words in their statement."""
    async with owner.begin() as connection:
        found = await connection.execute(
            text(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE wait_event_type = 'Lock' AND query LIKE :words AND pid <> pg_backend_pid()"
            ),
            {"words": f"%{words}%"},
        )
    ended: int = found.scalar_one()
    return ended


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.job)
async def test_a_job_goes_on_after_an_error_that_nobody_foresaw(
    app: RunningApp, owner: AsyncEngine, loop: Loop
) -> None:
    await give_work(app)
    metrics: Metrics = app.asgi.state.services.metrics
    async with owner.begin() as connection:
        await connection.execute(text(f"ALTER TABLE {loop.table} RENAME TO mislaid"))
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            while figure(metrics, "job_failures_total", loop.job) < 1:
                keep_busy(app)
                await asyncio.sleep(0.02)
    finally:
        async with owner.begin() as connection:
            await connection.execute(text(f"ALTER TABLE mislaid RENAME TO {loop.table}"))
    recovered_at = time.time()
    async with asyncio.timeout(DEADLINE_SECONDS):
        while figure(metrics, "job_last_success_seconds", loop.job) < recovered_at:
            keep_busy(app)
            await asyncio.sleep(0.02)


async def test_a_step_that_takes_a_cancel_for_a_time_out_does_not_hold_the_end_up(
    supervisor: tuple[Supervisor, Metrics],
) -> None:
    running, _ = supervisor
    swallowed = 0

    async def listen() -> None:
        nonlocal swallowed
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                swallowed += 1
                if swallowed == 2:
                    raise

    running.add(Job(name="deaf", step=listen, every_seconds=1, begins_at_once=True))
    running.start()
    await asyncio.sleep(0.05)

    async with asyncio.timeout(10):
        await running.stop()

    assert swallowed == 2


async def test_every_job_of_the_house_is_shown_from_the_start(app: RunningApp) -> None:
    shown = render(app.asgi.state.services.metrics).decode()

    for name in (*(loop.job for loop in LOOPS), "listener", "battle_timer", "chat_post"):
        assert f'job_failures_total{{job="{name}"}}' in shown
