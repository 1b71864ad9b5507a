"""The API reference is a page without scripts or external resources."""

import asyncio
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from api.app import routes
from api.foundation.core.config import Settings
from api.foundation.http import reference
from typing_extensions import override

from tests.conftest import RunningApp, open_running_app
from tests.production import PRODUCTION

LOADING = {"src", "href", "srcset", "action", "data", "poster"}


class Page(HTMLParser):
    """Collects what a page would run and load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.ids: set[str] = set()
        self.addresses: set[str] = set()
        self.inline: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in LOADING:
                self.addresses.add(value or "")
            if name == "id":
                assert value not in self.ids
                self.ids.add(value or "")
            if name == "style" or name.startswith("on"):
                self.inline.append(name)


@pytest.mark.usefixtures("_empty_tables")
@pytest.mark.parametrize("changes", [{}, PRODUCTION], ids=["development", "production"])
async def test_the_reference_runs_nothing_and_loads_only_what_we_serve(
    plain_settings: Settings, changes: dict[str, object]
) -> None:
    async with open_running_app(Settings(**plain_settings.model_dump() | changes)) as app:
        answer = await app.client.get("/docs")
        page = Page()
        page.feed(answer.text)

        assert answer.status_code == 200
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script-src" not in policy
        assert "unsafe" not in policy
        assert not page.tags & {"script", "iframe", "object", "embed", "form", "style", "base"}
        assert page.inline == []
        for address in page.addresses:
            if address.startswith("#"):
                assert address[1:] in page.ids
            else:
                assert address.startswith("/")
                assert (await app.client.get(address)).status_code == 200
        style = await app.client.get("/docs/reference.css")
        assert style.headers["Content-Type"].startswith("text/css")
        assert not re.search(r"url\(|@import|https?:", style.text)


async def test_the_reference_names_every_call(app: RunningApp) -> None:
    text = (await app.client.get("/docs")).text

    for path, operations in app.asgi.openapi()["paths"].items():
        assert path in text
        for operation in operations.values():
            assert f'id="{operation["operationId"]}"' in text


async def test_the_reference_and_the_description_are_built_once_for_all_callers(
    app: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []

    def render(description: dict[str, Any]) -> str:
        built.append("reference")
        return reference.render_reference(description)

    def describe() -> dict[str, Any]:
        built.append("description")
        return described

    described = app.asgi.openapi()
    monkeypatch.setattr(routes, "render_reference", render)
    monkeypatch.setattr(app.asgi, "openapi", describe)

    paths = ["/docs", "/openapi.json"] * 5
    answers = await asyncio.gather(*(app.client.get(path) for path in paths))
    answers += [await app.client.get(path) for path in paths]

    assert len({answer.text for answer in answers}) == 2
    assert sorted(built) == ["description", "reference"]
    assert answers[1].json() == described


@pytest.mark.parametrize("path", ["/openapi.json", "/docs"])
async def test_what_is_built_once_is_sent_compressed_and_not_sent_again(
    app: RunningApp, path: str
) -> None:
    plain = await app.client.get(path, headers={"Accept-Encoding": "identity"})
    packed = await app.client.get(path, headers={"Accept-Encoding": "br, gzip"})
    head = await app.client.head(path)

    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == "Accept-Encoding"
    assert int(packed.headers["Content-Length"]) < len(plain.content) / 5
    assert packed.content == plain.content
    assert head.content == b""
    assert head.headers["ETag"] == plain.headers["ETag"]
    etag = plain.headers["ETag"]
    for known in (etag, etag.removeprefix("W/"), f'"other", {etag}', "*"):
        again = await app.client.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == etag
        assert again.headers["Cache-Control"] == plain.headers["Cache-Control"]
    other = await app.client.get(path, headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


async def test_the_description_is_kept_for_an_hour(app: RunningApp) -> None:
    answer = await app.client.get("/openapi.json")

    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
