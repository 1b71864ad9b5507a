"""Two workers in production: what the back office does at one holds at the other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from api.core.config import Settings
from api.dev.valkey import EmbeddedValkey
from api.security.rights import Role

from tests.back_office import ADMIN, Desk, desk
from tests.conftest import House, Pair, client_of, create_house, served
from tests.operators.test_settings import holds, put
from tests.production import PRODUCTION
from tests.realtime.test_identity_changed import gone, screen, status
from tests.waiting import until


@pytest.fixture
async def pair(
    plain_settings: Settings, _empty_tables: None, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Pair]:
    folder: Path = tmp_path_factory.mktemp("valkey")
    with EmbeddedValkey(folder) as valkey:
        production = Settings(
            **plain_settings.model_dump() | PRODUCTION | {"workers": 2, "valkey_url": valkey.url}
        )
        async with AsyncExitStack() as stack:
            houses = []
            for _ in range(2):
                app = create_house(production)
                url = await stack.enter_async_context(served(app))
                client = await stack.enter_async_context(client_of(url))
                houses.append(House(app, production, client, url))
            yield Pair(*houses)


def on_other(pair: Pair, operator: Desk) -> Desk:
    """Return an operator whose calls go to the other worker."""
    return Desk(operator.id, operator.member, operator.secret, operator.token, pair.other.client)


async def test_who_is_suspended_at_one_worker_is_out_of_their_socket_at_the_other(
    pair: Pair,
) -> None:
    olu = await desk(pair.one, "olu", Role.OWNER)
    ada = await pair.one.member("ada")

    async with screen(pair.other, ada) as socket:
        assert await status(pair.other, ada) == 200
        body = {"reason": "Sold tickets that were none"}
        answer = await olu.post(f"{ADMIN}/members/{ada.id}/suspend", body)
        assert answer.status_code == 200, answer.text

        await until(lambda: gone(socket))
    assert await status(pair.other, ada) == 401
    assert (await pair.other.sign_in(ada.email)).json()["error"]["code"] == "suspended"


async def test_settings_that_are_changed_at_one_worker_hold_at_once_at_both(pair: Pair) -> None:
    olu = await desk(pair.one, "olu", Role.OWNER)
    there = on_other(pair, olu)
    assert (await holds(there))["giftLimit"] == 20

    changed = await put(olu, version=1, giftLimit=7)
    stale = await put(there, version=1, giftLimit=9)

    assert changed.status_code == 200, changed.text
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale")
    seen = await asyncio.gather(holds(olu), holds(there))
    assert [(one["giftLimit"], one["version"]) for one in seen] == [(7, 2), (7, 2)]
