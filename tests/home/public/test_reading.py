"""Public data over HTTP: without a token, cached, and without anything of members."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.security.rights import Role

from tests.back_office import OperatorClient, operator_client
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn
from tests.games.matches.matches import moved, written

PUBLIC = "/api/v1/public"
NO_ID = "00000000-0000-7000-8000-0000000000ff"
ARTICLES = "/api/v1/admin/articles"


@pytest.fixture
async def musa(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "musa", Role.GAME_MASTER)


@pytest.fixture
async def edith(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "edith", Role.EDITOR)


async def read(app: RunningApp, path: str, **headers: str) -> httpx.Response:
    return await app.client.get(f"{PUBLIC}/{path}", headers=headers)


async def data(app: RunningApp, path: str) -> dict[str, Any]:
    answer = await read(app, path)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


async def published(edith: OperatorClient, title: str, **more: Any) -> dict[str, Any]:
    form = {"title": title, "body": "Gates open at **three**."} | more
    article: dict[str, Any] = (await edith.post(ARTICLES, form)).json()["data"]
    answer = await edith.post(f"{ARTICLES}/{article['id']}/publish", {})
    assert answer.status_code == 200, answer.text
    return article


async def hide(app: RunningApp, club_id: UUID) -> None:
    await app.database.execute("UPDATE club SET hidden = true WHERE id = $1", club_id)


async def test_the_home_page_shows_the_club_that_plays_next_and_its_surroundings(
    app: RunningApp, musa: OperatorClient, edith: OperatorClient, member: SignedIn
) -> None:
    later = await written(
        musa, clock.now() + timedelta(days=9), home="Kano Pillars", away="Enyimba"
    )
    product = await app.stock_product()
    await published(edith, "For all")
    await published(edith, "For others", club=str(CLUB_B))
    await app.add_questions(1, kind="visitor")

    home = await data(app, "home")

    assert home["club"]["id"] == str(CLUB_A)
    assert home["club"]["members"] >= 1
    assert home["members"] >= home["club"]["members"]
    assert home["live"] == []
    assert home["next"]["id"] == later["id"]
    assert [row["title"] for row in home["news"]] == ["For all"]
    assert [row["id"] for row in home["products"]] == [str(product)]
    assert set(home["question"]) == {"id", "question", "options"}
    assert "right" not in str(home["question"]).replace("What is right", "").replace("Right", "")


async def test_a_named_club_is_shown_instead_by_id_or_name(app: RunningApp) -> None:
    assert (await data(app, f"home?club={CLUB_B}"))["club"]["id"] == str(CLUB_B)
    name = (await data(app, f"clubs/{CLUB_B}"))["name"]
    assert (await data(app, f"home?club={name.lower()}"))["club"]["id"] == str(CLUB_B)


async def test_a_running_match_shows_its_score_and_nobodys_prediction(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    fixture = await written(musa)
    sent = await member.client.put(
        f"/api/v1/predictions/{fixture['id']}", json={"home": 2, "away": 1}, headers=member.headers
    )
    assert sent.status_code == 200, sent.text
    kick_off = clock.now() - timedelta(minutes=10)
    fixture = await moved(musa, fixture, kickOffAt=kick_off.isoformat())
    await moved(musa, fixture, state="live", homeGoals=1, awayGoals=0)

    match = await data(app, f"matches/{fixture['id']}")
    home = await data(app, f"home?club={CLUB_A}")

    assert match["goals"] == {"home": 1, "away": 0}
    assert match["prediction"] is None
    assert [row["id"] for row in home["live"]] == [fixture["id"]]
    assert home["live"][0]["prediction"] is None


async def test_articles_of_every_club_are_public_once_they_are_published(
    app: RunningApp, edith: OperatorClient
) -> None:
    draft = (await edith.post(ARTICLES, {"title": "A draft", "body": "x"})).json()["data"]
    article = await published(edith, "Of the rival", club=str(CLUB_B))

    assert (await read(app, f"news/{draft['slug']}")).status_code == 404
    assert "<strong>three</strong>" in (await data(app, f"news/{article['slug']}"))["html"]


async def test_what_is_hidden_is_not_public(app: RunningApp, edith: OperatorClient) -> None:
    article = await published(edith, "Of a hidden club", club=str(CLUB_B))
    product = await app.stock_product()
    await app.database.execute("UPDATE product SET hidden = true WHERE id = $1", product)
    await hide(app, CLUB_B)

    for path in (
        f"news/{article['slug']}",
        f"products/{product}",
        f"clubs/{CLUB_B}",
        f"home?club={CLUB_B}",
    ):
        assert (await read(app, path)).status_code == 404, path


@pytest.mark.parametrize("kind", ["matches", "news", "products", "clubs"])
@pytest.mark.parametrize("name", ["nothing", NO_ID, "%00", "x" * 300, "..%2f..%2fetc"])
async def test_unknown_names_are_not_found(app: RunningApp, kind: str, name: str) -> None:
    answer = await read(app, f"{kind}/{name}")

    assert answer.status_code == 404, answer.text
    assert answer.json()["error"]["code"] in {"not_found", "product_not_found"}


async def test_everyone_may_cache_an_answer_and_ask_whether_it_changed(app: RunningApp) -> None:
    first = await read(app, f"clubs/{CLUB_A}")
    again = await read(app, f"clubs/{CLUB_A}", **{"If-None-Match": first.headers["ETag"]})

    assert first.headers["Cache-Control"] == "public, max-age=30, stale-while-revalidate=300"
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["ETag"] == first.headers["ETag"]
    assert "set-cookie" not in first.headers


async def test_without_clubs_the_home_page_is_empty(app: RunningApp) -> None:
    await hide(app, CLUB_A)
    await hide(app, CLUB_B)

    home = await data(app, "home")

    assert (home["club"], home["next"], home["live"], home["table"]) == (None, None, [], [])
