"""Deleting an account removes the member from open screens, too."""

import asyncio

from tests.community.chat.conftest import PUBLIC, fill, history, say
from tests.community.chat.test_addressed import phone, react, write
from tests.conftest import CLUB_B, PASSWORD, RunningApp, SignedIn


async def leave(member: SignedIn) -> None:
    answer = await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        json={"password": PASSWORD},
        headers=member.headers,
    )
    assert answer.status_code == 200, answer.text


async def test_open_screens_lose_what_the_member_wrote_and_felt(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers:
        async with phone(live_server, bello) as his:
            wrote = (await say(his, "I am leaving"))["data"]["id"]
            goal = (await write(hers, "GOAL"))["data"]["id"]
            other = (await write(hers, "And another"))["data"]["id"]
            await write(his, "mine alone", tab=str(CLUB_B))
            await react(his, goal, "goal")
            await react(hers, goal, "love")
            await react(hers, other, "love")
        while (await hers.next("reactions"))["id"] != other:
            pass
        await asyncio.sleep(1)
        seen = len(hers.received)

        await leave(bello)

        await hers.next("message_hidden")
        await hers.next("reactions")
        await asyncio.sleep(1.2)
        assert sorted(hers.received[seen:], key=lambda one: one[0]) == [
            ("message_hidden", {"id": wrote, "club": PUBLIC}),
            ("reactions", {"id": goal, "club": PUBLIC, "counts": {"love": 1}}),
        ]
    assert [one["id"] for one in await history(live_server, ada)] == [goal, other]


async def test_of_a_member_who_wrote_much_only_what_screens_show_is_told(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    await fill(live_server, bello, 60)
    async with phone(live_server, ada) as hers:
        await leave(bello)
        await hers.until("message_hidden", 50)
        await asyncio.sleep(0.5)
        assert hers.count("message_hidden") == 50
    assert await history(live_server, ada) == []
