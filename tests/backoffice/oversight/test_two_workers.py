"""Two workers in production: changes by the back office in one apply to the other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from api.dev.valkey import EmbeddedValkey
from api.foundation.core.config import Settings
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.backoffice.oversight.test_settings import holds, put
from tests.conftest import RunningApp, TwoWorkers, client_of, create_running_app, served
from tests.foundation.realtime.test_identity_changed import gone, screen, status
from tests.production import PRODUCTION
from tests.waiting import until


@pytest.fixture
async def two_workers(
    plain_settings: Settings, _empty_tables: None, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[TwoWorkers]:
    folder: Path = tmp_path_factory.mktemp("valkey")
    with EmbeddedValkey(folder) as valkey:
        production = Settings(
            **plain_settings.model_dump() | PRODUCTION | {"workers": 2, "valkey_url": valkey.url}
        )
        async with AsyncExitStack() as stack:
            houses = []
            for _ in range(2):
                asgi = create_running_app(production)
                url = await stack.enter_async_context(served(asgi))
                client = await stack.enter_async_context(client_of(url))
                houses.append(RunningApp(asgi, production, client, url))
            yield TwoWorkers(*houses)


def on_other(two_workers: TwoWorkers, operator: OperatorClient) -> OperatorClient:
    """Return an operator whose calls go to the other worker."""
    return OperatorClient(
        operator.id, operator.member, operator.secret, operator.token, two_workers.other.client
    )


async def test_who_is_suspended_at_one_worker_is_out_of_their_socket_at_the_other(
    two_workers: TwoWorkers,
) -> None:
    olu = await operator_client(two_workers.one, "olu", Role.OWNER)
    ada = await two_workers.one.member("ada")

    async with screen(two_workers.other, ada) as socket:
        assert await status(two_workers.other, ada) == 200
        body = {"reason": "Sold tickets that were none"}
        answer = await olu.post(f"{ADMIN}/members/{ada.id}/suspend", body)
        assert answer.status_code == 200, answer.text

        await until(lambda: gone(socket))
    assert await status(two_workers.other, ada) == 401
    assert (await two_workers.other.sign_in(ada.email)).json()["error"]["code"] == "suspended"


async def test_settings_that_are_changed_at_one_worker_hold_at_once_at_both(
    two_workers: TwoWorkers,
) -> None:
    olu = await operator_client(two_workers.one, "olu", Role.OWNER)
    there = on_other(two_workers, olu)
    assert (await holds(there))["giftLimit"] == 20

    changed = await put(olu, version=1, giftLimit=7)
    stale = await put(there, version=1, giftLimit=9)

    assert changed.status_code == 200, changed.text
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale")
    seen = await asyncio.gather(holds(olu), holds(there))
    assert [(one["giftLimit"], one["version"]) for one in seen] == [(7, 2), (7, 2)]
