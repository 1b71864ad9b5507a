"""One example of every write of the back office, in one file per domain.

A new route needs one function, which prepares its subject and returns what to send.
"""

import asyncio
import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.back_office import OperatorClient
from tests.conftest import RunningApp, SignedIn

WHY = {"reason": "It has to be"}


@dataclass
class Stage:
    """An application with a member, the acting operator, and another who may decide."""

    app: RunningApp
    member: SignedIn
    olu: OperatorClient
    bisi: OperatorClient
    background: list[asyncio.Task[None]] = field(default_factory=list)

    async def rows(self, path: str) -> list[dict[str, Any]]:
        """Return the rows of a list of the back office."""
        answer = await self.olu.get(f"/api/v1/admin/{path}")
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["data"]["rows"]
        return found


@dataclass(frozen=True)
class Sent:
    """What to send: the values of the path's parameters, and a body or files."""

    names: Mapping[str, object] = field(default_factory=dict)
    body: Any = None
    files: dict[str, Any] | None = None


Prepare = Callable[[Stage], Awaitable[Sent]]
EXAMPLES: dict[str, Prepare] = {}


def example(call: str) -> Callable[[Prepare], Prepare]:
    """Register a function as the example of a route, such as ``POST plans`` (under ``admin/``)."""

    def register(prepare: Prepare) -> Prepare:
        assert call not in EXAMPLES, f"{call} has two examples"
        EXAMPLES[call] = prepare
        return prepare

    return register


def load() -> dict[str, Prepare]:
    """Return the examples of all domains."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return EXAMPLES
