"""Feeds of matches: pushed by a server, or uploaded as a file."""

import asyncio
import hmac
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.database.locks import AdvisoryLock
from api.foundation.security.rights import Role
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import OperatorClient, operator_client
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import (
    DAY,
    HOUR,
    IMPORTS,
    MATCHES,
    PUSH,
    SEQUENCES,
    change,
    moved,
    push,
    pushed,
    refused,
    row,
    shown,
    signed,
    wish,
    written,
)

COLUMNS = (
    *("ref", "competition", "season", "round", "home", "away", "kick_off_at"),
    *("venue", "state", "home_goals", "away_goals", "scored"),
)
PAST = {"state": "finished", "home_goals": 2, "away_goals": 1}


def before(hours: int = 3) -> str:
    return (clock.now() - hours * HOUR).replace(microsecond=0).isoformat()


async def count(app: RunningApp) -> int:
    found: int = await app.database.fetch_value("SELECT count(*) FROM fixture")
    return found


async def test_a_pushed_row_is_a_match_and_pushing_it_again_changes_nothing(
    app: RunningApp, member: SignedIn
) -> None:
    scored = [{"side": "away", "minute": 7}, {"side": "home", "minute": 90}]
    rows = [row("m1"), row("m2", kick_off_at=before(), scored=scored, **PAST)]

    first = await pushed(app, *rows)
    again = await pushed(app, *rows)

    assert (first, again) == ((2, 0, []), (0, 2, []))
    played, to_come = await shown(member, MATCHES)
    assert (played["goals"], played["scored"]) == ({"home": 2, "away": 1}, scored)
    assert (played["version"], to_come["version"]) == (1, 1)
    assert (to_come["round"], to_come["venue"]) == ("Round 1", "Aba")
    assert to_come["competition"] | {"id": ""} == {
        **{"id": "", "name": "NPFL", "season": "2026/27"},
        **{"demo": False, "table": False},
    }


async def test_a_match_goes_on_as_the_feed_tells_row_by_row_in_one_push(
    app: RunningApp, member: SignedIn
) -> None:
    base = row("m1", kick_off_at=before(1))
    goals = {"home_goals": 0, "away_goals": 0}

    outcome = await pushed(
        app,
        base,
        base | goals | {"state": "live"},
        base | {"state": "live", "home_goals": 1, "away_goals": 0},
        base | {"state": "half_time", "home_goals": 1, "away_goals": 0},
    )

    assert outcome == (4, 0, [])
    (found,) = await shown(member, MATCHES)
    assert (found["state"], found["version"]) == ("half_time", 4)
    assert found["scored"] == [{"side": "home", "minute": 1}]


async def test_what_comes_late_does_not_take_a_match_back(
    app: RunningApp, member: SignedIn
) -> None:
    base = row("m1", kick_off_at=before())
    live = base | {"state": "live", "home_goals": 0, "away_goals": 0}
    await pushed(app, base, live, base | PAST)

    assert await pushed(app, live, base) == (
        0,
        0,
        [(1, "state", "state_conflict"), (2, "state", "state_conflict")],
    )
    (found,) = await shown(member, MATCHES)
    assert (found["state"], found["version"]) == ("finished", 3)


async def test_a_time_without_an_offset_is_lagos_and_numbers_may_be_text(
    app: RunningApp, member: SignedIn
) -> None:
    day = clock.lagos_day(clock.now() + DAY)
    base = row("m1", kick_off_at=f"{day} 16:00", season=2026, round=7)

    assert await pushed(app, base) == (1, 0, [])
    same = base | {"kick_off_at": f"{day}T15:00:00Z", "season": "2026", "round": "7"}
    assert await pushed(app, same) == (0, 1, [])
    lower = same | {"home": "ENYIMBA", "competition": "npfl", "home_goals": "", "scored": ""}
    assert await pushed(app, lower | {"state": ""}) == (0, 1, [])

    (found,) = await shown(member, MATCHES)
    assert found["kickOffAt"] == f"{day}T15:00:00.000Z"
    assert (found["competition"]["season"], found["round"]) == ("2026", "7")


