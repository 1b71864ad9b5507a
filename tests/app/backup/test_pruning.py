"""Seven days, four weeks and the last tested backup are kept; the others are deleted."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from api.app.backup.pruning import list_backups, name_of, prune, superfluous
from api.foundation.jobs.runs import CLOCKS_DIFFER_BY

NEWEST = datetime(2026, 11, 22, 2, 0, tzinfo=UTC)  # a Sunday


def nightly_names(count: int) -> list[str]:
    return [name_of(NEWEST - timedelta(days=day)) for day in range(count)]


def test_of_sixty_nights_seven_days_and_four_weeks_are_left() -> None:
    names = nightly_names(60)

    gone = superfluous(names, proven=names[0])

    left = [name for name in names if name not in gone]
    assert left[:7] == names[:7]
    # Sundays are the newest of their weeks; this week's is also one of the days.
    assert left[7:] == [names[7], names[14], names[21]]


def test_the_last_proven_one_stays_however_old_it_is() -> None:
    names = nightly_names(60)

    assert names[59] not in superfluous(names, proven=names[59])
    assert names[58] in superfluous(names, proven=names[59])


def test_of_a_days_backups_the_newest_stays() -> None:
    morning, noon = name_of(NEWEST), name_of(NEWEST + timedelta(hours=10))

    assert superfluous([morning, noon], proven=None) == [morning]


def test_a_pause_of_a_month_removes_nothing_of_before() -> None:
    names = nightly_names(3)
    later = name_of(NEWEST + timedelta(days=40))

    assert superfluous([*names, later], proven=None) == []


def test_what_is_no_backup_is_left_alone(tmp_path: Path) -> None:
    names = nightly_names(60)
    for name in (*names, "fans-notes", ".unfinished-abc", "today"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").touch()

    removed = prune(tmp_path, None, NEWEST)

    assert len(removed) == 50
    assert set(list_backups(tmp_path, NEWEST)) == set(names) - set(removed)
    assert {path.name for path in tmp_path.iterdir()} - set(names) == {
        "fans-notes",
        ".unfinished-abc",
        "today",
    }


def test_backups_of_the_future_are_left_alone_and_take_nobodys_place(tmp_path: Path) -> None:
    names = nightly_names(60)
    early = [
        name_of(NEWEST + CLOCKS_DIFFER_BY + timedelta(days=day, seconds=1)) for day in range(90)
    ]
    slightly = name_of(NEWEST + CLOCKS_DIFFER_BY)
    for name in (*names, *early, slightly):
        (tmp_path / name).mkdir()

    removed = prune(tmp_path, None, NEWEST)

    assert list_backups(tmp_path, NEWEST)[:7] == [slightly, *names[1:7]]
    assert not set(early) & set(removed)
    assert removed == superfluous([*names, slightly], proven=None)


def test_only_folders_with_the_name_of_an_instant_are_backups(tmp_path: Path) -> None:
    (tmp_path / name_of(NEWEST)).mkdir()
    (tmp_path / name_of(NEWEST - timedelta(days=1))).touch()
    (tmp_path / name_of(NEWEST - timedelta(days=2))).symlink_to(tmp_path / name_of(NEWEST))
    (tmp_path / "fans-20261399T996199Z").mkdir()

    assert list_backups(tmp_path, NEWEST) == [name_of(NEWEST)]
