"""The question bank at the back office: files checked and imported, and statistics of answers."""

import asyncio
import csv
import io
import json
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.ids import first_id_at, new_id
from api.foundation.database.housekeeping import tidy
from api.foundation.security.rights import Role
from api.games.questions.rules.judging import flags_of
from api.games.questions.rules.likeness import Comparison
from api.games.questions.rules.reading import COLUMNS, normalise
from api.games.questions.service import importing, statistics
from api.games.questions.service.imports import COMPARISON_STOPPED

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import CLUB_A, RunningApp
from tests.games.questions.sheets import OTHER, ROW, bank_file

QUESTIONS = f"{ADMIN}/questions"
IMPORTS = f"{QUESTIONS}/imports"
ONE = {**ROW, "difficulty": 1, "club": None}


@pytest.fixture
async def musa(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "musa", Role.GAME_MASTER)


async def upload(
    operator: OperatorClient, content: bytes, *, key: str | None = None, name: str = "file"
) -> httpx.Response:
    headers = operator.headers | ({"Idempotency-Key": key} if key else {})
    files = {name: ("bank.csv", content, "text/csv")}
    return await operator.client.post(IMPORTS, files=files, headers=headers)


async def previewed(operator: OperatorClient, *rows: dict[str, str]) -> dict[str, Any]:
    answer = await upload(operator, bank_file(*rows).content)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def apply(operator: OperatorClient, review: dict[str, Any], **options: Any) -> httpx.Response:
    return await operator.post(
        f"{IMPORTS}/{review['id']}/apply", {"digest": review["digest"]}, **options
    )


def reason_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def live(app: RunningApp) -> set[str]:
    rows = await app.database.fetch_rows("SELECT slug FROM question WHERE retired_at IS NULL")
    return {row["slug"] for row in rows}


async def actions(app: RunningApp) -> list[str]:
    rows = await app.database.fetch_rows("SELECT action FROM audit_entry ORDER BY id")
    return [row["action"] for row in rows]


SUBJECTS = ("goal", "pass", "throw", "corner", "penalty", "kick", "card", "flag", "post", "net")
PLACES = (
    *("Lagos", "Kano", "Jos", "Aba", "Uyo", "Owerri", "Ilorin", "Enugu", "Minna", "Gombe"),
    *("Calabar", "Akure", "Benin", "Warri", "Sokoto", "Yola", "Lokoja", "Bauchi", "Ibadan", "Oyo"),
)
HUNDREDS: list[dict[str, str]] = [
    {"slug": f"row-{subject}-{place.lower()}", "question": f"Which {subject} won {place}?"}
    for subject in SUBJECTS
    for place in PLACES
]


async def test_a_file_of_which_three_rows_are_bad_is_looked_at_and_not_taken(
    app: RunningApp, musa: OperatorClient
) -> None:
    rows = [dict(row) for row in HUNDREDS]
    rows[10]["right"] = ""
    rows[20] |= {"kind": "quiz", "difficulty": "9"}
    rows[199]["question"] = rows[0]["question"]

    review = await previewed(musa, *rows)

    assert (review["rows"], review["new"], review["changed"], review["same"]) == (200, 197, 0, 0)
    assert [(one["row"], one["column"]) for one in review["problems"]] == [
        (12, "right"),
        (22, "kind"),
        (22, "difficulty"),
        (201, "question"),
    ]
    assert review["problems"][0]["reason"] == "The column right is empty."
    assert reason_of(await apply(musa, review)) == (409, "import_has_problems")
    assert await live(app) == set()
    assert await actions(app) == ["upload"]


