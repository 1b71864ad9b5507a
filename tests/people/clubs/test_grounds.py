"""The pictures of clubs' grounds: drawn in their colours, and served like crests."""

from xml.etree import ElementTree

import pytest
from api.dev.demo.clubs import CLUBS, DemoClub
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.people.clubs.rules import ground, ground_address

from tests.back_office import operator_client
from tests.conftest import CLUB_A, CLUB_B, RunningApp

MAX_BYTES = 4_096


async def test_a_clubs_ground_is_a_picture_that_everyone_sees_and_caches_keep(
    app: RunningApp,
) -> None:
    shown = await app.client.get(ground_address(CLUB_A))

    assert (shown.status_code, shown.headers["content-type"]) == (
        200,
        "image/svg+xml; charset=utf-8",
    )
    assert shown.headers["cache-control"].startswith("public, max-age=300")
    assert shown.headers["x-content-type-options"] == "nosniff"
    known = {"If-None-Match": shown.headers["etag"]}
    assert (await app.client.get(ground_address(CLUB_A), headers=known)).status_code == 304
    assert (await app.client.get(ground_address(CLUB_B), headers=known)).status_code == 200
    assert (await app.client.get(ground_address(new_id()))).status_code == 404
    assert (await app.client.get("/media/grounds/nope.svg")).status_code == 404


async def test_a_ground_takes_the_clubs_new_colours(app: RunningApp) -> None:
    owner = await operator_client(app, "owner", Role.OWNER)
    before = await app.client.get(ground_address(CLUB_A))

    changed = await owner.patch(
        f"/api/v1/admin/clubs/{CLUB_A}", {"version": 1, "colours": ["#123456", "#FEDCBA"]}
    )
    assert changed.status_code == 200, changed.text
    after = await app.client.get(
        ground_address(CLUB_A), headers={"If-None-Match": before.headers["etag"]}
    )

    assert after.status_code == 200
    assert "#123456" in after.text
    assert "#FEDCBA" in after.text


@pytest.mark.parametrize("club", CLUBS, ids=lambda club: club.slug)
def test_the_ground_of_a_demo_club_is_small_wide_and_without_script(club: DemoClub) -> None:
    drawn = ground(club.name, *club.colours)
    root = ElementTree.fromstring(drawn)  # noqa: S314 our own drawing

    assert len(drawn.encode()) <= MAX_BYTES
    assert root.get("viewBox") == "0 0 1200 400"
    assert root.get("aria-label") == f"{club.name} ground"
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        *("svg", "style", "path", "circle", "ellipse", "g", "clipPath", "pattern", "stop"),
        *("linearGradient", "radialGradient"),
    }


def test_no_two_demo_clubs_have_the_same_ground_whatever_their_colours() -> None:
    drawn = {ground(club.name, "#000000", "#FFFFFF").partition("<style>")[2] for club in CLUBS}

    assert len(drawn) == len(CLUBS)


def test_a_name_is_text_in_its_ground() -> None:
    drawn = ground('A "<b>" & co', "#000000", "#FFFFFF")

    assert ElementTree.fromstring(drawn).get("aria-label") == 'A "<b>" & co ground'  # noqa: S314