@pytest.mark.parametrize(
    ("changes", "column", "reason"),
    [
        ({"home": "Nobody FC"}, "home", "unknown_team"),
        ({"away": "Nobody FC"}, "away", "unknown_team"),
        ({"away": "enyimba"}, "away", "A team does not play against itself."),
        ({"ref": ""}, "ref", None),
        ({"ref": None}, "ref", None),
        ({"competition": ""}, "competition", None),
        ({"season": True}, "season", None),
        ({"kick_off_at": "tomorrow"}, "kick_off_at", None),
        ({"kick_off_at": "2026-12-01"}, "kick_off_at", None),
        ({"kick_off_at": 1_800_000_000}, "kick_off_at", None),
        ({"kick_off_at": "0001-01-01T00:00:00"}, "kick_off_at", None),
        ({"state": "over"}, "state", None),
        ({"state": []}, "state", None),
        ({"home": {}}, "home", None),
        ({"state": "finished"}, "away_goals", None),
        ({"home_goals": 1, "away_goals": 1}, "away_goals", None),
        ({**PAST, "home_goals": 31}, "home_goals", None),
        ({**PAST, "home_goals": -1}, "home_goals", None),
        ({**PAST, "home_goals": 1.5}, "home_goals", None),
        ({**PAST, "home_goals": True}, "home_goals", None),
        ({**PAST, "scored": [{"side": "home", "minute": 0}]}, "scored", None),
        ({**PAST, "scored": [{"side": "us", "minute": 1}]}, "scored", None),
        ({**PAST, "scored": [{"side": "away", "minute": 1}] * 2}, "scored", None),
        (PAST, "state", "too_early"),
        ({"state": "half_time", "home_goals": 0, "away_goals": 0}, "state", "state_conflict"),
        ({"lineup": "none"}, "lineup", None),
    ],
)
async def test_a_row_that_does_not_fit_is_refused_and_the_others_count(
    app: RunningApp, changes: dict[str, Any], column: str, reason: str | None
) -> None:
    nowhere = {"ref": "bad", "competition": "Nowhere League"}
    accepted, unchanged, ((number, found, why),) = await pushed(
        app, row() | nowhere | changes, row("good", kick_off_at=before(-48))
    )

    assert (accepted, unchanged, number, found) == (1, 0, 1, column)
    assert why
    assert reason in {None, why}
    assert await count(app) == 1
    names = await app.database.fetch_rows("SELECT name FROM competition")
    assert [one["name"] for one in names] == ["NPFL"]  # a refused row leaves nothing behind


