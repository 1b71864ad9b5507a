"""Link previews: how long a messenger waits for a page's head, and for its picture."""

import re

import httpx

from bench.database import database
from bench.harness import BenchError, Server, Subject, Verdict, get, http_slice, interleave
from bench.load import Plan
from bench.subjects import our_server

CONNECTIONS = 8  # crawlers of a link that a few groups share in the same second
SLICE_SECONDS = 2.0
ROUNDS = 3
GOAL_MS = 50


def unfurl(verdict: Verdict) -> None:
    """Measure the p99 of the first byte of every kind of public page and picture, warm."""
    with database() as rows, our_server(rows) as ours:
        subjects = [
            subject
            for name, path in pages_of(ours).items()
            for subject in (_subject(ours, name, path), _subject(ours, f"{name} picture", path))
        ]
        interleave(subjects, ROUNDS)
    for subject in subjects:
        name = subject.name.replace(" ", "_")
        verdict.at_most(f"{name}_p99_ms", subject.median("p99_ms"), GOAL_MS)


def pages_of(ours: Server) -> dict[str, str]:
    """Return the path of a page of each kind."""
    with httpx.Client(base_url=f"http://127.0.0.1:{ours.port}", timeout=15) as client:
        home = client.get("/api/v1/public/home").json()["data"]
    return {
        "welcome": "/welcome",
        "match": f"/m/{home['next']['id']}",
        "article": f"/n/{home['news'][0]['slug']}",
        "product": f"/s/{home['products'][0]['id']}",
        "club": f"/c/{home['club']['id']}",
        "screen": "/signin",
    }


def _subject(ours: Server, name: str, path: str) -> Subject:
    """Return a subject that repeats a page, or its picture once that is drawn."""
    with httpx.Client(base_url=f"http://127.0.0.1:{ours.port}", timeout=15) as client:
        page = client.get(path)
        if name.endswith("picture"):
            found = re.search(r'og:image" content="https?://[^/"]+([^"]+)"', page.text)
            if found is None:
                raise BenchError(f"{path} has no picture")
            path = found[1]
            client.get(path).raise_for_status()
    request = get(path).replace("Accept: application/json", "Accept: */*")  # as messengers ask
    plan = Plan(ours.port, CONNECTIONS, SLICE_SECONDS, [request])
    return Subject(name, lambda: http_slice(ours, plan))
