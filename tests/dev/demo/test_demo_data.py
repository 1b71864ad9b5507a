from pathlib import Path
from xml.etree import ElementTree

import pytest
from api.dev.demo.clubs import CLUBS, DemoClub
from api.dev.demo.pictures import FOLDER, PICTURES
from api.dev.demo.products import PRODUCTS, DemoProduct

MAX_PICTURE_BYTES = 4_096


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
    root = ElementTree.fromstring(text)  # noqa: S314 - a file of our own

    assert text == PICTURES[slug]()
    assert len(text.encode()) <= MAX_PICTURE_BYTES
    assert root.get("viewBox") == "0 0 800 800"
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        *("svg", "path", "circle", "ellipse", "text", "g", "clipPath"),
    }


def test_no_two_pictures_are_alike() -> None:
    assert len({draw() for draw in PICTURES.values()}) == len(PICTURES)
