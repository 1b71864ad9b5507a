"""Readiness is accurate: it tests whether a write would be accepted now."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.security.rights import Role
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import ADMIN, operator_client
from tests.community.moments.test_public import publish as publish_moment
from tests.community.moments.test_sharing import posted
from tests.community.news.test_articles import drafted, publish
from tests.conftest import RunningApp, SignedIn
from tests.connections import WarmConnections
from tests.foundation.database.test_lanes import until_asleep
from tests.games.matches.matches import HOUR, moved, shown, written
from tests.shop.carts import CHECKOUT, cart
from tests.shop.test_proofs import upload
from tests.waiting import DEADLINE_SECONDS


@pytest.fixture(autouse=True)
def _leave_no_connections(warm: WarmConnections) -> Iterator[None]:
    """Close pooled connections: some were opened under settings that no longer apply."""
    yield
    warm.end()


@asynccontextmanager
async def database_setting(owner: AsyncEngine, name: str, value: str) -> AsyncIterator[None]:
    """Change a setting for every new session."""
    await change_database(owner, f"SET {name} = {value}")
    try:
        yield
    finally:
        await change_database(owner, f"RESET {name}")


async def change_database(owner: AsyncEngine, clause: str) -> None:
    async with owner.begin() as connection:
        await connection.execute(text("SET TRANSACTION READ WRITE"))
        await connection.execute(text(f"ALTER DATABASE fans {clause}"))


async def end_connections(owner: AsyncEngine) -> None:
    """Terminate the application's connections, like a server that becomes a replica."""
    async with owner.begin() as connection:
        await connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'king-of-fans'"
            )
        )


async def wait_for_status(app: RunningApp, status: int) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS):
        while (await app.client.get("/readyz")).status_code != status:  # noqa: ASYNC110 probes have no event
            await asyncio.sleep(0.1)


async def wait_for_writes(app: RunningApp, member: SignedIn) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            try:
                await app.give(member, 100)
            except DatabaseUnavailableError:
                await asyncio.sleep(0.1)
            else:
                return


