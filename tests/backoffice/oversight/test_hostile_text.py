"""Text typed by operators stays text: in responses, in the audit, in files."""

import copy
import csv
import io
import itertools
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from api.foundation.core.config import Settings
from api.foundation.security.rights import Role
from api.games.questions.rules.reading import COLUMNS

from tests.back_office import ADMIN, operator_client
from tests.backoffice.oversight.writes import Stage, load
from tests.conftest import open_running_app
from tests.hostile_text import HOSTILE
from tests.money.payments.conftest import TWO_GATEWAYS

TEXTS_PER_FIELD = 3


@pytest.fixture
async def stage(settings: Settings, _empty_tables: None) -> AsyncIterator[Stage]:
    async with open_running_app(
        settings.model_copy(update={"payment_gateways": TWO_GATEWAYS})
    ) as app:
        olu, bisi = [await operator_client(app, name, Role.OWNER) for name in ("olu", "bisi")]
        ready = Stage(app, await app.member("ada"), olu, bisi)
        yield ready
        for task in ready.background:
            task.cancel()


def places(content: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each text of a body."""
    if isinstance(content, str):
        yield way
    elif isinstance(content, dict):
        for name, part in content.items():
            yield from places(part, (*way, name))
    elif isinstance(content, list):
        for index, part in enumerate(content):
            yield from places(part, (*way, index))


def put(content: Any, way: tuple[Any, ...], text: str) -> Any:
    changed = copy.deepcopy(content)
    *steps, last = way
    inner = changed
    for step in steps:
        inner = inner[step]
    inner[last] = text
    return changed


@pytest.mark.parametrize("call", sorted(load()))
async def test_no_text_in_any_field_breaks_a_call_or_is_more_than_text(
    stage: Stage, call: str
) -> None:
    sent = await load()[call](stage)
    method, _, path = call.partition(" ")
    address = f"{ADMIN}/{path.format(**sent.names)}"
    begin = sorted(load()).index(call) * 7
    texts = itertools.islice(itertools.cycle(HOSTILE), begin, None)

    for way in [] if sent.files else list(places(sent.body)):
        for text in itertools.islice(texts, TEXTS_PER_FIELD):
            answer = await stage.app.client.request(
                method, address, headers=stage.olu.headers, json=put(sent.body, way, text)
            )
            assert answer.status_code < 500, (way, text, answer.text)
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"


async def test_no_formula_of_a_file_comes_back_as_one(stage: Stage) -> None:
    assert len(HOSTILE) == 200
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for number, text in enumerate(HOSTILE):
        writer.writerow([f"bad {number}", *[text] * (len(COLUMNS) - 1)])
    sent = {"file": ("questions.csv", file.getvalue().encode(), "text/csv")}

    preview = await stage.app.client.post(
        f"{ADMIN}/questions/imports", headers=stage.olu.headers, files=sent
    )
    assert preview.status_code == 201, preview.text
    import_id = preview.json()["data"]["id"]
    back = await stage.olu.get(f"{ADMIN}/questions/imports/{import_id}/problems.csv")

    rows = list(csv.reader(io.StringIO(back.text.removeprefix("\ufeff"))))
    assert len(rows) == 1 + len(HOSTILE)
    for cell in itertools.chain.from_iterable(rows):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), cell
