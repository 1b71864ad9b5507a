"""Error reports from browsers: accepted from everyone, counted, on one bounded line, anonymous."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from api.foundation.client_errors import service
from api.foundation.client_errors.enums import ErrorKind
from api.foundation.client_errors.rules import without_persons
from api.foundation.core.errors import DatabaseUnavailableError

from tests.conftest import RunningApp, SignedIn
from tests.people.auth.letters import calling_from

PATH = "/api/v1/client-errors"
REPORT: dict[str, Any] = {
    "kind": "screen",
    "name": "ChunkLoadError",
    "message": "Failed to fetch dynamically imported module",
    "path": "/chats",
    "build": "3f2a91c",
}


@pytest.fixture
def strict(app: RunningApp) -> Iterator[RunningApp]:
    """An application with production's limits."""
    app.asgi.state.services.limiter._leniency = 1
    yield app
    app.asgi.state.services.limiter._leniency = 100


def logged(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    return [line for line in map(json.loads, lines) if line["event"] == "client error"]


async def report(client: httpx.AsyncClient, **changes: Any) -> httpx.Response:
    return await client.post(PATH, json=REPORT | changes)


async def test_a_visitor_reports_an_error_and_operators_find_it(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = await report(app.client)

    assert answer.status_code == 202
    assert answer.json() == {"status": 202, "message": "Thank you for the report.", "data": None}
    (line,) = logged(capsys)
    assert {name: line[name] for name in ("kind", "error_name", "message", "path", "build")} == {
        "kind": "screen",
        "error_name": "ChunkLoadError",
        "message": "Failed to fetch dynamically imported module",
        "path": "/chats",
        "build": "3f2a91c",
    }
    assert line["request_id"] == answer.headers["X-Request-Id"]
    figures = (await app.client.get("/metrics")).text
    assert 'client_errors_total{kind="screen"} 1.0' in figures


async def test_a_member_reports_as_nobody_even_with_a_dead_token(
    app: RunningApp, member: SignedIn, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    alive = await member.post(PATH, REPORT)
    dead = await app.client.post(PATH, json=REPORT, headers={"Authorization": "Bearer x"})

    assert [alive.status_code, dead.status_code] == [202, 202]
    assert str(member.id) not in json.dumps(logged(capsys))


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("kind", "other"),
        ("name", ""),
        ("name", "x" * 81),
        ("message", "x" * 501),
        ("message", 7),
        ("path", "x"),
        ("path", "/" + "x" * 200),
        ("path", "/signin?code=123456"),
        ("path", "/a#b"),
        ("path", "/a\nb"),
        ("build", "x" * 41),
        ("build", "a b"),
        ("stack", "at x"),
    ],
)
async def test_a_report_that_does_not_fit_is_refused_and_not_logged(
    app: RunningApp, capsys: pytest.CaptureFixture[str], field: str, wrong: object
) -> None:
    answer = await report(app.client, **{field: wrong})

    assert answer.status_code == 422
    assert list(answer.json()["error"]["fields"]) == [field]
    assert logged(capsys) == []


async def test_the_longest_report_is_taken_and_a_larger_body_is_not_read(app: RunningApp) -> None:
    maximal = {"name": "é" * 80, "message": "€" * 500, "path": "/" + "é" * 199, "build": "b" * 40}

    assert (await report(app.client, **maximal)).status_code == 202
    assert (await report(app.client, message="x" * 9000)).status_code == 413


@pytest.mark.parametrize(
    ("said", "logged"),
    [
        ('broke\r\n{"event": "security_event"}', 'broke {"event": "security_event"}'),
        ("a\u2028b\u0000c\u001b[31m\u202ed", "a b c [31m d"),
        ("no ada.obi@example.com here", "no [hidden] here"),
        ("ada%40example.com", "[hidden]"),
        ("GET https://fans.ng/x.js?token=1#a failed", "GET https://fans.ng/x.js failed"),
        ("/signin?code=123456 failed", "/signin failed"),
        ("Bearer abc.def failed", "[hidden] failed"),
        ("token eyJhbGciOi.eyJzdWIi.c2ln failed", "token [hidden] failed"),
        ("key 0123456789abcdef0123456789abcdef", "key [hidden]"),
        ("call +234 803 123 4567 now", "call [hidden] now"),
        ("user 0190b5c2-7d3e-7a41-9c55-0f2b8d1e6a70 x", "user {id} x"),
        ("Cannot read properties of undefined (reading 'x?.y')", None),
    ],
)
async def test_a_line_holds_no_control_characters_contacts_tokens_or_queries(
    app: RunningApp, capsys: pytest.CaptureFixture[str], said: str, logged: str | None
) -> None:
    assert (await report(app.client, message=said, name=said[:80])).status_code == 202

    printed = capsys.readouterr().out
    (line,) = [json.loads(one) for one in printed.splitlines()]
    assert line["message"] == (said if logged is None else logged)
    assert line["error_name"] in {said[:80], logged}
    assert printed.isascii()


def test_an_id_in_a_path_is_not_told() -> None:
    path = "/product/0190B5C2-7d3e-7a41-9c55-0f2b8d1e6a70/x"

    assert without_persons(path) == "/product/{id}/x"


async def test_the_eleventh_report_of_a_network_in_a_minute_is_refused(
    strict: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    async with (
        calling_from(strict.asgi, "2001:db8:1:2::1") as one,
        calling_from(strict.asgi, "2001:db8:1:2::9") as other,
        calling_from(strict.asgi, "2001:db8:9::1") as elsewhere,
    ):
        answers = [await report(client) for client in [one, other] * 6]
        assert (await report(elsewhere)).status_code == 202

    assert [answer.status_code for answer in answers] == [202] * 10 + [429] * 2
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
    assert len(logged(capsys)) == 11


async def test_a_crowd_cannot_flood_the_log_or_the_database(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A tenth of the limit, and few at a time: a report that finds the database busy is not counted.
    errors = app.asgi.state.services.client_errors
    monkeypatch.setattr(errors, "_counted", service.ReportWindow(service.MAX_COUNTED // 10))
    monkeypatch.setattr(errors, "_taken", service.ReportWindow(service.MAX_LOGGED_REPORTS // 10))

    async def one(number: int) -> int:
        async with calling_from(app.asgi, f"203.0.113.{number}") as client:
            return (await report(client)).status_code

    statuses = []
    for start in range(0, service.MAX_COUNTED // 10 + 5, 5):
        statuses += await asyncio.gather(*(one(start + number) for number in range(5)))

    assert statuses.count(202) == len(logged(capsys)) == service.MAX_LOGGED_REPORTS // 10
    assert set(statuses) == {202, 429}
    row = await app.database.fetch_row("SELECT sum(hits) AS hits FROM rate_limit")
    assert row is not None
    assert row["hits"] == service.MAX_COUNTED // 10


async def test_what_breaks_while_the_database_is_away_is_reported_all_the_same(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def away(*_: object) -> None:
        raise DatabaseUnavailableError

    monkeypatch.setattr(app.asgi.state.services.limiter, "hit_address", away)

    assert (await report(app.client)).status_code == 202
    assert len(logged(capsys)) == 1


async def test_every_kind_is_counted_from_the_start(app: RunningApp) -> None:
    figures = (await app.client.get("/metrics")).text

    for kind in ErrorKind:
        assert f'client_errors_total{{kind="{kind}"}} 0.0' in figures
