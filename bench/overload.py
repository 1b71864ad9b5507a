"""Overload: more requests than can be answered."""

import functools
import json
from dataclasses import asdict

from bench import scale
from bench.database import database
from bench.harness import (
    BenchError,
    Server,
    Subject,
    Verdict,
    get,
    http_slice,
    interleave,
    run_load,
)
from bench.load import Plan
from bench.open_load import OpenPlan, Outcome
from bench.subjects import SignedIn, express, our_server, sign_in

CONNECTIONS = 64
SLICE_SECONDS = 2.0
ROUNDS = 3
LOAD_SECONDS = 8.0
IN_TIME_MS = 800.0
REFUSED_MS = 50.0
HEALTH_MS = 100.0
NORMAL_MS = 50.0
NORMAL_SECONDS = 2.0


def requests_of(member: SignedIn) -> list[str]:
    """Return a phone's typical requests: four balances, then the list of fifty products."""
    balance = get(f"/api/v1/payment/wallet-balance/{member.user_id}", member.token)
    return [balance] * 4 + [get("/api/v1/products", member.token)]


def overload(verdict: Verdict) -> None:
    """Send three times the capacity, and twice with callers who give up after two seconds."""
    with database() as rows, our_server(rows) as ours:
        member = sign_in(ours)
        with express(rows) as node:
            capacities = find_capacities([ours, node], member)
            for target, capacity in zip((ours, node), capacities, strict=True):
                for name, times, timeout_seconds in (
                    ("three_times", 3, 10.0),
                    ("giving_up", 2, 2.0),
                ):
                    outcome = overrun(target, member, capacity * times, timeout_seconds)
                    figures = describe(outcome, capacity)
                    print(f"{target.name:14} {name:12} {json.dumps(figures)}", flush=True)
                    if target is ours:
                        judge(verdict, name, figures)


def find_capacities(targets: list[Server], member: SignedIn) -> list[float]:
    """Return the responses per second of each server under a closed loop."""
    subjects = []
    for target in targets:
        plan = Plan(target.port, CONNECTIONS, SLICE_SECONDS, requests_of(member))
        subjects.append(Subject(target.name, functools.partial(http_slice, target, plan)))
    interleave(subjects, ROUNDS)
    return [subject.median("operations_per_second") for subject in subjects]


def overrun(target: Server, member: SignedIn, rate: float, timeout_seconds: float) -> Outcome:
    """Send ``rate`` requests a second and return the outcome.

    Raises:
        BenchError: the load failed, or a response was neither 200 nor 503.
    """
    plan = OpenPlan(
        target.port, rate, scale.seconds(LOAD_SECONDS), timeout_seconds, requests_of(member)
    )
    outcome = Outcome(**run_load("bench.open_load", asdict(plan)))
    if outcome.others:
        raise BenchError(f"{target.name} answered {outcome.others}")
    return outcome


def describe(outcome: Outcome, capacity: float) -> dict[str, float]:
    """Return the figures that are checked, and those that explain them."""
    seconds = scale.seconds(LOAD_SECONDS)
    in_time = sum(latency <= IN_TIME_MS for latency in outcome.answered_ms)
    late = [since for since, latency in outcome.afterwards if latency > NORMAL_MS]
    return {
        "asked_per_second": round(outcome.due / seconds),
        "in_time_per_second": round(in_time / seconds),
        "in_time_of_capacity": round(in_time / seconds / capacity, 3),
        "answered_p99_ms": round(p99(outcome.answered_ms), 1),
        "refused": len(outcome.refused_ms),
        "refused_p99_ms": round(p99(outcome.refused_ms), 1),
        "without_retry_after": outcome.without_retry_after,
        "gave_up": outcome.gave_up,
        "broken": outcome.broken,
        "health_p99_ms": round(p99(outcome.health_ms), 1),
        "normal_after_seconds": round(max(late, default=0.0), 2),
        "generator_late_ms": round(outcome.latest_ms, 1),
    }


def judge(verdict: Verdict, name: str, figures: dict[str, float]) -> None:
    """Check our figures against the goals."""
    verdict.at_least(f"{name}_in_time_of_capacity", figures["in_time_of_capacity"], 0.8)
    verdict.at_most(f"{name}_refused_p99_ms", figures["refused_p99_ms"], REFUSED_MS)
    verdict.at_most(f"{name}_without_retry_after", figures["without_retry_after"], 0, exact=True)
    verdict.at_most(f"{name}_health_p99_ms", figures["health_p99_ms"], HEALTH_MS)
    verdict.at_most(f"{name}_normal_after_seconds", figures["normal_after_seconds"], NORMAL_SECONDS)


def p99(latencies: list[float]) -> float:
    """Return the 99th percentile; 0 if empty."""
    ordered = sorted(latencies) or [0.0]
    return ordered[len(ordered) * 99 // 100]
