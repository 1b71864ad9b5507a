"""Both stores meet the same contract: the local folder, and a bucket on a real HTTP server."""

import io
import socket
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import aioboto3
import pytest
from api.app.adapters.media_local import LocalMedia
from api.app.adapters.media_s3 import Bucket, S3Media
from api.foundation.core import clock
from api.foundation.media.storage import (
    MediaStore,
    MediaUnavailableError,
    NoSuchObjectError,
    is_key,
    new_key,
)
from typing_extensions import override

BUCKET = "media"
KEYS = {"access_key": "development", "secret_key": "development-only"}


@pytest.fixture
async def bucket(s3_address: str) -> Bucket:
    session = aioboto3.Session(
        aws_access_key_id=KEYS["access_key"],
        aws_secret_access_key=KEYS["secret_key"],
        region_name="us-east-1",
    )
    async with session.client("s3", endpoint_url=s3_address) as client:
        await client.create_bucket(Bucket=BUCKET)
    return Bucket(name=BUCKET, endpoint_url=s3_address, region="us-east-1", **KEYS)


@pytest.fixture(params=["folder", "bucket"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, bucket: Bucket
) -> AsyncIterator[MediaStore]:
    made: MediaStore = LocalMedia(tmp_path) if request.param == "folder" else S3Media(bucket)
    yield made
    await made.aclose()


async def read(store: MediaStore, key: str, first: int, last: int) -> bytes:
    return b"".join([chunk async for chunk in await store.read(key, first, last)])


async def test_what_is_put_is_read_back_whole_and_in_parts(store: MediaStore) -> None:
    content = bytes(range(256)) * 1000
    key = new_key("moments", "mp4")
    source = io.BytesIO(content)
    source.read(77)  # a store reads from the start, whatever the source's position

    await store.put(key, source)

    found = await store.describe(key)
    assert (found.key, found.size_bytes) == (key, len(content))
    assert abs(clock.now() - found.stored_at) < timedelta(minutes=1)
    assert await read(store, key, 0, len(content) - 1) == content
    assert await read(store, key, 1000, 1004) == content[1000:1005]
    assert await read(store, key, len(content) - 1, len(content) - 1) == content[-1:]


async def test_what_is_deleted_is_gone_and_deleting_again_is_no_error(store: MediaStore) -> None:
    keys = [new_key("moments", "mp4"), new_key("avatars", "webp")]
    for key in keys:
        await store.put(key, io.BytesIO(b"content"))

    await store.delete(keys)
    await store.delete(keys)

    for key in keys:
        with pytest.raises(NoSuchObjectError):
            await store.describe(key)
        with pytest.raises(NoSuchObjectError):
            await store.read(key, 0, 6)


async def test_old_objects_are_listed_by_folder(store: MediaStore) -> None:
    moment, avatar = new_key("moments", "webm"), new_key("avatars", "webp")
    for key in (moment, avatar):
        await store.put(key, io.BytesIO(b"content"))

    later = clock.now() + timedelta(minutes=1)
    found = {stored.key async for stored in store.list_old("moments", later)}
    young = [stored async for stored in store.list_old("moments", clock.now() - timedelta(hours=1))]

    assert moment in found
    assert avatar not in found
    assert young == []


async def test_a_store_that_does_not_answer_is_said_to_be_away() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        store = S3Media(
            Bucket(BUCKET, f"http://127.0.0.1:{unused.getsockname()[1]}", "us-east-1", **KEYS)
        )
        with pytest.raises(MediaUnavailableError):
            await store.put(new_key("moments", "mp4"), io.BytesIO(b"content"))
        await store.aclose()


async def test_a_bucket_that_is_not_there_is_the_store_being_away(bucket: Bucket) -> None:
    store = S3Media(Bucket("nowhere", bucket.endpoint_url, "us-east-1", **KEYS))
    with pytest.raises(MediaUnavailableError):
        await store.put(new_key("moments", "mp4"), io.BytesIO(b"content"))
    await store.aclose()


async def test_a_folder_that_cannot_be_written_is_the_store_being_away(tmp_path: Path) -> None:
    (tmp_path / "moments").write_bytes(b"in the way")
    with pytest.raises(MediaUnavailableError):
        await LocalMedia(tmp_path).put(new_key("moments", "mp4"), io.BytesIO(b"content"))


async def test_a_write_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        @override
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell():
                raise OSError("gone")
            return super().read(min(4, size or 4))

    with pytest.raises(MediaUnavailableError):
        await LocalMedia(tmp_path).put(new_key("moments", "mp4"), Broken(b"content"))

    assert list((tmp_path / "moments").iterdir()) == []


async def test_what_a_crash_left_half_written_is_removed_when_it_is_old(tmp_path: Path) -> None:
    folder = tmp_path / "moments"
    folder.mkdir()
    (folder / ".unfinished-x").write_bytes(b"half")
    store = LocalMedia(tmp_path)

    later = clock.now() + timedelta(minutes=1)

    assert [stored async for stored in store.list_old("moments", later)] == []
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "key",
    [
        "../../etc/passwd",
        "moments/../../x.mp4",
        "moments/" + "a" * 32 + ".svg",
        "moments/" + "a" * 32 + ".mp4\n",
        "moments/" + "a" * 31 + ".mp4",
        "moments/" + "A" * 32 + ".mp4",
        "products/" + "a" * 32 + ".webp",
        "/etc/passwd",
        "",
    ],
)
async def test_a_path_that_is_no_key_reaches_no_file(tmp_path: Path, key: str) -> None:
    assert not is_key(key)
    with pytest.raises(NoSuchObjectError):
        await LocalMedia(tmp_path).describe(key)
