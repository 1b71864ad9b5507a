"""The published description is true: generated requests meet only what it documents."""

import asyncio
import re
import sys
from pathlib import Path

from tests.conftest import House

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_schema_conformance"
)
LEAST_CASES = 700
ENDS_THE_SESSION = "sign-out|password|metrics"


async def test_hundreds_of_generated_requests_meet_only_documented_answers(
    street: House, tmp_path: Path
) -> None:
    member = await street.member()
    await street.give(member, 1_000_000)
    await street.stock_product(stock=10_000)

    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        f"{street.base_url}/openapi.json",
        "--header",
        f"Authorization: Bearer {member.token}",
        "--max-examples=15",
        "--phases=examples,coverage,fuzzing",
        f"--checks={CHECKS}",
        f"--exclude-path-regex={ENDS_THE_SESSION}",
        "--seed=2026",
        "--no-color",
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()

    report = output.decode()
    assert process.returncode == 0, report[-6000:]
    counted = re.search(r"(\d+) generated", report)
    assert counted is not None
    assert int(counted.group(1)) >= LEAST_CASES
