"""The measuring tools themselves: a benchmark that cannot fail says nothing."""

import socket
from pathlib import Path

import pytest
from bench.__main__ import BENCHMARKS
from bench.harness import (
    BenchError,
    Slice,
    Subject,
    Verdict,
    figures,
    get,
    paired,
    post,
    require_free,
)
from bench.load import body_length, summarise

ROOT = Path(__file__).resolve().parents[1]


def subject(name: str, *rates: float) -> Subject:
    slices = [Slice(rate, 1.0, 2.0, 100.0) for rate in rates]
    return Subject(name, lambda: slices[0], slices)


def test_a_missed_goal_fails_the_run_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = Verdict()

    verdict.at_most("small", 1.0, 1.25)
    failed_after_the_first = verdict.failed
    verdict.at_least("large", 0.4, 0.5)

    assert (failed_after_the_first, verdict.failed) == (False, True)
    assert capsys.readouterr().out.splitlines() == [
        "RATIO small=1.000 goal=<=1.25 PASS",
        "RATIO large=0.400 goal=>=0.5 FAIL",
    ]


def test_a_ratio_is_the_median_of_slices_that_ran_side_by_side() -> None:
    ours, theirs = subject("ours", 10, 20, 90), subject("theirs", 10, 40, 30)

    assert paired(ours, theirs, "operations_per_second") == 1.0


def test_the_tail_is_taken_from_the_slowest_of_a_hundred() -> None:
    summary = summarise([1.0] * 98 + [50.0, 70.0], 2.0, {"200": 100})

    assert (summary.p50_ms, summary.p99_ms, summary.longest_ms) == (1.0, 70.0, 70.0)
    assert figures(summary, 0.01).cpu_us_per_operation == pytest.approx(100.0)


def test_too_few_operations_are_an_error_and_not_a_result() -> None:
    with pytest.raises(BenchError, match="only 3 operations"):
        figures(summarise([1.0, 1.0, 1.0], 2.0), 0.1)


def test_an_answer_of_unknown_length_is_not_measured() -> None:
    assert body_length(b"HTTP/1.1 200 OK\r\ncontent-LENGTH: 17\r\nx: y") == 17
    assert body_length(b"HTTP/1.1 304 Not Modified\r\nx: y") == 0
    with pytest.raises(ValueError, match="without Content-Length"):
        body_length(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked")


def test_requests_carry_token_key_and_the_length_in_bytes() -> None:
    assert "Authorization: Bearer abc\r\n" in get("/x", "abc")
    text = post("/x", {"name": "Ọlá"}, key="k" * 36)
    head, _, body = text.partition("\r\n\r\n")

    assert f"Content-Length: {len(body.encode())}" in head
    assert f"Idempotency-Key: {'k' * 36}" in head


def test_a_busy_port_is_refused() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as holder,
        pytest.raises(BenchError, match="is busy"),
    ):
        require_free(holder.getsockname()[1])


def test_the_page_about_the_benchmarks_lists_each_of_them() -> None:
    page = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")

    assert [name for name in BENCHMARKS if f"\n| {name} |" not in page] == []
