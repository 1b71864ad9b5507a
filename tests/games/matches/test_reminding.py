"""Reminders an hour before kick-off: of the member's club, and those they asked for."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.games.matches.service import reminders
from api.games.matches.service.reminders import remind_due

from tests.back_office import OperatorClient
from tests.conftest import CLUB_B, RunningApp, SignedIn
from tests.games.matches.matches import HOUR, MATCHES, change, refused, written
from tests.messaging.notifications.conftest import listed
from tests.waiting import until_blocked

NEAR = timedelta(minutes=59)


async def titles(member: SignedIn) -> list[str]:
    return [row["title"] for row in (await listed(member))["rows"]]


async def remind(member: SignedIn, match: dict[str, Any]) -> httpx.Response:
    return await member.client.put(f"{MATCHES}/{match['id']}/reminder", headers=member.headers)


async def test_a_reminder_is_set_and_taken_back_any_number_of_times(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    path = f"{MATCHES}/{(await written(musa))['id']}/reminder"
    put = [await member.client.put(path, headers=member.headers) for _ in range(2)]
    there = await member.get(path)
    gone = [await member.delete(path) for _ in range(2)]

    assert [answer.json()["data"] for answer in (*put, there)] == [{"remind": True}] * 3
    assert [answer.json()["data"] for answer in gone] == [{"remind": False}] * 2
    unknown = f"{MATCHES}/{new_id()}/reminder"
    for answer in (
        await member.client.put(unknown, headers=member.headers),
        await member.delete(unknown),
        await member.get(unknown),
    ):
        assert answer.status_code == 404


async def test_members_of_both_clubs_and_who_asked_are_told_once_within_the_hour(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    far = await written(musa, clock.now() + timedelta(minutes=61))
    near = await written(musa, clock.now() + NEAR)
    # The operator is a fan of Enyimba, too.
    assert await remind_due(app.database, clock.now()) == 2
    assert await titles(member) == ["Enyimba against Kano Pillars kicks off soon"]
    assert (await listed(member))["rows"][0]["link"] == f"/match/{near['id']}"

    path = f"{MATCHES}/{far['id']}/reminder"
    await rival.client.put(path, headers=rival.headers)
    later = clock.now() + timedelta(minutes=2)
    assert [await remind_due(app.database, later) for _ in range(2)] == [3, 0]
    assert len(await titles(rival)) == 1


async def test_two_workers_tell_many_members_once_in_batches(
    app: RunningApp, musa: OperatorClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reminders, "BATCH_SIZE", 2)
    for name in ("ada", "chi", "dayo", "efe", "femi"):
        await app.member(name)
    await written(musa, clock.now() + NEAR)

    counts = await asyncio.gather(*(remind_due(app.database, clock.now()) for _ in range(3)))

    assert sum(counts) == 6


async def test_a_match_that_is_moved_moves_its_reminder_and_one_that_is_off_has_none(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    match = await written(musa, clock.now() + NEAR)
    await remind_due(app.database, clock.now())
    tomorrow = clock.now() + timedelta(days=1)
    moved = await change(musa, match, kickOffAt=tomorrow.isoformat())
    assert moved.status_code == 200
    off = await written(musa, tomorrow, away={"name": "Rangers"})
    assert (await change(musa, off, state="cancelled")).status_code == 200

    assert await remind_due(app.database, clock.now()) == 0
    assert await remind_due(app.database, tomorrow - NEAR) == 2
    assert len(await titles(member)) == 2


async def test_within_the_hour_and_when_it_is_not_to_come_it_is_too_late_to_be_reminded(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    near = await written(musa, clock.now() + NEAR)
    off = [await written(musa, away={"name": f"Team {n}"}) for n in range(2)]
    for match, state in zip(off, ("postponed", "cancelled"), strict=True):
        assert (await change(musa, match, state=state)).status_code == 200
    result = {"state": "finished", "homeGoals": 1, "awayGoals": 0}
    over = await written(musa, clock.now() - timedelta(days=1), **result)

    for match in (near, *off, over):
        assert refused(await remind(member, match)) == (409, "too_late")
    answer = await remind(member, near)
    assert answer.json()["message"] == "It is too late for a reminder of this match."
    assert await app.database.fetch_row("SELECT FROM fixture_reminder") is None


async def test_an_hour_before_the_kick_off_is_the_last_moment_to_be_reminded(
    musa: OperatorClient, member: SignedIn
) -> None:
    at = clock.now().replace(microsecond=0) + timedelta(minutes=90)
    match = await written(musa, at)

    with time_machine.travel(at - HOUR - timedelta(milliseconds=1), tick=False) as traveller:
        assert (await remind(member, match)).status_code == 200
        traveller.move_to(at - HOUR)
        assert refused(await remind(member, match)) == (409, "too_late")


async def test_a_match_that_is_told_of_takes_reminders_again_once_it_is_moved(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    match = await written(musa, clock.now() + timedelta(minutes=61))
    # The worker's clock is ahead.
    assert await remind_due(app.database, clock.now() + timedelta(minutes=2)) == 2
    assert refused(await remind(rival, match)) == (409, "too_late")

    tomorrow = clock.now() + timedelta(days=1)
    assert (await change(musa, match, kickOffAt=tomorrow.isoformat())).status_code == 200
    assert (await remind(rival, match)).status_code == 200

    assert await remind_due(app.database, tomorrow - NEAR) == 3
    assert len(await titles(rival)) == 1


async def test_who_asks_while_telling_begins_is_told_or_refused(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    match = await written(musa, clock.now() + timedelta(minutes=61))
    soon = clock.now() + timedelta(minutes=2)
    fixture_id = UUID(match["id"])

    async with app.database.transaction() as tx:  # like a reminder in progress
        await tx.execute("SELECT FROM fixture WHERE id = $1 FOR SHARE", fixture_id)
        sending = asyncio.create_task(remind_due(app.database, soon))
        await until_blocked(app.database, sending)
        await tx.execute(
            "INSERT INTO fixture_reminder (user_id, fixture_id, created_at) VALUES ($1, $2, now())",
            rival.id,
            fixture_id,
        )
    assert await sending == 3

    chi = await app.member("chi", club_id=CLUB_B)
    assert refused(await remind(chi, match)) == (409, "too_late")


async def test_between_two_batches_nobody_is_added(
    app: RunningApp, musa: OperatorClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reminders, "BATCH_SIZE", 1)
    first = await app.member("chi", club_id=CLUB_B)
    match = await written(musa, clock.now() + timedelta(minutes=61))
    notify_some, answers = reminders._notify_some, []

    async def interrupted(*arguments: Any) -> tuple[int, bool]:
        answers.append(await asyncio.create_task(remind(first, match)))
        return await notify_some(*arguments)

    monkeypatch.setattr(reminders, "_notify_some", interrupted)
    await remind_due(app.database, clock.now() + timedelta(minutes=2))

    assert {refused(answer) for answer in answers} == {(409, "too_late")}
    assert len(answers) > 1


async def test_who_is_signed_in_nowhere_is_not_told(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    await written(musa, clock.now() + NEAR)
    await member.post("/api/v1/sign-out")

    assert await remind_due(app.database, clock.now()) == 1  # the operator
    notified = await app.database.fetch_value("SELECT user_id FROM notification")
    assert notified != member.id
