"""Replies, mentions, reactions and deleted messages, over real sockets."""

import asyncio
import time
from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager
from typing import Any
from uuid import UUID, uuid4

from api.community.chat.enums import ReactionKey, ReportReason
from api.community.chat.rules import ChatSocket
from api.community.chat.service import moderation, reactions
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core import clock
from api.foundation.core.errors import DomainError
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, operator_client_of
from tests.community.chat.conftest import PATH, PUBLIC, fill, history, join, say
from tests.conftest import CLUB_A, CLUB_B, PASSWORD, RunningApp, SignedIn
from tests.phone import Phone, connected
from tests.waiting import DEADLINE_SECONDS

AGED = "UPDATE chat_message SET sent_at = now() - interval '{}'"
EVENTS = ("message", "message_hidden", "reactions")


def phone(app: RunningApp, member: SignedIn) -> AbstractAsyncContextManager[Phone]:
    return connected(app, member, PATH, EVENTS)


async def write(held: Phone, words: str, *, tab: str = PUBLIC, **more: Any) -> Any:
    return await held.send("message", {"club": tab, "chat_message": words, **more})


async def react(held: Phone, message_id: object, key: str | None, *, tab: str = PUBLIC) -> Any:
    return await held.send("react", {"club": tab, "id": str(message_id), "key": key})


async def delete(held: Phone, message_id: object, *, tab: str = PUBLIC) -> Any:
    return await held.send("delete_message", {"club": tab, "id": str(message_id)})


async def notifications_of(app: RunningApp, member: SignedIn) -> list[tuple[str, str]]:
    answer = await app.client.get("/api/v1/notifications", headers=member.headers)
    return [(row["kind"], row["title"]) for row in answer.json()["data"]["rows"]]


async def senders(app: RunningApp) -> list[tuple[str, UUID]]:
    """Return the kinds and senders of all notifications."""
    rows = await app.database.fetch_rows("SELECT DISTINCT kind, sender_id FROM notification")
    return [(row["kind"], row["sender_id"]) for row in rows]


def seat_of(member: SignedIn) -> ChatSocket:
    return ChatSocket(member.id, member.club_id, "A club", "First", "Last", None)


