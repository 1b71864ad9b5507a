"""Guessing an operator's password delays the guesser's networks, never the operator's."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.security.one_time_codes import code_at
from api.foundation.security.rights import Role
from api.people.operators.rules import REFUSED_SIGN_INS

from tests.back_office import ADMIN, appoint
from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.people.auth.letters import calling_from

HOME, CAFE = "203.0.113.7", "203.0.113.8"


class Doorway:
    """The back office's sign-in, from any network, for one operator."""

    def __init__(
        self, app: RunningApp, member: SignedIn, secret: str, stack: AsyncExitStack
    ) -> None:
        self.app, self.member, self._secret, self._stack = app, member, secret, stack
        self._clients: dict[str, httpx.AsyncClient] = {}

    async def right(self, address: str) -> httpx.Response:
        """Sign in with the correct password and code."""
        return await self._sign_in(address, PASSWORD, code_at(self._secret, clock.now()))

    async def wrong(self, address: str, *, email: str | None = None) -> httpx.Response:
        """Sign in with a wrong password and code."""
        return await self._sign_in(address, "a guess", "000000", email)

    async def _sign_in(
        self, address: str, password: str, code: str, email: str | None = None
    ) -> httpx.Response:
        if address not in self._clients:
            calling = calling_from(self.app.asgi, address)
            self._clients[address] = await self._stack.enter_async_context(calling)
        body = {"email": email or self.member.email, "password": password, "code": code}
        return await self._clients[address].post(f"{ADMIN}/sign-in", json=body)


@pytest.fixture
async def gate(app: RunningApp, member: SignedIn) -> AsyncIterator[Doorway]:
    _, secret = await appoint(app, member, Role.OWNER)
    async with AsyncExitStack() as stack:
        yield Doorway(app, member, secret, stack)


def later(**ahead: float) -> time_machine.travel:
    """Return a context that moves the clock ahead from the current time."""
    return time_machine.travel(clock.now() + timedelta(**ahead), tick=True)


def is_delayed(answer: httpx.Response) -> bool:
    if answer.status_code != 429:
        return False
    assert answer.json()["error"]["code"] == "sign_in_delayed"
    assert 0 < int(answer.headers["Retry-After"]) <= 60
    return True


async def test_after_five_failures_a_network_waits_at_most_a_minute_per_attempt(
    gate: Doorway,
) -> None:
    wrong = [await gate.wrong(CAFE) for _ in range(5)]
    assert [one.status_code for one in wrong] == [400] * 5

    assert is_delayed(await gate.right(CAFE))
    assert (await gate.wrong(CAFE, email="other@example.com")).status_code == 400
    with later(seconds=61):
        assert (await gate.wrong(CAFE)).status_code == 400
        assert is_delayed(await gate.wrong(CAFE))
    with later(seconds=123):
        assert (await gate.right(CAFE)).status_code == 200
        assert (await gate.wrong(CAFE)).status_code == 400, "a success resets the count"


async def test_failures_expire_after_fifteen_minutes(
    gate: Doorway,
) -> None:
    for _ in range(5):
        await gate.wrong(CAFE)
    with later(minutes=15, seconds=5):
        assert [(await gate.wrong(CAFE)).status_code for _ in range(4)] == [400] * 4


async def test_one_account_has_one_count_however_its_email_is_written(
    gate: Doorway,
) -> None:
    email = gate.member.email
    spellings = [email, email.upper(), f" {email}", email.title(), f"{email} "]
    for spelling in spellings:
        assert (await gate.wrong(CAFE, email=spelling)).status_code == 400

    assert is_delayed(await gate.wrong(CAFE, email=email.swapcase()))


async def test_forty_at_once_are_counted_before_they_are_judged(gate: Doorway) -> None:
    answers = await asyncio.gather(*(gate.wrong(CAFE) for _ in range(40)))

    assert sorted(answer.status_code for answer in answers) == [400] * 5 + [429] * 35


async def test_correct_credentials_from_a_known_network_are_never_refused(
    gate: Doorway,
) -> None:
    assert (await gate.right(HOME)).status_code == 200
    for number in range(60):
        await gate.wrong(f"198.51.100.{number}")
    for _ in range(12):
        await gate.wrong(HOME)

    assert is_delayed(await gate.wrong(HOME))
    with later(seconds=31):
        assert (await gate.right(HOME)).status_code == 200


async def test_guesses_from_many_networks_delay_new_ones_and_are_noticed(
    gate: Doorway,
) -> None:
    counter = gate.app.asgi.state.services.metrics.security_events
    for number in range(51):
        assert (await gate.wrong(f"198.51.100.{number}")).status_code == 400
    assert counter.labels("operator_sign_in_delayed")._value.get() == 0

    assert is_delayed(await gate.right(CAFE)), "also the first try of a new network"
    assert is_delayed(await gate.right(CAFE))
    assert counter.labels("operator_sign_in_delayed")._value.get() > 0
    assert (await gate.wrong(CAFE, email="other@example.com")).status_code == 400
    with later(seconds=61):
        assert (await gate.right(CAFE)).status_code == 200, "a minute later it is judged"
    with later(seconds=92):
        assert (await gate.right(CAFE)).status_code == 200, "and the network is known"


async def test_a_flood_does_not_lengthen_the_wait_of_a_new_network(
    gate: Doorway,
) -> None:
    for number in range(60):
        await gate.wrong(f"198.51.100.{number}")
    assert is_delayed(await gate.right(CAFE))
    with later(seconds=30):
        for number in range(100, 130):
            assert is_delayed(await gate.wrong(f"198.51.100.{number}"))
    with later(seconds=61):
        assert (await gate.right(CAFE)).status_code == 200


async def test_a_network_is_known_for_thirty_days(
    gate: Doorway,
) -> None:
    assert (await gate.right(HOME)).status_code == 200
    with later(days=29):
        for _ in range(6):
            await gate.wrong(HOME)
        assert (await gate.right(HOME)).status_code == 200
    with later(days=60):
        for _ in range(6):
            await gate.wrong(HOME)
        assert is_delayed(await gate.right(HOME))


async def test_an_attempt_that_was_not_checked_is_not_counted(
    gate: Doorway, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasher = gate.app.asgi.state.services.auth.hasher

    async def break_off(*_: object) -> bool:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(type(hasher), "verify", break_off)
        broken = [await gate.wrong(CAFE) for _ in range(60)]
    assert {answer.status_code for answer in broken} == {500}

    assert [(await gate.wrong(CAFE)).status_code for _ in range(5)] == [400] * 5
    assert is_delayed(await gate.wrong(CAFE))


async def test_a_flood_of_wrong_sign_ins_on_a_network_keeps_no_operator_out(
    gate: Doorway,
) -> None:
    limiter = gate.app.asgi.state.services.limiter
    limiter._settings = {REFUSED_SIGN_INS.name: 3}
    answers = [await gate.wrong(HOME, email=f"nobody{number}@example.com") for number in range(5)]
    delayed = [await gate.wrong(HOME, email="somebody@example.com") for _ in range(7)][-1]
    right = await gate.right(HOME)
    limiter._settings = {}

    assert [answer.status_code for answer in answers] == [400] * 3 + [429] * 2
    assert is_delayed(delayed)
    assert right.status_code == 200
