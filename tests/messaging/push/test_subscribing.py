"""Subscriptions: which are accepted, whose they are, and when they are deleted."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.messaging.push import rules
from api.people.users.service.suspension import suspend

from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.messaging.push.conftest import PATH, Browser, new_browser, subscribed
from tests.people.auth.letters import codes, forget

FCM = "https://fcm.googleapis.com/fcm/send/abc:DEF-1_2"
SKIPPED = [
    FCM,
    "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
    "https://wns2-par02p.notify.windows.com/w/?token=BQ%2bx",
    "https://web.push.apple.com/QGuQyavXutnMH",
    "https://web.push.apple.com:443/QGuQyavXutnMH",
]
NOT_TAKEN = [
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com:8443/fcm/send/abc",
    "https://fcm.googleapis.com@evil.example/x",
    "https://user:word@fcm.googleapis.com/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evil.example/fcm.googleapis.com",
    "https://evilpush.apple.com/x",
    "https://push.apple.com.evil.example/x",
    "https://.push.apple.com/x",
    "https://fcm.googleapis.com\\@evil.example/x",
    "https://fcm.googleapis.com/x#y",
    "https://fcm.googleapis.com/x y",
    "https://fcm.googleapis.com",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/x",
    "https://[fd00::1]/x",
    "http://127.0.0.1:9/x",
    "https://localhost/x",
    "ftp://fcm.googleapis.com/x",
    "fcm.googleapis.com/x",
]


async def listed(member: SignedIn) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (await member.get(PATH)).json()["data"]
    return rows


async def ids_of(member: SignedIn) -> list[str]:
    return [row["id"] for row in await listed(member)]


@pytest.mark.parametrize("endpoint", SKIPPED)
def test_the_services_of_the_browsers_makers_are_taken(endpoint: str) -> None:
    assert rules.is_supported(endpoint, allows_loopback=False)


@pytest.mark.parametrize("endpoint", NOT_TAKEN)
def test_nothing_else_is_taken_in_production(endpoint: str) -> None:
    assert not rules.is_supported(endpoint, allows_loopback=False)


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:8000/a", "http://localhost/a"])
def test_development_may_push_to_this_machine_alone(endpoint: str) -> None:
    assert rules.is_supported(endpoint, allows_loopback=True)
    assert not rules.is_supported("http://10.0.0.1/a", allows_loopback=True)


async def test_a_refusal_says_what_is_not_supported(pushing: RunningApp, ada: SignedIn) -> None:
    keys = (await new_browser(pushing)).keys
    elsewhere = await ada.post(PATH, {"endpoint": "https://evil.example/x", "keys": keys})
    bodies = [
        {"endpoint": FCM, "keys": keys | {"auth": "AAAA"}},
        {"endpoint": FCM, "keys": keys | {"p256dh": "B" * 87}},
        {"endpoint": FCM, "keys": keys | {"p256dh": "not base64url!"}},
        {"endpoint": FCM, "keys": {"auth": keys["auth"]}},
        {"endpoint": FCM},
        {"endpoint": FCM, "keys": keys, "expirationTime": "soon"},
        {"endpoint": FCM, "keys": keys, "more": 1},
        {"endpoint": "https://fcm.googleapis.com/" + "x" * 1024, "keys": keys},
    ]

    assert elsewhere.status_code == 422
    assert elsewhere.json()["message"] == "This push service is not supported"
    assert elsewhere.json()["error"]["fields"] == {"endpoint": "This push service is not supported"}
    refusals = [await ada.post(PATH, body) for body in bodies]
    assert [one.status_code for one in refusals] == [422] * 8
    assert refusals[5].json()["error"]["fields"] == {"expirationTime": "This must be a number"}
    assert await ids_of(ada) == []
    assert (await pushing.client.post(PATH, json={})).status_code == 401


@pytest.mark.parametrize("ends", [None, 1_798_761_600_000, 1_798_761_600_000.5])
async def test_a_browsers_own_description_is_taken_whatever_it_says_of_its_end(
    pushing: RunningApp, ada: SignedIn, ends: float | None
) -> None:
    form = (await new_browser(pushing)).form | {"expirationTime": ends}

    answer = await ada.post(PATH, form)

    assert (answer.status_code, [answer.json()["data"]["id"]]) == (201, await ids_of(ada))


async def test_an_endpoint_keeps_its_id_and_moves_over_to_who_signs_in_there(
    pushing: RunningApp, ada: SignedIn
) -> None:
    bello = await pushing.member("bello")
    browser = await new_browser(pushing)
    ids = [
        (await member.post(PATH, browser.form)).json()["data"]["id"] for member in (ada, ada, bello)
    ]

    assert len(set(ids)) == 1
    assert (await ids_of(ada), await ids_of(bello)) == ([], [ids[0]])
    assert (await listed(bello))[0]["current"] is True
    assert (await ada.delete(f"{PATH}/{ids[0]}")).status_code == 404
    assert (await bello.delete(f"{PATH}/{ids[0]}")).status_code == 200
    assert (await bello.delete(f"{PATH}/{ids[0]}")).status_code == 404
    assert (await bello.delete(f"{PATH}/{new_id()}")).status_code == 404


async def test_of_many_at_once_the_newest_five_stay(pushing: RunningApp, ada: SignedIn) -> None:
    first = await subscribed(pushing, ada)
    old = (await ids_of(ada))[0]
    browsers = [await new_browser(pushing) for _ in range(8)]

    await asyncio.gather(*(ada.post(PATH, browser.form) for browser in browsers))

    assert len(await ids_of(ada)) == 5
    assert old not in await ids_of(ada)
    assert (await ada.post(PATH, first.form)).json()["data"]["id"] in await ids_of(ada)
    assert len(await ids_of(ada)) == 5


async def sign_out(_app: RunningApp, member: SignedIn) -> None:
    assert (await member.post("/api/v1/sign-out")).status_code == 200


async def leave(app: RunningApp, member: SignedIn) -> None:
    answer = await app.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        headers=member.headers,
        json={"password": PASSWORD},
    )
    assert answer.status_code == 200


async def be_suspended(app: RunningApp, member: SignedIn) -> None:
    async with app.database.transaction() as tx:
        await suspend(tx, member.id, None, clock.now())


@pytest.mark.parametrize("end", [sign_out, leave, be_suspended])
async def test_signing_out_leaving_and_suspension_forget_the_browser(
    pushing: RunningApp, ada: SignedIn, end: Any
) -> None:
    await subscribed(pushing, ada)

    await end(pushing, ada)

    rows = await pushing.database.fetch_value("SELECT count(*) FROM push_subscription")
    assert rows == 0


async def sign_out_everywhere_else(app: RunningApp, member: SignedIn) -> None:
    token = (await app.sign_in(member.email)).json()["data"]["access_token"]
    elsewhere = replace(member, token=token)
    assert (await elsewhere.post("/api/v1/sessions/revoke-others")).status_code == 200


async def change_password(app: RunningApp, member: SignedIn) -> None:
    handle = await forget(app, member.email)
    body = {"userId": handle, "code": codes(app, member.email)[-1], "password": "brand new words"}
    assert (await app.client.post("/api/v1/password/reset", json=body)).status_code == 200


@pytest.mark.parametrize("end", [sign_out_everywhere_else, change_password])
async def test_the_end_of_all_sessions_forgets_their_browsers_and_no_others(
    pushing: RunningApp, ada: SignedIn, end: Any
) -> None:
    bello = await pushing.member("bello")
    await subscribed(pushing, ada)
    await subscribed(pushing, bello)

    await end(pushing, ada)

    rows = await pushing.database.fetch_rows("SELECT user_id FROM push_subscription")
    assert [row["user_id"] for row in rows] == [bello.id]


async def test_signing_out_elsewhere_leaves_this_browser(
    pushing: RunningApp, ada: SignedIn
) -> None:
    token = (await pushing.sign_in(ada.email)).json()["data"]["access_token"]
    phone = SignedIn(ada.id, ada.club_id, ada.email, token, ada.client)
    here, there = await subscribed(pushing, ada), await subscribed(pushing, phone)

    await sign_out(pushing, phone)

    assert [row["current"] for row in await listed(ada)] == [True]
    assert isinstance(here, Browser)
    assert isinstance(there, Browser)


async def test_the_database_tells_nobody_where_a_browser_is(
    pushing: RunningApp, ada: SignedIn
) -> None:
    browser = await subscribed(pushing, ada)

    row = await pushing.database.fetch_row("SELECT * FROM push_subscription")

    assert row is not None
    for value in row.values():
        assert browser.box.encode() not in bytes(str(value), "utf-8")
        assert not isinstance(value, bytes) or browser.box.encode() not in value


async def test_the_key_is_ours_and_null_where_there_is_none(
    pushing: RunningApp, ada: SignedIn
) -> None:
    context = pushing.asgi.state.services.push
    answer = (await ada.get("/api/v1/push/key")).json()["data"]

    assert answer == {"publicKey": context.key.public}
    assert len(answer["publicKey"]) == 87

    object.__setattr__(context, "key", None)
    assert (await ada.get("/api/v1/push/key")).json()["data"] == {"publicKey": None}
    refused = await ada.post(PATH, (await new_browser(pushing)).form)
    assert refused.status_code == 422
