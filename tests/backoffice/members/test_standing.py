"""Operators suspend, restore, sign out and move members."""

import asyncio
import functools
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.people.auth.repository import passwords

from tests.back_office import ADMIN, OperatorClient, appoint, operator_client
from tests.community.chat.conftest import join, phone
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn, TwoWorkers
from tests.foundation.realtime.test_identity_changed import gone, screen, status
from tests.waiting import until, until_blocked


@pytest.fixture
async def club_owner(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def act(operator: OperatorClient, member: SignedIn, what: str, **body: Any) -> httpx.Response:
    body = {"reason": "Somebody complained"} | body
    return await operator.post(f"{ADMIN}/members/{member.id}/{what}", body)


async def audited(app: RunningApp) -> list[tuple[str, str | None]]:
    rows = await app.database.fetch_rows(
        "SELECT action, reason FROM audit_entry WHERE action NOT LIKE 'look-%' ORDER BY id"
    )
    return [(row["action"], row["reason"]) for row in rows]


async def until_out(app: RunningApp, member: SignedIn) -> None:
    """Wait until a member's calls are refused: the announcement takes a moment."""

    async def is_out() -> bool:
        return await status(app, member) == 401

    await until(is_out)


def error_of(answer: httpx.Response) -> tuple[int, str, Any]:
    body = answer.json()
    return answer.status_code, body["error"]["code"], body["data"]


async def test_a_suspended_member_is_out_and_a_restored_one_comes_back(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    answer = await act(club_owner, member, "suspend")
    assert (answer.status_code, answer.json()["data"]["suspendedUntil"]) == (200, None)
    [row] = (await club_owner.get(f"{ADMIN}/members", params={"q": "ada@"})).json()["data"]["rows"]
    assert row["suspendedAt"] == answer.json()["data"]["suspendedAt"]
    assert (await app.sign_in(member.email)).json()["error"]["code"] == "suspended"
    await until_out(app, member)
    shown = (await club_owner.get(f"{ADMIN}/members/{member.id}")).json()["data"]
    assert shown["sessions"] == []

    restored = await act(club_owner, member, "restore", reason="They are sorry")
    assert restored.json()["data"] == {
        "id": str(member.id),
        "suspendedAt": None,
        "suspendedUntil": None,
    }
    assert (await app.sign_in(member.email)).status_code == 200
    assert await status(app, member) == 401, "no token of before comes back"
    assert await audited(app) == [
        ("suspend", "Somebody complained"),
        ("restore", "They are sorry"),
    ]


async def test_a_suspension_ends_by_itself(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    until = clock.now() + timedelta(hours=1)
    answer = await act(club_owner, member, "suspend", until=until.isoformat())
    assert answer.status_code == 200
    await until_out(app, member)
    await app.database.execute(
        "UPDATE user_account SET suspended_until = now() WHERE id = $1", member.id
    )

    signed_in = (await app.sign_in(member.email)).json()
    assert await status(app, member) == 401, "no token of before comes back"
    again = replace(member, token=signed_in["data"]["access_token"])
    assert await status(app, again) == 200
    shown = (await club_owner.get(f"{ADMIN}/members/{member.id}")).json()["data"]
    assert (shown["suspendedAt"], shown["suspendedUntil"]) == (None, None)
    assert error_of(await act(club_owner, member, "restore")) == (
        *(409, "wrong_state"),
        {"status": "active"},
    )
    assert (await act(club_owner, member, "suspend")).status_code == 200
    await until_out(app, again)


@pytest.mark.parametrize(
    "until", ["2020-01-01T00:00:00Z", "2027-01-01T00:00:00", "9999-12-31T23:59:59-14:00", 1, ""]
)
async def test_a_suspension_ends_at_a_moment_that_is_still_to_come(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn, until: object
) -> None:
    answer = await act(club_owner, member, "suspend", until=until)
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["until"])
    assert await status(app, member) == 200
    assert await audited(app) == []


async def test_of_two_who_suspend_at_once_one_is_told_that_it_is_done(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    moderator = await operator_client(app, "mo", Role.MODERATOR)
    answers = await asyncio.gather(
        *(act(operator, member, "suspend") for operator in (club_owner, moderator) * 5)
    )
    refused = [error_of(answer) for answer in answers if answer.status_code != 200]
    assert refused == [(409, "wrong_state", {"status": "suspended"})] * 9
    assert len(await audited(app)) == 1


async def test_a_suspension_under_a_key_is_one(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    path, body = f"{ADMIN}/members/{member.id}/suspend", {"reason": "Spam"}
    first = await club_owner.post(path, body, key="suspend-ada")
    again = await club_owner.post(path, body, key="suspend-ada")
    assert (again.status_code, again.json()) == (200, first.json())
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(await audited(app)) == 1


async def test_an_operator_is_not_suspended_and_a_former_one_is(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    await appoint(app, member, Role.EDITOR)
    assert error_of(await act(club_owner, member, "suspend"))[:2] == (409, "is_operator")
    assert error_of(await act(club_owner, club_owner.member, "suspend"))[:2] == (409, "is_operator")
    assert await audited(app) == []
    await app.database.execute(
        "UPDATE operator SET disabled_at = now() WHERE user_id = $1", member.id
    )
    assert (await act(club_owner, member, "suspend")).status_code == 200


async def test_who_is_suspended_while_their_password_is_judged_gets_no_session(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_hash = passwords.read_password_hash

    async def suspend_first(*about: Any) -> Any:
        found = await read_hash(*about)
        assert (await act(club_owner, member, "suspend")).status_code == 200
        return found

    monkeypatch.setattr(passwords, "read_password_hash", suspend_first)
    answer = await app.sign_in(member.email)
    assert error_of(answer)[:2] == (409, "suspended")
    count = "SELECT count(*) FROM session WHERE user_id = $1"
    assert await app.database.fetch_value(count, member.id) == 1


async def test_nobody_to_act_on_is_not_found(club_owner: OperatorClient, member: SignedIn) -> None:
    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        json={"password": "Terrace-2026"},
        headers=member.headers,
    )
    for what in ("suspend", "restore", "revoke-sessions"):
        assert (await act(club_owner, member, what)).status_code == 404
    moved = await act(club_owner, member, "club", clubId=str(CLUB_B))
    assert moved.status_code == 404


async def test_all_sessions_end_and_the_password_opens_a_new_one(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    await app.sign_in(member.email)
    assert (await act(club_owner, member, "revoke-sessions")).json()["data"] == {"revoked": 2}
    await until_out(app, member)
    assert (await act(club_owner, member, "revoke-sessions")).json()["data"] == {"revoked": 0}
    assert (await app.sign_in(member.email)).status_code == 200


async def test_a_moved_member_keeps_token_and_points_and_is_told(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    answer = await act(club_owner, member, "club", clubId=str(CLUB_B))
    assert answer.status_code == 200
    data = answer.json()["data"]
    assert data["clubId"] == str(CLUB_B)
    new, old = data["history"]
    assert (old["clubId"], old["by"]) == (str(CLUB_A), None)
    assert (new["clubId"], new["to"]) == (str(CLUB_B), None)
    assert (new["from"], new["by"]["name"]) == (old["to"], "Olu Obi")

    profile = (await member.get(f"/api/v1/users/{member.id}")).json()["data"]
    assert (profile["club"], profile["clubName"]) == (str(CLUB_B), "Arsenal")
    [notification] = (await member.get("/api/v1/notifications")).json()["data"]["rows"]
    assert (notification["kind"], notification["title"]) == (
        "club_changed",
        "You are a member of Arsenal now",
    )

    back = (await act(club_owner, member, "club", clubId=str(CLUB_A))).json()["data"]
    assert [one["clubName"] for one in back["history"]] == ["Enyimba", "Arsenal", "Enyimba"]
    shown = (await club_owner.get(f"{ADMIN}/members/{member.id}")).json()["data"]
    assert shown["clubHistory"] == back["history"]


async def test_who_waits_for_another_move_moves_after_it(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    async with app.database.transaction() as tx:
        await tx.execute("SELECT FROM user_account WHERE id = $1 FOR UPDATE", member.id)
        moving = asyncio.create_task(act(club_owner, member, "club", clubId=str(CLUB_B)))
        await until_blocked(app.database, moving)
        released = clock.now()
    new, old = (await moving).json()["data"]["history"]
    assert new["from"] == old["to"]
    # The wire has milliseconds.
    assert datetime.fromisoformat(new["from"]) >= released - timedelta(milliseconds=1)


async def test_a_member_is_moved_to_another_club_that_exists(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    same = await act(club_owner, member, "club", clubId=str(CLUB_A))
    assert error_of(same) == (409, "wrong_state", {"status": "same_club"})
    unknown = await act(club_owner, member, "club", clubId=str(new_id()))
    assert (unknown.status_code, list(unknown.json()["error"]["fields"])) == (422, ["clubId"])
    assert await audited(app) == []


async def test_of_two_who_move_a_member_at_once_one_is_told_that_it_is_done(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn
) -> None:
    answers = await asyncio.gather(
        *(act(club_owner, member, "club", clubId=str(CLUB_B)) for _ in range(10))
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert await app.database.fetch_value("SELECT count(*) FROM club_change") == 1


async def test_what_a_club_change_was_is_never_changed(
    app: RunningApp, club_owner: OperatorClient, member: SignedIn, postgres: Any
) -> None:
    await act(club_owner, member, "club", clubId=str(CLUB_B))
    with pytest.raises(Exception, match="never changed"):
        postgres.run_sql("UPDATE club_change SET changed_at = now()", "fans")


@pytest.mark.parametrize("what", ["suspend", "revoke-sessions"])
async def test_sockets_and_calls_end_on_both_workers(two_workers: TwoWorkers, what: str) -> None:
    operator = await operator_client(two_workers.one, "olu", Role.OWNER)
    member = await two_workers.one.member("ada")
    for app in (two_workers.one, two_workers.other):
        assert await status(app, member) == 200
    async with screen(two_workers.one, member) as one, screen(two_workers.other, member) as other:
        assert (await act(operator, member, what)).status_code == 200
        for app, client in ((two_workers.one, one), (two_workers.other, other)):
            await until(functools.partial(gone, client))
            assert await status(app, member) == 401


async def test_a_phone_that_chats_begins_anew_in_the_new_club(two_workers: TwoWorkers) -> None:
    operator = await operator_client(two_workers.one, "olu", Role.OWNER)
    member = await two_workers.one.member("ada")
    await join(two_workers.one, member)
    async with phone(two_workers.other, member) as held:
        assert (await act(operator, member, "club", clubId=str(CLUB_B))).status_code == 200
        await held.until_gone()
    rooms = await join(two_workers.other, member, "Arsenal")
    assert [room["club"] for room in rooms] == ["Arsenal", "Public"]
    member.club_id = CLUB_B
    async with phone(two_workers.other, member) as again:
        assert again.client.connected


async def test_who_runs_one_call_of_two_is_told_by_role(app: RunningApp, member: SignedIn) -> None:
    moderator = await operator_client(app, "mo", Role.MODERATOR)
    assert (await act(moderator, member, "suspend")).status_code == 200
    assert (await act(moderator, member, "revoke-sessions")).status_code == 404
    assert (await act(moderator, member, "club", clubId=str(CLUB_B))).status_code == 404
    finance = await operator_client(app, "fin", Role.FINANCE)
    assert (await act(finance, member, "restore")).status_code == 404
