"""The API's reference is a page that runs nothing and loads nothing from elsewhere."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from api import routes
from api.core.config import Settings
from api.http import reference
from typing_extensions import override

from tests.conftest import House, open_house
from tests.production import PRODUCTION

LOADING = {"src", "href", "srcset", "action", "data", "poster"}


class Page(HTMLParser):
    """What a page would run and load."""

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
    async with open_house(Settings(**plain_settings.model_dump() | changes)) as house:
        answer = await house.client.get("/docs")
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
                assert (await house.client.get(address)).status_code == 200
        style = await house.client.get("/docs/reference.css")
        assert style.headers["Content-Type"].startswith("text/css")
        assert not re.search(r"url\(|@import|https?:", style.text)


async def test_the_reference_names_every_call(house: House) -> None:
    text = (await house.client.get("/docs")).text

    for path, operations in house.app.openapi()["paths"].items():
        assert path in text
        for operation in operations.values():
            assert f'id="{operation["operationId"]}"' in text


async def test_the_reference_is_put_together_once_for_all_callers(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[str] = []

    def render(description: dict[str, Any]) -> str:
        rendered.append(reference.render_reference(description))
        return rendered[-1]

    monkeypatch.setattr(routes, "render_reference", render)

    answers = [await house.client.get("/docs") for _ in range(3)]

    assert {answer.text for answer in answers} == {rendered[0]}
    assert len(rendered) == 1
