"""A signed-in member's screens on a phone: web-shift, web-tap, web-screens and web-bytes."""

import json
import os
import shutil
import statistics
import subprocess
import urllib.request
from collections import defaultdict
from typing import Any

from api.community.news.rules import slug_of
from api.dev.browser import BrowserError, provide_browser
from api.dev.demo.ids import demo_id
from api.dev.demo.matches import matches
from api.dev.demo.news import ARTICLES
from api.dev.seed import DEMO_PASSWORD
from api.dev.seed_matches import fixture_id

from bench import scale
from bench.database import database
from bench.harness import ROOT, BenchError, Server, Verdict
from bench.subjects import NODE_PEERS, our_server

WEB = ROOT / "web"
SCRIPTS = ROOT / "bench" / "peers" / "web"
SCREENS = (
    *("/", "/wallet", "/products", f"/product/{demo_id('product', 'club-scarf')}"),
    *("/orders", "/checkout", "/shopping"),
    *("/battle-zone", "/subscriptions", "/trivia-questions", "/leaderboard", "/points", "/chats"),
    *("/posts", "/news", f"/news/{slug_of(ARTICLES[0].title)}", "/calendar"),
    *(f"/match/{fixture_id(next(iter(matches())))}", "/predictions", "/badges", "/notifications"),
    *("/profile", "/settings", "/backups", "/logs"),
)
ROUNDS = 3
WATCHED_SECONDS = 8.0
LEAST_OF_IDLE = 0.8  # ratings made while the machine was slower than this share say nothing
MAX_SHIFT = 0.05
WORST_TAP_MS = 200
LEAST_SCORE, FULL_SCORE = 95, 100
MAX_BLOCKING_MS, LATEST_PAINT_MS = 150, 2400
MAX_HOME_BYTES = {"first": 200 * 1024, "returning": 12 * 1024}


def web_shift(verdict: Verdict) -> None:
    """Sum the layout shifts of each screen, opened cold and from Home, over eight seconds."""
    visits = run_script("screens.mjs", {"task": "shift", "paths": chosen_screens(), "rounds": 1})
    for visit in visits:
        print(f"{visit['path']:20} {visit['how']:10} {visit['sum']:.3f}")
        for shift in visit["shifts"]:
            if shift["value"] >= 0.01:
                print(f"    {shift['value']:.3f} at {shift['at']:.0f} ms: {shift['moved']}")
    verdict.at_most("worst_screen_shift", max(visit["sum"] for visit in visits), MAX_SHIFT)


def web_tap(verdict: Verdict) -> None:
    """Time the slowest response to each of a minute's taps, on a phone slowed down sixfold."""
    taps = run_script("screens.mjs", {"task": "tap", "paths": [], "rounds": scale.rounds(ROUNDS)})
    by_name = defaultdict[str, list[float]](list)
    for tap in taps:
        by_name[tap["name"]].append(tap["worst_ms"])
    middle = {name: statistics.median(times) for name, times in by_name.items()}
    for name, worst_ms in middle.items():
        print(f"{name:24} {worst_ms:5.0f} ms")
    verdict.at_most("worst_interaction_ms", max(middle.values()), WORST_TAP_MS)


def web_screens(verdict: Verdict) -> None:
    """Rate each screen with Lighthouse's phone profile, compared with the sign-in page."""
    plan = {
        "packages": str(NODE_PEERS),
        "rounds": scale.rounds(ROUNDS),
        "least_of_idle": scale.idle_share(LEAST_OF_IDLE),
    }
    rated = run_script("lighthouse.mjs", plan | {"paths": chosen_screens()})
    by_path = defaultdict[str, list[dict[str, Any]]](list)
    for rating in rated:
        by_path[rating["path"]].append(rating)
    middle = {
        path: {
            figure: statistics.median(rating[figure] for rating in ratings)
            for figure in ("performance", "accessibility", "practices", "lcp_ms", "tbt_ms", "cls")
        }
        for path, ratings in by_path.items()
    }
    for path, figures in middle.items():
        below = sorted({name for rating in by_path[path] for name in rating["below"]})
        print(
            f"{path:20} {figures['performance']:3.0f} {figures['accessibility']:3.0f} "
            f"{figures['practices']:3.0f}  LCP {figures['lcp_ms']:5.0f} ms  "
            f"TBT {figures['tbt_ms']:4.0f} ms  CLS {figures['cls']:.3f}  {' '.join(below)}"
        )
    speed = [rating["benchmark_index"] for rating in rated]
    idle = rated[0]["idle_index"]
    print(
        f"the machine's index while measuring: {min(speed):.0f} to {max(speed):.0f} of {idle:.0f}"
    )
    for figure, least in (
        ("performance", LEAST_SCORE),
        ("accessibility", FULL_SCORE),
        ("practices", FULL_SCORE),
    ):
        verdict.at_least(f"lowest_{figure}", min(each[figure] for each in middle.values()), least)
    verdict.at_most(
        "latest_paint_ms", max(each["lcp_ms"] for each in middle.values()), LATEST_PAINT_MS
    )
    verdict.at_most(
        "max_blocking_ms", max(each["tbt_ms"] for each in middle.values()), MAX_BLOCKING_MS
    )


def web_bytes(verdict: Verdict) -> None:
    """Count the bytes that the dashboard fetches in 3.5 s, without and with a service worker."""
    visits = run_script("bytes.mjs", {"rounds": 1})
    for visit in visits:
        print(f"{visit['how']}:")
        for each in sorted(visit["loaded"], key=lambda one: -one["bytes"]):
            if each["bytes"] > 0:
                print(f"    {each['bytes'] / 1024:6.1f} kB {each['path']}")
        if visit["is_served"] != (visit["how"] == "returning"):
            raise BenchError(f"the worker was not as it has to be on the {visit['how']} visit")
        total = sum(each["bytes"] for each in visit["loaded"])
        verdict.at_most(f"home_bytes_{visit['how']}", total, MAX_HOME_BYTES[visit["how"]])


def chosen_screens() -> list[str]:
    """Return all screens, or those named in ``BENCH_SCREENS``, separated by commas."""
    named = os.environ.get("BENCH_SCREENS", "")
    return named.split(",") if named else list(SCREENS[: scale.people(len(SCREENS))])


def run_script(script: str, plan: dict[str, Any]) -> list[dict[str, Any]]:
    """Serve the built app with demo data, run a browser script on it as Ada, return its figures.

    Raises:
        BenchError: there is no browser, or a screen did not load.
    """
    try:
        browser = provide_browser()
    except BrowserError as error:
        raise BenchError(str(error)) from error
    with database(plenty=False) as rows, our_server(rows, pinned=False) as ours:
        whole = {
            "web": str(WEB),
            "browser": str(browser),
            "base": f"http://127.0.0.1:{ours.port}",
            "user": session_user(ours),
            "watched_ms": scale.seconds(WATCHED_SECONDS) * 1000,
        }
        result = subprocess.run(
            [shutil.which("node") or "node", str(SCRIPTS / script)],
            input=json.dumps(whole | plan),
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    if result.returncode != 0:
        raise BenchError("a screen did not come up, for what stands above")
    figures: list[dict[str, Any]] = json.loads(result.stdout)
    return figures


def session_user(ours: Server) -> dict[str, Any]:
    """Sign Ada in and return what the app stores about her."""
    body = json.dumps({"username": "ada@example.com", "password": DEMO_PASSWORD}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{ours.port}/api/v1/sign-in/username-password",
        data=body,
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - loopback
        data = json.load(answer)["data"]
    return {**data["user"], "userToken": data["access_token"]}
