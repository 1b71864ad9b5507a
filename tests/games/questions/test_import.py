"""Importing the bank: all or nothing, repeatable."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from api.dev.demo.clubs import CLUBS
from api.foundation.core.ids import new_id
from api.games.questions.rules import reading
from api.games.questions.rules.reading import BankFile
from api.games.questions.service import importing
from api.games.questions.service.importing import ImportReport

from tests.conftest import CLUB_A, RunningApp
from tests.games.questions.sheets import OTHER, bank_file

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def import_files(app: RunningApp, *files: BankFile, **options: Any) -> ImportReport:
    async with app.database.transaction() as tx:
        return await importing.import_bank(tx, files, **{"now": NOW, **options})


async def stored(app: RunningApp) -> list[Any]:
    rows = await app.database.fetch_rows(
        "SELECT * FROM question ORDER BY slug, retired_at NULLS LAST"
    )
    return list(rows)


def sentences(report: ImportReport) -> list[str]:
    return [refusal.sentence for refusal in report.refused]


async def test_an_import_adds_questions_with_their_right_option(app: RunningApp) -> None:
    report = await import_files(app, bank_file({}, OTHER | {"club": "Enyimba"}))

    assert report == ImportReport(added=2)
    first, second = await stored(app)
    assert (first["slug"], first["kind"], first["club_id"], first["difficulty"]) == (
        "laws-goal-width",
        "trivia",
        None,
        1,
    )
    assert first["options"][first["right_option"]] == "7.32 m"
    assert sorted(first["options"]) == ["6.40 m", "7.32 m", "8.44 m", "9.15 m"]
    assert second["club_id"] == CLUB_A
    assert first["retired_at"] is None


async def test_a_second_import_of_the_same_files_changes_nothing(app: RunningApp) -> None:
    await import_files(app, bank_file({}, OTHER))
    before = await stored(app)

    report = await import_files(app, bank_file({}, OTHER))

    assert report == ImportReport(unchanged=2)
    assert await stored(app) == before


@pytest.mark.parametrize(
    "change",
    [
        {"question": "How wide is the goal between its posts?"},
        {"right": "7.33 m"},
        {"wrong_2": "6.41 m"},
        {"explanation": "It is measured between the posts."},
        {"source": "IFAB Laws of the Game, Law 2"},
        {"difficulty": "2"},
        {"kind": "battle"},
        {"club": "Arsenal"},
        {"topic": "rules"},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_a_corrected_row_is_a_new_question_and_retires_the_old_one(
    app: RunningApp, change: dict[str, str]
) -> None:
    await import_files(app, bank_file({}, OTHER))
    old = (await stored(app))[0]

    report = await import_files(app, bank_file(change, OTHER))

    assert report == ImportReport(unchanged=1, replaced=1)
    versions = [row for row in await stored(app) if row["slug"] == old["slug"]]
    assert [row["retired_at"] for row in versions] == [NOW, None]
    assert dict(versions[0]) == {**old, "retired_at": NOW}
    assert versions[1]["id"] != old["id"]


async def test_swapping_the_wrong_options_in_the_file_changes_nothing(app: RunningApp) -> None:
    await import_files(app, bank_file({}))

    report = await import_files(app, bank_file({"wrong_1": "9.15 m", "wrong_3": "8.44 m"}))

    assert report == ImportReport(unchanged=1)


async def test_a_dry_run_says_what_would_be_done_and_writes_nothing(app: RunningApp) -> None:
    await import_files(app, bank_file({}, OTHER))
    before = await stored(app)
    changed = bank_file({"right": "7.33 m"}, {"slug": "new", "question": "What is new?"})

    report = await import_files(app, changed, dry_run=True, retire_missing=True)

    assert report == ImportReport(added=1, replaced=1, retired=1)
    assert await stored(app) == before


async def test_one_bad_row_keeps_all_the_others_out(app: RunningApp) -> None:
    await import_files(app, bank_file({}))
    before = await stored(app)
    good = bank_file({"right": "7.33 m"})
    bad = bank_file(OTHER, OTHER | {"slug": "x", "kind": "quiz", "right": ""}, name="more.csv")

    report = await import_files(app, good, bad, retire_missing=True)

    assert [(refusal.file, refusal.line) for refusal in report.refused] == [("more.csv", 3)] * 2
    assert report == ImportReport(refused=report.refused)
    assert await stored(app) == before


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({"slug": ""}, "The column slug is empty."),
        (
            {"slug": "Goal Width"},
            "The column slug must be small letters and digits joined by hyphens.",
        ),
        (
            {"topic": "laws_"},
            "The column topic must be small letters and digits joined by hyphens.",
        ),
        ({"kind": "quiz"}, "The column kind must be trivia, battle or visitor."),
        ({"difficulty": "4"}, "The column difficulty must be 1, 2 or 3."),
        ({"question": "   "}, "The column question is empty."),
        ({"question": "W" * 161}, "The column question has 161 characters; at most 160 fit."),
        ({"wrong_3": "W" * 61}, "The column wrong_3 has 61 characters; at most 60 fit."),
        ({"explanation": "W" * 241}, "The column explanation has 241 characters; at most 240 fit."),
        ({"source": ""}, "The column source is empty."),
        ({"right": "8.44  M"}, "The columns right and wrong_1 hold the same option."),
        ({"wrong_1": "6.40 m"}, "The columns wrong_1 and wrong_2 hold the same option."),
        (
            {"question": "How wide\nis a goal?"},
            "The column question has a line break or an invisible character.",
        ),
        (
            {"right": "7.32\u200b m"},
            "The column right has a line break or an invisible character.",
        ),
        (
            {"wrong_2": "6.40\x00 m"},
            "The column wrong_2 has a line break or an invisible character.",
        ),
        ({"club": "Nowhere United"}, "There is no club named Nowhere United."),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
async def test_a_bad_cell_is_refused_with_its_line_and_column(
    app: RunningApp, cells: dict[str, str], sentence: str
) -> None:
    report = await import_files(app, bank_file(OTHER, cells))

    assert [(refusal.line, refusal.sentence) for refusal in report.refused] == [(3, sentence)]
    assert await stored(app) == []


async def test_a_slug_or_a_question_twice_in_the_files_is_refused(app: RunningApp) -> None:
    first = bank_file({}, OTHER)
    second = bank_file(OTHER, {"slug": "same", "question": "how WIDE is a goal"}, name="more.csv")

    report = await import_files(app, first, second)

    assert [(refusal.file, refusal.line) for refusal in report.refused] == [
        ("more.csv", 2),
        ("more.csv", 3),
    ]
    assert sentences(report) == [
        "The slug laws-penalty-mark is taken by laws.csv, line 3.",
        "The same question is asked by laws-goal-width (laws.csv).",
    ]


async def test_a_question_that_the_bank_asks_under_another_name_is_refused(app: RunningApp) -> None:
    await import_files(app, bank_file({}))

    report = await import_files(app, bank_file({"slug": "width"}))

    assert sentences(report) == ["The bank asks the same question already, as laws-goal-width."]


async def test_a_question_takes_a_new_name_when_the_old_one_is_retired_with_it(
    app: RunningApp,
) -> None:
    await import_files(app, bank_file({}))

    report = await import_files(app, bank_file({"slug": "width"}), retire_missing=True)

    assert report == ImportReport(added=1, retired=1)
    assert [row["slug"] for row in await stored(app) if row["retired_at"] is None] == ["width"]


async def test_rows_that_left_the_files_stay_unless_told_otherwise(app: RunningApp) -> None:
    await import_files(app, bank_file({}, OTHER))

    kept = await import_files(app, bank_file({}))
    retired = await import_files(app, bank_file({}), retire_missing=True)

    assert kept == ImportReport(unchanged=1)
    assert retired == ImportReport(unchanged=1, retired=1)
    live = [row["slug"] for row in await stored(app) if row["retired_at"] is None]
    assert live == ["laws-goal-width"]


async def test_only_topics_of_the_files_lose_their_missing_rows(app: RunningApp) -> None:
    clubs = {"slug": "city", "question": "Which city?", "topic": "clubs"}
    await import_files(app, bank_file({}), bank_file(clubs, name="clubs.csv"))

    report = await import_files(app, bank_file(OTHER), retire_missing=True)

    assert report == ImportReport(added=1, retired=1)
    live = {row["slug"] for row in await stored(app) if row["retired_at"] is None}
    assert live == {"city", "laws-penalty-mark"}


async def test_an_emptied_file_retires_its_whole_topic(app: RunningApp) -> None:
    await import_files(app, bank_file({}, OTHER))

    report = await import_files(app, bank_file(name="folder/laws.csv"), retire_missing=True)

    assert report == ImportReport(retired=2)


async def test_a_retired_question_can_come_back(app: RunningApp) -> None:
    await import_files(app, bank_file({}, OTHER))
    await import_files(app, bank_file({}), retire_missing=True)

    report = await import_files(app, bank_file({}, OTHER))

    assert report == ImportReport(added=1, unchanged=1)
    assert [row["retired_at"] for row in await stored(app) if row["slug"] == OTHER["slug"]] == [
        NOW,
        None,
    ]


async def test_questions_of_unknown_clubs_are_left_out_only_when_asked(app: RunningApp) -> None:
    files = bank_file({}, OTHER | {"club": "Nowhere United"})

    report = await import_files(app, files, skip_unknown_clubs=True)

    assert report == ImportReport(added=1, skipped=1)
    assert [row["slug"] for row in await stored(app)] == ["laws-goal-width"]


async def test_two_imports_at_once_write_each_question_once(app: RunningApp) -> None:
    bank = importing.shipped_bank()

    reports = await asyncio.gather(
        *(import_files(app, *bank, skip_unknown_clubs=True) for _ in range(4))
    )

    added = sorted(report.added for report in reports)
    assert added[:3] == [0, 0, 0]
    assert added[3] > 400
    assert {report.unchanged for report in reports} == {0, added[3]}
    rows = await stored(app)
    assert len(rows) == len({row["slug"] for row in rows}) == added[3]


async def test_two_corrections_at_once_leave_one_live_question(app: RunningApp) -> None:
    await import_files(app, bank_file({}))

    reports = await asyncio.gather(
        *(import_files(app, bank_file({"right": right})) for right in ("7.31 m", "7.33 m"))
    )

    assert [report.replaced for report in reports] == [1, 1]
    rows = await stored(app)
    assert len(rows) == 3
    assert len([row for row in rows if row["retired_at"] is None]) == 1


async def test_the_shipped_bank_imports_whole_where_its_clubs_exist(app: RunningApp) -> None:
    async with app.database.transaction() as tx:
        for club in CLUBS:
            await tx.execute(
                "INSERT INTO club (id, name, colour_a, colour_b) "
                "VALUES ($1, $2, '#000000', '#FFFFFF') ON CONFLICT DO NOTHING",
                new_id(),
                club.name,
            )
    bank = importing.shipped_bank()
    entries = reading.read_files(bank).entries

    report = await import_files(app, *bank)

    assert report == ImportReport(added=len(entries))
    written = {row["slug"]: row["options"][row["right_option"]] for row in await stored(app)}
    assert written == {entry.slug: entry.options[entry.right_option] for entry in entries}