async def test_the_bad_rows_come_back_as_a_file_that_is_mended_and_imported(
    app: RunningApp, musa: OperatorClient
) -> None:
    formula = {"slug": "sum", "question": "=1+1", "right": "", "wrong_1": "-2", "wrong_2": "@x"}
    review = await previewed(musa, {}, OTHER | {"kind": "quiz"}, formula)

    answer = await musa.get(f"{IMPORTS}/{review['id']}/problems.csv")

    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="problems.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [row["slug"] for row in rows] == ["laws-penalty-mark", "sum"]
    assert rows[0]["reason"] == "The column kind must be trivia, battle or visitor."
    assert (rows[1]["question"], rows[1]["wrong_1"], rows[1]["wrong_2"]) == ("'=1+1", "'-2", "'@x")
    corrected_file = answer.content.replace(b"quiz", b"trivia").replace(b"'=1+1,,", b"'=1+1,2,")
    second = (await upload(musa, corrected_file)).json()["data"]
    assert (second["problems"], second["new"]) == ([], 2)
    done = await apply(musa, second)
    assert (done.status_code, done.json()["data"]["new"]) == (200, 2)
    kept = await app.database.fetch_row("SELECT * FROM question WHERE slug = 'sum'")
    assert kept is not None
    assert kept["question"] == "=1+1"
    assert sorted(kept["options"]) == ["-2", "2", "9.15 m", "@x"]


async def test_a_file_is_taken_once_however_often_it_is_asked_for(
    app: RunningApp, musa: OperatorClient
) -> None:
    review = await previewed(musa, {}, OTHER)

    first = await apply(musa, review, key="take-the-file")
    repeated = await apply(musa, review, key="take-the-file")
    twice = await apply(musa, review)

    assert first.json()["data"] == {"id": review["id"], "new": 2, "changed": 0, "same": 0}
    assert repeated.json() == first.json()
    assert reason_of(twice) == (409, "wrong_state")
    assert twice.json()["data"] == {"status": "applied"}
    assert await actions(app) == ["upload", "apply"]


