"""Moments over HTTP: posting, listing, watching, deleting, and the remains of a crash."""

import asyncio
import io
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.app.worker import MEDIA_OWNERS
from api.community.moments.repository import moments
from api.community.moments.service.posting import MAX_MOMENTS
from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.media.storage import MediaUnavailableError
from api.foundation.media.sweeping import sweep_orphans
from PIL import Image

from tests.community.moments.forms import (
    GOOD_VIDEOS,
    good_form,
    moment_form,
    picture,
    replaced,
    sample,
    video_of,
)
from tests.conftest import RunningApp, SignedIn

CREATE = "/api/v1/moment/create"
TOO_LARGE = "File size exceeds 4MB. Please upload a smaller file."


async def create(
    member: SignedIn, form: dict[str, Any] | None = None, *, key: str | None = None
) -> httpx.Response:
    headers = member.headers | ({"Idempotency-Key": key} if key else {})
    return await member.client.post(CREATE, headers=headers, **(form or good_form()))


async def posts(member: SignedIn) -> list[dict[str, Any]]:
    answer = await member.get(f"/api/v1/moment/post/user/{member.id}")
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def remove(member: SignedIn, moment_id: str) -> httpx.Response:
    return await member.client.delete(
        f"/api/v1/moment/post/delete/{moment_id}", headers=member.headers
    )


def stored(app: RunningApp, folder: str = "moments") -> list[Path]:
    return sorted((app.settings.var_dir / "media" / folder).glob("*"))


@pytest.fixture(autouse=True)
def _empty_store(app: RunningApp) -> None:
    for folder in ("moments", "avatars"):
        for path in stored(app, folder):
            path.unlink()


async def test_a_posted_moment_is_listed_newest_first_and_can_be_watched(
    app: RunningApp, member: SignedIn
) -> None:
    first = await create(member, good_form(content=" Last minute! ", userId=str(member.id)))
    second = await create(member, moment_form(video=sample("vp8.webm"), thumbnail=picture("PNG")))

    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["message"] == "Your moment has been uploaded successfully."
    newest, oldest = await posts(member)
    assert oldest == first.json()["data"]
    assert newest == second.json()["data"]
    assert oldest["title"] == "The goal"
    assert oldest["content"] == "Last minute!"
    assert oldest["userId"] == str(member.id)
    assert (oldest["videoType"], newest["videoType"]) == ("video/mp4", "video/webm")
    video = await app.client.get(newest["video"])
    assert (video.status_code, video.headers["content-type"]) == (200, "video/webm")
    poster = await app.client.get(oldest["thumbnail"])
    assert (poster.status_code, poster.headers["content-type"]) == (200, "image/webp")
    assert len(stored(app)) == 4


async def test_what_is_stored_is_called_nothing_that_the_sender_said(
    app: RunningApp, member: SignedIn
) -> None:
    for name in (
        "../../etc/passwd",
        "a\x00b.mp4",
        "x\r\nSet-Cookie: y.mp4",
        "\u202egpj.exe",
        "n" * 300,
    ):
        form = moment_form(video=sample("phone.mp4"), thumbnail=picture(), video_name=name)
        assert (await create(member, form)).status_code == 201

    for path in stored(app):
        stem, _, ending = path.name.partition(".")
        assert len(stem) == 32
        assert ending in {"mp4", "webp"}
        int(stem, 16)


async def test_a_claimed_type_decides_nothing(member: SignedIn) -> None:
    form = moment_form(video=sample("vp8.webm"), thumbnail=picture("WEBP"), video_type="text/html")

    answer = await create(member, form)

    assert answer.json()["data"]["videoType"] == "video/webm"


@pytest.mark.parametrize("codec", [b"hvc1", b"hev1", b"av01", b"vp08", b"vp09"])
async def test_mp4s_of_every_codec_that_browsers_play_are_taken(
    member: SignedIn, codec: bytes
) -> None:
    video = replaced(sample("phone.mp4"), b"avc1", codec)

    answer = await create(member, moment_form(video=video, thumbnail=picture()))

    assert (answer.status_code, answer.json()["data"]["videoType"]) == (201, "video/mp4")


async def test_a_video_of_exactly_four_megabytes_passes_and_one_byte_more_does_not(
    app: RunningApp, member: SignedIn
) -> None:
    exactly = await create(member, moment_form(video=video_of(4_194_304), thumbnail=picture()))
    above = await create(member, moment_form(video=video_of(4_194_305), thumbnail=picture()))

    assert exactly.status_code == 201
    assert above.status_code == 413
    assert above.json()["message"] == TOO_LARGE
    assert len(await posts(member)) == 1
    assert len(stored(app)) == 2


async def test_a_thumbnail_above_one_megabyte_is_refused(member: SignedIn) -> None:
    noise = picture("BMP", (700, 500))
    assert len(noise) > 1024 * 1024

    answer = await create(member, moment_form(video=sample("phone.mp4"), thumbnail=noise))

    assert answer.status_code == 413
    assert answer.json()["error"]["fields"].keys() == {"thumbnail"}


