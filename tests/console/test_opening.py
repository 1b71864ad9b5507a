"""``python -m api.console add-club`` and ``apply`` as an operator runs them."""

import asyncio
import os
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest
from api.console import opening as console
from api.console.opening import LARGEST_PICTURE_BYTES

from tests.conftest import CLUB_A, RunningApp
from tests.console.command_line import acts, run
from tests.console.example import copy_example

TABLES = ("club", "season", "battle_rank", "plan", "product")


async def counts(app: RunningApp) -> dict[str, int]:
    """Return the number of rows in the tables of an opening."""
    return {
        table: await app.database.fetch_value(f"SELECT count(*) FROM {table}") for table in TABLES
    }


@pytest.fixture
def opening(tmp_path: Path) -> Path:
    """A modifiable copy of the example."""
    return copy_example(tmp_path)


async def apply(app: RunningApp, path: Path, *options: str) -> tuple[int, list[str], list[object]]:
    """Apply a file; return the exit code, the lines and the audit."""
    media = str(app.settings.var_dir)
    answer = await run("apply", path, *options, url=app.settings.database_url, VAR_DIR=media)
    recorded = [dict(act) for act in acts(answer)] if answer.returncode == 0 else []
    return answer.returncode, answer.stdout.splitlines(), [*recorded]


def change(path: Path, *changes: tuple[str, str]) -> None:
    """Replace the first occurrence of each text, which must exist."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


async def refusal(app: RunningApp, path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Apply a file that is rejected, in this process; return the lines."""
    capsys.readouterr()
    options = Namespace(path=path, dry_run=False)
    assert not await console.apply(app.settings, options)
    return capsys.readouterr().out.splitlines()


async def test_the_example_adds_what_is_missing_and_a_second_time_nothing(
    app: RunningApp, opening: Path
) -> None:
    before = await counts(app)

    dry = await apply(app, opening, "--dry-run")
    after_dry = await counts(app)
    first = await apply(app, opening)
    second = await apply(app, opening)

    assert dry[0] == 0
    assert dry[1][:2] == [
        "legal Harbour Rovers Football Club Limited: would be added",
        "club Harbour Rovers: would be added",
    ]
    assert dry[1][-1] == "This was a dry run. Nothing was written."
    assert after_dry == before
    assert first[1] == [
        "legal Harbour Rovers Football Club Limited: added",
        "club Harbour Rovers: added",
        "club Northgate United: added",
        "season First season: added",
        "plan Battle Pass: added",
        "product Harbour Rovers Scarf: added",
        "6 added, 0 stood already and are as before.",
    ]
    assert first[2] == [
        {"action": "apply", "legal": 1, "club": 2, "season": 1, "plan": 1, "product": 1}
    ]
    assert second == (0, ["0 added, 6 stood already and are as before."], [])
    added = {"club": 2, "season": 1, "battle_rank": 3, "plan": 1, "product": 1}
    assert await counts(app) == {table: before[table] + added[table] for table in TABLES}


async def test_what_was_added_is_on_the_members_screens(app: RunningApp, opening: Path) -> None:
    member = await app.member("ada")
    await apply(app, opening)

    clubs = (await app.client.get("/api/v1/clubs")).json()["data"]
    rovers = next(club for club in clubs if club["name"] == "Harbour Rovers")
    assert (rovers["cc_name"], rovers["colours"]) == ("Coast League", ["#0B4EA2", "#FFFFFF"])
    (plan,) = (await member.get("/api/v1/subscription")).json()["data"]
    assert (plan["plan"], plan["amount"], plan["battleZone"]) == ("Battle Pass", 1500, True)
    (scarf,) = (await app.client.get("/api/v1/products", headers=member.headers)).json()["data"]
    assert (scarf["name"], scarf["price"], scarf["available"]) == (
        "Harbour Rovers Scarf",
        4500,
        99,
    )
    for picture in (scarf["image"], scarf["thumbnail"]):
        answer = await app.client.get(picture)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/webp")
    assert scarf["image"] != scarf["thumbnail"]