async def test_of_ten_applies_at_once_one_is_done(live_server: RunningApp) -> None:
    musa = await operator_client(live_server, "musa", Role.GAME_MASTER)
    review = await previewed(musa, {}, OTHER)

    answers = await asyncio.gather(*(apply(musa, review) for _ in range(10)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert await live_server.database.fetch_value("SELECT count(*) FROM question") == 2


async def test_of_two_files_of_the_same_bank_one_is_stale(live_server: RunningApp) -> None:
    musa = await operator_client(live_server, "musa", Role.GAME_MASTER)
    reviews = [await previewed(musa, {"right": right}) for right in ("7.31 m", "7.33 m")]

    answers = await asyncio.gather(*(apply(musa, review) for review in reviews))

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert {reason_of(one) for one in answers if one.status_code == 409} == {(409, "stale")}
    assert await live(live_server) == {"laws-goal-width"}


async def test_a_file_is_stale_once_the_bank_has_changed_or_the_digest_is_anothers(
    app: RunningApp, musa: OperatorClient
) -> None:
    review = await previewed(musa, {})

    wrong = await apply(musa, review | {"digest": "0" * 64})
    added = await musa.post(QUESTIONS, ONE | OTHER)
    stale = await apply(musa, review)

    assert reason_of(wrong) == (409, "stale")
    assert added.status_code == 201, added.text
    assert reason_of(stale) == (409, "stale")
    assert await live(app) == {"laws-penalty-mark"}
    assert (await apply(musa, review | {"id": str(new_id())})).status_code == 404


async def test_a_file_says_what_is_new_what_changes_and_what_stays(
    app: RunningApp, musa: OperatorClient
) -> None:
    await apply(musa, await previewed(musa, {}, OTHER))
    third = {"slug": "laws-corner", "question": "Where is a corner kick taken from?"}

    review = await previewed(musa, {"right": "7.33 m"}, OTHER, third)

    assert (review["new"], review["changed"], review["same"]) == (1, 1, 1)
    assert (review["problems"], review["warnings"]) == ([], [])


async def test_what_is_nearly_asked_already_is_a_warning_and_no_problem(
    app: RunningApp, musa: OperatorClient
) -> None:
    await apply(musa, await previewed(musa, {}))
    near = {"slug": "goal-wide", "question": "How wide is the goal?", "explanation": "It is."}

    review = await previewed(musa, near, OTHER)

    assert review["problems"] == []
    (warning,) = review["warnings"]
    assert (warning["row"], warning["column"]) == (2, "question")
    assert "laws-goal-width" in warning["reason"]
    assert (await apply(musa, review)).status_code == 200


def test_near_duplicates_are_those_that_comparing_each_with_each_finds() -> None:
    files = importing.shipped_bank()
    rows = [row for file in files for row in csv.DictReader(io.StringIO(file.content.decode()))]
    texts = {row["slug"]: row["question"] for row in rows}
    half = dict(list(texts.items())[: len(texts) // 2])
    others = {slug: text for slug, text in texts.items() if slug not in half}

    def grams(text: str) -> set[str]:
        words = [f"  {word} " for word in normalise(text).split()]
        return {word[at : at + 3] for word in words for at in range(len(word) - 2)}

    sets = {slug: grams(text) for slug, text in texts.items()}
    slugs = list(texts)
    expected = {
        frozenset((one, other))
        for place, one in enumerate(slugs)
        for other in slugs[place + 1 :]
        if one in half or other in half
        if len(sets[one] & sets[other]) / len(sets[one] | sets[other]) >= 0.6
    }
    found = [frozenset((one, other)) for one, other, _ in Comparison(half, others).pairs()]
    assert expected
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What is the number nz{number}",
        # Their rarest trigrams are shared, but too little else is.
        "Same beginning {left:x} {left:o} {left:b} {right:x} {right:o} {right:b}",
    ],
    ids=["all alike", "hardly alike"],
)
def test_ten_thousand_questions_of_one_wording_are_compared_only_so_often(question: str) -> None:
    random = Random(7)  # noqa: S311
    wanted = {
        f"nz-{number}": question.format(
            number=number, left=random.getrandbits(24), right=random.getrandbits(24)
        )
        for number in range(10_000)
    }
    comparison = Comparison(wanted, {}, limit=20_000)

    pairs = list(comparison.pairs())

    assert comparison.count == 20_000
    assert not comparison.is_complete
    assert len(pairs) <= comparison.count


async def test_a_file_of_one_wording_gets_as_many_warnings_as_are_shown_and_says_so(
    app: RunningApp, musa: OperatorClient
) -> None:
    rows = (
        {"slug": f"nz-{number}", "question": f"What is the number nz{number}?"}
        for number in range(100)
    )
    review = await previewed(musa, *rows)

    first, *others = review["warnings"]
    assert (first["row"], first["column"], first["reason"]) == (1, None, COMPARISON_STOPPED)
    assert len(others) == 999
    assert review["problems"] == []


def sheet(text: str) -> bytes:
    return (",".join(COLUMNS) + "\n" + text).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + bank_file({}).content,
        bank_file({}).content.replace(b"\n", b"\r\n"),
        bank_file({}).content + b"\n\n",
    ],
    ids=["byte order mark", "windows line ends", "blank lines"],
)
async def test_files_of_every_program_are_read(
    app: RunningApp, musa: OperatorClient, content: bytes
) -> None:
    review = (await upload(musa, content)).json()["data"]

    assert (review["rows"], review["new"], review["problems"]) == (1, 1, [])


