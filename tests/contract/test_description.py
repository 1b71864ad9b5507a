"""The published description is true: generated requests meet only what it documents."""

from tests.conftest import RunningApp
from tests.endurance.description import prove

LEAST_CASES = 1000
# A member's token meets the same refusal at each of the back office's operations: they have
# examples and fuzzing here, and the systematic cases in the nightly run of the whole proof.
SHORT_RUN = """
[[operations]]
include-path-regex = "^/api/v1/admin"
phases.coverage.enabled = false
"""


async def test_hundreds_of_generated_requests_meet_only_documented_answers(
    live_server: RunningApp,
) -> None:
    cases = await prove(
        live_server,
        examples=2,
        seed=2026,
        phases="examples,coverage,fuzzing,stateful",
        settings=SHORT_RUN,
    )

    assert cases >= LEAST_CASES
