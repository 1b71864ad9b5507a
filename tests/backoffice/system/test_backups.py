"""Backups in the back office: listed with their results, and taken on request."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from api.app.backup.nightly import NightlyBackup
from api.app.backup.pruning import list_backups
from api.foundation.core import clock
from api.foundation.jobs.figures import record_beat
from api.foundation.jobs.runs import BACKUP, RESTORE_PROOF, Run, record_run
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp

BACKUPS = f"{ADMIN}/backups"


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def recorded(
    app: RunningApp, kind: str, subject: str, hours_ago: int, *, succeeded: bool = True
) -> None:
    run = Run(
        kind=kind,
        subject=subject,
        started_at=clock.now() - timedelta(hours=hours_ago),
        seconds=4.2,
        size_bytes=1000 + hours_ago,
        succeeded=succeeded,
        outcome=f"{subject} ended.",
    )
    await record_run(app.database, run)


async def listed(operator: OperatorClient, query: str = "") -> dict[str, Any]:
    answer = await operator.get(f"{BACKUPS}{query}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def nightly_backup(app: RunningApp, folder: Path) -> NightlyBackup:
    settings = app.settings.model_copy(update={"backup_dir": folder})
    return NightlyBackup(settings, folder, app.database, app.asgi.state.services.media_store)


async def test_the_last_fourteen_say_when_how_large_and_whether_they_were_proven(
    app: RunningApp, olu: OperatorClient
) -> None:
    assert await listed(olu) == {"rows": [], "next": None}
    for number in range(16):
        await recorded(app, BACKUP, f"night-{number}", 24 * number + 2)
    await recorded(app, RESTORE_PROOF, "night-0", 1, succeeded=False)
    await recorded(app, RESTORE_PROOF, "night-1", 25, succeeded=False)
    await recorded(app, RESTORE_PROOF, "night-1", 24)
    await recorded(app, BACKUP, "broken", 0, succeeded=False)

    page = await listed(olu)

    rows = page["rows"]
    assert [row["name"] for row in rows] == ["broken", *(f"night-{n}" for n in range(13))]
    assert [(row["proven"], row["error"]) for row in rows[:4]] == [
        (False, "broken ended."),
        (False, "night-0 ended."),
        (True, None),
        (False, None),
    ]
    assert rows[2]["size"] == 1026
    assert 26 * 3600 <= rows[2]["age"] < 26 * 3600 + 60
    rest = await listed(olu, f"?before={page['next']}")
    assert ([row["name"] for row in rest["rows"]], rest["next"]) == (
        ["night-13", "night-14", "night-15"],
        None,
    )
    assert (await olu.get(f"{BACKUPS}?before=x")).status_code == 404


@pytest.mark.parametrize("call", ["backups", "jobs/backup/run"])
async def test_without_a_process_that_takes_them_nothing_is_asked_for(
    app: RunningApp, olu: OperatorClient, call: str
) -> None:
    answer = await olu.post(f"{ADMIN}/{call}")

    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "no_backup_process")
    assert await app.database.fetch_value("SELECT count(*) FROM audit_entry") == 0


@pytest.mark.parametrize(("call", "status"), [("backups", 201), ("jobs/backup/run", 200)])
async def test_however_many_ask_at_once_one_backup_is_taken_and_proven(
    app: RunningApp, olu: OperatorClient, tmp_path: Path, call: str, status: int
) -> None:
    taker = nightly_backup(app, tmp_path / "b")
    await record_beat(app.database, [BACKUP, RESTORE_PROOF])
    assert await taker.answer() is None
    assert not (tmp_path / "b").exists()

    requests = asyncio.gather(*(olu.post(f"{ADMIN}/{call}") for _ in range(3)))
    await asyncio.sleep(1)  # all three wait for the same backup
    await taker.answer()
    answers = await requests
    assert await taker.answer() is None

    assert {answer.status_code for answer in answers} == {status}
    (name,) = list_backups(tmp_path / "b", clock.now() + timedelta(days=1))
    (row,) = (await listed(olu))["rows"]
    assert (row["name"], row["proven"], row["error"]) == (name, True, None)
    assert row["size"] > 10_000
    assert await app.database.fetch_value("SELECT count(*) FROM audit_entry") == 3