@pytest.mark.parametrize(
    ("content", "row", "said"),
    [
        (bank_file({"right": "7,32 m é"}).content.decode().encode("latin-1"), 2, "UTF-8"),
        (bank_file({}).content.decode().encode("utf-16"), 1, "UTF-8"),
        (b"", 1, "first line"),
        (b"\x00\x01\x02", 1, "first line"),
        (b"slug;kind;club\n", 1, "first line"),
        (sheet('"open,trivia'), 2, "not well-formed"),
        (sheet("one,two"), 2, "2 cells"),
        (bank_file({"explanation": "One line.\nAnother."}).content, 2, "line break"),
        (bank_file({"question": "a\u202eb"}).content, 2, "invisible"),
        (sheet("\n".join(["a,b"] * 10_002)), 10_002, "more than 10,000 rows"),
        (sheet("x" * 200_000), 2, "not well-formed"),
    ],
    ids=[
        *("latin", "utf-16", "empty", "binary", "semicolons", "open quote", "two cells"),
        *("line break", "turned text", "too many rows", "huge cell"),
    ],
)
async def test_a_file_that_cannot_be_read_says_where_and_why(
    app: RunningApp, musa: OperatorClient, content: bytes, row: int, said: str
) -> None:
    answer = await upload(musa, content)

    assert answer.status_code == 201, answer.text
    review = answer.json()["data"]
    assert review["new"] == 0
    stored = await app.database.fetch_value("SELECT problems FROM import_run")
    assert (row, True) in [(one["row"], said in one["reason"]) for one in stored]
    assert reason_of(await apply(musa, review)) == (409, "import_has_problems")
    assert (await musa.get(f"{IMPORTS}/{review['id']}/problems.csv")).status_code == 200


async def test_rows_are_counted_as_a_spreadsheet_does(
    app: RunningApp, musa: OperatorClient
) -> None:
    rows = bank_file({"explanation": "Two\nlines"}, OTHER | {"right": ""}).content

    review = (await upload(musa, rows)).json()["data"]

    assert [(one["row"], one["column"]) for one in review["problems"]] == [
        (2, "explanation"),
        (3, "right"),
    ]


async def test_an_upload_without_a_file_or_above_the_limit_is_refused(
    app: RunningApp, musa: OperatorClient
) -> None:
    missing = await musa.client.post(
        IMPORTS, headers=musa.headers, files={"other": ("x.csv", b"x", "text/csv")}
    )
    plain = await musa.post(IMPORTS, {"file": "x"})
    large = await upload(musa, b"x" * (2 * 1024 * 1024 + 1))

    assert missing.status_code == 422
    assert plain.status_code == 415
    assert large.status_code == 413
    assert await actions(app) == []


async def test_an_import_is_removed_after_two_weeks(app: RunningApp, musa: OperatorClient) -> None:
    review = await previewed(musa, {})
    copies = {}
    for days in (13, 15):
        moment = clock.now() - timedelta(days=days)
        copies[days] = review | {"id": str(first_id_at(moment))}
        await app.database.execute(
            "INSERT INTO import_run (id, digest, bank_digest, content, problems, created_at) "
            "SELECT $1, digest, bank_digest, content, problems, $2 FROM import_run WHERE id = $3",
            UUID(copies[days]["id"]),
            moment,
            UUID(review["id"]),
        )

    await tidy(app.database)

    assert (await apply(musa, copies[15])).status_code == 404
    assert (await apply(musa, copies[13])).status_code == 200


async def test_one_question_is_added_by_the_rules_of_an_import(
    app: RunningApp, musa: OperatorClient
) -> None:
    answer = await musa.post(QUESTIONS, ONE | {"club": "Enyimba"})
    same = await musa.post(QUESTIONS, ONE | {"club": "Enyimba"})
    corrected = await musa.post(QUESTIONS, ONE | {"club": "Enyimba", "right": "7.33 m"})
    asked = await musa.post(QUESTIONS, ONE | {"slug": "other"})
    bad = await musa.post(QUESTIONS, ONE | {"slug": "Not A Slug", "right": ""})
    no_club = await musa.post(QUESTIONS, ONE | {"slug": "x", "question": "Who?", "club": "None"})

    assert answer.status_code == 201, answer.text
    data = answer.json()["data"]
    assert (data["club"], data["clubId"], data["right"]) == ("Enyimba", str(CLUB_A), "7.32 m")
    assert sorted(data["wrong"]) == ["6.40 m", "8.44 m", "9.15 m"]
    assert (data["asked"], data["rightShare"], data["flags"]) == (0, None, [])
    assert reason_of(same) == (409, "question_exists")
    assert corrected.status_code == 201
    assert asked.status_code == 422
    assert bad.json()["error"]["fields"].keys() == {"slug", "right"}
    assert no_club.json()["error"]["fields"].keys() == {"club"}
    assert await actions(app) == ["create", "create"]


