"""Extreme dates in every route that accepts a date."""

import pytest
from api.foundation.http.openapi_components import expand_paths
from api.foundation.security.rights import Role

from tests.back_office import operator_client_of
from tests.conftest import RunningApp, SignedIn

EDGES = ("0001-01-01", "1999-12-31", "2000-01-01", "2999-12-31", "3000-01-01", "9999-12-31")


@pytest.mark.parametrize("day", EDGES)
async def test_no_day_is_a_crash(
    app: RunningApp, member: SignedIn, rival: SignedIn, day: str
) -> None:
    owner = await operator_client_of(app, rival, Role.OWNER)
    paths = expand_paths((await app.client.get("/openapi.json")).json())
    asked = set()
    for path, methods in paths.items():
        names = {one["name"] for one in methods.get("get", {}).get("parameters", [])}
        if not names & {"from", "to", "day"}:
            continue
        asked.add(path)
        filled = path.format(user_id=member.id, day=day, club="all")
        for query in (f"?from={day}", f"?to={day}", f"?from={day}&to={day}", ""):
            caller = owner if "/admin/" in path else member
            answer = await caller.get(filled + query)
            assert answer.status_code in {200, 422}, (path, query)
    assert len(asked) >= 7
