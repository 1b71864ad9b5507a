"""A log line contains time, event, user and request, and exceptions leave one."""

import asyncio
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from api.app.adapters.media_local import LocalMedia
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.logs import set_up_logs
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job, Supervisor
from api.foundation.http import request_log
from api.foundation.media.storage import MediaUnavailableError, new_key
from api.foundation.security.events import SecurityEvent

from tests.conftest import RunningApp, SignedIn, open_running_app
from tests.waiting import DEADLINE_SECONDS


def lines(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


async def test_a_security_event_says_who_what_when_and_on_which_request(
    app: RunningApp, member: SignedIn, rival: SignedIn, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    answers = [
        await member.get(f"/api/v1/users/{rival.id}"),
        await app.sign_in(member.email, "a guess"),
        await member.post("/api/v1/sign-out"),
    ]

    logged = lines(capsys.readouterr().out)
    assert [line["event_type"] for line in logged] == [
        "access_refused",
        "sign_in_refused",
        "signed_out",
    ]
    assert [line["request_id"] for line in logged] == [
        answer.headers["X-Request-Id"] for answer in answers
    ]
    for line in logged:
        assert {"event", "level", "timestamp"} <= set(line)
        written_at = datetime.fromisoformat(line["timestamp"])
        assert written_at.tzinfo == UTC
        assert abs(written_at - clock.now()) < timedelta(minutes=1)
        assert line.get("user_id") == str(member.id) or len(line["origin"]) >= 16
    assert {line["event_type"] for line in logged} <= {event.value for event in SecurityEvent}


async def test_a_crash_is_logged_with_the_request_it_ended(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    @app.asgi.get("/api/v1/crash-here/{user_id}")
    async def crash(user_id: str) -> None:
        raise RuntimeError("the wheel came off")

    answer = await app.client.get("/api/v1/crash-here/somebody")

    (line,) = [
        line for line in lines(capsys.readouterr().out) if line["event"] == "unhandled error"
    ]
    assert line["level"] == "error"
    assert line["route"] == "/api/v1/crash-here/{user_id}"
    assert line["request_id"] == answer.headers["X-Request-Id"]
    assert "RuntimeError: the wheel came off" in line["exception"]


@pytest.mark.usefixtures("_empty_tables")
async def test_a_request_is_one_line_with_its_route_and_neither_address_nor_query(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_running_app(settings.model_copy(update={"log_level": "INFO"})) as app:
        member = await app.member()
        capsys.readouterr()
        await member.get(f"/api/v1/payment/statement/{member.id}?limit=1&canary=canary")
        printed = capsys.readouterr().out

    (line,) = lines(printed)
    assert line.keys() == {
        *("event", "request_id", "method", "route", "status", "ms"),
        *("user_id", "level", "timestamp"),
    }
    assert (line["event"], line["route"]) == ("request", "/api/v1/payment/statement/{user_id}")
    assert "canary" not in json.dumps(line)


async def test_a_slow_request_is_a_warning_at_every_level(
    app: RunningApp,
    member: SignedIn,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(request_log, "SLOW_SECONDS", 0.0)

    answer = await member.get(f"/api/v1/payment/wallet-balance/{member.id}")

    line = lines(capsys.readouterr().out)[-1]
    assert (line["event"], line["level"], line["status"]) == ("request", "warning", 200)
    assert line["request_id"] == answer.headers["X-Request-Id"]
    assert line["route"] == "/api/v1/payment/wallet-balance/{user_id}"
    assert line["user_id"] == str(member.id)
    assert line["ms"] > 0


async def test_a_store_and_a_job_that_fail_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logs("WARNING")
    (tmp_path / "moments").write_bytes(b"in the way")
    failed = asyncio.Event()

    async def fail() -> None:
        failed.set()
        raise RuntimeError("no work today")

    running = Supervisor(Metrics())
    running.add(Job(name="failing", step=fail, every_seconds=0.01))
    running.start()
    with pytest.raises(MediaUnavailableError):
        await LocalMedia(tmp_path).put(new_key("moments", "mp4"), io.BytesIO(b"content"))
    async with asyncio.timeout(DEADLINE_SECONDS):
        await failed.wait()
        await asyncio.sleep(0.05)
    await running.stop()

    logged = lines(capsys.readouterr().out)
    assert {line.get("service") for line in logged} >= {"media"}
    (job,) = [line for line in logged if line["event"] == "job failed"][:1]
    assert (job["job"], job["level"]) == ("failing", "error")
    assert "no work today" in job["exception"]


async def test_no_request_inherits_the_id_of_another(app: RunningApp) -> None:
    first = await app.client.get("/healthz")
    second = await app.client.get("/healthz", headers={"X-Request-Id": "chosen by the caller"})

    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]
    assert second.headers["X-Request-Id"] != "chosen by the caller"
    assert "request_id" not in structlog.contextvars.get_contextvars()
