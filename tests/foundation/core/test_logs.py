"""Logs are JSON lines without secrets or contact details."""

import json
from typing import Any

import pytest
import structlog
from api.foundation.core import logs
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.logs import hide_secrets, set_up_logs
from api.foundation.database.database import Database

from tests.conftest import PASSWORD, RunningApp


@pytest.mark.parametrize(
    "name",
    ["password", "new_password", "access_token", "secret_key", "authorization", "email", "phone"],
)
def test_a_value_whose_name_is_a_secrets_is_hidden(name: str) -> None:
    entry: dict[str, Any] = {name: "canary", "event": "x"}

    assert "canary" not in str(hide_secrets(None, "info", entry))


def test_an_errors_code_is_shown_and_a_mailed_code_is_not() -> None:
    assert hide_secrets(None, "info", {"code": "not_found"}) == {"code": "not_found"}
    assert hide_secrets(None, "info", {"code": "042137"}) == {"code": "[hidden]"}


@pytest.mark.parametrize("through", ["transaction", "statement", "wrong type"])
async def test_a_failed_statement_is_logged_without_its_values(
    app: RunningApp, capsys: pytest.CaptureFixture[str], through: str
) -> None:
    member = await app.member("ada")
    taken = "INSERT INTO credential (user_id, password_hash) VALUES ({}, {})"
    values = (member.id, "canary-hash")

    try:
        if through == "transaction":
            async with app.database.transaction() as tx:
                await tx.execute(taken.format("$1", "$2"), *values)
        elif through == "statement":
            await app.database.fetch_row(taken.format("$1", "$2"), *values)
        else:
            await app.database.fetch_row("SELECT $1::uuid", values[1])
    except Exception:
        structlog.get_logger("test").exception("a statement failed")
    line = json.loads(capsys.readouterr().out.splitlines()[-1])

    assert "Traceback" in line["exception"]
    assert "canary" not in json.dumps(line)
    assert str(member.id) not in json.dumps(line)


async def test_a_service_that_is_away_is_logged_once_a_minute(
    app: RunningApp, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up_logs("WARNING")
    # Loggers keep the filter they were first used with, and this one may have been used already.
    monkeypatch.setattr(logs, "log", structlog.get_logger("fresh"))
    lost = Database("postgresql://nobody@127.0.0.1:1/none", runtime_role="", pool_size=1)

    for _ in range(5):
        with pytest.raises(DatabaseUnavailableError):
            await lost.fetch_row("SELECT 1")
    await lost.close()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    (line,) = [line for line in lines if line["event"] == "service unavailable"]
    assert (line["service"], line["level"]) == ("database", "warning")
    assert line["error_type"] == "ConnectionRefusedError"


@pytest.mark.parametrize(
    "written", ['\n{"event": "forged"}', "\r\nforged", "\N{LINE SEPARATOR}forged", "\x1b[2Jforged"]
)
def test_a_value_cannot_begin_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str], written: str
) -> None:
    set_up_logs("WARNING")

    structlog.get_logger("test").warning("canary check", said=written)
    (line,) = capsys.readouterr().out.splitlines()

    assert json.loads(line)["said"] == written
    assert "\x1b" not in line


async def test_a_whole_sign_in_story_leaves_no_secret_in_the_logs(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logs("DEBUG")
    try:
        structlog.get_logger("test").info("canary check", kept="yes")
        member = await app.member("ada")
        await app.sign_in(member.email, "a wrong password")
        await app.client.post("/api/v1/password/forgot", json={"email": member.email})
        await app.client.get("/api/v1/users/x", headers={"Authorization": "Bearer canary-token"})
        await member.post("/api/v1/sign-out")
    finally:
        set_up_logs(app.settings.log_level)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]

    assert any(json.loads(line).get("kept") == "yes" for line in lines)
    written = "\n".join(lines)
    for canary in (PASSWORD, "a wrong password", member.token, member.email, "canary-token"):
        assert canary not in written
