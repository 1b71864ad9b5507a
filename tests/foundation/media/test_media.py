"""Serving media: ranges, caching, and headers that keep a file a file."""

import io
import secrets

import httpx
import pytest
from api.foundation.http.refusals import MEDIA_POLICY
from api.foundation.media.storage import new_key

from tests.conftest import RunningApp

CONTENT = secrets.token_bytes(200_000)
LAST = len(CONTENT) - 1


@pytest.fixture
async def path(app: RunningApp) -> str:
    key = new_key("moments", "mp4")
    await app.asgi.state.services.media_store.put(key, io.BytesIO(CONTENT))
    return f"/media/{key}"


async def fetch(app: RunningApp, path: str, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await app.client.get(path, headers=named)


async def test_a_file_comes_whole_with_headers_that_keep_it_a_file(
    app: RunningApp, path: str
) -> None:
    answer = await fetch(app, path)

    assert answer.status_code == 200
    assert answer.content == CONTENT
    headers = answer.headers
    assert headers["content-type"] == "video/mp4"
    assert headers["content-length"] == str(len(CONTENT))
    assert headers["accept-ranges"] == "bytes"
    assert headers["cache-control"] == "private, no-cache"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == MEDIA_POLICY
    assert headers["content-disposition"].startswith("inline; filename=")


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("bytes=0-", 0, LAST),
        ("bytes=0-0", 0, 0),
        ("bytes=0-1", 0, 1),
        ("bytes=1000-70000", 1000, 70_000),
        ("bytes=199999-", LAST, LAST),
        ("bytes=100-9999999999", 100, LAST),
        ("bytes=-1", LAST, LAST),
        ("bytes=-500", LAST - 499, LAST),
        ("bytes=-9999999999", 0, LAST),
    ],
)
async def test_a_range_comes_as_a_part(
    app: RunningApp, path: str, asked: str, first: int, last: int
) -> None:
    answer = await fetch(app, path, range=asked)

    assert answer.status_code == 206
    assert answer.headers["content-range"] == f"bytes {first}-{last}/{len(CONTENT)}"
    assert answer.headers["content-length"] == str(last - first + 1)
    assert answer.content == CONTENT[first : last + 1]


@pytest.mark.parametrize("asked", ["bytes=200000-", "bytes=300000-400000", "bytes=-0"])
async def test_a_range_beyond_the_end_is_told_the_size(
    app: RunningApp, path: str, asked: str
) -> None:
    answer = await fetch(app, path, range=asked)

    assert answer.status_code == 416
    assert answer.headers["content-range"] == f"bytes */{len(CONTENT)}"


@pytest.mark.parametrize(
    "asked",
    [
        "bytes=5-1",
        "bytes=-",
        "bytes=a-b",
        "items=0-1",
        "bytes=0-1,5-9",
        "bytes=" + "9" * 400 + "-",
        "bytes=" + ",".join(f"{n}-{n}" for n in range(100)),
    ],
)
async def test_a_range_we_do_not_know_means_all_of_it(
    app: RunningApp, path: str, asked: str
) -> None:
    answer = await fetch(app, path, range=asked)

    assert answer.status_code == 200
    assert answer.content == CONTENT


async def test_a_known_file_is_not_sent_again_and_a_part_of_another_is_sent_whole(
    app: RunningApp, path: str
) -> None:
    etag = (await fetch(app, path)).headers["etag"]

    known = await fetch(app, path, if_none_match=f'"other", {etag}')
    same = await fetch(app, path, range="bytes=0-9", if_range=etag)
    other = await fetch(app, path, range="bytes=0-9", if_range='"other"')

    assert (known.status_code, known.content) == (304, b"")
    assert same.status_code == 206
    assert (other.status_code, len(other.content)) == (200, len(CONTENT))


async def test_only_its_headers_come_when_only_those_are_asked_for(
    app: RunningApp, path: str
) -> None:
    answer = await app.client.head(path, headers={"Range": "bytes=0-9"})

    assert (answer.status_code, answer.content) == (206, b"")
    assert answer.headers["content-length"] == "10"


async def test_nothing_else_of_the_folder_is_served_and_nothing_can_be_written(
    app: RunningApp, path: str
) -> None:
    folder = app.settings.var_dir / "media"
    (folder / "moments" / ".unfinished-x").write_bytes(b"secret")
    (folder / "moments" / "page.html").write_bytes(b"<script>")
    (folder / "products").mkdir(exist_ok=True)
    (folder / "products" / "scarf.svg").write_bytes(b"<svg/>")

    for name in (
        "moments/.unfinished-x",
        "moments/page.html",
        "moments/",
        "moments",
        "avatars/../moments/page.html",
        "moments/%2e%2e/moments/page.html",
        "moments/" + "0" * 32 + ".mp4",
    ):
        assert (await app.client.get(f"/media/{name}")).status_code == 404
    assert (await app.client.post(path)).status_code == 405
    assert (await app.client.delete(path)).status_code == 405
    product = await app.client.get("/media/products/scarf.svg")
    assert (product.status_code, product.content) == (200, b"<svg/>")


async def test_avatars_may_be_kept_by_shared_caches_for_ever(app: RunningApp) -> None:
    key = new_key("avatars", "webp")
    await app.asgi.state.services.media_store.put(key, io.BytesIO(b"picture"))

    answer = await fetch(app, f"/media/{key}")

    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "image/webp"
