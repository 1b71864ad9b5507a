"""Today says what waits for an operator, and nothing of what their role may not see."""

import pytest
from api.security.rights import Role

from tests.back_office import ADMIN, desk
from tests.conftest import House

ALWAYS = {"waiting", "proposed"}


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        (Role.OWNER, {"ledger", "backup"}),
        (Role.FINANCE, {"ledger", "backup"}),
        (Role.SHOP, set()),
        (Role.MODERATOR, set()),
        (Role.EDITOR, set()),
        (Role.GAME_MASTER, set()),
    ],
)
async def test_what_a_role_may_not_see_is_left_out(
    house: House, role: Role, seen: set[str]
) -> None:
    operator = await desk(house, "olu", role)

    today = (await operator.get(f"{ADMIN}/today")).json()["data"]

    assert today.keys() == ALWAYS | seen
    assert [today[name] for name in sorted(seen)] == [None] * len(seen), "never looked at yet"
