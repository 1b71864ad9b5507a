"""Serving the built pages, and the service worker where a build has one."""

from pathlib import Path

import httpx
import pytest
from api.foundation.http.spa import ScreenHead, WebApp
from starlette.exceptions import HTTPException

BROWSER = {"Accept": "text/html,*/*"}
WORKER = {"Accept": "*/*", "Service-Worker": "script"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(
        "<!doctype html><!--head--><title>Built</title><!--/head-->"
    )
    (tmp_path / "sw.js").write_text("self.addEventListener('fetch', () => {})")
    return tmp_path


async def head_of(path: str) -> ScreenHead:
    return ScreenHead(f"<title>{path}</title>", 404 if "." in path or path == "/nowhere" else 200)


async def fetch(
    folder: Path, path: str, headers: dict[str, str], *, method: str = "GET"
) -> httpx.Response:
    transport = httpx.ASGITransport(
        WebApp(folder, public_url="https://fans.example", heads=head_of)
    )
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        return await client.request(method, path, headers=headers)


async def test_a_browser_asks_for_the_worker_anew_each_time_and_may_run_it(folder: Path) -> None:
    worker = await fetch(folder, "/sw.js", WORKER)
    page = await fetch(folder, "/", BROWSER)

    assert worker.status_code == 200
    assert worker.headers["Cache-Control"] == "no-cache"
    assert worker.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "ETag" in worker.headers
    assert "worker-src 'self'" in page.headers["Content-Security-Policy"].split("; ")


async def test_a_build_without_a_worker_has_none_to_offer(folder: Path) -> None:
    (folder / "sw.js").unlink()

    answer = await fetch(folder, "/sw.js", WORKER)

    assert answer.status_code == 404


@pytest.fixture
def with_office(folder: Path) -> Path:
    (folder / "admin" / "assets").mkdir(parents=True)
    (folder / "admin" / "index.html").write_text("<!doctype html><script>a()</script>Back office")
    (folder / "admin" / "assets" / "main-1.js").write_text("export {}")
    return folder


@pytest.mark.parametrize("path", ["/admin", "/admin/", "/admin/sign-in", "/admin/orders/KF-1"])
async def test_the_back_office_has_a_page_of_its_own_on_all_its_paths(
    with_office: Path, path: str
) -> None:
    page = await fetch(with_office, path, BROWSER)
    directives = page.headers["Content-Security-Policy"].split("; ")

    assert page.status_code == 200
    assert page.text.endswith("Back office")
    assert page.headers["Cache-Control"] == "no-cache"
    assert "style-src 'self'" in directives
    assert "media-src 'self' blob:" in directives
    assert not any("paystack" in part or "unsafe" in part for part in directives)
    assert any(part.startswith("script-src 'self' 'sha256-") for part in directives)


@pytest.mark.parametrize("path", ["/", "/administration", "/news"])
async def test_other_paths_are_the_members(with_office: Path, path: str) -> None:
    page = await fetch(with_office, path, BROWSER)

    assert page.text == f"<!doctype html><title>{path}</title>"


@pytest.mark.parametrize(
    "accept", ["*/*", "", "text/html", "image/avif,*/*;q=0.8", "application/json, */*"]
)
async def test_every_client_gets_a_page_with_its_head(folder: Path, accept: str) -> None:
    page = await fetch(folder, "/news", {"Accept": accept, "Accept-Encoding": "identity"})
    missing = await fetch(folder, "/nowhere", {"Accept": accept})

    assert (page.status_code, missing.status_code) == (200, 404)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.text == "<!doctype html><title>/news</title>"
    assert missing.text == "<!doctype html><title>/nowhere</title>"
    head = await fetch(folder, "/news", {"Accept": accept}, method="HEAD")
    assert head.headers["Content-Type"] == page.headers["Content-Type"]


@pytest.mark.parametrize("accept", ["application/json", "application/problem+json;q=1"])
async def test_a_client_that_reads_only_json_gets_no_page(folder: Path, accept: str) -> None:
    with pytest.raises(HTTPException) as refused:
        await fetch(folder, "/news", {"Accept": accept})

    assert refused.value.status_code == 404


async def test_a_page_that_is_known_is_not_sent_again(folder: Path) -> None:
    first = await fetch(folder, "/news", BROWSER)
    again = await fetch(folder, "/news", BROWSER | {"If-None-Match": first.headers["ETag"]})
    other = await fetch(folder, "/shop", BROWSER | {"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert other.status_code == 200


async def test_the_page_as_it_was_built_is_a_file(folder: Path) -> None:
    built = await fetch(folder, "/index.html", WORKER)

    assert built.text == "<!doctype html><!--head--><title>Built</title><!--/head-->"


async def test_a_script_of_the_back_office_is_kept_and_one_that_is_gone_is_no_page(
    with_office: Path,
) -> None:
    script = await fetch(with_office, "/admin/assets/main-1.js", {"Accept": "*/*"})

    assert script.headers["Cache-Control"].endswith("immutable")
    with pytest.raises(HTTPException) as refused:
        await fetch(with_office, "/admin/assets/main-0.js", BROWSER)
    assert refused.value.status_code == 404
