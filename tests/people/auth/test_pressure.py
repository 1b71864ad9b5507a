"""Many unauthenticated callers, and their timing: members can sign in, and nothing is revealed."""

import asyncio
import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from api.foundation.core.ids import new_id
from api.foundation.security.passwords import HashingTurn, LaneName, PasswordHasher
from api.people.auth.service import passwords
from typing_extensions import override

from tests.conftest import CLUB_A, RunningApp, client_of
from tests.people.auth.letters import calling_from
from tests.waiting import DEADLINE_SECONDS

CALLERS = 40
OF_SIGNING_IN = {LaneName.SIGN_IN, LaneName.RETURNING}


def form(number: int) -> dict[str, Any]:
    return {
        "firstName": "Bello",
        "lastName": "Musa",
        "email": f"flood{number}@example.com",
        "phone": f"080{number:08d}",
        "password": "a good password",
        "club": str(CLUB_A),
        "tnc": True,
    }


Call = tuple[str, Callable[[int], dict[str, Any]]]
RESET: Call = (
    "/password/reset",
    lambda _: {"userId": str(new_id()), "code": "123456", "password": "long and unusual"},
)
SIGN_UP: Call = ("/signup", form)
CODE: Call = ("/signup/validate-token", lambda _: {"userId": str(new_id()), "code": "123456"})
FORGOT_OTHERS: Call = ("/password/forgot", lambda number: {"email": f"no{number}@example.com"})
FORGOT_HERS: Call = ("/password/forgot", lambda _: {"email": "ada@example.com"})


class WatchedHasher(PasswordHasher):
    """Counts hashes by lane; those not for signing in wait for ``may_go_on``."""

    def __init__(self) -> None:
        super().__init__(memory_kib=8)
        self.hashed: Counter[LaneName] = Counter()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    @override
    async def _run(self, turn: HashingTurn, work: Callable[..., Any], *arguments: Any) -> Any:
        def watched() -> Any:
            self.hashed[turn.lane] += 1
            if turn.lane not in OF_SIGNING_IN:
                assert self.may_go_on.wait(60)
            return work(*arguments)

        return await super()._run(turn, watched)


@pytest.fixture
def hasher(live_server: RunningApp) -> Iterator[WatchedHasher]:
    watched = WatchedHasher()
    object.__setattr__(live_server.asgi.state.services.auth, "hasher", watched)
    yield watched
    watched.may_go_on.set()
    watched.close()


@pytest.mark.parametrize(
    "calls",
    [(SIGN_UP,), (RESET, SIGN_UP, CODE, FORGOT_OTHERS, FORGOT_HERS)],
    ids=["sign-ups", "every door but sign-in"],
)
async def test_forty_callers_who_are_stuck_at_other_doors_do_not_keep_a_member_from_signing_in(
    live_server: RunningApp, hasher: WatchedHasher, calls: tuple[Call, ...]
) -> None:
    await live_server.member("ada")
    numbers = itertools.count()
    hasher.hashed.clear()
    hasher.may_go_on.clear()
    async with client_of(live_server.base_url, timeout=60) as crowd:

        async def post(call: Call) -> int:
            path, body = call
            answer = await crowd.post(f"/api/v1{path}", json=body(next(numbers)))
            return answer.status_code

        posting = [
            asyncio.create_task(post(calls[number % len(calls)])) for number in range(CALLERS)
        ]
        async with asyncio.timeout(DEADLINE_SECONDS):
            while not hasher.hashed:  # noqa: ASYNC110 threads set no event
                await asyncio.sleep(0.01)

        signed_in = [await live_server.sign_in("ada@example.com") for _ in range(3)]

        stuck = sum(not task.done() for task in posting)
        hasher.may_go_on.set()
        statuses = set(await asyncio.gather(*posting))

    assert [answer.status_code for answer in signed_in] == [200] * 3
    assert stuck > 0
    assert statuses <= {200, 201, 400, 404, 409, 429, 503}


async def test_guesses_at_a_reset_hash_nothing(
    live_server: RunningApp, hasher: WatchedHasher
) -> None:
    path, body = RESET

    answers = [
        await live_server.client.post(f"/api/v1{path}", json=body(each)) for each in range(3)
    ]

    assert {answer.status_code for answer in answers} == {400}
    assert not hasher.hashed


async def test_a_forgotten_password_is_answered_before_anybody_looks_whose_it_is(
    live_server: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    await live_server.member("ada")
    may_check, checked = asyncio.Event(), []
    send = passwords.send_reset_code

    async def check_late(context: Any, email: str, caller: Any) -> None:
        await may_check.wait()
        checked.append(email)
        await send(context, email, caller)

    monkeypatch.setattr(passwords, "send_reset_code", check_late)
    emails = ["ada@example.com", "nobody@example.com"]

    answers = [
        await live_server.client.post("/api/v1/password/forgot", json={"email": email})
        for email in emails
    ]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert checked == []
    may_check.set()
    await live_server.settle()
    assert sorted(checked) == emails


async def test_a_refused_sign_in_hashes_as_much_for_a_member_a_sign_up_and_nobody(
    live_server: RunningApp, hasher: WatchedHasher
) -> None:
    await live_server.member("ada")
    await live_server.client.post("/api/v1/signup", json=form(7))

    async def hashed_for(email: str) -> Counter[LaneName]:
        hasher.hashed.clear()
        answer = await live_server.sign_in(email, "not the password")
        assert answer.status_code == 400
        return Counter(hasher.hashed)

    unknown = await hashed_for("nobody@example.com")

    assert unknown.total() > 0
    assert await hashed_for("flood7@example.com") == unknown
    assert (await hashed_for("ada@example.com")).total() == unknown.total()


async def test_the_answer_to_a_forgotten_password_has_one_form(live_server: RunningApp) -> None:
    await live_server.member("ada")
    await live_server.client.post("/api/v1/signup", json=form(7))

    async def handle(email: str, address: str = "203.0.113.7") -> str:
        async with calling_from(live_server.asgi, address) as client:
            answer = await client.post("/api/v1/password/forgot", json={"email": email})
        assert answer.json()["message"] == "If this email has an account, a code is on its way."
        found: str = answer.json()["data"]["userId"]
        return found

    emails = ["ada@example.com", "nobody@example.com", "flood7@example.com"]
    handles = [await handle(email) for email in emails]

    assert handles == [await handle(email.upper(), "203.0.113.8") for email in emails]
    assert len(set(handles)) == 3
    assert {one[14] for one in handles} == {"4"}
    ada = live_server.members["ada"]
    assert str(ada.id) not in handles