async def test_a_large_picture_is_960_pixels_wide_at_most(
    app: RunningApp, member: SignedIn
) -> None:
    form = moment_form(video=sample("phone.mp4"), thumbnail=picture("JPEG", (1600, 900)))
    path = (await create(member, form)).json()["data"]["thumbnail"]

    served = await app.client.get(path)

    assert Image.open(io.BytesIO(served.content)).size == (960, 540)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        (moment_form(video=sample("phone.mp4")), "Please select both a thumbnail and a video."),
        (moment_form(thumbnail=picture()), "Please select both a thumbnail and a video."),
        (
            moment_form(video=b"", thumbnail=picture()),
            "Please select both a thumbnail and a video.",
        ),
        (good_form(title="   "), "Please enter a title for the post."),
        (good_form(title=""), "Please enter a title for the post."),
    ],
)
async def test_what_is_missing_is_said_in_the_specs_words(
    member: SignedIn, form: dict[str, Any], sentence: str
) -> None:
    answer = await create(member, form)

    assert answer.status_code == 422
    assert answer.json()["message"] == sentence


async def test_a_line_break_counts_once_though_forms_send_two_characters(
    member: SignedIn,
) -> None:
    posted = await create(member, good_form(content="x\r\n" * 999 + "yz"))
    longer = await create(member, good_form(content="x\r\n" * 999 + "yzz"))

    assert posted.status_code == 201
    assert posted.json()["data"]["content"] == "x\n" * 999 + "yz"
    assert longer.status_code == 422


async def test_a_form_for_another_member_is_not_found(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    assert (await create(member, good_form(userId=str(rival.id)))).status_code == 404
    assert (await create(member, good_form(userId="1"))).status_code == 404
    assert stored(app) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "t" * 121},
        {"content": "c" * 2001},
        {"title": "a\x00b"},
        {"id": "1"},
        {"created_at": "2020-01-01"},
        {"user_id": "1"},
    ],
)
async def test_texts_that_do_not_fit_and_parts_we_do_not_know_are_refused(
    member: SignedIn, fields: dict[str, str]
) -> None:
    assert (await create(member, good_form(**fields))).status_code == 422


async def test_the_same_key_answers_the_same_and_stores_nothing_twice(
    app: RunningApp, member: SignedIn
) -> None:
    first = await create(member, key="moment-key-1")
    again = await create(member, key="moment-key-1")
    other = await create(member, good_form(title="Another"), key="moment-key-1")

    assert first.json() == again.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert other.status_code == 422
    assert len(await posts(member)) == 1
    assert len(stored(app)) == 2


async def test_the_same_key_twice_at_once_posts_once(live_server: RunningApp) -> None:
    member = await live_server.member()

    answers = await asyncio.gather(*(create(member, key="moment-race") for _ in range(2)))

    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert len(await posts(member)) == 1