async def test_what_stands_is_not_changed(app: RunningApp, opening: Path) -> None:
    await apply(app, opening)
    change(
        opening,
        ("naira = 1500", "naira = 9000"),
        ("stock = 120", "stock = 1"),
        ("1 Stadium Road", "2 Stadium Road"),
    )

    code, lines, _ = await apply(app, opening)

    assert (code, lines) == (0, ["0 added, 6 stood already and are as before."])
    assert "1 Stadium Road, Lagos" in (await app.client.get("/legal/terms")).text
    assert await app.database.fetch_value("SELECT amount_kobo FROM plan") == 150_000
    assert await app.database.fetch_value("SELECT stock FROM product_variant") == 120


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('name = "Northgate United"', 'name = "Harbour Rovers"', "the file: two clubs have"),
        ('"#A50E2D"', '"red"', "clubs.1.colours.0: A colour is written as"),
        ("naira = 1500", "naira = 15.005", "plans.0.naira"),
        ("effective = 2026-12-01", 'effective = "soon"', "legal.effective"),
        ('phone = "+234 800 000 0000"', "", "legal.phone"),
        ('"privacy@example.com"', '"nobody"', "legal.email"),
        ('period = "month"', 'period = "moon"', "plans.0.period"),
        ('"Battle Zone every day"', '"Battle Zone, every day"', "plans.0.benefits.0"),
        ("stock = 120", "stock = -1", "products.0.stock"),
        ('name = "Harbour Rovers"', 'name = "Public"', "clubs.0.name: This name is taken"),
        ('name = "Northgate United"', 'name = "HARBOUR rovers"', "the file: two clubs have"),
        ('name = "Northgate United"', r'name = "North\u202Egate"', "clubs.1.name: a name is one"),
        ('name = "Battle Pass"', r'name = "Battle\u2066 Pass"', "plans.0.name: a name is one line"),
        ('Rovers Scarf"', r'Rovers\u200B Scarf"', "products.0.name: a name is one line"),
        (
            'name = "First season"',
            r'name = "First\u202E season"',
            "season.name: a name is one",
        ),
        ("[[plans]]", "[[planz]]", "planz"),
        ("[season]", "[season", "Expected"),
        ('"scarf.png"', '"/dev/zero"', "products.0.picture: a picture lies beside the file"),
        ('"scarf.png"', '"../opening/scarf.png"', "products.0.picture: a picture lies beside"),
        ('"scarf.png"', r'"a\u0000b.png"', "products.0.picture"),
        ('picture = "scarf.png"', "picture = " + "[" * 5000, "It is nested too deeply."),
    ],
)
async def test_a_file_with_a_fault_is_refused_whole(
    app: RunningApp,
    opening: Path,
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    complaint: str,
) -> None:
    before = await counts(app)
    change(opening, (old, new))

    lines = await refusal(app, opening, capsys)

    assert any(complaint in line for line in lines), lines
    assert await counts(app) == before


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\x89PNG\r\n\x1a\nbroken"])
async def test_a_picture_that_is_none_refuses_the_file(
    app: RunningApp, opening: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    before = await counts(app)
    (opening.parent / "scarf.png").write_bytes(content)

    lines = await refusal(app, opening, capsys)

    assert lines[0].startswith(str(opening.parent / "scarf.png"))
    assert await counts(app) == before


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (Path.unlink, "There is no such file."),
        (as_folder, "This is no file."),
        (as_pipe, "This is no file."),
        (lambda path: path.write_bytes(b""), "This file is empty."),
        (lambda path: os.truncate(path, LARGEST_PICTURE_BYTES + 1), "The picture is too large."),
    ],
)
async def test_what_is_no_file_with_a_picture_is_said_in_a_sentence(
    app: RunningApp, opening: Path, spoil: Callable[[Path], object], said: str
) -> None:
    before = await counts(app)
    spoil(opening.parent / "scarf.png")

    code, lines, _ = await apply(app, opening)

    assert (code, lines) == (1, [f"{opening.parent / 'scarf.png'}: {said}"])
    assert await counts(app) == before


async def test_a_season_across_another_refuses_everything(
    app: RunningApp, opening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await app.open_season()
    before, folder = await counts(app), app.settings.var_dir / "media" / "shop"
    pictures = set(folder.glob("*"))

    lines = await refusal(app, opening, capsys)

    assert "overlaps" in lines[0]
    assert lines[0].endswith("Nothing was written.")
    assert await counts(app) == before
    assert set(folder.glob("*")) == pictures


async def test_two_at_once_add_everything_once_and_leave_no_picture_behind(
    app: RunningApp, opening: Path
) -> None:
    folder = app.settings.var_dir / "media" / "shop"
    pictures = set(folder.glob("*"))

    answers = await asyncio.gather(apply(app, opening), apply(app, opening))

    assert [code for code, _, _ in answers] == [0, 0]
    after = await counts(app)
    assert (after["plan"], after["product"], after["season"]) == (1, 1, 1)
    assert len(set(folder.glob("*")) - pictures) == 2


async def test_a_club_is_added_by_its_name_alone(app: RunningApp) -> None:
    url = app.settings.database_url

    added = await run("add-club", "Lagoon City", url=url)
    again = await run("add-club", "Lagoon City", url=url)
    in_capitals = await run("add-club", "LAGOON CITY", url=url)
    turned = await run("add-club", "Lagoon\u202e City", url=url)
    dressed = await run(
        "add-club",
        "Hill Town",
        "--competition",
        "Hills",
        "--colours",
        "#aa0000",
        "#ffffff",
        url=url,
    )
    refused = await run("add-club", "Public", url=url)

    assert (added.returncode, added.stdout) == (0, "Lagoon City: added.\n")
    assert acts(added) == [{"action": "add_club", "club": "Lagoon City"}]
    assert (again.returncode, again.stdout) == (
        1,
        "There is a club named Lagoon City already.\n",
    )
    assert (in_capitals.returncode, in_capitals.stdout) == (
        1,
        "There is a club named LAGOON CITY already.\n",
    )
    assert (turned.returncode, turned.stdout) == (
        1,
        "name: a name is one line, without characters that do not show\n",
    )
    assert dressed.returncode == 0
    assert refused.returncode == 1
    listed = (await app.client.get("/api/v1/clubs")).json()["data"]
    found = {club["name"]: (club["cc_name"], club["colours"][0]) for club in listed}
    assert found["Lagoon City"][0] is None
    assert found["Hill Town"] == ("Hills", "#AA0000")
    assert str(CLUB_A) in {club["id"] for club in listed}
