"""Logs are lines of JSON without secrets or people's contacts."""

import json
from typing import Any

import pytest
import structlog
from api.core.logs import hide_secrets, set_up_logs

from tests.conftest import PASSWORD, House


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


async def test_a_whole_sign_in_story_leaves_no_secret_in_the_logs(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logs("DEBUG")
    try:
        structlog.get_logger("test").info("canary check", kept="yes")
        member = await house.member("ada")
        await house.sign_in(member.email, "a wrong password")
        await house.client.post("/api/v1/password/forgot", json={"email": member.email})
        await house.client.get("/api/v1/users/x", headers={"Authorization": "Bearer canary-token"})
        await member.post("/api/v1/sign-out")
    finally:
        set_up_logs(house.settings.log_level)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]

    assert any(json.loads(line).get("kept") == "yes" for line in lines)
    text = "\n".join(lines)
    for canary in (PASSWORD, "a wrong password", member.token, member.email, "canary-token"):
        assert canary not in text
