"""A change of a member's identity takes effect at once, over HTTP and sockets, on every worker."""

import asyncio
import functools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
import socketio
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.database import listener
from api.foundation.realtime.identity_watch import IdentityWatch
from api.foundation.security.members import IdentityChanged
from socketio.exceptions import ConnectionError as RefusedError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import CLUB_B, PASSWORD, RunningApp, SignedIn, TwoWorkers
from tests.waiting import DEADLINE_SECONDS, until

SUSPEND = "UPDATE user_account SET suspended_at = now() WHERE id = $1"
LIFT = "UPDATE user_account SET suspended_at = NULL WHERE id = $1"
CHANGE_CLUB = "UPDATE user_account SET club_id = $2 WHERE id = $1"


@asynccontextmanager
async def screen(app: RunningApp, member: SignedIn) -> AsyncIterator[socketio.AsyncClient]:
    """Connect a socket to one worker."""
    client = socketio.AsyncClient(reconnection=False)
    await client.connect(
        app.base_url,
        auth={"token": member.token},
        namespaces=["/payment"],
        transports=["websocket"],
        wait_timeout=DEADLINE_SECONDS,
    )
    try:
        yield client
    finally:
        await client.disconnect()


async def until_forgotten(app: RunningApp, token: str) -> None:
    """Wait until a worker has invalidated what it cached of a token."""
    remembered = app.asgi.state.services.identity._remembered

    async def is_forgotten() -> bool:
        return token not in remembered

    await until(is_forgotten)


async def status(app: RunningApp, member: SignedIn) -> int:
    answer = await app.client.get(f"/api/v1/users/{member.id}", headers=member.headers)
    return answer.status_code


async def gone(client: socketio.AsyncClient) -> bool:
    return not client.connected


@pytest.fixture
async def ada(two_workers: TwoWorkers) -> SignedIn:
    """A member whom both workers have cached."""
    member = await two_workers.one.member("ada")
    for app in (two_workers.one, two_workers.other):
        assert await status(app, member) == 200
    return member


