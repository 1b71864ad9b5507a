"""``python -m bench NAME``: runs benchmarks; the exit code is 1 if a goal was missed.

``python -m bench --short [NAME...]`` runs them, or all, with small numbers and judges no time.
"""

import os
import sys
import time
from collections.abc import Callable

from bench import scale
from bench.admin_lists import admin_lists
from bench.battle import battle_burst, battle_ticks
from bench.chat import chat_cpu, chat_limit, chat_mem, chat_rate
from bench.checkout import checkout_http, checkout_svc
from bench.drop import drop
from bench.growth import growth
from bench.harness import BenchError, Verdict
from bench.leaderboard import leaderboard
from bench.live_score import live_score
from bench.overload import overload
from bench.proof import proof
from bench.request_cost import request_cost
from bench.rest import login_iso, pool_fair, rest_balance, rest_home, rest_products, rest_stack
from bench.screens import web_bytes, web_screens, web_shift, web_tap
from bench.unfurl import unfurl
from bench.web import web_lh, web_size, web_welcome

BENCHMARKS: dict[str, Callable[[Verdict], None]] = {
    "rest-stack": rest_stack,
    "request-cost": request_cost,
    "rest-balance": rest_balance,
    "rest-products": rest_products,
    "rest-home": rest_home,
    "pool-fair": pool_fair,
    "login-iso": login_iso,
    "overload": overload,
    "checkout-svc": checkout_svc,
    "checkout-http": checkout_http,
    "drop": drop,
    "battle-burst": battle_burst,
    "battle-ticks": battle_ticks,
    "chat-cpu": chat_cpu,
    "chat-limit": chat_limit,
    "chat-rate": chat_rate,
    "chat-mem": chat_mem,
    "live-score": live_score,
    "leaderboard": leaderboard,
    "growth": growth,
    "proof": proof,
    "admin-lists": admin_lists,
    "unfurl": unfurl,
    "web-size": web_size,
    "web-lh": web_lh,
    "web-welcome": web_welcome,
    "web-screens": web_screens,
    "web-shift": web_shift,
    "web-tap": web_tap,
    "web-bytes": web_bytes,
}


SHORT = "--short"


def main(arguments: list[str]) -> int:
    """Run the named benchmarks in order and return the exit code."""
    names = [one for one in arguments if one != SHORT]
    if SHORT in arguments:
        os.environ[scale.VARIABLE] = "1"
        names = names or list(BENCHMARKS)
    if not names or not set(names) <= set(BENCHMARKS):
        for name, run in BENCHMARKS.items():
            print(f"{name:16} {(run.__doc__ or '').splitlines()[0]}")
        return 2 if names else 0
    failed = [name for name in names if not run_one(name)]
    if failed:
        print(f"FAILED: {', '.join(failed)}")
    return 1 if failed else 0


def run_one(name: str) -> bool:
    """Run a benchmark and return whether it ran and met its goals."""
    verdict = Verdict()
    print(f"--- {name}", flush=True)
    started = time.monotonic()
    try:
        BENCHMARKS[name](verdict)
    except BenchError as error:
        print(f"ERROR {name}: {error}")
        return False
    print(f"({time.monotonic() - started:.0f} s)", flush=True)
    return not verdict.failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