async def test_a_form_that_was_opened_before_undoes_no_correction_and_revives_nothing(
    app: RunningApp, musa: OperatorClient
) -> None:
    first = (await musa.post(QUESTIONS, ONE)).json()["data"]
    mine = ONE | {"replaces": first["id"], "topic": "history"}
    second = await musa.post(QUESTIONS, ONE | {"replaces": first["id"], "right": "7.33 m"})
    assert second.status_code == 201, second.text

    assert reason_of(await musa.post(QUESTIONS, mine)) == (409, "stale")
    (row,) = (await musa.get(QUESTIONS)).json()["data"]["rows"]
    assert (row["right"], row["topic"]) == ("7.33 m", ONE["topic"])

    await musa.post(f"{QUESTIONS}/{row['id']}/retire", {"reason": "It offends."})
    late = ONE | {"replaces": row["id"], "topic": "history"}
    assert reason_of(await musa.post(QUESTIONS, late)) == (409, "stale")
    assert await live(app) == set()


async def test_of_two_corrections_of_one_version_at_once_one_is_stale(
    live_server: RunningApp,
) -> None:
    musa = await operator_client(live_server, "musa", Role.GAME_MASTER)
    first = (await musa.post(QUESTIONS, ONE)).json()["data"]

    answers = await asyncio.gather(
        *(
            musa.post(QUESTIONS, ONE | {"replaces": first["id"], "topic": f"history-{number}"})
            for number in range(6)
        )
    )

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5


async def test_a_question_is_retired_once_and_says_why(
    app: RunningApp, musa: OperatorClient
) -> None:
    question = (await musa.post(QUESTIONS, ONE)).json()["data"]
    path = f"{QUESTIONS}/{question['id']}/retire"

    silent = await musa.post(path, {})
    done = await musa.post(path, {"reason": "The law has changed"})
    again = await musa.post(path, {"reason": "The law has changed"})

    assert silent.status_code == 422
    assert done.json()["data"]["retiredAt"] is not None
    assert (reason_of(again), again.json()["data"]) == ((409, "wrong_state"), {"status": "retired"})
    assert (await musa.get(QUESTIONS)).json()["data"]["rows"] == []
    retired = (await musa.get(f"{QUESTIONS}?retired=true")).json()["data"]["rows"]
    assert [row["id"] for row in retired] == [question["id"]]
    assert await actions(app) == ["create", "retire"]


async def test_a_preview_shows_what_a_phone_does_and_not_which_is_right(
    app: RunningApp, musa: OperatorClient
) -> None:
    question = (await musa.post(QUESTIONS, ONE)).json()["data"]

    previews = [
        (await musa.post(f"{QUESTIONS}/{question['id']}/preview")).json()["data"] for _ in range(20)
    ]

    assert set(previews[0]) == {"id", "question", "options", "explanation"}
    assert len({preview["options"] for preview in previews}) > 1
    assert '"7.32 m"' in previews[0]["options"]
    assert await actions(app) == ["create"]


