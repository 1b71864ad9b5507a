"""Fixtures: an operator who writes matches."""

import pytest
from api.foundation.security.rights import Role

from tests.back_office import OperatorClient, operator_client
from tests.conftest import RunningApp


@pytest.fixture
async def musa(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "musa", Role.GAME_MASTER)
