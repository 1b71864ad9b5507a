"""The published description is true: generated requests meet only what it documents."""

from tests.conftest import House
from tests.endurance.description import prove

LEAST_CASES = 1000


async def test_hundreds_of_generated_requests_meet_only_documented_answers(street: House) -> None:
    cases = await prove(street, examples=2, seed=2026, phases="examples,coverage,fuzzing,stateful")

    assert cases >= LEAST_CASES
