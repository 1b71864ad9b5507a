"""Fixtures: an operator who writes matches, for tests of the predictor."""

import pytest
from api.security.rights import Role

from tests.back_office import Desk, desk
from tests.conftest import RunningApp


@pytest.fixture
async def musa(app: RunningApp) -> Desk:
    return await desk(app, "musa", Role.GAME_MASTER)
