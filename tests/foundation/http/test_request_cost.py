"""What the hottest calls cost, as the number of interpreter instructions: it is the same each time.

Time varies with the machine, and a feature that adds two per cent is never noticed. A change that
needs more instructions raises its line in ``BUDGETS``, with the reason in the commit; one that
needs fewer lowers it.
"""

import dis
import sys
from collections.abc import AsyncIterator
from contextvars import ContextVar
from types import CodeType, FrameType
from typing import Any

import pytest
from api.foundation.core.config import Settings
from bench.in_process import Request, send_to

from tests.conftest import RunningApp, SignedIn, open_running_app
from tests.shop.carts import CHECKOUT, cart

WARM_UP = 40  # until every connection has prepared every statement
ROUNDS = 12
TOLERANCE = 0.05
# What a coroutine does each time that it is resumed only to wait further.
AWAITING = {
    dis.opmap[name] for name in ("SEND", "YIELD_VALUE", "RESUME", "JUMP_BACKWARD_NO_INTERRUPT")
}
BUDGETS = {
    "balance": 4_247,
    "products": 3_267,
    "clubs": 2_865,
    "home": 12_945,
    "checkout": 18_079,
}

_is_counted: ContextVar[bool] = ContextVar("is_counted", default=False)


@pytest.fixture
async def app(settings: Settings, _empty_tables: None) -> AsyncIterator[RunningApp]:
    """Run with a connection for each statement, so that none waits for another."""
    async with open_running_app(settings.model_copy(update={"database_pool_size": 30})) as opened:
        yield opened


class Instructions:
    """Counts the interpreter's instructions of the block, and of tasks that it starts."""

    def __init__(self) -> None:
        self.count = 0
        self._codes: dict[CodeType, bytes] = {}
        self._before: Any = None

    def __enter__(self) -> "Instructions":
        self._before = sys.gettrace()
        _is_counted.set(True)
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)
        _is_counted.set(False)

    def _trace(self, frame: FrameType, event: str, _argument: object) -> Any:
        # Turns of the loop depend on when a socket is ready; jobs in the background have their own.
        if not _is_counted.get() or "/asyncio/" in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            code = self._codes.get(frame.f_code)
            if code is None:  # each access copies it
                code = self._codes[frame.f_code] = frame.f_code.co_code
            self.count += code[frame.f_lasti] not in AWAITING
        return self._trace


@pytest.mark.parametrize("name", BUDGETS)
async def test_a_hot_call_takes_no_more_instructions_than_its_budget(
    app: RunningApp, member: SignedIn, name: str
) -> None:
    scarf = await app.stock_product(stock=100)
    await app.give(member, 1_000_000)
    token = member.token
    request = {
        "balance": Request("GET", f"/api/v1/payment/wallet-balance/{member.id}", token),
        "products": Request("GET", "/api/v1/products", token),
        "clubs": Request("GET", "/api/v1/clubs", token),
        "home": Request("GET", "/api/v1/today", token),
        "checkout": Request("POST", CHECKOUT, token, cart((scarf, 1, 2500.5))),
    }[name]
    for _ in range(WARM_UP):
        await send_to(app.asgi, request)

    counts = []
    for _ in range(ROUNDS):
        with Instructions() as instructions:
            await send_to(app.asgi, request)
        counts.append(instructions.count)

    # Background work and a cache that is read again can only add to the smallest count.
    assert min(counts) == pytest.approx(BUDGETS[name], rel=TOLERANCE), sorted(counts)
