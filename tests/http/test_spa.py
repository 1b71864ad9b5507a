"""Serving the service worker: always the newest, and only where a build has one."""

from pathlib import Path

import httpx
import pytest
from api.http.spa import WebApp
from starlette.exceptions import HTTPException

BROWSER = {"Accept": "text/html,*/*"}
WORKER = {"Accept": "*/*", "Service-Worker": "script"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("<!doctype html><title>King of Fans</title>")
    (tmp_path / "sw.js").write_text("self.addEventListener('fetch', () => {})")
    return tmp_path


async def fetch(folder: Path, path: str, headers: dict[str, str]) -> httpx.Response:
    transport = httpx.ASGITransport(WebApp(folder, public_url="https://fans.example"))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        return await client.get(path, headers=headers)


async def test_a_browser_asks_for_the_worker_anew_each_time_and_may_run_it(folder: Path) -> None:
    worker = await fetch(folder, "/sw.js", WORKER)
    page = await fetch(folder, "/", BROWSER)

    assert worker.status_code == 200
    assert worker.headers["Cache-Control"] == "no-cache"
    assert worker.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "ETag" in worker.headers
    assert "worker-src 'self'" in page.headers["Content-Security-Policy"].split("; ")


async def test_a_build_without_a_worker_gives_no_page_in_its_place(folder: Path) -> None:
    (folder / "sw.js").unlink()

    with pytest.raises(HTTPException) as refused:
        await fetch(folder, "/sw.js", WORKER)

    assert refused.value.status_code == 404