async def test_an_answer_shows_what_it_answers_live_and_in_the_history(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        asked = (await write(hers, "Who is going? " * 20))["data"]["id"]
        client_id = str(uuid4())
        first = await write(his, "me", reply_to=asked, client_id=client_id)
        again = await write(his, "me", reply_to=asked, client_id=client_id)
        own = await write(hers, "me too", reply_to=asked)
        assert first["data"] == again["data"]
        assert own["status"] == 200
        await hers.until("message", 3)
        received = [one for one in hers.payloads("message") if one["chat_message"] == "me"]
    quote = received[0]["reply_to"]
    assert quote == {
        "id": asked,
        "user_id": str(ada.id),
        "firstname": "Ada",
        "lastname": "Obi",
        "excerpt": ("Who is going? " * 20)[:120],
    }
    assert (received[0]["mentions"], received[0]["reactions"]) == ([], {})
    read = await history(live_server, ada)
    assert [one["chat_message"] for one in read][1:] == ["me", "me too"]
    assert read[1] == {**received[0], "mine": None}
    assert read[0]["reply_to"] is None
    assert await notifications_of(live_server, ada) == [
        ("reply", f"Somebody answered you in {PUBLIC}")
    ]
    assert await notifications_of(live_server, bello) == []
    assert await senders(live_server) == [("reply", bello.id)]


async def test_what_is_gone_or_of_another_tab_cannot_be_answered(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        here = (await write(hers, "in the club", tab=str(CLUB_A)))["data"]["id"]
        gone = (await write(hers, "for a moment"))["data"]["id"]
        assert (await delete(hers, gone))["data"] == {"id": gone}
        client_id = str(uuid4())
        for answered in (here, gone, str(new_id())):
            refused = await write(his, "what?", reply_to=answered, client_id=client_id)
            assert (refused["status"], refused["code"]) == (404, "not_found")
        assert (await write(his, "what?", reply_to="none"))["status"] == 422
        assert await history(live_server, bello) == []
        assert (await write(his, "what?", client_id=client_id))["status"] == 200
    assert [one["chat_message"] for one in await history(live_server, ada)] == ["what?"]


async def test_who_answers_a_message_that_is_being_deleted_quotes_it_or_is_refused(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        for number in range(4):
            asked = (await write(hers, f"asked {number}"))["data"]["id"]
            answer, deleted = await asyncio.gather(
                write(his, f"answer {number}", reply_to=asked), delete(hers, asked)
            )
            assert deleted["status"] == 200
            assert answer["status"] in {200, 404}
    for one in await history(live_server, ada):
        assert one["reply_to"]["excerpt"] is None


async def test_members_of_the_room_are_named_and_told_once(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    outsider = await live_server.member("efe")
    clubmate = await live_server.member("chi")
    await join(live_server, clubmate)
    everybody = [str(one.id) for one in (ada, bello, clubmate, outsider)]
    async with phone(live_server, ada) as hers:
        public = await write(hers, "all of you", mentions=[*everybody, str(bello.id)])
        assert public["data"]["mentions"] == everybody[:3]
        club = await write(hers, "us", tab=str(CLUB_A), mentions=[str(bello.id), str(clubmate.id)])
        assert club["data"]["mentions"] == [str(clubmate.id)]
        both = await write(
            hers, "and you", mentions=[str(clubmate.id)], reply_to=public["data"]["id"]
        )
        assert both["data"]["mentions"] == [str(clubmate.id)]
        await hers.until("message", 3)
        assert hers.payloads("message")[0]["mentions"] == everybody[:3]
        for wrong in ([str(new_id())] * 6, ["nobody"], "me", [None]):
            assert (await write(hers, "hey", mentions=wrong))["status"] == 422
    assert (await history(live_server, ada))[0]["mentions"] == everybody[:3]
    assert await notifications_of(live_server, ada) == []
    assert await notifications_of(live_server, outsider) == []
    assert await notifications_of(live_server, bello) == [
        ("mention", f"Somebody mentioned you in {PUBLIC}")
    ]
    assert [kind for kind, _ in await notifications_of(live_server, clubmate)] == ["mention"] * 3


async def test_who_is_answered_and_named_is_told_of_the_answer_alone(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        asked = (await write(hers, "who?"))["data"]["id"]
        await write(his, "@Obi Ada you", reply_to=asked, mentions=[str(ada.id)])
    assert [kind for kind, _ in await notifications_of(live_server, ada)] == ["reply"]


async def test_a_member_feels_one_thing_about_a_message_and_everybody_sees_the_counts(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        goal = (await write(hers, "GOAL"))["data"]["id"]
        first = await react(his, goal, "goal")
        assert first["data"] == {"id": goal, "counts": {"goal": 1}, "mine": "goal"}
        other = (await react(hers, goal, "love"))["data"]
        assert (other["counts"], other["mine"]) == ({"goal": 1, "love": 1}, "love")
        received = await hers.next("reactions")
        assert (received["id"], received["club"]) == (goal, PUBLIC)
        changed = (await react(his, goal, "love"))["data"]
        assert changed == {"id": goal, "counts": {"love": 2}, "mine": "love"}
        assert (await react(his, goal, "love"))["data"] == changed
        [read] = await history(live_server, bello)
        assert (read["reactions"], read["mine"]) == ({"love": 2}, "love")
        none = (await react(his, goal, None))["data"]
        assert none == {"id": goal, "counts": {"love": 1}, "mine": None}
        assert (await react(his, goal, None))["data"] == none
        assert (await history(live_server, bello))[0]["mine"] is None
        for wrong in ("heart", "", 5, ["goal"]):
            assert (await react(his, goal, wrong))["status"] == 422  # type: ignore[arg-type] # wrong
        assert (await his.send("react", {"club": PUBLIC, "id": goal}))["status"] == 422
        for tab, message_id in ((str(CLUB_B), goal), (PUBLIC, new_id()), (str(CLUB_A), goal)):
            assert (await react(his, message_id, "fire", tab=tab))["status"] == 404


async def test_a_muted_member_only_takes_reactions_back(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    operator = await operator_client_of(live_server, bello, Role.MODERATOR)
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        goal, pain = [(await write(his, words))["data"]["id"] for words in ("GOAL", "Oh no")]
        assert (await react(hers, goal, "goal"))["status"] == 200
        muted = await operator.post(
            f"{ADMIN}/chat/mutes", {"userId": str(ada.id), "minutes": 5, "reason": "abuse"}
        )
        assert muted.status_code == 200

        for message_id, key in ((goal, "love"), (pain, "pain")):
            refused = await react(hers, message_id, key)
            assert (refused["status"], refused["code"]) == (409, "muted")
            assert refused["data"] == {"until": refused["data"]["until"]}
        assert (await react(hers, goal, None))["data"]["counts"] == {}
        assert (await react(hers, pain, None))["status"] == 200

        lifted = await live_server.client.delete(
            f"{ADMIN}/chat/mutes/{ada.id}", headers=operator.headers
        )
        assert lifted.status_code == 200
        assert (await react(hers, goal, "love"))["status"] == 200


async def test_counts_are_told_once_a_second_and_the_last_is_right(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    fans = [await live_server.member(f"fan{number}") for number in range(8)]
    seats = [seat_of(fan) for fan in fans]
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        message_id = (await write(hers, "GOAL"))["data"]["id"]
        began = time.monotonic()
        while time.monotonic() - began < 2.5:
            for key in (ReactionKey.FIRE, ReactionKey.CLAP):
                await asyncio.gather(
                    *(
                        reactions.react(
                            live_server.database, seat, PUBLIC, message_id, key, clock.now()
                        )
                        for seat in seats
                    )
                )
        async with asyncio.timeout(DEADLINE_SECONDS):
            while (await his.next("reactions"))["counts"] != {"clap": 8}:
                pass
        seconds = time.monotonic() - began
        assert his.count("reactions") <= seconds + 1
        quiet = his.count("reactions")
        await asyncio.sleep(1.2)
        assert his.count("reactions") <= quiet + 1


async def test_the_twenty_first_reaction_in_ten_seconds_waits(
    live_server: RunningApp, ada: SignedIn
) -> None:
    async with phone(live_server, ada) as hers:  # one screen: the connection's own limit is wider
        message_id = (await write(hers, "GOAL"))["data"]["id"]
        for number in range(20):
            assert (await react(hers, message_id, ("goal", "fire")[number % 2]))["status"] == 200
        refused = await react(hers, message_id, "pain")
    assert (refused["status"], refused["code"]) == (429, "too_many_reactions")
    assert 0 < refused["data"]["retryAfter"] <= 11
    assert (await history(live_server, ada))[0]["reactions"] == {"fire": 1}


async def test_a_deleted_message_is_gone_for_all_and_stays_with_the_moderators(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        client_id = str(uuid4())
        sent = await write(hers, "a bad word", client_id=client_id)
        message_id = sent["data"]["id"]
        await react(his, message_id, "pain")
        await write(his, "really?", reply_to=message_id)
        assert (await delete(his, message_id))["status"] == 404
        assert (await delete(hers, message_id, tab=str(CLUB_A)))["status"] == 404
        reported = await live_server.client.post(
            "/api/v1/chat-reports",
            json={"messageId": message_id, "reason": "abuse"},
            headers=bello.headers,
        )
        assert reported.status_code == 201
        for _ in range(2):
            assert (await delete(hers, message_id))["data"] == {"id": message_id}
        assert await his.next("message_hidden") == {"id": message_id, "club": PUBLIC}
        assert (await react(his, message_id, "fire"))["status"] == 404
        retry = await write(hers, "a bad word", client_id=client_id)
        assert retry["data"] == sent["data"]
    [left] = await history(live_server, bello)
    assert left["reply_to"]["excerpt"] is None
    assert left["reply_to"]["lastname"] == "Obi"
    assert await live_server.database.fetch_value("SELECT count(*) FROM chat_reaction") == 0
    operator = await operator_client_of(live_server, bello, Role.MODERATOR)
    [row] = (await operator.get(f"{ADMIN}/chat/reports")).json()["data"]["rows"]
    assert (row["message"]["chat_message"], row["hidden"]) == ("a bad word", True)
    done = await operator.post(f"{ADMIN}/chat/messages/{message_id}/hide")
    assert done.status_code == 200
    assert (await operator.get(f"{ADMIN}/chat/reports")).json()["data"]["rows"] == []
    back = await operator.post(f"{ADMIN}/chat/messages/{message_id}/restore")
    assert back.status_code == 404


async def test_what_a_moderator_has_hidden_is_taken_back_for_good(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    operator = await operator_client_of(live_server, bello, Role.MODERATOR)
    async with phone(live_server, ada) as hers:
        message_id = (await write(hers, "my phone is 0803"))["data"]["id"]
        await operator.post(f"{ADMIN}/chat/messages/{message_id}/hide")
        assert (await delete(hers, message_id))["data"] == {"id": message_id}

    back = await operator.post(f"{ADMIN}/chat/messages/{message_id}/restore")

    assert back.status_code == 404
    assert await history(live_server, bello) == []


async def test_after_ten_minutes_a_message_stays(
    live_server: RunningApp, ada: SignedIn, postgres: EmbeddedPostgres
) -> None:
    async with phone(live_server, ada) as hers:
        message_id = (await write(hers, "for ever"))["data"]["id"]
        postgres.run_sql(AGED.format("601 seconds"), "fans")
        refused = await delete(hers, message_id)
    assert (refused["status"], refused["code"]) == (409, "too_late")
    assert len(await history(live_server, ada)) == 1


async def test_reactions_and_reports_meet_a_deletion_half_way_and_lose_nothing(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn, postgres: EmbeddedPostgres
) -> None:
    async def outcome(work: Awaitable[object]) -> int:
        try:
            await work
        except DomainError as refusal:
            return refusal.status
        return 200

    author, reader = seat_of(ada), seat_of(bello)
    identity = live_server.asgi.state.services.chat._identity
    reporter = await identity.member(bello.token)
    database = live_server.database
    await fill(live_server, ada, 12)
    postgres.run_sql(AGED.format("0 seconds"), "fans")
    ids = [one["id"] for one in await history(live_server, ada)]
    for message_id in ids:
        now = clock.now()
        statuses = await asyncio.gather(
            *(
                outcome(work)
                for work in (
                    reactions.react(database, reader, PUBLIC, message_id, ReactionKey.FIRE, now),
                    moderation.report(database, reporter, message_id, ReportReason.ABUSE, now),
                    reactions.delete_message(database, author, PUBLIC, message_id, now),
                    reactions.react(database, reader, PUBLIC, message_id, ReactionKey.CLAP, now),
                )
            )
        )
        assert statuses[2] == 200
        assert set(statuses) <= {200, 404}
    assert await history(live_server, ada) == []
    assert await database.fetch_value("SELECT count(*) FROM chat_reaction") == 0
    unkept = """SELECT count(*) FROM chat_report r LEFT JOIN chat_evidence e USING (message_id)
                 WHERE coalesce(e.content, '') = ''"""
    assert await database.fetch_value(unkept) == 0


async def test_people_are_found_by_either_name_when_they_wrote_lately_or_are_here(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn, postgres: EmbeddedPostgres
) -> None:
    silent = await live_server.member("silent")
    await join(live_server, silent)

    async def found(name: str, tab: str = PUBLIC) -> list[str]:
        answer = await live_server.client.get(
            f"/api/v1/chat-people/{tab}", params={"q": name}, headers=ada.headers
        )
        assert answer.status_code == 200, answer.text
        return [one["id"] for one in answer.json()["data"]]

    async with phone(live_server, bello) as his:
        await write(his, "hello")
    me = (await live_server.client.get(f"/api/v1/users/{bello.id}", headers=bello.headers)).json()
    first, last = me["data"]["firstName"], me["data"]["lastName"]
    for name in (first, first.upper(), last[:2], f"{last} {first[:1]}", f"{first} {last}"):
        assert await found(name) == [str(bello.id)], name
    assert await found(first, str(CLUB_A)) == []
    assert await found("zz") == []
    assert await found("%%") == []
    for query, status in (("a", 422), ("  a ", 422), ("x" * 101, 422)):
        answer = await live_server.client.get(
            f"/api/v1/chat-people/{PUBLIC}", params={"q": query}, headers=ada.headers
        )
        assert answer.status_code == status
    path = f"/api/v1/chat-people/{CLUB_B}"
    answer = await live_server.client.get(path, params={"q": "ab"}, headers=ada.headers)
    assert answer.status_code == 404
    postgres.run_sql(AGED.format("31 days"), "fans")
    presence = live_server.asgi.state.services.chat.presence
    await presence.beat()
    assert await found(first) == []
    async with phone(live_server, bello):
        await presence.beat()
        assert await found(first) == [str(bello.id)]


async def test_the_thirty_first_look_up_in_a_minute_waits(
    live_server: RunningApp, ada: SignedIn
) -> None:
    answers = [
        await live_server.client.get(
            f"/api/v1/chat-people/{PUBLIC}", params={"q": "ab"}, headers=ada.headers
        )
        for _ in range(31)
    ]
    assert [answer.status_code for answer in answers] == [200] * 30 + [429]


async def test_who_leaves_takes_their_reactions_and_the_words_that_others_quote(
    live_server: RunningApp, ada: SignedIn, bello: SignedIn
) -> None:
    async with phone(live_server, ada) as hers, phone(live_server, bello) as his:
        asked = (await say(his, "my words"))["data"]["id"]
        answer = (await write(hers, "your words", reply_to=asked))["data"]["id"]
        await react(his, answer, "love")
    left = await live_server.client.request(
        "DELETE",
        f"/api/v1/users/{bello.id}",
        json={"password": PASSWORD},
        headers=bello.headers,
    )
    assert left.status_code == 200
    [read] = await history(live_server, ada)
    assert read["reactions"] == {}
    assert (read["reply_to"]["excerpt"], read["reply_to"]["firstname"]) == (None, "Former")
