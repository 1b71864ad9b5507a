"""Pictures under load: many or large pictures of one member do not delay others for long."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.http import uploads
from api.foundation.media import pictures
from api.foundation.media.pictures import Frame
from api.foundation.security.fair_queue import FairQueue
from PIL import Image, ImageFile

from tests.community.moments.forms import moment_form, picture, png_of, profile_form, sample
from tests.conftest import RunningApp, SignedIn
from tests.people.auth.letters import calling_from
from tests.shop.test_proofs import order, upload
from tests.waiting import DEADLINE_SECONDS, until

UPLOADS_PER_NETWORK: int = Settings.model_fields["limit_uploads"].default
UPDATE = "/api/v1/users/updatekyc"
HOME, ELSEWHERE = "203.0.113.7", "198.51.100.9"
MEGAPIXELS_20 = png_of(5000, 4000)  # a few hundred bytes, truncated after the first pixels
WAIT = "You have sent many large pictures. Please wait a minute and try again."
BUSY = "Your other uploads are not finished yet. Please wait a moment and try again."


async def send(
    member: SignedIn, avatar: bytes, client: httpx.AsyncClient | None = None
) -> httpx.Response:
    form = profile_form({}, avatar)
    return await (client or member.client).post(UPDATE, headers=member.headers, **form)


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The sides of the decoded pictures, in order."""
    sides: list[tuple[int, int]] = []
    load = ImageFile.ImageFile.load

    def watched(image: ImageFile.ImageFile) -> Any:
        sides.append(image.size)
        return load(image)

    monkeypatch.setattr(ImageFile.ImageFile, "load", watched)
    return sides


async def test_a_picture_above_24_megapixels_is_refused_by_its_header(
    member: SignedIn, decoded: list[tuple[int, int]]
) -> None:
    above = await send(member, png_of(6000, 4001))
    assert (above.status_code, above.json()["error"]["code"]) == (422, "huge_picture")
    assert decoded == []

    exactly = await send(member, png_of(6000, 4000))
    assert exactly.json()["error"]["code"] == "damaged_picture", "its pixels were looked for"
    assert decoded == [(6000, 4000)]


async def test_one_members_pictures_of_a_minute_have_at_most_60_megapixels(
    app: RunningApp, member: SignedIn, decoded: list[tuple[int, int]]
) -> None:
    grace = await app.member("grace")
    start = clock.now()
    with time_machine.travel(start, tick=False):
        answers = [await send(member, MEGAPIXELS_20) for _ in range(6)]
        theirs = await send(grace, picture())
    with time_machine.travel(start + timedelta(seconds=61), tick=False):
        later = await send(member, picture())

    assert [answer.status_code for answer in answers] == [422] * 3 + [429] * 3
    refused = answers[-1]
    assert refused.json()["error"]["code"] == "too_many_pictures"
    assert refused.json()["message"] == WAIT
    assert 0 < int(refused.headers["Retry-After"]) <= 61
    assert decoded[:3] == [(5000, 4000)] * 3
    assert decoded.count((5000, 4000)) == 3
    assert (theirs.status_code, later.status_code) == (200, 200)


async def test_all_that_is_decoded_for_a_member_counts_together_and_what_is_refused_does_not(
    app: RunningApp, member: SignedIn
) -> None:
    placed = await order(app, member)
    video = sample("phone.mp4")

    with time_machine.travel(clock.now(), tick=False):
        assert (await send(member, MEGAPIXELS_20)).status_code == 422
        assert (await upload(member, placed, MEGAPIXELS_20)).status_code == 422
        form = moment_form(video=video, thumbnail=png_of(5000, 3000))
        moment = await member.client.post("/api/v1/moment/create", headers=member.headers, **form)
        assert moment.status_code == 422
        assert (await upload(member, placed, MEGAPIXELS_20)).status_code == 429
        assert (await send(member, picture())).status_code == 200, "5 megapixels are left"


@contextmanager
def held_decoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[int], threading.Event]]:
    """Block the first decoding until the event; yield the widths decoded so far, in order."""
    widths: list[int] = []
    may_go_on = threading.Event()
    decode = pictures.decode

    def recorded(source: Any, frame: Frame) -> Any:
        source.seek(0)
        with Image.open(source) as opened:
            widths.append(opened.width)
        assert may_go_on.wait(DEADLINE_SECONDS)
        return decode(source, frame)

    monkeypatch.setattr(pictures, "decode", recorded)
    try:
        yield widths, may_go_on
    finally:
        may_go_on.set()


def waiting(app: RunningApp) -> int:
    queue: FairQueue = app.asgi.state.services.images._queue
    return sum(len(turns) for members in queue._parties.values() for turns in members.values())


CROWD, ONE = picture(size=(30, 30)), picture(size=(20, 20))


async def test_another_members_picture_is_next_or_second_beside_thirty_of_one_member(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "UPLOADS_PER_MEMBER", 100)
    monkeypatch.setattr(app.asgi.state.services.upload_gate, "_per_network", 100)
    hostile, ada, grace = [await app.member(name) for name in ("hostile", "ada", "grace")]
    async with (
        calling_from(app.asgi, HOME) as home,
        calling_from(app.asgi, ELSEWHERE) as away,
    ):
        with held_decoder(monkeypatch) as (widths, may_go_on):
            tasks = [asyncio.create_task(send(hostile, CROWD, home)) for _ in range(30)]
            await until(lambda: waiting(app) == 29)
            tasks.append(asyncio.create_task(send(ada, ONE, home)))
            await until(lambda: waiting(app) == 30)
            beside = asyncio.create_task(send(grace, picture(size=(10, 10)), away))
            await until(lambda: waiting(app) == 31)
            may_go_on.set()
            answers = [await task for task in (*tasks, beside)]

    assert {answer.status_code for answer in answers} == {200}
    # The first was being decoded when the others arrived. One network's turns alternate among its
    # members, and every second turn is another network's.
    assert widths[:4] == [30, 30, 10, 20]
    assert len(widths) == 32