async def test_the_bank_is_searched_by_words_kind_topic_club_and_page(
    app: RunningApp, musa: OperatorClient
) -> None:
    await apply(
        musa,
        await previewed(
            musa,
            {"club": "Enyimba"},
            OTHER | {"kind": "battle"},
            {"slug": "cup", "question": "Who won the cup?", "topic": "cups"},
        ),
    )

    async def found(query: str) -> list[str]:
        answer = await musa.get(f"{QUESTIONS}?{query}")
        assert answer.status_code == 200, answer.text
        return sorted(row["slug"] for row in answer.json()["data"]["rows"])

    assert await found("q=penal") == ["laws-penalty-mark"]
    assert await found("q=GOAL wide") == ["laws-goal-width"]
    assert await found("q=cup") == ["cup"]
    assert await found("kind=battle") == ["laws-penalty-mark"]
    assert await found("topic=cups") == ["cup"]
    assert await found("club=enyimba") == await found(f"club={CLUB_A}") == ["laws-goal-width"]
    assert await found("club=all") == ["cup", "laws-penalty-mark"]
    assert await found("club=Nobody") == await found("flag=too_easy") == []
    assert (await musa.get(f"{QUESTIONS}?flag=nonsense")).status_code == 422
    for odd in ("'", "\\", "&|!", "a:*b", "²", "_", "%", "é'é", "<->"):
        assert (await musa.get(QUESTIONS, params={"q": odd})).status_code == 200, odd
    page = (await musa.get(f"{QUESTIONS}?limit=2")).json()["data"]
    rest = (await musa.get(f"{QUESTIONS}?limit=2&before={page['next']}")).json()["data"]
    assert (len(page["rows"]), len(rest["rows"]), rest["next"]) == (2, 1, None)


async def answer_battle(
    app: RunningApp, question_id: UUID, counts: dict[int | None, int], *, rank: str = "rookie"
) -> None:
    """Insert attempts that chose the question's own options; None is a time-out."""
    season = await app.database.fetch_value("SELECT id FROM season") or await app.open_season()
    user = (await app.member("ada")).id
    number = await app.database.fetch_value("SELECT count(*) FROM battle_attempt")
    async with app.database.transaction() as tx:
        for option, times in counts.items():
            for _ in range(times):
                number += 1
                shown = [3, 1, 0, 2]
                outcome = "timeout" if option is None else "right" if option == 1 else "wrong"
                await tx.execute(
                    "INSERT INTO battle_attempt (id, user_id, club_id, season_id, day, n, "
                    "question_id, rank, shown, opened_at, deadline_at, answer, outcome, "
                    "elapsed_ms, closed_at) VALUES ($1, $2, $3, $4, $5, 1, $6, $7, $8, now(), "
                    "now(), $9, $10, $11, now())",
                    new_id(),
                    user,
                    CLUB_A,
                    season,
                    clock.now().date() - timedelta(days=number),
                    question_id,
                    rank,
                    shown,
                    None if option is None else shown.index(option),
                    outcome,
                    None if option is None else 2500,
                )


async def test_statistics_tell_shares_by_rank_medians_and_flags(
    app: RunningApp, musa: OperatorClient
) -> None:
    easy, hard, wrong, few = await app.add_questions(4)
    await answer_battle(app, easy, {1: 20}, rank="super-fan")
    await answer_battle(app, hard, {1: 1, 0: 1, None: 18})
    await answer_battle(app, wrong, {1: 8, 2: 9, 3: 3})
    await answer_battle(app, few, {0: 5})

    ran = await musa.post(f"{ADMIN}/jobs/question-statistics/run")
    operator = await operator_client(app, "olu", Role.OWNER)
    done = await operator.post(f"{ADMIN}/jobs/question-statistics/run")

    assert ran.status_code == 404
    assert done.status_code == 200, done.text
    rows = {row["id"]: row for row in (await musa.get(QUESTIONS)).json()["data"]["rows"]}
    assert {UUID(key): row["flags"] for key, row in rows.items()} == {
        easy: ["too_easy"],
        hard: ["too_hard"],
        wrong: ["wrong_key"],
        few: [],
    }
    shown = rows[str(hard)]
    assert (shown["asked"], shown["rightShare"], shown["medianSeconds"]) == (20, 0.05, 2.5)
    assert rows[str(easy)]["byRank"] == [{"rank": "super-fan", "asked": 20, "rightShare": 1.0}]
    flagged = (await musa.get(f"{QUESTIONS}?flag=wrong_key")).json()["data"]["rows"]
    assert [row["id"] for row in flagged] == [str(wrong)]
    any_flag = (await musa.get(f"{QUESTIONS}?flag=any")).json()["data"]["rows"]
    assert {UUID(row["id"]) for row in any_flag} == {easy, hard, wrong}
    today = (await musa.get(f"{ADMIN}/today")).json()["data"]["waiting"]
    assert today["flaggedQuestions"] == 3
    await musa.post(f"{QUESTIONS}/{hard}/retire", {"reason": "Nobody knows"})
    today = (await musa.get(f"{ADMIN}/today")).json()["data"]["waiting"]
    assert today["flaggedQuestions"] == 2
    await statistics.count_now(app.database, clock.now())
    assert await statistics.count_flagged(app.database) == 2


