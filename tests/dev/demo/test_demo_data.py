import io
from contextlib import aclosing
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from api.app.factories import make_media_store
from api.dev.demo import covers, matches
from api.dev.demo.clubs import CLUBS, DemoClub
from api.dev.demo.ids import demo_id
from api.dev.demo.news import ARTICLES
from api.dev.demo.pictures import FOLDER, PICTURES
from api.dev.demo.plans import PLANS
from api.dev.demo.products import PRODUCTS, DemoProduct
from api.dev.seed_matches import write_matches
from api.dev.seed_news import write_news
from api.foundation.core import clock
from api.foundation.media.storage import is_key
from PIL import Image, ImageChops, ImageStat

from tests.conftest import RunningApp

MAX_PICTURE_BYTES = 4_096
MAX_COVER_BYTES = 40_000


def luminance(colour: str) -> float:
    """WCAG relative luminance of ``#rrggbb``."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("club", CLUBS, ids=lambda club: club.slug)
def test_a_clubs_two_colours_can_be_told_apart(club: DemoClub) -> None:
    assert contrast(*club.colours) >= 3


def test_the_clubs_are_the_promised_ones_in_their_competitions() -> None:
    names = {club.name: club.competition for club in CLUBS}

    assert names == {
        "Enyimba": "NPFL",
        "Rangers International": "NPFL",
        "Kano Pillars": "NPFL",
        "Remo Stars": "NPFL",
        "Arsenal": "Premier League",
        "Chelsea": "Premier League",
        "Liverpool": "Premier League",
        "Manchester United": "Premier League",
        "Street Ballers": None,
    }


def test_the_shop_has_the_two_promised_products_at_their_prices() -> None:
    prices = {product.name: product.price_kobo for product in PRODUCTS}

    assert len(prices) == len(PRODUCTS) >= 12
    assert prices["Enyimba Home Jersey 2026"] == 1_500_000
    assert prices["Club Scarf"] == 250_050


def test_the_plans_promise_what_they_open_and_the_larger_one_all_of_the_smaller() -> None:
    benefits = {plan.name: plan.benefits for plan in PLANS}

    assert benefits.keys() == {"Terrace", "Battle Pass"}
    assert benefits["Terrace"] == (
        "Two streak freezes a week",
        "Three club moments a day",
        "Terrace mark on your share cards",
    )
    assert benefits["Battle Pass"][0] == "Everything in Terrace"
    assert not any("point" in one for both in benefits.values() for one in both)


@pytest.mark.parametrize("product", PRODUCTS, ids=lambda product: product.slug)
def test_a_products_numbers_are_in_their_ranges(product: DemoProduct) -> None:
    assert product.price_kobo > 0
    assert 0 <= product.star <= 10
    assert product.stock >= 0
    assert len(product.description) > 40


def test_every_product_has_a_picture_and_every_picture_a_product() -> None:
    slugs = {product.slug for product in PRODUCTS}

    assert slugs == set(PICTURES) == {path.stem for path in FOLDER.glob("*.svg")}
    assert {product.picture.parent for product in PRODUCTS} == {FOLDER}


@pytest.mark.parametrize("slug", PICTURES)
def test_a_committed_picture_is_the_drawn_one_small_and_without_script(slug: str) -> None:
    text = Path(FOLDER / f"{slug}.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)  # noqa: S314 - our own file

    assert text == PICTURES[slug]()
    assert len(text.encode()) <= MAX_PICTURE_BYTES
    assert root.get("viewBox") == "0 0 800 800"
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        *("svg", "path", "circle", "ellipse", "text", "g", "clipPath"),
    }


def test_no_two_pictures_are_alike() -> None:
    assert len({draw() for draw in PICTURES.values()}) == len(PICTURES)


def test_every_article_has_a_cover_and_every_cover_an_article() -> None:
    slugs = [article.cover for article in ARTICLES]

    assert len(set(slugs)) == len(ARTICLES)
    assert set(slugs) == set(covers.COVERS) == {path.stem for path in covers.FOLDER.iterdir()}
    assert all(article.picture.is_file() for article in ARTICLES)


@pytest.mark.parametrize("slug", covers.COVERS)
def test_a_committed_cover_is_the_drawn_one_wide_and_small(slug: str) -> None:
    file = covers.FOLDER / f"{slug}.webp"

    with Image.open(file, formats=("WEBP",)) as picture:
        shown = picture.convert("RGB")

    assert shown.size == (1200, 675)
    assert file.stat().st_size <= MAX_COVER_BYTES
    difference = ImageStat.Stat(ImageChops.difference(shown, covers.draw(slug)))
    assert max(difference.mean) < 4  # of 255: what its encoding changes


def test_no_two_covers_are_alike() -> None:
    assert len({draw() for draw in covers.COVERS.values()}) == len(covers.COVERS)


def test_each_leagues_four_clubs_meet_twice_in_six_weekly_rounds_three_of_them_played() -> None:
    found = list(matches.matches())

    assert len(found) == 24
    assert {match.league for match in found} == {"NPFL", "Premier League"}
    assert len({(match.home, match.away) for match in found}) == 24
    for number in range(1, 7):
        played = [match for match in found if match.round == number]
        assert len({slug for match in played for slug in (match.home, match.away)}) == 8
        assert {match.after.days - 7 * (number - 4) for match in played} == {0, 2}
        assert {match.scored is not None for match in played} == {number <= 3}
    assert found == list(matches.matches())


async def test_the_demos_matches_are_those_of_the_members_clubs(app: RunningApp) -> None:
    async with app.database.transaction() as tx:
        for club in CLUBS:
            await tx.execute(
                "INSERT INTO club (id, name, colour_a, colour_b) VALUES ($1, $2, '#000000', "
                "'#FFFFFF')",
                demo_id("club", club.slug),
                f"{club.name} of the demo",
            )
        await write_matches(tx)
    people = {
        slug: await app.member(slug, club_id=demo_id("club", club))
        for slug, club in (("ada", "enyimba"), ("bello", "arsenal"), ("street", "street-ballers"))
    }

    found = {
        slug: (await member.get("/api/v1/fixtures")).json()["data"]
        for slug, member in people.items()
    }

    assert found["street"] == []
    for slug in ("ada", "bello"):
        first = next(match for match in found[slug] if match["state"] == "scheduled")
        until = datetime.fromisoformat(first["kickOffAt"]) - clock.now()
        assert timedelta(hours=46) < until <= timedelta(days=2)
        assert first["competition"]["season"] == "Demo Season 2026"
        assert first["competition"]["demo"]
        assert all(match["venue"] for match in found[slug])
        path = f"/api/v1/competitions/{first['competition']['id']}/table"
        table = (await people[slug].get(path)).json()["data"]
        assert [row["played"] for row in table] == [3, 3, 3, 3]


async def test_the_demos_articles_can_be_read_by_a_member(app: RunningApp) -> None:
    await _write_articles(app)
    ada = await app.member("ada")

    rows = (await ada.get("/api/v1/news")).json()["data"]

    assert [row["title"] for row in rows] == [article.title for article in ARTICLES]
    assert len(rows) == 6
    for row in rows:
        assert row["summary"]
        article = (await ada.get(f"/api/v1/news/{row['slug']}")).json()["data"]
        assert "<p>" in article["html"]


async def test_every_article_of_the_demo_shows_visitors_its_picture(app: RunningApp) -> None:
    await _write_articles(app)

    rows = (await app.client.get("/api/v1/public/home")).json()["data"]["news"]

    assert rows
    for row in rows:
        key = row["picture"].removeprefix("/media/")
        assert is_key(key)
        assert key.startswith("news/")
        answer = await app.client.get(row["picture"])
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/webp")
        assert len(answer.content) <= MAX_COVER_BYTES
        with Image.open(io.BytesIO(answer.content)) as picture:
            assert picture.size == (1200, 675)
    assert len({row["picture"] for row in rows}) == len(rows)


async def _write_articles(app: RunningApp) -> None:
    async with aclosing(make_media_store(app.settings)) as store, app.database.transaction() as tx:
        await write_news(tx, store)