async def test_another_networks_picture_is_next_or_second_beside_twenty_members_of_a_network(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = [await app.member(f"crowd{number}") for number in range(20)]
    ada = await app.member("ada")
    async with (
        calling_from(app.asgi, HOME) as home,
        calling_from(app.asgi, ELSEWHERE) as away,
    ):
        with held_decoder(monkeypatch) as (widths, may_go_on):
            tasks = [asyncio.create_task(send(member, CROWD, away)) for member in crowd]
            await until(lambda: waiting(app) == UPLOADS_PER_NETWORK - 1)
            tasks.append(asyncio.create_task(send(ada, ONE, home)))
            await until(lambda: waiting(app) == UPLOADS_PER_NETWORK)
            may_go_on.set()
            answers = [await task for task in tasks]

    assert {answer.status_code for answer in answers} == {200}
    assert widths.index(20) in {1, 2}
    assert len(widths) == 21


async def test_a_full_queue_makes_room_for_others_and_gives_the_budget_back(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "UPLOADS_PER_MEMBER", 100)
    monkeypatch.setattr(app.asgi.state.services.images, "_queue", FairQueue(1, 3))
    hostile, ada = await app.member("hostile"), await app.member("ada")
    with held_decoder(monkeypatch) as (_, may_go_on):
        tasks = [asyncio.create_task(send(hostile, CROWD)) for _ in range(6)]
        await until(lambda: sum(task.done() for task in tasks) == 2)
        hers = asyncio.create_task(send(ada, ONE))
        await until(lambda: sum(task.done() for task in tasks) == 3)
        may_go_on.set()
        assert (await hers).status_code == 200
        answers = [await task for task in tasks]
    row = await app.database.fetch_row(
        "SELECT max(hits) AS kilopixels FROM rate_limit WHERE bucket LIKE 'decoded-pictures:%'"
    )

    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [503] * 3
    assert row is not None
    assert row["kilopixels"] == 3


async def test_a_profile_without_a_picture_waits_for_no_slot_and_no_decoder(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = app.asgi.state.services
    monkeypatch.setattr(services.images, "_queue", FairQueue(0, 0))
    monkeypatch.setattr(services.upload_gate, "_slots", asyncio.Semaphore(0))
    monkeypatch.setattr(uploads, "TURN_SECONDS", 0.01)

    form = profile_form({"firstName": "Adaeze"})
    saved = await member.client.post(UPDATE, headers=member.headers, **form)
    refused = await send(member, picture())

    assert (saved.status_code, saved.json()["data"]["firstName"]) == (200, "Adaeze")
    assert refused.status_code == 503


class SlowUpload:
    """A form with a picture whose last bytes are sent on demand."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()

    @property
    def headers(self) -> dict[str, str]:
        return {"Content-Type": "multipart/form-data; boundary=edge"}

    async def body(self) -> AsyncIterator[bytes]:
        yield b'--edge\r\nContent-Disposition: form-data; name="avatar"; filename="a"\r\n\r\n'
        yield ONE[:100]
        await self.may_end.wait()
        yield ONE[100:] + b"\r\n--edge--\r\n"


@asynccontextmanager
async def slow_uploads(
    client: httpx.AsyncClient, members: list[SignedIn]
) -> AsyncIterator[tuple[SlowUpload, list[asyncio.Task[httpx.Response]]]]:
    form = SlowUpload()
    tasks = [
        asyncio.create_task(
            client.post(UPDATE, headers=member.headers | form.headers, content=form.body())
        )
        for member in members
    ]
    try:
        yield form, tasks
    finally:
        form.may_end.set()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_member_has_two_upload_slots_and_a_network_sixteen_of_sixty_four(
    app: RunningApp,
) -> None:
    assert (uploads.UPLOADS_PER_MEMBER, UPLOADS_PER_NETWORK) == (2, 16)
    assert uploads.UPLOADS_AT_ONCE == 64
    crowd = [await app.member(f"crowd{number}") for number in range(9)]
    ada, gate = await app.member("ada"), app.asgi.state.services.upload_gate
    async with (
        calling_from(app.asgi, HOME) as home,
        calling_from(app.asgi, ELSEWHERE) as away,
        slow_uploads(away, [*crowd[:8], *crowd]) as (form, tasks),
    ):
        await until(lambda: gate._running.total() == 17)
        third = await send(crowd[0], ONE, away)
        hers = await send(ada, ONE, home)
        late = tasks[-1]

        assert gate._slots._value == 64 - 16, "the last of the network waits"
        assert not late.done()
        assert (third.status_code, third.json()["message"]) == (429, BUSY)
        assert third.headers["Retry-After"] == "5"
        assert hers.status_code == 200
        form.may_end.set()
        answers = [await task for task in tasks]

    assert {answer.status_code for answer in answers} == {200}
    assert gate._running.total() == 0
