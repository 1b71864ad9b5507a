"""The demo's shared moments, as a member of the club sees them."""

from api.dev.demo.ids import demo_id
from api.dev.demo.moments import FOLDER, MOMENTS
from api.dev.seed import seed_empty_database
from api.foundation.media.mp4 import looks_like_mp4
from api.foundation.media.webm import check_webm, looks_like_webm
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, SignedIn

MAX_CLIP_BYTES = 50_000
ENYIMBA = [one for one in MOMENTS if one.clip.startswith("enyimba")]


def test_every_clip_would_be_taken_as_an_upload_is_small_and_is_used() -> None:
    used = {path.name for moment in MOMENTS for path in (moment.video, moment.poster)}
    assert used == {path.name for path in FOLDER.iterdir()}
    for moment in MOMENTS:
        size = moment.video.stat().st_size
        assert size <= MAX_CLIP_BYTES
        with moment.video.open("rb") as video:
            head = video.read(12)
            assert looks_like_webm(head)
            assert not looks_like_mp4(head)
            check_webm(video, size)


async def test_adas_club_sees_its_moments_with_pictures_videos_and_applause(
    app: RunningApp, owner: AsyncEngine
) -> None:
    async with owner.begin() as connection:
        await connection.execute(text("DELETE FROM club"))
    await seed_empty_database(app.settings)
    email, club_id = "ada@example.com", demo_id("club", "enyimba")
    token = (await app.sign_in(email)).json()["data"]["access_token"]
    ada = SignedIn(demo_id("user", "ada"), club_id, email, token, app.client)

    shown = (await ada.get("/api/v1/moment/feed")).json()["data"]

    assert [one["title"] for one in shown] == [moment.title for moment in ENYIMBA]
    assert [one["by"]["firstName"] for one in shown] == ["Chioma", "Emeka"]
    assert [one["applause"] for one in shown] == [len(moment.applauded_by) for moment in ENYIMBA]
    assert not any(one["mine"] or one["applauded"] for one in shown)
    for one, moment in zip(shown, ENYIMBA, strict=True):
        video = await ada.client.get(one["video"])
        assert (video.status_code, video.content) == (200, moment.video.read_bytes())
        assert one["videoBytes"] == len(video.content)
        poster = await ada.client.get(one["thumbnail"])
        assert (poster.headers["content-type"], poster.content) == (
            "image/webp",
            moment.poster.read_bytes(),
        )
