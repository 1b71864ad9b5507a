"""The whole app with its media in a bucket instead of a folder."""

from collections.abc import AsyncIterator
from datetime import timedelta

import aioboto3
import pytest
import time_machine
from api.app.worker import MEDIA_OWNERS
from api.community.moments.repository import moments
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.media.sweeping import sweep_orphans
from pydantic import SecretStr

from tests.community.moments.forms import moment_form, picture, profile_form, video_of
from tests.community.moments.test_moments import create, posts, remove
from tests.conftest import RunningApp, open_running_app

SECRET = "development-only"


@pytest.fixture
async def cloudy(
    settings: Settings, s3_address: str, _empty_tables: None
) -> AsyncIterator[RunningApp]:
    name = f"media-{new_id()}"  # simulated buckets belong to the whole process
    session = aioboto3.Session("development", SECRET, region_name="us-east-1")
    async with session.client("s3", endpoint_url=s3_address) as client:
        await client.create_bucket(Bucket=name)
    bucket = {
        "s3_bucket": name,
        "s3_endpoint_url": s3_address,
        "s3_access_key": SecretStr("development"),
        "s3_secret_key": SecretStr(SECRET),
    }
    async with open_running_app(settings.model_copy(update=bucket)) as app:
        yield app


async def test_a_moment_is_posted_watched_in_parts_and_removed(cloudy: RunningApp) -> None:
    member = await cloudy.member()
    video = video_of(4_194_304)

    posted = await create(member, moment_form(video=video, thumbnail=picture()))

    assert posted.status_code == 201
    moment = posted.json()["data"]
    whole = await cloudy.client.get(moment["video"])
    part = await cloudy.client.get(moment["video"], headers={"Range": "bytes=100-299"})
    assert len(whole.content) == len(video)
    assert whole.headers["content-type"] == "video/mp4"
    assert (part.status_code, part.content) == (206, whole.content[100:300])
    assert (await remove(member, moment["id"])).status_code == 200
    assert (await cloudy.client.get(moment["video"])).status_code == 404
    assert (await cloudy.client.get(moment["thumbnail"])).status_code == 404


async def test_an_avatar_is_replaced_and_what_no_row_names_is_swept(cloudy: RunningApp) -> None:
    member = await cloudy.member()
    paths = []
    for kind in ("JPEG", "PNG"):
        answer = await member.client.post(
            "/api/v1/users/updatekyc", headers=member.headers, **profile_form({}, picture(kind))
        )
        paths.append(answer.json()["data"]["avatar"])
    assert [(await cloudy.client.get(path)).status_code for path in paths] == [404, 200]
    kept = (await create(member)).json()["data"]
    orphaned = (await create(member)).json()["data"]
    async with cloudy.database.transaction() as tx:
        await moments.delete_moment(tx, orphaned["id"], member.id)

    with time_machine.travel(clock.now() + timedelta(hours=2)):
        removed = await sweep_orphans(
            cloudy.database, cloudy.asgi.state.services.media_store, MEDIA_OWNERS
        )

    assert removed == {"avatars": 0, "crests": 0, "moments": 2, "news": 0, "shop": 0, "proofs": 0}
    assert [moment["id"] for moment in await posts(member)] == [kept["id"]]
    assert (await cloudy.client.get(kept["video"])).status_code == 200
    assert (await cloudy.client.get(orphaned["video"])).status_code == 404


@pytest.mark.usefixtures("_empty_tables")
async def test_a_bucket_that_is_away_is_an_answer_and_no_crash(settings: Settings) -> None:
    nowhere = {
        "s3_bucket": "media",
        "s3_endpoint_url": "http://127.0.0.1:9",
        "s3_access_key": SecretStr("development"),
        "s3_secret_key": SecretStr(SECRET),
    }
    async with open_running_app(settings.model_copy(update=nowhere)) as app:
        member = await app.member()

        posted = await create(member)
        watched = await app.client.get(f"/media/moments/{'0' * 32}.mp4")

        assert posted.status_code == 503
        assert watched.status_code == 503
        assert await posts(member) == []