async def test_a_suspension_ends_calls_and_sockets_on_both_workers(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    async with screen(two_workers.one, ada) as one, screen(two_workers.other, ada) as other:
        await two_workers.one.database.fetch_row(SUSPEND, ada.id)

        for app, client in ((two_workers.one, one), (two_workers.other, other)):
            await until(functools.partial(gone, client))
            assert await status(app, ada) == 401
            with pytest.raises(RefusedError):
                async with screen(app, ada):
                    pass

    await two_workers.other.database.fetch_row(LIFT, ada.id)
    for app in (two_workers.one, two_workers.other):
        assert await status(app, ada) == 200


async def test_a_change_of_club_ends_sockets_and_the_token_finds_the_new_club(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    async def plays_for_the_new_club(app: RunningApp) -> bool:
        member = await app.asgi.state.services.identity.member(ada.token)
        return bool(member.club_id == CLUB_B)

    async with screen(two_workers.one, ada) as one, screen(two_workers.other, ada) as other:
        await two_workers.one.database.fetch_row(CHANGE_CLUB, ada.id, CLUB_B)

        for app, client in ((two_workers.one, one), (two_workers.other, other)):
            await until(functools.partial(gone, client))
            assert await plays_for_the_new_club(app)
            assert await status(app, ada) == 200
            async with screen(app, ada) as again:
                assert again.connected


async def test_a_renamed_club_has_its_new_name_on_both_workers(
    two_workers: TwoWorkers, ada: SignedIn, owner: AsyncEngine
) -> None:
    async def knows(app: RunningApp, tab: str) -> bool:
        answer = await app.client.get(f"/api/v1/chat-messages/{tab}", headers=ada.headers)
        return answer.status_code == 200

    rival = await two_workers.one.member("bello", club_id=CLUB_B)
    assert await status(two_workers.other, rival) == 200
    async with screen(two_workers.one, ada) as hers, screen(two_workers.other, rival) as his:
        assert await knows(two_workers.other, "Enyimba")
        async with owner.begin() as connection:
            await connection.execute(
                text("UPDATE club SET name = 'Enyimba Aba' WHERE id = :id"), {"id": ada.club_id}
            )

        for app in (two_workers.one, two_workers.other):
            await until(functools.partial(knows, app, "Enyimba Aba"))
            assert not await knows(app, "Enyimba")
        await until(lambda: gone(hers))
        assert his.connected  # of another club


async def test_an_erasure_ends_calls_and_sockets_on_both_workers(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    async with screen(two_workers.other, ada) as client:
        await ada.client.request(
            "DELETE", f"/api/v1/users/{ada.id}", json={"password": PASSWORD}, headers=ada.headers
        )

        await until(lambda: gone(client))
        for app in (two_workers.one, two_workers.other):
            assert await status(app, ada) == 401


async def test_one_revoked_session_leaves_the_members_other_sockets_alone(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    answer = (await two_workers.one.sign_in(ada.email)).json()
    second = replace(ada, token=answer["data"]["access_token"])
    async with screen(two_workers.other, ada) as first, screen(two_workers.other, second) as kept:
        await ada.post("/api/v1/sign-out")

        await until(lambda: gone(first))
        assert kept.connected
        assert await status(two_workers.other, second) == 200


async def test_a_member_read_before_the_change_is_not_remembered_after_it(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    identity = two_workers.one.asgi.state.services.identity
    read = identity._read_session
    await identity.forget(IdentityChanged(ada.id))
    second = (await two_workers.one.sign_in(ada.email)).json()["data"]["access_token"]
    await identity.member(second)
    reading, go_on = asyncio.Event(), asyncio.Event()

    async def slow(session_id: UUID) -> Any:
        record = await read(session_id)
        reading.set()
        await go_on.wait()
        return record

    identity._read_session = slow
    late = asyncio.create_task(identity.member(ada.token))
    async with asyncio.timeout(DEADLINE_SECONDS):
        await reading.wait()
    await two_workers.one.database.fetch_row(CHANGE_CLUB, ada.id, CLUB_B)
    await until_forgotten(
        two_workers.one, second
    )  # the announcement arrives while the read is in progress
    go_on.set()
    await late

    identity._read_session = read
    assert (await identity.member(ada.token)).club_id == CLUB_B


async def test_a_socket_admitted_while_the_member_changes_does_not_stay(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    payment = two_workers.one.asgi.state.services.sockets.namespace_handlers["/payment"]
    preparing, go_on = asyncio.Event(), asyncio.Event()

    async def slow(_sid: str, _member: Any) -> None:
        preparing.set()
        await go_on.wait()

    payment.prepare = slow

    async def connect() -> None:
        async with screen(two_workers.one, ada):
            pass

    late = asyncio.create_task(connect())
    await preparing.wait()
    await two_workers.one.database.fetch_row(SUSPEND, ada.id)
    await until_forgotten(two_workers.one, ada.token)
    go_on.set()

    with pytest.raises(RefusedError):
        await late


@pytest.fixture
def quick_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notice a lost connection soon."""
    monkeypatch.setattr(listener, "CHECK_SECONDS", 0.2)


async def test_sockets_are_looked_at_again_when_changes_could_not_be_heard(
    quick_listener: None, two_workers: TwoWorkers, owner: AsyncEngine
) -> None:
    ada, bello = await two_workers.one.member("ada"), await two_workers.one.member("bello")
    async with screen(two_workers.one, ada) as hers, screen(two_workers.one, bello) as his:
        async with owner.begin() as connection:
            await connection.execute(text("SET LOCAL session_replication_role = replica"))
            await connection.execute(
                text("UPDATE user_account SET suspended_at = now() WHERE id = :id"), {"id": ada.id}
            )
        await asyncio.sleep(0.2)
        assert hers.connected  # no announcement was sent
        async with owner.connect() as connection:
            await connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'king-of-fans' AND pid <> pg_backend_pid()"
                )
            )

        await until(lambda: gone(hers))
        await asyncio.sleep(0.3)
        assert his.connected


async def test_a_refusal_is_for_the_token_it_was_asked_with_and_for_no_other(
    live_server: RunningApp,
) -> None:
    old = await live_server.member("ada")
    answer = (await live_server.sign_in(old.email)).json()
    new = replace(old, token=answer["data"]["access_token"])
    forged = replace(old, token=new.token[:-2])
    await old.post("/api/v1/sign-out")

    expected = [(old, 401), (new, 200), (forged, 401), (new, 200)] * 15
    answers = await asyncio.gather(
        *(
            live_server.client.get("/api/v1/products", headers=member.headers)
            for member, _ in expected
        )
    )

    assert [answer.status_code for answer in answers] == [status for _, status in expected]
    for answer in answers:
        if answer.status_code == 401:
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.json()["error"]["code"] == "token_invalid"
    assert await status(live_server, new) == 200


async def test_a_member_read_while_nothing_was_heard_is_read_again_when_it_is(
    two_workers: TwoWorkers, ada: SignedIn
) -> None:
    identity = two_workers.one.asgi.state.services.identity
    read = identity._read_session
    await identity.forget(IdentityChanged(ada.id))
    reading, go_on = asyncio.Event(), asyncio.Event()

    async def slow(session_id: UUID) -> Any:
        record = await read(session_id)
        reading.set()
        await go_on.wait()
        return record

    identity.disable_cache()
    identity._read_session = slow
    late = asyncio.create_task(identity.member(ada.token))
    async with asyncio.timeout(DEADLINE_SECONDS):
        await reading.wait()
    identity._read_session = read
    await two_workers.one.database.fetch_row(CHANGE_CLUB, ada.id, CLUB_B)
    await asyncio.sleep(0.3)
    identity.enable_cache()
    go_on.set()

    assert (await late).club_id == CLUB_B
    assert (await identity.member(ada.token)).club_id == CLUB_B


async def test_sockets_are_looked_at_until_all_were(two_workers: TwoWorkers, ada: SignedIn) -> None:
    watch = IdentityWatch(
        two_workers.one.asgi.state.services.identity,
        two_workers.one.asgi.state.services.sockets,
        two_workers.one.asgi.state.services.security,
    )
    reads: list[str] = []

    class Stubborn:
        async def recheck(self, *, everybody: bool) -> None:
            if not everybody:
                return
            reads.append("once")
            if len(reads) < 3:
                raise DatabaseUnavailableError

    handlers = two_workers.one.asgi.state.services.sockets.namespace_handlers
    kept = dict(handlers)
    handlers.clear()
    handlers["/stubborn"] = Stubborn()
    try:
        watch.start()
        for _ in range(2):
            with pytest.raises(DatabaseUnavailableError):
                await watch.check_sockets()
        await watch.check_sockets()
        await watch.check_sockets()
    finally:
        handlers.clear()
        handlers.update(kept)

    assert len(reads) == 3
