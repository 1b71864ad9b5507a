"""The first page: web-size and web-lh, compared with a minimal page of the same libraries."""

import contextlib
import gzip
import json
import os
import shutil
import statistics
import subprocess
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from api.dev.browser import BrowserError, provide_browser

from bench import scale
from bench.database import BenchDatabase, database
from bench.harness import ROOT, BenchError, Server, Verdict, port_of, server
from bench.subjects import MINIMAL, PYTHON, our_server

WEB = ROOT / "web"
PEERS = Path(__file__).resolve().parent / "peers" / "web"
FLOOR = WEB / "node_modules" / ".cache" / "bench-floor"  # for resolving imports
ROUNDS = 3
OURS, THEIRS, WELCOME = "sign-in", "floor", "welcome"
CSS_GOAL_KB = 12.0
NOT_ON_SIGN_IN = ("socket", "embla", "carousel", "inline")


@dataclass(frozen=True)
class Visit:
    """One page load; times in milliseconds."""

    name: str
    resources: list[str]
    lcp_ms: float
    tbt_ms: float
    cls: float


def web_size(verdict: Verdict) -> None:
    """Compare the script bytes of the sign-in page with the minimal page's."""
    visits = {visit.name: visit for visit in measure(rounds=1, slow=False)}
    sizes = {
        name: {kind: zipped_bytes(folder, visits[name].resources, kind) for kind in (".js", ".css")}
        for name, folder in ((OURS, WEB / "dist"), (THEIRS, FLOOR / "dist"))
    }
    for name, size in sizes.items():
        print(
            f"{name:24} js {size['.js'] / 1000:7.1f} kB  css {size['.css'] / 1000:6.1f} kB (gzip)"
        )
    verdict.at_most(
        "sign_in_js_over_floor", sizes[OURS][".js"] / sizes[THEIRS][".js"], 1.10, exact=True
    )
    verdict.at_most("sign_in_css_kb", sizes[OURS][".css"] / 1000, CSS_GOAL_KB, exact=True)
    unexpected = [
        path for path in visits[OURS].resources if any(word in path for word in NOT_ON_SIGN_IN)
    ]
    verdict.at_most("member_only_scripts_on_sign_in", len(unexpected), 0, exact=True)


def web_lh(verdict: Verdict) -> None:
    """Compare the sign-in page's largest paint with the minimal page's, on a slow phone."""
    visits = measure(rounds=ROUNDS, slow=True)
    middle = {
        name: {
            figure: statistics.median(
                getattr(visit, figure) for visit in visits if visit.name == name
            )
            for figure in ("lcp_ms", "tbt_ms", "cls")
        }
        for name in (OURS, THEIRS)
    }
    for name, figures in middle.items():
        print(
            f"{name:24} LCP {figures['lcp_ms']:6.0f} ms  TBT {figures['tbt_ms']:5.0f} ms  "
            f"CLS {figures['cls']:.3f}"
        )
    verdict.at_most(
        "sign_in_lcp_over_floor", middle[OURS]["lcp_ms"] / middle[THEIRS]["lcp_ms"], 1.15
    )
    verdict.at_most("sign_in_tbt_ms", middle[OURS]["tbt_ms"], 150)
    verdict.at_most("sign_in_cls", middle[OURS]["cls"], 0.02)


def measure(*, rounds: int, slow: bool) -> list[Visit]:
    """Serve both pages with our server, open each ``rounds`` times alternately, return the visits.

    Raises:
        BenchError: there is no browser, or a page did not load.
    """
    build_floor()
    try:
        browser = provide_browser()
    except BrowserError as error:
        raise BenchError(str(error)) from error
    with (
        database() as rows,
        our_server(rows, pinned=False) as ours,
        floor_server(rows) as floor,
    ):
        pages = {
            OURS: f"http://127.0.0.1:{ours.port}/signin",
            THEIRS: f"http://127.0.0.1:{floor.port}/signin",
        }
        return _visit(browser, pages, ("button", "Login"), rounds=rounds, slow=slow)


