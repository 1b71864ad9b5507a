"""The published description is accurate: generated requests get only documented responses."""

from tests.conftest import RunningApp
from tests.endurance.description import prove

LEAST_CASES = 1000
# A member's token gets the same error at each of the back office's operations: they have examples
# and fuzzing here, and the systematic cases in the nightly full run.
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
