"""The console's program, loaded once for all tests of it."""

from collections.abc import Iterator

import pytest

from tests.console.command_line import loaded_console


@pytest.fixture(scope="session", autouse=True)
def _loaded_console() -> Iterator[None]:
    yield
    loaded_console.stop()
