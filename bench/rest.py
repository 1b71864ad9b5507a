"""The request path: rest-stack, rest-balance, rest-products, pool-fair, login-iso."""

import contextlib
import json
import threading
from collections.abc import Iterator

from api.dev.seed import DEMO_PASSWORD

from bench.database import BenchDatabase, database
from bench.harness import (
    BenchError,
    Server,
    Slice,
    Subject,
    Verdict,
    get,
    http_slice,
    interleave,
    paired,
    post,
    require_same_answers,
)
from bench.in_process import Request, recorded_statements, run, running_app, send_to
from bench.load import Plan
from bench.subjects import (
    django,
    express,
    minimal_fastapi,
    our_server,
    sign_in,
)

HOME = "/api/v1/today"
CONNECTIONS = 32
SLICE_SECONDS = 2.0
ROUNDS = 5
POOL_SIZE = 12
PEOPLE_SIGNING_IN = 4
STRIDE_SECONDS = 3.0


def http_subject(target: Server, request: str, connections: int = CONNECTIONS) -> Subject:
    """Return a subject that repeats one request."""
    plan = Plan(target.port, connections, SLICE_SECONDS, [request])
    return Subject(target.name, lambda: http_slice(target, plan))


def rest_stack(verdict: Verdict) -> None:
    """Compare the CPU time of two of our calls with one minimal FastAPI route."""
    with database() as rows, our_server(rows) as ours, minimal_fastapi() as floor:
        for name, path in (("stack", "/healthz"), ("clubs", "/api/v1/clubs")):
            mine, minimal = http_subject(ours, get(path)), http_subject(floor, get("/healthz"))
            mine.name = f"{ours.name} {path}"
            interleave([mine, minimal], ROUNDS)
            ratio = paired(mine, minimal, "cpu_us_per_operation")
            verdict.at_most(f"{name}_cpu_over_minimal", ratio, 1.1)


def rest_balance(verdict: Verdict) -> None:
    """Compare the balance read with Express + pg and Django REST on the same row and token."""
    with database() as rows, our_server(rows) as ours, express(rows) as node, django(rows) as drf:
        member = sign_in(ours)
        request = get(f"/api/v1/payment/wallet-balance/{member.user_id}", member.token)
        require_same_answers(request, (ours, node, drf))
        subjects = [http_subject(target, request) for target in (ours, node, drf)]
        interleave(subjects, ROUNDS)
    ratio = paired(subjects[1], subjects[0], "cpu_us_per_operation")
    verdict.at_least("balance_over_express", ratio, 0.8)
    ratio = paired(subjects[2], subjects[0], "cpu_us_per_operation")
    verdict.at_least("balance_over_django_rest", ratio, 2.5)


def rest_products(verdict: Verdict) -> None:
    """Compare the list of fifty products with Express + pg and Django REST."""
    with database() as rows, our_server(rows) as ours, express(rows) as node, django(rows) as drf:
        request = get("/api/v1/products", sign_in(ours).token)
        require_same_answers(request, (ours, node, drf))
        subjects = [http_subject(target, request) for target in (ours, node, drf)]
        interleave(subjects, ROUNDS)
    ratio = paired(subjects[1], subjects[0], "cpu_us_per_operation")
    verdict.at_least("products_over_express", ratio, 2.5)
    ratio = paired(subjects[2], subjects[0], "cpu_us_per_operation")
    verdict.at_least("products_over_django_rest", ratio, 12)


def rest_home(verdict: Verdict) -> None:
    """Compare Home with Express + pg that runs the same statements and sends their rows."""
    with database() as rows:
        statements = run(_home_statements(rows))
        print(f"{len(statements)} statements", flush=True)
        with (
            our_server(rows) as ours,
            express(rows, HOME_STATEMENTS=json.dumps(statements)) as node,
        ):
            request = get(HOME, sign_in(ours).token)
            subjects = [http_subject(target, request) for target in (ours, node)]
            interleave(subjects, ROUNDS)
    ratio = paired(subjects[1], subjects[0], "cpu_us_per_operation")
    verdict.at_least("home_over_express", ratio, 1)


async def _home_statements(rows: BenchDatabase) -> list[dict[str, object]]:
    """Return what Home runs on its second call, for the peer's driver."""
    async with running_app(rows) as (app, member):
        request = Request("GET", HOME, member.token)
        await send_to(app, request)
        with recorded_statements() as statements:
            await send_to(app, request)
    return [
        {"name": f"home{n}", "text": text, "values": [_as_json(one) for one in arguments]}
        for n, (text, arguments) in enumerate(statements)
    ]


def _as_json(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_as_json(one) for one in value]
    return value if isinstance(value, int | float | str | None) else str(value)


def pool_fair(verdict: Verdict) -> None:
    """Measure the tail latency of reads with three times as many callers as connections."""
    with database() as rows, our_server(rows, DATABASE_POOL_SIZE=str(POOL_SIZE)) as ours:
        member = sign_in(ours)
        crowd = 3 * POOL_SIZE
        for name, path in (
            ("balance", f"/api/v1/payment/wallet-balance/{member.user_id}"),
            ("orders", f"/api/v1/products/user/{member.user_id}"),
        ):
            subject = http_subject(ours, get(path, member.token), crowd)
            subject.name = f"{name} at {crowd} callers"
            interleave([subject], ROUNDS)
            spread = subject.median("p99_ms") / subject.median("p50_ms")
            verdict.at_most(f"{name}_p99_over_p50", spread, 5)
            slowest = max(piece.max_ms for piece in subject.slices)
            verdict.at_most(f"{name}_longest_ms", slowest, 1000)


def login_iso(verdict: Verdict) -> None:
    """Compare the reads' tail latency while four people sign in with that without sign-ins."""
    with database() as rows, our_server(rows, pinned=False) as ours:
        rows.add_members(PEOPLE_SIGNING_IN)  # not the reader, whose session many sign-ins would end
        member = sign_in(ours)
        path = f"/api/v1/payment/wallet-balance/{member.user_id}"
        plan = Plan(ours.port, 4, STRIDE_SECONDS, [get(path, member.token)])
        quiet = Subject("reads, nobody signs in", lambda: http_slice(ours, plan, pinned=False))

        def crowded() -> Slice:
            with people_signing_in(ours):
                return http_slice(ours, plan, pinned=False)

        busy = Subject("reads, four sign in", crowded)
        interleave([quiet, busy], ROUNDS)
    verdict.at_most("p99_while_signing_in", paired(busy, quiet, "p99_ms"), 3)


@contextlib.contextmanager
def people_signing_in(target: Server) -> Iterator[None]:
    """Have four people sign in repeatedly during the block.

    Raises:
        BenchError: a sign-in failed, so that nothing was hashed.
    """
    requests = [
        post(
            "/api/v1/sign-in/username-password",
            {"username": f"bench{n}@example.com", "password": DEMO_PASSWORD},
        )
        for n in range(1, PEOPLE_SIGNING_IN + 1)
    ]
    plan = Plan(target.port, PEOPLE_SIGNING_IN, STRIDE_SECONDS, requests)
    problems: list[BenchError] = []

    def hash_passwords() -> None:
        try:
            http_slice(target, plan, pinned=False, min_count=10)
        except BenchError as error:
            problems.append(error)

    worker = threading.Thread(target=hash_passwords)
    worker.start()
    try:
        yield
    finally:
        worker.join()
    if problems:
        raise problems[0]