async def test_what_a_person_has_written_no_feed_changes(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    await pushed(app, row("m1"))
    (found,) = await shown(member, MATCHES)
    by_hand = {"competition": "NPFL", "homeGoals": None, "awayGoals": None}
    await moved(musa, found | by_hand, venue="Kano", round="Round 1")
    kick_off = clock.now() + 3 * DAY
    own = await written(musa, kick_off, away="Arsenal")

    assert await pushed(
        app,
        row("m1", venue="Lagos"),
        row("m1", venue="Kano", kick_off_at=found["kickOffAt"]),
        row("m2", kick_off_at=own["kickOffAt"]),
    ) == (0, 1, [(1, "ref", "locked"), (3, "ref", "locked")])
    assert await pushed(
        app, *(row(ref, kick_off_at=found["kickOffAt"]) for ref in ("m3", "m4"))
    ) == (
        0,
        0,
        [(1, "ref", "locked"), (2, "ref", "locked")],
    )


async def test_the_same_match_under_another_ref_is_refused(app: RunningApp) -> None:
    base = row("m1")
    assert await pushed(app, base, base | {"ref": "m2"}) == (1, 0, [(2, None, "fixture_exists")])


async def test_what_is_not_signed_with_the_key_is_refused(app: RunningApp) -> None:
    raw = json.dumps({"rows": [row()]}).encode()
    key = app.settings.fixture_feed_key.get_secret_value()
    good = signed(app, raw)
    signature = good["X-Feed-Signature"]
    later = str(int(good["X-Feed-Time"]) + 1)
    others: list[Mapping[str, str | None]] = [
        *({"X-Feed-Signature": one} for one in (None, "0" * 64, signature[:-1], "\xe9")),
        {"X-Feed-Signature": f"sha256={signature}"},
        {"X-Feed-Signature": hmac.new(key.encode(), raw, "sha256").hexdigest()},
        signed(app, raw, key="another"),
        signed(app, raw + b" "),
        *({"X-Feed-Time": one} for one in (None, later, "", "now", f"0{good['X-Feed-Time']}")),
        *({"X-Feed-Sequence": one} for one in (None, "2", "-1", "1e3", "\xb2", "9" * 19)),
    ]
    for changes in others:
        headers = [
            (name.encode(), value.encode("latin-1"))
            for name, value in ({**good, **changes}).items()
            if value is not None
        ]
        answer = await app.client.post(PUSH, content=raw, headers=headers)
        assert refused(answer) == (400, "invalid_signature"), changes
    assert await count(app) == 0

    good["X-Feed-Signature"] = signature.upper()
    answer = await app.client.post(PUSH, content=raw, headers=good)
    assert answer.status_code == 200


@pytest.mark.parametrize("sequence", ["-1", "", "1.5", "1" * 19, "one"])
async def test_what_is_signed_with_no_sequence_is_refused(app: RunningApp, sequence: str) -> None:
    assert refused(await push(app, row(), sequence=sequence)) == (400, "invalid_signature")


@pytest.mark.parametrize(("seconds", "is_taken"), [(-298, True), (298, True), (-302, False)])
async def test_a_push_is_of_the_last_five_minutes(
    app: RunningApp, seconds: int, is_taken: bool
) -> None:
    time = int(clock.now().timestamp()) + seconds

    answer = await push(app, row(), time=time)

    assert answer.status_code == (200 if is_taken else 400)


async def test_a_push_that_was_captured_changes_nothing_later(app: RunningApp) -> None:
    wrong = row("m1", kick_off_at=before(), **(PAST | {"home_goals": 3}))
    raw = json.dumps({"rows": [wrong]}).encode()
    captured = signed(app, raw)
    assert (await app.client.post(PUSH, content=raw, headers=captured)).status_code == 200
    assert await pushed(app, wrong | {"home_goals": PAST["home_goals"]}) == (1, 0, [])
    version = await app.database.fetch_value("SELECT version FROM fixture")

    replayed = await app.client.post(PUSH, content=raw, headers=captured)

    assert refused(replayed) == (409, "stale_feed")
    assert await app.database.fetch_value("SELECT version FROM fixture") == version


async def test_only_a_push_that_was_taken_moves_the_sequence_on(app: RunningApp) -> None:
    highest = next(SEQUENCES) + 1000
    assert refused(await push(app, body=b"rows", sequence=highest)) == (400, "malformed_json")
    assert refused(await push(app, body=b"{}", sequence=highest)) == (422, "validation_failed")
    assert refused(await push(app, row(), sequence=highest, time=1))[0] == 400

    assert (await push(app, row(), sequence=highest)).status_code == 200
    for sequence in (highest, highest - 1, 0):
        answer = await push(app, row("m2"), sequence=sequence)
        assert refused(answer) == (409, "stale_feed")
    assert await count(app) == 1
    assert (await push(app, row(), sequence=highest + 1)).status_code == 200


async def test_of_one_push_repeated_twenty_times_at_once_one_is_taken(
    live_server: RunningApp,
) -> None:
    raw = json.dumps({"rows": [row()]}).encode()
    headers = signed(live_server, raw)

    answers = await asyncio.gather(
        *(live_server.client.post(PUSH, content=raw, headers=headers) for _ in range(20))
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"", "body"),
        (b"[]", "body"),
        (b"1", "body"),
        (b"{}", "rows"),
        (b'{"rows": {}}', "rows"),
        (b'{"rows": [1]}', "rows.0"),
        (b'{"rows": [], "more": 1}', "more"),
        (json.dumps({"rows": [{}] * 201}).encode(), "rows"),
    ],
)
async def test_what_is_no_list_of_rows_is_refused(app: RunningApp, body: bytes, field: str) -> None:
    answer = await push(app, body=body)

    assert refused(answer) == (422, "validation_failed")
    assert list(answer.json()["error"]["fields"]) == [field]