def web_welcome(verdict: Verdict) -> None:
    """Measure the public home page on a slow phone: paint, shift, and bytes without pictures."""
    try:
        browser = provide_browser()
    except BrowserError as error:
        raise BenchError(str(error)) from error
    with database() as rows, our_server(rows, pinned=False) as ours:
        address = f"http://127.0.0.1:{ours.port}/welcome"
        shown = ("link", "Sign in")
        visits = _visit(browser, {WELCOME: address}, shown, rounds=ROUNDS, slow=True)
        with urllib.request.urlopen(address, timeout=15) as answer:
            page = gzip.compress(answer.read(), compresslevel=6, mtime=0)
    parts = {"html": len(page)}
    for ending in (".js", ".css", ".woff2"):
        parts[ending] = zipped_bytes(WEB / "dist", visits[0].resources, ending)
    print(" ".join(f"{kind} {size / 1024:.1f} kB" for kind, size in parts.items()))
    paint = statistics.median(visit.lcp_ms for visit in visits)
    verdict.at_most("welcome_lcp_ms", paint, 1800)
    verdict.at_most("welcome_cls", max(visit.cls for visit in visits), 0.05)
    verdict.at_most("welcome_kb", sum(parts.values()) / 1024, 90, exact=True)


def _visit(
    browser: Path, pages: dict[str, str], shown: tuple[str, str], *, rounds: int, slow: bool
) -> list[Visit]:
    """Open pages alternately until each shows an element, a role and a name; return the visits.

    Raises:
        BenchError: a page did not load, or painted nothing.
    """
    plan = {
        "web": str(WEB),
        "browser": str(browser),
        "rounds": scale.rounds(rounds),
        "slow": slow,
        "pages": [
            {"name": name, "url": url, "role": shown[0], "shown": shown[1]}
            for name, url in pages.items()
        ],
    }
    result = subprocess.run(
        [shutil.which("node") or "node", str(PEERS / "measure.mjs")],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        raise BenchError(f"a page did not come up: {result.stderr[-800:]}")
    visits = [Visit(**visit) for visit in json.loads(result.stdout)]
    if any(visit.lcp_ms <= 0 for visit in visits):
        raise BenchError("a page painted nothing")
    return visits


@contextlib.contextmanager
def floor_server(rows: BenchDatabase) -> Iterator[Server]:
    """Serve the minimal page with the same server, compression and headers as ours."""
    command, port = [PYTHON, "-m", "api.foundation.server"], port_of(MINIMAL)
    environment = rows.app_environment(port) | {"WEB_DIST": str(FLOOR / "dist")}
    with server(THEIRS, command, port, environment, pinned=False) as floor:
        yield floor


def build_floor() -> None:
    """Build the minimal page from the web app's own packages.

    Raises:
        BenchError: the build failed.
    """
    shutil.rmtree(FLOOR, ignore_errors=True)
    shutil.copytree(PEERS / "floor", FLOOR)
    result = subprocess.run(
        [shutil.which("npx") or "npx", "--no-install", "vite", "build", str(FLOOR)],
        cwd=WEB,
        env={**os.environ, "NODE_ENV": "production"},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        raise BenchError(f"the floor page cannot be built: {result.stderr[-800:]}")


def zipped_bytes(folder: Path, resources: list[str], ending: str) -> int:
    """Return the gzipped size of the page's files with that extension.

    Raises:
        BenchError: a loaded file is not in the build.
    """
    total = 0
    for path in {path for path in resources if path.endswith(ending)}:
        file = folder / path.lstrip("/")
        if not file.is_file():
            raise BenchError(f"{path} was loaded but is not in {folder}")
        total += len(gzip.compress(file.read_bytes(), compresslevel=9, mtime=0))
    return total
