"""Access to another club and forged reports leave a traceable log line."""

from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from api.foundation.core.ids import new_id
from api.foundation.security.events import SecurityEvent, SecurityLog
from socketio.exceptions import ConnectionError as RefusedError

from tests.community.chat.conftest import join, phone, say
from tests.conftest import CLUB_B, RunningApp, SignedIn
from tests.phone import Phone, connected

Recorded = list[tuple[SecurityEvent, dict[str, Any]]]
ANOTHER_CLUB = {"reason": "another club"}


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Recorded:
    """Collect the security events of this process."""
    events: Recorded = []
    record = SecurityLog.record

    def keep(log: SecurityLog, event: SecurityEvent, **details: Any) -> None:
        events.append((event, details))
        record(log, event, **details)

    monkeypatch.setattr(SecurityLog, "record", keep)
    return events


def refusals(recorded: Recorded, member: SignedIn) -> list[dict[str, Any]]:
    """Return the recorded rejections, all of them the member's."""
    found = [details for event, details in recorded if event is SecurityEvent.ACCESS_REFUSED]
    assert {details.pop("user_id") for details in found} <= {member.id}
    return found


@pytest.mark.parametrize("club", ["Arsenal", str(CLUB_B)])
async def test_another_clubs_tab_is_recorded_on_every_call(
    app: RunningApp, member: SignedIn, recorded: Recorded, club: str
) -> None:
    read = await member.get(f"/api/v1/chat-messages/{club}")
    joined = await member.post("/api/v1/join-chat", {"clubName": club, "id": str(member.id)})

    assert (read.status_code, joined.status_code) == (404, 404)
    assert refusals(recorded, member) == [ANOTHER_CLUB] * 2


async def test_another_clubs_quest_is_recorded(
    app: RunningApp, member: SignedIn, recorded: Recorded
) -> None:
    path = f"/api/v1/question/daily-trivial-question/{CLUB_B}/{member.id}"

    assert (await member.get(path)).status_code == 404
    assert refusals(recorded, member) == [ANOTHER_CLUB]


async def test_another_clubs_tab_is_recorded_on_the_socket(
    live_server: RunningApp, recorded: Recorded
) -> None:
    ada = await live_server.member("ada")
    await join(live_server, ada)
    held: AbstractAsyncContextManager[Phone] = phone(live_server, ada)
    async with held as her:
        assert (await say(her, "hello", tab="Arsenal"))["status"] == 404
        assert (await her.send("read", {"club": "Arsenal", "seq": 1}))["status"] == 404
        assert refusals(recorded, ada) == [ANOTHER_CLUB] * 2


async def test_another_clubs_id_in_a_handshake_is_recorded(
    live_server: RunningApp, recorded: Recorded
) -> None:
    ada = await live_server.member("ada")
    ada.club_id = CLUB_B
    with pytest.raises(RefusedError):
        async with connected(live_server, ada, "/payment", ()):
            pass

    assert refusals(recorded, ada) == [ANOTHER_CLUB]


async def test_a_message_of_another_clubs_room_is_recorded_and_one_that_is_not_there_is_not(
    app: RunningApp, member: SignedIn, rival: SignedIn, recorded: Recorded
) -> None:
    await join(app, rival)
    message_id = new_id()
    await app.database.fetch_row(
        "INSERT INTO chat_message (id, room_id, seq, user_id, client_id, content, sent_at) "
        "VALUES ($1, $2, 1, $3, $1, 'Up', now()) RETURNING id",
        message_id,
        rival.club_id,
        rival.id,
    )
    for asked in (message_id, new_id()):
        answer = await member.post(
            "/api/v1/chat-reports", {"messageId": str(asked), "reason": "spam"}
        )
        assert answer.status_code == 404

    assert refusals(recorded, member) == [ANOTHER_CLUB]


async def test_a_forged_report_names_the_network_it_came_from(
    app: RunningApp, recorded: Recorded
) -> None:
    await app.client.post("/api/v1/payment/webhook/paystack", content=b"{}")

    origin = app.asgi.state.services.limiter.origin("127.0.0.1")
    assert recorded == [
        (SecurityEvent.SIGNATURE_REFUSED, {"gateway": "paystack", "origin": origin})
    ]