@pytest.mark.parametrize(
    "body",
    [
        b"rows",
        b'{"rows": ',
        b"\xff\xfe",
        b'{"rows": "\xff"}',
        b'{"rows": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    ],
)
async def test_a_signed_body_that_is_no_json_is_answered_as_any_other(
    app: RunningApp, body: bytes
) -> None:
    answer = await push(app, body=body)

    assert refused(answer) == (400, "malformed_json")


async def test_two_hundred_rows_are_taken_and_more_than_256_kilobytes_are_not(
    app: RunningApp,
) -> None:
    start = clock.now().replace(microsecond=0) + DAY
    rows = [
        row(str(number), kick_off_at=(start + number * HOUR).isoformat()) for number in range(200)
    ]

    assert await pushed(app, *rows) == (200, 0, [])
    too_large = await push(app, body=b" " * (256 * 1024 + 1))
    assert refused(too_large) == (413, "too_large")


async def test_of_the_same_rows_many_times_at_once_each_is_taken_once(
    live_server: RunningApp,
) -> None:
    rows = [row("m1", kick_off_at=before(), **PAST), row("m2")]

    answers = await asyncio.gather(*(push(live_server, *rows) for _ in range(8)))

    taken = [answer.json()["data"] for answer in answers if answer.status_code == 200]
    assert taken
    assert sum(outcome["accepted"] for outcome in taken) == 2
    assert sum(outcome["unchanged"] for outcome in taken) == 2 * len(taken) - 2
    others = [refused(answer) for answer in answers if answer.status_code != 200]
    assert set(others) <= {(409, "stale_feed")}, "one that was overtaken"
    assert await live_server.database.fetch_value("SELECT sum(version) FROM fixture") == 2


async def test_a_feed_and_a_person_at_once_leave_what_the_person_wrote(
    live_server: RunningApp,
) -> None:
    musa = await operator_client(live_server, "musa", Role.GAME_MASTER)
    member = await live_server.member("ada")
    base = row("m1", kick_off_at=before(1))
    await pushed(live_server, base)
    (found,) = await shown(member, MATCHES)
    by_hand = {"competition": "NPFL", "homeGoals": 0, "awayGoals": 0}

    by_feed = base | {"state": "live", "home_goals": 1, "away_goals": 0}
    by_person, *_ = await asyncio.gather(
        change(musa, found | by_hand, state="live"), *(push(live_server, by_feed) for _ in range(4))
    )

    (now,) = await shown(member, MATCHES)
    was_first = by_person.status_code == 200
    assert now["version"] == 2
    assert now["goals"] == ({"home": 0, "away": 0} if was_first else {"home": 1, "away": 0})
    if not was_first:
        assert refused(by_person) == (409, "stale")


def sheet(*rows: dict[str, Any], columns: tuple[str, ...] = COLUMNS, by: str = ",") -> bytes:
    lines = [columns, *([str(one.get(name) or "") for name in columns] for one in rows)]
    return "\r\n".join(by.join(line) for line in lines).encode("utf-8-sig")


async def upload(
    operator: OperatorClient, content: bytes | None, digest: str | None = None
) -> httpx.Response:
    files: dict[str, Any] = {} if content is None else {"file": ("f.csv", content, "text/csv")}
    if digest is not None or content is None:
        files["digest"] = (None, digest or "")
    return await operator.client.post(IMPORTS, files=files, headers=operator.headers)


async def audits(app: RunningApp) -> list[str]:
    rows = await app.database.fetch_rows(
        "SELECT action FROM audit_entry WHERE target_type = 'fixture' ORDER BY id"
    )
    return [one["action"] for one in rows]


async def test_a_file_is_looked_at_and_then_imported_whole(
    app: RunningApp, musa: OperatorClient, member: SignedIn
) -> None:
    content = sheet(
        row("a", scored="home 12; away 45;home 90", kick_off_at=before(), **PAST),
        row("b", home="Arsenal", away="Enyimba"),
    )

    preview = await upload(musa, content)
    review = preview.json()["data"]
    nothing = await count(app), await audits(app)
    done = await upload(musa, content, review["digest"])
    again = await upload(musa, content, review["digest"])

    assert preview.status_code == done.status_code == again.status_code == 200
    assert review | {"digest": ""} == {
        **{"digest": "", "applied": False, "rows": 2, "accepted": 2, "unchanged": 0},
        "problems": [],
    }
    assert nothing == (0, [])
    assert done.json()["data"] == review | {"applied": True}
    assert again.json()["data"] == review | {"applied": True, "accepted": 0, "unchanged": 2}
    assert await audits(app) == ["import", "import"]
    (played, _) = await shown(member, MATCHES)
    assert [one["minute"] for one in played["scored"]] == [12, 45, 90]


async def test_a_file_with_a_row_that_does_not_fit_imports_nothing(
    app: RunningApp, musa: OperatorClient
) -> None:
    content = sheet(row("a"), row("b", home="Nobody FC"), row("a"), row("c", state="over"))

    review = (await upload(musa, content)).json()["data"]
    answer = await upload(musa, content, review["digest"])

    assert (review["rows"], review["accepted"]) == (4, 1)
    assert [(one["row"], one["column"]) for one in review["problems"]] == [
        *((3, "home"), (4, "ref"), (5, "state")),
    ]
    assert refused(answer) == (409, "import_has_problems")
    assert answer.json()["data"] == review
    assert (await count(app), await audits(app)) == (0, [])
    assert await app.database.fetch_row("SELECT FROM competition") is None


async def test_who_looks_at_a_file_waits_for_no_writer_and_writes_nothing(
    app: RunningApp, musa: OperatorClient, owner: AsyncEngine
) -> None:
    content = sheet(row("a", competition="New League"))
    async with owner.begin() as writing:
        await writing.execute(select(func.pg_advisory_xact_lock(AdvisoryLock.MATCH_WRITING)))

        review = (await upload(musa, content)).json()["data"]

    assert (review["accepted"], review["problems"]) == (1, [])
    assert await app.database.fetch_row("SELECT FROM competition") is None


async def test_a_file_of_other_countries_spreadsheets_is_read(
    app: RunningApp, musa: OperatorClient
) -> None:
    day = clock.lagos_day(clock.now() + DAY)
    short = ("Ref", "competition", "season", "home", "away", "kick_off_at")
    rows = {"Ref": "1", "competition": "NPFL", "season": "2027"}
    teams = {"home": "Enyimba", "away": "Arsenal", "kick_off_at": f"{day} 16:00"}
    content = sheet(rows | teams, {}, columns=short, by=";")

    review = (await upload(musa, content)).json()["data"]

    assert (review["rows"], review["accepted"], review["problems"]) == (1, 1, [])


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"\xff\xfe\x00",
        b"ref,home\n1,Enyimba",
        sheet(row(), columns=(*COLUMNS, "players")),
        sheet(row(), columns=(*COLUMNS, "ref")),
        b'ref,competition,season,home,away,kick_off_at\n"a',
        sheet(*({"ref": "x"} for _ in range(1001))),
    ],
)
async def test_a_file_that_cannot_be_read_is_refused(
    app: RunningApp, musa: OperatorClient, content: bytes | None
) -> None:
    answer = await upload(musa, content)

    assert refused(answer) == (422, "validation_failed")
    assert set(answer.json()["error"]["fields"]) == {"file"}


