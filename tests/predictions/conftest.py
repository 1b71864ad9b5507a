"""Who writes matches in tests of the predictor."""

import pytest
from api.security.rights import Role

from tests.back_office import Desk, desk
from tests.conftest import House


@pytest.fixture
async def musa(house: House) -> Desk:
    return await desk(house, "musa", Role.GAME_MASTER)
