"""``python -m api.console set-season`` as an operator runs it."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from api.foundation.core import clock

from tests.conftest import RunningApp
from tests.console.command_line import acts, run


def written(folder: Path, *, begins_in_days: int = 3, **changes: Any) -> Path:
    """Write a season's file, with lines replaced."""
    begins = clock.now().replace(microsecond=0) + timedelta(days=begins_in_days)
    lines = {
        "name": '"Next"',
        "starts_at": begins.isoformat(),
        "ends_at": (begins + timedelta(days=90)).isoformat(),
        "point_per_question": "10",
        "question_time_limit": "15",
        "questions_per_day": "5",
    } | {name: str(value) for name, value in changes.items() if name != "ranks"}
    ranks = changes.get("ranks", (("rookie", 50), ("super-fan", 120)))
    path = folder / "season.toml"
    path.write_text(
        "\n".join(f"{name} = {value}" for name, value in lines.items())
        + "".join(
            f'\n[[ranks]]\nrank = "{rank}"\nthreshold_point = {threshold}'
            for rank, threshold in ranks
        ),
        encoding="utf-8",
    )
    return path


async def test_a_season_is_written_shown_and_changed(app: RunningApp, tmp_path: Path) -> None:
    url, member = app.settings.database_url, await app.member("ada")

    first = await run("set-season", written(tmp_path), url=url)
    again = await run("set-season", written(tmp_path, questions_per_day=7), url=url)

    assert (first.returncode, first.stdout) == (0, "Next: written, 2 ranks.\n"), first.stderr
    assert (again.returncode, again.stdout) == (0, "Next: changed, 2 ranks.\n")
    assert [acts(answer) for answer in (first, again)] == [
        [{"action": "set_season", "season": "Next", "is_new": is_new}] for is_new in (True, False)
    ]
    audited = await app.database.fetch_rows(
        "SELECT action, target_id, after_state FROM audit_entry ORDER BY id"
    )
    assert [dict(row) for row in audited] == [
        {"action": "set_season", "target_id": "Next", "after_state": {"is_new": is_new}}
        for is_new in (True, False)
    ]
    config = (await member.get("/api/v1/battle-ground-config")).json()["data"]
    assert (config["name"], config["questions_per_day"]) == ("Next", 7)
    assert config["state"] == "upcoming"
    ranks = (await member.get("/api/v1/battlezone-rank-config")).json()["data"]
    assert [rank["rank"] for rank in ranks] == ["rookie", "super-fan"]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"ranks": (("rookie", 50), ("super-fan", 50))}, "two ranks have the same threshold_point"),
        ({"ranks": (("rookie", 50), ("rookie", 60))}, "two ranks have the same rank"),
        ({"ranks": (("king-of-fans", 50),)}, "king-of-fans is above the last rank"),
        ({"ranks": ()}, "ranks: This field is required"),
        ({"question_time_limit": 1}, "question_time_limit"),
        ({"points": 5}, "points"),
        ({"starts_at": '"soon"'}, "starts_at"),
        ({"ends_at": "2020-01-01T00:00:00+01:00"}, "the season ends before it starts"),
        ({"name": ""}, "season.toml"),
    ],
)
async def test_a_season_that_makes_no_sense_is_refused_with_its_reason(
    app: RunningApp, tmp_path: Path, changes: dict[str, Any], complaint: str
) -> None:
    refused = await run("set-season", written(tmp_path, **changes), url=app.settings.database_url)

    assert refused.returncode == 1
    assert complaint in refused.stdout
    row = await app.database.fetch_row("SELECT count(*) AS seasons FROM season")
    assert row is not None
    assert row["seasons"] == 0


async def test_seasons_do_not_overlap(app: RunningApp, tmp_path: Path) -> None:
    await app.open_season()

    refused = await run("set-season", written(tmp_path), url=app.settings.database_url)

    assert refused.returncode == 1
    assert "It overlaps the season" in refused.stdout


async def test_the_ladder_and_start_of_a_season_that_has_begun_stand(
    app: RunningApp, tmp_path: Path
) -> None:
    url = app.settings.database_url
    path = written(tmp_path, begins_in_days=-3)
    await run("set-season", path, url=url)
    original = path.read_text(encoding="utf-8")

    harder = await run("set-season", _changed(path, original, "= 120", "= 200"), url=url)
    moved = await run("set-season", written(tmp_path, begins_in_days=-2), url=url)
    longer = _changed(path, original, "questions_per_day = 5", "questions_per_day = 9")
    allowed = await run("set-season", longer, url=url)

    assert "its ranks and thresholds cannot be changed" in harder.stdout
    assert "its start cannot be changed" in moved.stdout
    assert (harder.returncode, moved.returncode, allowed.returncode) == (1, 1, 0)
    row = await app.database.fetch_row("SELECT questions_per_day AS quota FROM season")
    assert row is not None
    assert row["quota"] == 9


def _changed(path: Path, content: str, old: str, new: str) -> Path:
    path.write_text(content.replace(old, new), encoding="utf-8")
    return path


async def test_a_file_that_is_not_there_is_wrongly_asked(app: RunningApp, tmp_path: Path) -> None:
    missing = await run("set-season", tmp_path / "none.toml", url=app.settings.database_url)

    assert missing.returncode == 2
    assert "none.toml" in missing.stderr