async def test_a_third_upload_of_one_member_at_once_is_told_to_wait(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()

    answers = await asyncio.gather(*(create(member) for _ in range(6)))

    statuses = [answer.status_code for answer in answers]
    assert statuses.count(201) >= 2
    assert set(statuses) <= {201, 429}
    assert len(await posts(member)) == statuses.count(201)


async def test_nobody_sees_or_removes_anothers_moments(member: SignedIn, rival: SignedIn) -> None:
    moment = (await create(member)).json()["data"]

    assert (await rival.get(f"/api/v1/moment/post/user/{member.id}")).status_code == 404
    assert (await remove(rival, moment["id"])).status_code == 404
    assert (await remove(member, "no-id")).status_code == 404
    assert await posts(rival) == []
    assert len(await posts(member)) == 1


async def test_a_removed_moment_is_gone_with_its_files(app: RunningApp, member: SignedIn) -> None:
    moment = (await create(member)).json()["data"]

    removed = await remove(member, moment["id"])

    assert removed.status_code == 200
    assert removed.json()["message"] == "Your content has been fetched successfully."
    assert await posts(member) == []
    assert stored(app) == []
    assert (await app.client.get(moment["video"])).status_code == 404
    assert (await remove(member, moment["id"])).status_code == 404


async def test_of_two_removals_at_once_one_finds_the_moment(live_server: RunningApp) -> None:
    member = await live_server.member()
    moment = (await create(member)).json()["data"]

    answers = await asyncio.gather(*(remove(member, moment["id"]) for _ in range(2)))

    assert sorted(answer.status_code for answer in answers) == [200, 404]


async def test_who_is_watching_sees_a_removed_video_to_its_end(live_server: RunningApp) -> None:
    member = await live_server.member()
    form = moment_form(video=video_of(4_194_304), thumbnail=picture())
    moment = (await create(member, form)).json()["data"]

    async with live_server.client.stream("GET", moment["video"]) as video:
        chunks = video.aiter_raw()
        received = len(await anext(chunks))
        assert (await remove(member, moment["id"])).status_code == 200
        async for chunk in chunks:
            received += len(chunk)

    assert received == 4_194_304


async def test_a_full_shelf_takes_no_more_and_keeps_no_files(
    app: RunningApp, member: SignedIn
) -> None:
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO moment (id, user_id, title, content, thumbnail_key, video_key, "
            "video_type, video_bytes) SELECT gen_random_uuid(), $1, 'Old', '', "
            "'t' || n, 'v' || n, 'video/mp4', 1 FROM generate_series(1, $2) n",
            member.id,
            MAX_MOMENTS,
        )

    answer = await create(member)

    assert answer.status_code == 409
    assert stored(app) == []


async def test_a_row_that_cannot_be_written_takes_its_files_with_it(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("the row")

    monkeypatch.setattr(moments, "insert_moment", fail)

    assert (await create(member, key="moment-fails")).status_code == 500
    assert stored(app) == []
    monkeypatch.undo()
    assert (await create(member, key="moment-fails")).status_code == 201


async def test_a_store_that_is_away_is_said_so_and_leaves_no_row(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = app.asgi.state.services.media_store
    put = store.put

    async def fail_on_videos(key: str, source: Any) -> None:
        if key.endswith(".mp4"):
            raise MediaUnavailableError
        await put(key, source)

    monkeypatch.setattr(store, "put", fail_on_videos)

    answer = await create(member)

    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert await posts(member) == []
    assert stored(app) == []


async def test_the_sweep_removes_old_files_that_no_row_names_and_nothing_else(
    app: RunningApp, member: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = (await create(member)).json()["data"]

    async def lose_connection(*_: object) -> None:
        raise DatabaseUnavailableError

    monkeypatch.setattr(moments, "insert_moment", lose_connection)
    assert (await create(member)).status_code == 503
    monkeypatch.undo()
    assert len(stored(app)) == 4
    assert await sweep(app) == {
        "avatars": 0,
        "crests": 0,
        "moments": 0,
        "news": 0,
        "shop": 0,
        "proofs": 0,
    }
    old = (clock.now() - timedelta(hours=2)).timestamp()
    for path in stored(app):
        os.utime(path, (old, old))

    removed = await sweep(app)

    assert removed == {"avatars": 0, "crests": 0, "moments": 2, "news": 0, "shop": 0, "proofs": 0}
    assert (await app.client.get(kept["video"])).status_code == 200
    assert (await app.client.get(kept["thumbnail"])).status_code == 200


async def test_one_worker_sweeps_at_a_time(app: RunningApp) -> None:
    other = await app.database.connect_alone()
    try:
        await other.fetchval("SELECT pg_advisory_lock(7226331140)")
        assert await sweep(app) == {}
    finally:
        await other.close()
    assert await sweep(app) == {
        "avatars": 0,
        "crests": 0,
        "moments": 0,
        "news": 0,
        "shop": 0,
        "proofs": 0,
    }


async def sweep(app: RunningApp) -> dict[str, int]:
    return await sweep_orphans(app.database, app.asgi.state.services.media_store, MEDIA_OWNERS)


@pytest.mark.parametrize("name", GOOD_VIDEOS)
async def test_a_video_says_nothing_but_its_pictures_and_sound(
    app: RunningApp, member: SignedIn, name: str
) -> None:
    form = moment_form(video=sample(name), thumbnail=picture())
    moment = (await create(member, form)).json()["data"]

    served = (await app.client.get(moment["video"])).content

    assert len(served) == len(sample(name))
    assert b"canary" not in served
    assert b"+06.5244" not in served


async def test_a_track_of_places_is_emptied_while_pictures_and_captions_stay(
    app: RunningApp, member: SignedIn
) -> None:
    captioned = sample("captioned.mp4")
    placed = captioned.replace(b"sbtl", b"meta")
    assert b"canary-of-a-track" in captioned
    assert placed != captioned

    served = []
    for video in (captioned, placed):
        answer = await create(member, moment_form(video=video, thumbnail=picture()))
        served.append((await app.client.get(answer.json()["data"]["video"])).content)

    assert b"canary-of-a-track" in served[0]
    assert b"canary-of-a-track" not in served[1]
    assert served[0].count(b"trak") == 2
    assert served[1].count(b"trak") == 1


def test_the_samples_do_carry_what_must_not_be_served() -> None:
    assert b"+06.5244" in sample("faststart-tagged.mp4")
    assert b"canary" in sample("faststart-tagged.mp4")
    assert b"canary" in sample("vp9-tagged.webm")


async def test_no_token_no_upload(app: RunningApp) -> None:
    answer = await app.client.post(CREATE, **good_form())

    assert answer.status_code == 401
    assert answer.json()["message"] == "User token is required."