async def test_only_the_file_that_was_looked_at_is_imported_by_who_may(
    app: RunningApp, musa: OperatorClient
) -> None:
    content = sheet(row())
    other = await upload(musa, content, "0" * 64)
    support = await operator_client(app, "sola", Role.EDITOR)

    assert refused(other) == (409, "stale")
    assert (await upload(support, content)).status_code == 404
    assert (await app.client.post(IMPORTS, content=b"x")).status_code == 404
    too_large = await upload(musa, b"x" * 262_145)
    assert refused(too_large) == (413, "too_large")
    assert await count(app) == 0


async def test_files_and_pushes_have_refs_of_their_own(
    app: RunningApp, musa: OperatorClient
) -> None:
    content = sheet(row("1"))
    digest = (await upload(musa, content)).json()["data"]["digest"]
    assert (await upload(musa, content, digest)).status_code == 200

    assert await pushed(app, row("1", kick_off_at=before(-72))) == (1, 0, [])
    assert await count(app) == 2


async def test_a_team_that_somebody_has_written_is_known_to_feeds(
    app: RunningApp, musa: OperatorClient
) -> None:
    await musa.post(f"{IMPORTS.removesuffix('/imports')}", wish(away={"name": "Lobi Stars"}))

    base = row("m1", away="lobi stars", kick_off_at=before(-int(timedelta(days=9) / HOUR)))
    assert await pushed(app, base) == (1, 0, [])
