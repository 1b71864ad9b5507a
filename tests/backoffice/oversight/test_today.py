"""Today lists an operator's open tasks, and omits what their role may not see."""

import pytest
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, operator_client
from tests.conftest import RunningApp

ALWAYS = {"waiting", "proposed"}
NO_BANK = {"lines": 0, "transfers": 0}


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        (Role.OWNER, {"ledger", "backup", "bank"}),
        (Role.FINANCE, {"ledger", "backup", "bank"}),
        (Role.SHOP, set()),
        (Role.MODERATOR, set()),
        (Role.EDITOR, set()),
        (Role.GAME_MASTER, set()),
    ],
)
async def test_what_a_role_may_not_see_is_left_out(
    app: RunningApp, role: Role, seen: set[str]
) -> None:
    operator = await operator_client(app, "olu", role)

    today = (await operator.get(f"{ADMIN}/today")).json()["data"]

    assert today.keys() == ALWAYS | seen
    assert today.get("bank", NO_BANK) == NO_BANK
    assert {today[name] for name in seen - {"bank"}} <= {None}, "never looked at yet"