async def test_statistics_count_the_daily_quest_and_forget_what_is_over(
    app: RunningApp, musa: OperatorClient
) -> None:
    ada = await app.member("ada")
    questions = await app.add_questions(5, kind="trivia")
    path = f"/api/v1/question/daily-trivial-question/Enyimba/{ada.id}"
    asked = (await ada.get(path)).json()["data"]
    choices = []
    for one in asked[:3]:
        options = json.loads(one["options"])
        right = next(key for key, option in options.items() if option == "Right")
        choices.append({"question": one["id"], "answer": right})
    submitted = await ada.post(
        "/api/v1/question/submit-trivia-question", {"choices": json.dumps(choices)}
    )
    assert submitted.status_code == 201

    await statistics.count_now(app.database, clock.now())

    rows = (await musa.get(QUESTIONS)).json()["data"]["rows"]
    assert [row["asked"] for row in rows] == [1] * len(questions)
    assert sorted(row["rightShare"] for row in rows) == [0, 0, 1, 1, 1]
    assert {row["medianSeconds"] for row in rows} == {None}
    with time_machine.travel(clock.now() + timedelta(days=91), tick=True):
        await statistics.count_now(app.database, clock.now())
    assert await app.database.fetch_value("SELECT count(*) FROM question_statistic") == 0


async def test_statistics_counted_at_once_are_written_once_and_whole(
    live_server: RunningApp,
) -> None:
    (question,) = await live_server.add_questions(1)
    await answer_battle(live_server, question, {1: 3})

    done = await asyncio.gather(
        *(statistics.count_now(live_server.database, clock.now()) for _ in range(3))
    )

    assert any(done)
    assert await live_server.database.fetch_value("SELECT asked FROM question_statistic") == 3


async def test_the_job_counts_once_a_night(app: RunningApp) -> None:
    (question,) = await app.add_questions(1)
    await answer_battle(app, question, {1: 1})
    step = statistics.statistics_job(app.database).step
    night = clock.midnight(clock.lagos_day(clock.now()) + timedelta(days=1))
    counted = []

    for hours in (2, 4, 5, 28):
        with time_machine.travel(night + timedelta(hours=hours), tick=True):
            await step()
            last = await app.database.fetch_value("SELECT max(counted_at) FROM question_statistic")
            counted.append(last and round((last - night).total_seconds() / 3600))

    assert counted == [None, 4, 4, 28]


def test_a_share_at_the_edge_is_no_flag() -> None:
    assert flags_of({1: 95, 0: 5}, 1) == []
    assert flags_of({1: 96, 0: 4}, 1) == ["too_easy"]
    assert flags_of({1: 10, None: 90}, 1) == []
    assert flags_of({1: 10, 0: 10}, 1) == []
    assert flags_of({1: 9, None: 91}, 1) == ["too_hard"]
    assert flags_of({1: 0, 0: 19}, 1) == []
