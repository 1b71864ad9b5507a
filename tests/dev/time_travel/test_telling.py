"""The route that notifies the caller, by day and by night."""

import pytest
from api.messaging.notifications.enums import AtNight, NotificationKind
from api.messaging.notifications.rules.messages import at_night

from tests.conftest import RunningApp, SignedIn
from tests.messaging.notifications.conftest import listed
from tests.messaging.push.conftest import subscribed

PATH = "/api/v1/dev/notifications"
DUE = "SELECT push_due_at <= now() FROM notification ORDER BY id DESC LIMIT 1"


@pytest.mark.parametrize("night", [False, True])
async def test_every_kind_is_told_with_the_push_of_its_hour(
    app: RunningApp, member: SignedIn, night: bool
) -> None:
    await subscribed(app, member)
    every = dict.fromkeys(("money", "orders", "plans", "community", "games", "matches"), True)
    await member.client.put(
        "/api/v1/notifications/settings",
        json={"mail": every, "push": every},
        headers=member.headers,
    )
    for kind in NotificationKind:
        answer = await member.post(PATH, {"kind": kind.value, "night": night})
        assert answer.status_code == 200, kind
        is_due = await app.database.fetch_value(DUE)
        fates = {AtNight.SENT: True, AtNight.MORNING: False, AtNight.DROPPED: None}
        assert is_due is (fates[at_night(kind)] if night else True), kind

    assert (await listed(member))["unread"] == len(NotificationKind)


async def test_an_unknown_kind_is_refused(member: SignedIn) -> None:
    assert (await member.post(PATH, {"kind": "gossip"})).status_code == 422
