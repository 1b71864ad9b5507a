"""Articles, from the draft to publication and withdrawal."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
import time_machine
from api.app.worker import MEDIA_OWNERS
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.media.sweeping import sweep_orphans
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.moments.forms import picture
from tests.conftest import RunningApp, SignedIn

ARTICLES = f"{ADMIN}/articles"
NEWS = "/api/v1/news"
DRAFT = {"title": "Derby on Saturday", "body": "Gates open at **three**."}


@pytest.fixture
async def edith(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "edith", Role.EDITOR)


def reason_of(answer: httpx.Response) -> tuple[int, str, Any]:
    return answer.status_code, answer.json()["error"]["code"], answer.json()["data"]


async def drafted(operator: OperatorClient, **changes: Any) -> dict[str, Any]:
    answer = await operator.post(ARTICLES, DRAFT | changes)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def publish(operator: OperatorClient, article: dict[str, Any], **body: Any) -> httpx.Response:
    return await operator.post(f"{ARTICLES}/{article['id']}/publish", body)


async def withdraw(operator: OperatorClient, article: dict[str, Any]) -> httpx.Response:
    return await operator.post(f"{ARTICLES}/{article['id']}/withdraw")


async def slugs(member: SignedIn, query: str = "") -> list[str]:
    answer = await member.get(NEWS + query)
    assert answer.status_code == 200, answer.text
    return [row["slug"] for row in answer.json()["data"]]


async def actions(app: RunningApp) -> list[str]:
    rows = await app.database.fetch_rows("SELECT action FROM audit_entry ORDER BY id")
    return [row["action"] for row in rows]


async def test_a_draft_is_the_back_offices_alone(
    app: RunningApp, edith: OperatorClient, member: SignedIn
) -> None:
    article = await drafted(edith)

    assert (article["state"], article["slug"]) == ("draft", "derby-on-saturday")
    assert article["html"] == "<p>Gates open at <strong>three</strong>.</p>\n"
    assert await slugs(member) == []
    assert (await member.get(f"{NEWS}/derby-on-saturday")).status_code == 404
    read = await edith.get(f"{ARTICLES}/{article['id']}")
    assert read.json()["data"] == article
    assert (await edith.get(f"{ARTICLES}/{new_id()}")).status_code == 404
    assert await actions(app) == ["create"]


async def test_a_published_article_is_read_by_every_member(
    app: RunningApp, edith: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    article = await drafted(edith)

    done = await publish(edith, article)

    assert (done.status_code, done.json()["data"]["state"]) == (200, "published")
    (row,) = (await rival.get(NEWS)).json()["data"]
    assert row == {
        "slug": "derby-on-saturday",
        "title": "Derby on Saturday",
        "summary": "Gates open at three.",
        "picture": None,
        "club": None,
        "publishedAt": done.json()["data"]["publishAt"],
    }
    read = (await member.get(f"{NEWS}/derby-on-saturday")).json()["data"]
    assert read == row | {"html": article["html"]}
    assert (await app.client.get(NEWS)).status_code == 401


async def test_an_article_of_a_club_is_for_its_members(
    app: RunningApp, edith: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    own = await drafted(edith, club="enyimba")
    for_all = await drafted(edith, title="For all")
    for article in (own, for_all):
        await publish(edith, article)

    assert (own["club"], own["clubId"]) == ("Enyimba", str(member.club_id))
    assert await slugs(member) == ["for-all", "derby-on-saturday"]
    assert await slugs(rival) == ["for-all"]
    assert (await member.get(f"{NEWS}/{own['slug']}")).json()["data"]["club"] == "Enyimba"
    assert (await rival.get(f"{NEWS}/{own['slug']}")).status_code == 404
    assert (await rival.get(f"{NEWS}?before={own['slug']}")).status_code == 404
    unknown = await edith.post(ARTICLES, DRAFT | {"club": "Nobody"})
    assert (unknown.status_code, list(unknown.json()["error"]["fields"])) == (422, ["club"])


async def test_a_scheduled_article_goes_out_by_the_clock(
    app: RunningApp, edith: OperatorClient, member: SignedIn
) -> None:
    article, at = await drafted(edith), clock.now() + timedelta(minutes=10)

    scheduled = await publish(edith, article, publishAt=at.isoformat())

    assert scheduled.json()["data"]["state"] == "scheduled"
    assert await slugs(member) == []
    assert (await member.get(f"{NEWS}/{article['slug']}")).status_code == 404
    rows = (await edith.get(f"{ARTICLES}?state=scheduled")).json()["data"]["rows"]
    assert [row["id"] for row in rows] == [article["id"]]
    waiting = (await edith.get(f"{ADMIN}/today")).json()["data"]["waiting"]
    assert waiting["articlesToday"] == (clock.lagos_day(at) == clock.lagos_day(clock.now()))
    with time_machine.travel(at + timedelta(seconds=1), tick=True):
        assert await slugs(member) == [article["slug"]]
        assert (await member.get(f"{NEWS}/{article['slug']}")).status_code == 200
        read = (await edith.get(f"{ARTICLES}/{article['id']}")).json()["data"]
        assert read["state"] == "published"
        assert (await edith.get(f"{ARTICLES}?state=scheduled")).json()["data"]["rows"] == []
        assert reason_of(await publish(edith, article)) == (
            409,
            "wrong_state",
            {"status": "published"},
        )


async def test_a_draft_that_names_its_time_is_scheduled_for_it_once(
    app: RunningApp, edith: OperatorClient, member: SignedIn
) -> None:
    at = clock.now() + timedelta(days=1)
    article = await drafted(edith, publishAt=at.isoformat())

    first, second = [await publish(edith, article) for _ in range(2)]
    now = await publish(edith, article, publishAt=clock.now().isoformat())

    assert first.json()["data"]["state"] == "scheduled"
    assert reason_of(second) == (409, "wrong_state", {"status": "scheduled"})
    assert now.json()["data"]["state"] == "published"
    assert await slugs(member) == [article["slug"]]


@pytest.mark.parametrize(
    "at", [1_800_000_000, "1800000000", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"]
)
async def test_an_article_is_planned_for_a_moment_that_can_be_reckoned_with(
    app: RunningApp, edith: OperatorClient, at: object
) -> None:
    article = await drafted(edith)
    path = f"{ARTICLES}/{article['id']}"

    answers = [
        await edith.post(ARTICLES, {"title": "Derby", "publishAt": at}),
        await edith.patch(path, {"version": 1, "publishAt": at}),
        await publish(edith, article, publishAt=at),
    ]

    assert [answer.status_code for answer in answers] == [422] * 3
    assert [list(answer.json()["error"]["fields"]) for answer in answers] == [["publishAt"]] * 3


async def test_a_text_that_becomes_too_much_is_refused_and_nothing_is_kept(
    app: RunningApp, edith: OperatorClient
) -> None:
    article = await drafted(edith)
    path, body = (
        f"{ARTICLES}/{article['id']}",
        "a|" * 100 + "\n" + "-|" * 100 + "\n" + "a|\n" * 6000,
    )

    answers = [
        await edith.post(f"{ARTICLES}/preview", {"body": body}),
        await edith.post(ARTICLES, {"title": "Derby", "body": body}),
        await edith.patch(path, {"version": 1, "body": body}),
    ]

    assert [answer.status_code for answer in answers] == [422] * 3
    assert [list(answer.json()["error"]["fields"]) for answer in answers] == [["body"]] * 3
    assert [row["id"] for row in (await edith.get(ARTICLES)).json()["data"]["rows"]] == [
        article["id"]
    ]


async def test_of_ten_who_publish_at_once_one_does(live_server: RunningApp) -> None:
    edith = await operator_client(live_server, "edith", Role.EDITOR)
    article = await drafted(edith)

    answers = await asyncio.gather(*(publish(edith, article) for _ in range(10)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert await actions(live_server) == ["create", "publish"]


async def test_publishing_again_under_a_key_answers_the_same(
    app: RunningApp, edith: OperatorClient
) -> None:
    path = f"{ARTICLES}/{(await drafted(edith))['id']}/publish"

    answers = [await edith.post(path, {}, key="publish-it-once") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert await actions(app) == ["create", "publish"]


async def test_a_withdrawn_article_is_gone_and_comes_back_under_its_slug(
    app: RunningApp, edith: OperatorClient, member: SignedIn
) -> None:
    article = await drafted(edith)
    early = await withdraw(edith, article)
    await publish(edith, article)

    gone = await withdraw(edith, article)

    assert reason_of(early) == (409, "wrong_state", {"status": "draft"})
    assert gone.json()["data"]["state"] == "withdrawn"
    assert await slugs(member) == []
    assert (await member.get(f"{NEWS}/{article['slug']}")).status_code == 404
    assert reason_of(await withdraw(edith, article)) == (
        409,
        "wrong_state",
        {"status": "withdrawn"},
    )
    version = gone.json()["data"]["version"]
    path = f"{ARTICLES}/{article['id']}"
    await edith.patch(path, {"version": version, "title": "Another title"})
    assert (await publish(edith, article)).json()["data"]["state"] == "published"
    assert await slugs(member) == ["derby-on-saturday"]


async def test_the_slug_follows_the_title_until_the_article_was_out(
    app: RunningApp, edith: OperatorClient
) -> None:
    article = await drafted(edith)
    path = f"{ARTICLES}/{article['id']}"

    renamed = (await edith.patch(path, {"version": 1, "title": "Derby moved"})).json()["data"]
    scheduled = await publish(
        edith, article, publishAt=(clock.now() + timedelta(hours=1)).isoformat()
    )
    again = (await edith.patch(path, {"version": 3, "title": "Derby off"})).json()["data"]
    with time_machine.travel(clock.now() + timedelta(minutes=70), tick=True):
        operator = await operator_client(app, "ella", Role.EDITOR)
        out = (await operator.patch(path, {"version": 4, "title": "Derby on"})).json()["data"]

    assert renamed["slug"] == "derby-moved"
    assert scheduled.json()["data"]["version"] == 3
    assert again["slug"] == "derby-off"
    assert (out["title"], out["slug"], out["version"]) == ("Derby on", "derby-off", 5)


async def test_two_articles_of_one_title_have_their_own_slugs(live_server: RunningApp) -> None:
    edith = await operator_client(live_server, "edith", Role.EDITOR)

    articles = await asyncio.gather(*(drafted(edith) for _ in range(8)))

    base = "derby-on-saturday"
    expected = [base, *(f"{base}-{number}" for number in range(2, 9))]
    assert sorted(article["slug"] for article in articles) == sorted(expected)


async def test_an_article_is_changed_by_who_has_read_it_as_it_is(live_server: RunningApp) -> None:
    edith = await operator_client(live_server, "edith", Role.EDITOR)
    path = f"{ARTICLES}/{(await drafted(edith, club='Arsenal'))['id']}"

    answers = await asyncio.gather(
        *(edith.patch(path, {"version": 1, "body": f"Text {n}"}) for n in range(10))
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert {one.json()["error"]["code"] for one in answers if one.status_code == 409} == {"stale"}
    cleared = (await edith.patch(path, {"version": 2, "club": None})).json()["data"]
    assert (cleared["club"], cleared["title"]) == (None, "Derby on Saturday")
    assert cleared["body"].startswith("Text ")


async def test_the_time_of_a_scheduled_article_moves_and_stays_to_come(
    app: RunningApp, edith: OperatorClient
) -> None:
    article, day = await drafted(edith), timedelta(days=1)
    path = f"{ARTICLES}/{article['id']}"
    await publish(edith, article, publishAt=(clock.now() + day).isoformat())

    moved = await edith.patch(
        path, {"version": 2, "publishAt": (clock.now() + 2 * day).isoformat()}
    )
    none = await edith.patch(path, {"version": 3, "publishAt": None})
    past = await edith.patch(path, {"version": 3, "publishAt": (clock.now() - day).isoformat()})

    assert moved.status_code == 200
    assert (none.status_code, past.status_code) == (422, 422)
    await withdraw(edith, article)
    assert (await publish(edith, article)).json()["data"]["state"] == "published"
    late = await edith.patch(path, {"version": 5, "publishAt": None})
    assert reason_of(late) == (409, "wrong_state", {"status": "published"})


@pytest.mark.parametrize(
    "change",
    [
        {"title": ""},
        {"title": "x" * 121},
        {"title": "two\nlines"},
        {"title": "turned \u202e"},
        {"body": "x" * 20_001},
        {"body": "a\u0000b"},
        {"publishAt": "tomorrow"},
        {"publishAt": "2027-01-01T12:00:00"},
        {"club": ""},
        {"state": "published"},
        {"slug": "mine"},
    ],
)
async def test_an_article_that_does_not_fit_is_refused(
    app: RunningApp, edith: OperatorClient, change: dict[str, Any]
) -> None:
    answer = await edith.post(ARTICLES, DRAFT | change)

    assert answer.status_code == 422, answer.text
    assert await actions(app) == []


async def test_a_preview_keeps_nothing(app: RunningApp, edith: OperatorClient) -> None:
    answer = await edith.post(f"{ARTICLES}/preview", {"body": "# Hi <script>x</script>"})

    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == {"html": "<h2>Hi &lt;script&gt;x&lt;/script&gt;</h2>\n"}
    assert await app.database.fetch_row("SELECT FROM article") is None
    assert await actions(app) == []


async def test_news_come_newest_first_and_page_by_page(
    app: RunningApp, edith: OperatorClient, member: SignedIn
) -> None:
    for number in range(5):
        club = "Enyimba" if number % 2 else None
        await publish(edith, await drafted(edith, title=f"News {number}", club=club))

    first = await slugs(member, "?limit=2")
    second = await slugs(member, f"?limit=2&before={first[-1]}")
    third = await slugs(member, f"?limit=2&before={second[-1]}")

    assert [*first, *second, *third] == [f"news-{number}" for number in (4, 3, 2, 1, 0)]
    page = (await edith.get(f"{ARTICLES}?limit=3&state=published")).json()["data"]
    rest = (await edith.get(f"{ARTICLES}?limit=3&before={page['next']}")).json()["data"]
    assert [len(page["rows"]), len(rest["rows"]), rest["next"]] == [3, 2, None]


async def put_picture(
    operator: OperatorClient, article: dict[str, Any], content: bytes, key: str | None = None
) -> httpx.Response:
    headers = operator.headers | ({"Idempotency-Key": key} if key else {})
    return await operator.client.post(
        f"{ARTICLES}/{article['id']}/picture",
        files={"file": ("x.jpg", content, "image/jpeg")},
        headers=headers,
    )


def stored_pictures(app: RunningApp) -> list[Path]:
    return sorted((app.settings.var_dir / "media" / "news").rglob("*.webp"))


async def test_a_picture_is_written_anew_shown_and_replaced(
    app: RunningApp, edith: OperatorClient, member: SignedIn
) -> None:
    before = set(stored_pictures(app))
    article = await drafted(edith)
    await publish(edith, article)

    first = await put_picture(edith, article, picture())
    shown = (await member.get(NEWS)).json()["data"][0]["picture"]
    second = await put_picture(edith, article, picture(), key="the-second-picture")
    again = await put_picture(edith, article, picture(), key="the-second-picture")

    assert first.status_code == 201, first.text
    assert shown == first.json()["data"]["picture"]
    assert shown.startswith("/media/news/")
    assert again.json() == second.json()
    assert (await app.client.get(shown)).status_code == 404
    kept = await app.client.get(second.json()["data"]["picture"])
    assert (kept.status_code, kept.headers["content-type"]) == (200, "image/webp")
    assert len(set(stored_pictures(app)) - before) == 1
    await sweep_orphans(app.database, app.asgi.state.services.media_store, MEDIA_OWNERS)
    assert (await app.client.get(second.json()["data"]["picture"])).status_code == 200


async def test_what_is_no_picture_is_refused_and_nothing_is_kept(
    app: RunningApp, edith: OperatorClient
) -> None:
    before, article = set(stored_pictures(app)), await drafted(edith)

    text = await put_picture(edith, article, b"<svg onload=alert(1)>")
    large = await put_picture(edith, article, b"x" * (2_097_152 + 1))
    missing = await put_picture(edith, {"id": str(UUID(int=1))}, picture())

    assert [one.status_code for one in (text, large, missing)] == [415, 413, 404]
    assert set(stored_pictures(app)) == before
    assert await actions(app) == ["create"]
