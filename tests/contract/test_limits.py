"""The web app's input limits match the server's."""

import json
import re
from pathlib import Path

import pytest
from api.community.moments.schemas import MomentText
from api.foundation.wire.schemas import WireInput
from api.people.users.schemas import NextOfKinsInput, ProfileInput, SettlementInput
from api.shop.schemas.checkout import Billing

LIMITS = Path(__file__).parents[2] / "web" / "src" / "lib" / "ui" / "limits.ts"
INPUTS: dict[str, type[WireInput]] = {
    "billing": Billing,
    "profile": ProfileInput,
    "settlement": SettlementInput,
    "nextOfKin": NextOfKinsInput,
    "moment": MomentText,
}


def typed_limits() -> dict[str, dict[str, int]]:
    """Return the web app's limits, read from its source."""
    literal = re.search(r"LONGEST = (\{.*?\n\});", LIMITS.read_text(), re.DOTALL)
    assert literal is not None
    text = re.sub(r"(\w+):", r'"\1":', literal.group(1))
    found: dict[str, dict[str, int]] = json.loads(re.sub(r",(\s*\})", r"\1", text))
    return found


@pytest.mark.parametrize("form", INPUTS)
def test_a_forms_limits_are_the_servers(form: str) -> None:
    properties = INPUTS[form].model_json_schema()["properties"]
    for field, limit in typed_limits()[form].items():
        shapes = [properties[field], *properties[field].get("anyOf", [])]
        assert limit in {shape.get("maxLength") for shape in shapes}


def test_every_form_is_compared() -> None:
    assert set(typed_limits()) == set(INPUTS)
