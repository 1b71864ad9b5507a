"""The push services' adapter: no redirects, and ``Retry-After`` as a date or seconds, capped."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
import time_machine
from api.app.adapters.push_services import MAX_RETRY_DELAY, PushServices
from starlette.types import Receive, Scope, Send

from tests.conftest import served

NOW = datetime(2027, 3, 1, 11, 0, tzinfo=UTC)


def web_date(after: timedelta) -> str:
    return format_datetime(NOW + after, usegmt=True)


def answering(
    status: int, headers: dict[str, str], seen: list[str]
) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """Return a server that answers with this status and records the requests."""
    lines = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        seen.append(scope["path"])
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": status, "headers": lines})
        await send({"type": "http.response.body", "body": b""})

    return application


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirection_is_an_answer_and_what_it_names_sees_nothing(status: int) -> None:
    asked: list[str] = []
    led_to: list[str] = []
    async with served(answering(201, {}, led_to)) as elsewhere:
        moved = answering(status, {"Location": f"{elsewhere}/inside"}, asked)
        async with served(moved) as service:
            receipt = await PushServices().post(f"{service}/box", {}, b"sealed")

    assert receipt.status == status
    assert (asked, led_to) == (["/box"], [])


@pytest.mark.parametrize(
    ("header", "pause"),
    [
        ("90", timedelta(seconds=90)),
        ("0", timedelta(seconds=1)),
        (web_date(timedelta(hours=2)), timedelta(hours=2)),
        (web_date(timedelta(hours=-2)), timedelta(seconds=1)),
        (web_date(timedelta(days=9)), MAX_RETRY_DELAY),
        ("999999999", MAX_RETRY_DELAY),
        ("9" * 40, None),
        ("soon", None),
        ("-5", None),
    ],
)
async def test_a_pause_is_read_as_seconds_or_as_a_date_and_is_a_day_at_most(
    header: str, pause: timedelta | None
) -> None:
    busy = httpx.MockTransport(lambda _: httpx.Response(429, headers={"Retry-After": header}))

    with time_machine.travel(NOW, tick=False):
        receipt = await PushServices(busy).post("https://push.example/box", {}, b"sealed")

    assert (receipt.status, receipt.retry_after) == (429, pause)
