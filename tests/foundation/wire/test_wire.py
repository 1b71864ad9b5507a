"""Parsing of numbers, money and text."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest
from api.foundation.core.ids import new_id
from api.foundation.core.money import format_naira, kobo_from_naira, naira_from_kobo
from api.foundation.core.strict_json import read_json
from api.foundation.wire.schemas import Moment, clean_text
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError


@given(st.integers(min_value=0, max_value=10**13))
def test_kobo_survive_the_wire_and_back(kobo: int) -> None:
    wire = repr(naira_from_kobo(kobo))

    assert kobo_from_naira(Decimal(wire)) == kobo


@pytest.mark.parametrize(
    "naira",
    ["0.001", "5000.000000000000000000000000000000001", "NaN", "Infinity", "1e16", "1e999999999"],
)
def test_an_amount_that_is_no_whole_kobo_is_refused(naira: str) -> None:
    with pytest.raises(ValueError, match="amount"):
        kobo_from_naira(Decimal(naira))


def test_amounts_are_written_for_people() -> None:
    assert format_naira(250_050) == "₦2,500.50"
    assert format_naira(1_500_000) == "₦15,000"


def test_json_numbers_are_read_exactly() -> None:
    assert read_json('{"a": 0.1, "b": 12345678901234567890}') == {
        "a": Decimal("0.1"),
        "b": Decimal("12345678901234567890"),
    }


def test_text_is_trimmed_and_composed() -> None:
    assert clean_text("  O\u0323\u0300la\u0301\n") == "\u1ecc\u0300l\u00e1"


def test_ids_are_version_7_and_ordered_by_time() -> None:
    ids = [new_id() for _ in range(100)]

    assert {one.version for one in ids} == {7}
    assert {one.variant for one in ids} == {UUID(int=0x8000_0000_0000_0000).variant}
    assert [one.int >> 80 for one in ids] == sorted(one.int >> 80 for one in ids)
    assert len(set(ids)) == 100


@pytest.mark.parametrize(
    "sent",
    [
        *(1_800_000_000, 1.5, True, None, "", "1800000000", "-1", "2027-01-01", "now"),
        *("2027-01-01T00:00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
        *("1999-12-31T23:59:59Z", "2101-01-01T00:00:00Z", "2027-02-30T00:00:00Z"),
    ],
)
def test_a_moment_that_cannot_be_reckoned_with_is_refused(sent: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Moment).validate_python(sent)


@pytest.mark.parametrize("sent", ["2027-01-01T01:30:00+01:00", "2027-01-01T00:30:00.000Z"])
def test_a_moment_is_text_with_its_offset(sent: str) -> None:
    moment = TypeAdapter(Moment).validate_python(sent)

    assert (moment, moment.tzinfo) == (datetime(2027, 1, 1, 0, 30, tzinfo=UTC), UTC)


def test_every_moment_that_comes_in_is_of_the_one_type() -> None:
    api = Path(__file__).parents[3] / "api"
    found = {
        str(path.relative_to(api))
        for path in api.rglob("*.py")
        if "AwareDatetime" in path.read_text()
    }
    assert found == {"foundation/wire/schemas.py", "app/backup/manifest.py"}
