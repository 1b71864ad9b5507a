"""The fake push service, and the status that a box is set to answer with."""

from typing import Any

import pytest

from tests.conftest import RunningApp


@pytest.mark.parametrize(
    "content",
    [
        b'{"answer": 202}',
        b'{"answer": "201"}',
        b'{"answer": 201.0}',
        b'{"answer": true}',
        b'{"answer": null}',
        b'{"answer": [201]}',
        b"{}",
        b"[]",
        b"201",
        b"",
        b"\xff",
    ],
)
async def test_an_answer_that_is_none_is_refused_and_changes_nothing(
    app: RunningApp, content: bytes
) -> None:
    box: dict[str, Any] = (await app.client.post("/sandbox/push/boxes")).json()
    path = f"/sandbox/push/boxes/{box['box']}"

    refused = await app.client.put(path, content=content)
    unknown = await app.client.put("/sandbox/push/boxes/none", json={"answer": 201})
    taken = await app.client.put(path, json={"answer": 410})

    assert (refused.status_code, unknown.status_code, taken.status_code) == (422, 404, 200)