async def test_a_read_only_database_makes_it_unready_and_reads_go_on(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    app.disable_cache()
    async with owner.begin() as connection:
        await connection.execute(text("UPDATE session SET last_seen_at = now() - interval '1 day'"))
    await wait_for_status(app, 200)
    statuses = []

    async with database_setting(owner, "default_transaction_read_only", "on"):
        await end_connections(owner)
        await wait_for_status(app, 503)
        answer = await app.client.get("/readyz")
        for _ in range(20):
            app.disable_cache()
            statuses.append(await balance_status(member))
        for _ in range(3):
            with pytest.raises(DatabaseUnavailableError):
                await app.give(member, 100)
            with pytest.raises(DatabaseUnavailableError):
                await app.database.fetch_row("DELETE FROM sign_in_guard")

    assert answer.json() == {"status": "not ready", "database": False}
    assert statuses == [200] * 20
    await wait_for_status(app, 200)
    await wait_for_writes(app, member)
    await app.database.fetch_row("DELETE FROM sign_in_guard")


async def test_operators_read_on_a_read_only_database(app: RunningApp, owner: AsyncEngine) -> None:
    operator = await operator_client(app, "olu", Role.OWNER)
    paths = [f"{ADMIN}/{name}" for name in ("me", "today", "operators", "audit", "approvals")]

    async with database_setting(owner, "default_transaction_read_only", "on"):
        await end_connections(owner)
        await wait_for_status(app, 503)
        # Pooled connections were terminated: one call may fail before new ones are open.
        async with asyncio.timeout(DEADLINE_SECONDS):
            while (await operator.get(paths[0])).status_code != 200:  # noqa: ASYNC110 no event
                await asyncio.sleep(0.05)
        statuses = [(await operator.get(path)).status_code for path in paths]

    assert statuses == [200] * len(paths)


async def test_whatever_a_member_could_read_is_read_on_a_read_only_database(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    await app.subscribe(member)
    await app.add_questions(5, kind="trivia")
    await app.open_season()
    scarf = await app.stock_product()
    wish = cart((scarf, 1, None), paymentMethod="bank-transfer")
    placed = (await member.post(CHECKOUT, wish)).json()["data"]
    proof = await upload(member, placed)
    edith = await operator_client(app, "edith", Role.EDITOR)
    article = await drafted(edith)
    assert (await publish(edith, article)).status_code == 200
    musa = await operator_client(app, "musa", Role.GAME_MASTER)
    match = await written(musa, clock.now() + HOUR)
    await app.client.put(
        f"/api/v1/predictions/{match['id']}", json={"home": 1, "away": 0}, headers=member.headers
    )
    # It has started, and its messages are not counted yet.
    await app.database.execute("UPDATE prediction SET saved_at = now() - interval '2 hours'")
    match = await moved(musa, match, kickOffAt=(clock.now() - HOUR).isoformat())
    competition = (await shown(member, "/api/v1/competitions"))[0]
    moment_id = await posted(member)
    assert (await publish_moment(member, moment_id)).status_code == 200
    values = {
        "moment_id": moment_id,
        "fixture_id": match["id"],
        "match_id": match["id"],
        "club_id": member.club_id,
        "competition_id": competition["id"],
        "slug": article["slug"],
        "proof_id": proof.json()["data"]["id"],
        "user_id": member.id,
        "product_id": scarf,
        "order": placed["orderId"],
        "order_id": placed["orderId"],
        "kind": "subscription",
        "name": "unknown",
        "club": member.club_id,
        "gateway": "sandbox",
    }
    paths = [
        path.format_map(values | {"reference": "unknown"})
        for path, calls in app.asgi.openapi()["paths"].items()
        if "get" in calls and path != "/readyz" and "/admin/" not in path
    ]

    async def read_all(asked: list[str]) -> dict[str, int]:
        app.disable_cache()
        return {
            path: (await member.get(path, params={"reference": "unknown"})).status_code
            for path in asked
        }

    answered = [path for path, status in (await read_all(paths)).items() if status == 200]
    # A day was missed since the member's last one, and the streak has not been read since.
    last_day = clock.lagos_day(clock.now()) - timedelta(days=3)
    await app.database.execute(
        "INSERT INTO streak (user_id, best, settled_on) VALUES ($1, 1, $2) "
        "ON CONFLICT (user_id) DO UPDATE SET settled_on = excluded.settled_on",
        member.id,
        last_day,
    )
    await app.database.execute(
        "INSERT INTO streak_day (user_id, day) VALUES ($1, $2)", member.id, last_day
    )
    async with database_setting(owner, "default_transaction_read_only", "on"):
        await end_connections(owner)
        await wait_for_status(app, 503)
        # Pooled connections were terminated: calls may fail before new ones are open.
        async with asyncio.timeout(DEADLINE_SECONDS):
            while 503 in (read_only := await read_all(answered)).values():  # noqa: ASYNC110 no event
                await asyncio.sleep(0.05)
        sign_up = await app.client.post("/api/v1/password/forgot", json={"email": member.email})
    await wait_for_writes(app, member)

    others = [path for path in paths if path not in answered]
    assert sorted(others) == [
        # Lookups of members to mention are counted, and are useful only to those who can write.
        f"/api/v1/chat-people/{member.club_id}",
        "/api/v1/invites/code/unknown",
        "/api/v1/payment/callback/sandbox",
        "/api/v1/payment/verify-transaction/unknown",
        "/api/v1/receipt-pages/unknown",
        "/api/v1/receipts/subscription/unknown",
        f"/api/v1/signup/{member.id}",  # it is not pending
    ]
    assert read_only == dict.fromkeys(answered, 200)
    assert sign_up.status_code == 503


async def balance_status(member: SignedIn) -> int:
    return (await member.get(f"/api/v1/payment/wallet-balance/{member.id}")).status_code


async def test_a_disk_that_gives_no_more_blocks_makes_it_unready(
    app: RunningApp, owner: AsyncEngine
) -> None:
    await wait_for_status(app, 200)

    # A row that is updated in place still fits; only writes that need new blocks are rejected.
    async with database_setting(owner, "temp_file_limit", "'8kB'"):
        await wait_for_status(app, 503)

    await wait_for_status(app, 200)


async def test_many_probes_are_answered_from_few_writes(
    app: RunningApp, owner: AsyncEngine
) -> None:
    started = time.monotonic()
    written = set()
    for _ in range(10):
        answers = await asyncio.gather(*(app.client.get("/readyz") for _ in range(10)))
        assert {answer.status_code for answer in answers} == {200}
        async with owner.connect() as connection:
            found = await connection.execute(text("SELECT beat_at FROM heartbeat"))
            written.add(found.scalar_one())

    assert len(written) <= time.monotonic() - started + 1


async def test_probes_do_not_wait_for_the_members_places(
    app: RunningApp, owner: AsyncEngine
) -> None:
    sleeping = [
        asyncio.create_task(app.database.fetch_row("SELECT pg_sleep(60)")) for _ in range(30)
    ]
    await until_asleep(owner)

    answer = await asyncio.wait_for(app.client.get("/readyz"), DEADLINE_SECONDS)

    assert answer.status_code == 200
    assert not any(task.done() for task in sleeping)
    for task in sleeping:
        task.cancel()
    await asyncio.gather(*sleeping, return_exceptions=True)
