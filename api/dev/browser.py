"""Finds or downloads a Chromium for the browser tests."""

import os
import shutil
import subprocess
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "web"
NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chromium-headless-shell",
)
MACOS_APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FETCH_SECONDS = 600.0
ASK_PLAYWRIGHT = "console.log(require('@playwright/test').chromium.executablePath())"


class BrowserError(RuntimeError):
    """No browser was found or downloaded; the message says what to do."""


def provide_browser() -> Path:
    """Return a working Chromium: ``CHROMIUM_PATH``, the system's, Playwright's, or a download.

    Raises:
        BrowserError: none of these works.
    """
    if wanted := os.environ.get("CHROMIUM_PATH"):
        if starts(Path(wanted)):
            return Path(wanted)
        raise BrowserError(f"CHROMIUM_PATH is {wanted}, which does not start.")
    for fetch in (no_fetch, fetch_with_playwright, fetch_with_apt):
        if fetch() and (found := find_browser()):
            return found
    raise BrowserError(
        "The browser tests need Chromium and it could not be fetched: "
        "install it (on Debian: apt install chromium) or set CHROMIUM_PATH."
    )


def find_browser() -> Path | None:
    """Return an installed browser that starts, or None."""
    named = [Path(path) for name in NAMES if (path := shutil.which(name))]
    for candidate in [*named, *map(Path, MACOS_APPLICATIONS), *playwright_cache()]:
        if starts(candidate):
            return candidate
    return None


def playwright_cache() -> list[Path]:
    """Return Playwright's browser folder, if the web packages are installed."""
    node = shutil.which("node")
    if node is None:
        return []
    answer = subprocess.run(
        [node, "-e", ASK_PLAYWRIGHT], cwd=WEB, capture_output=True, text=True, check=False
    )
    return [Path(answer.stdout.strip())] if answer.returncode == 0 else []


def starts(program: Path) -> bool:
    """Return whether ``program`` starts on this machine."""
    try:
        answer = subprocess.run(
            [str(program), "--version"], capture_output=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def no_fetch() -> bool:
    """Do not download: an installed one may be usable."""
    return True


def fetch_with_playwright() -> bool:
    """Download Chromium with Playwright; fails fast if only registries are reachable."""
    print("No Chromium here; letting Playwright fetch one", flush=True)
    return quietly(["npx", "--no-install", "playwright", "install", "chromium"])


def fetch_with_apt() -> bool:
    """Install the distribution's Chromium; requires root on Debian or Ubuntu."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    print("Playwright could not; installing the distribution's Chromium", flush=True)
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]
    return quietly(install) or (quietly(["apt-get", "update", "-qq"]) and quietly(install))


def quietly(command: list[str]) -> bool:
    """Run ``command`` in the web folder without output; return whether it succeeded."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        answer = subprocess.run(
            command,
            cwd=WEB,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=FETCH_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0
