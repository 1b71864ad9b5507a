"""The servers that the benchmarks compare: ours as shipped, and the peers."""

import contextlib
import json
import os
import shutil
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from api.dev.seed import DEMO_PASSWORD
from api.foundation.core import clock
from api.foundation.core.config import DEVELOPMENT_KEYS, DEVELOPMENT_TOKEN_KEY
from api.foundation.security.tokens import TokenCodec

from bench.database import BenchDatabase
from bench.harness import Server, port_of, server

SESSIONS = """
INSERT INTO session (id, user_id, expires_at)
SELECT gen_random_uuid(), id, now() + interval '1 day' FROM user_account
 WHERE email LIKE 'bench%' RETURNING user_id || '/' || id
"""
NODE_PEERS = Path(__file__).resolve().parent / "peers" / "node"
OURS, NODE, DJANGO, MINIMAL = range(4)  # places of servers, each with its own port
PYTHON = sys.executable


@dataclass(frozen=True)
class SignedIn:
    """A member and the token of their session."""

    user_id: str
    token: str


@contextlib.contextmanager
def our_server(
    database: BenchDatabase, *, pinned: bool = True, **settings: str
) -> Iterator[Server]:
    """Run our server exactly as a container does."""
    port = port_of(OURS)
    environment = database.app_environment(port) | settings
    command = [PYTHON, "-m", "api.foundation.server"]
    with server("king-of-fans", command, port, environment, pinned=pinned) as ours:
        yield ours


@contextlib.contextmanager
def minimal_fastapi() -> Iterator[Server]:
    """Run one FastAPI route with a response model on plain uvicorn, as the framework's minimum."""
    port = port_of(MINIMAL)
    command = [
        *(PYTHON, "-m", "uvicorn", "bench.peers.minimal:app", "--port", str(port)),
        *("--no-access-log", "--log-level", "warning", "--loop", "uvloop", "--http", "httptools"),
    ]
    with server("minimal FastAPI", command, port, {}) as peer:
        yield peer


@contextlib.contextmanager
def our_server_without_database(database: BenchDatabase) -> Iterator[Server]:
    """Run our server with the checkout's statement replaced by a constant."""
    command, port = [PYTHON, "-m", "bench.peers.no_database"], port_of(MINIMAL)
    environment = database.app_environment(port)
    with server("without database", command, port, environment) as peer:
        yield peer


@contextlib.contextmanager
def our_server_without_ticks(
    database: BenchDatabase, *, pinned: bool = True, **settings: str
) -> Iterator[Server]:
    """Run our server without the Battle Zone's countdown."""
    command, port = [PYTHON, "-m", "bench.peers.no_ticks"], port_of(MINIMAL)
    environment = database.app_environment(port) | settings
    with server("without ticks", command, port, environment, pinned=pinned) as peer:
        yield peer


@contextlib.contextmanager
def express(database: BenchDatabase, **settings: str) -> Iterator[Server]:
    """Run Express 5 with pg and jsonwebtoken."""
    with node_peer("Express + pg", "server.mjs", NODE, database, **settings) as peer:
        yield peer


@contextlib.contextmanager
def socket_io(database: BenchDatabase) -> Iterator[Server]:
    """Run Socket.IO on Node with pg and jsonwebtoken: the chat's room, with its own table."""
    with node_peer("socket.io", "chat.mjs", NODE, database) as peer:
        yield peer


@contextlib.contextmanager
def socket_io_scores(database: BenchDatabase) -> Iterator[Server]:
    """Run Socket.IO on Node with pg: a signed push of scores, broadcast to the clubs' rooms."""
    with node_peer("socket.io scores", "scores.mjs", NODE, database) as peer:
        yield peer


@contextlib.contextmanager
def raw_publish(database: BenchDatabase) -> Iterator[Server]:
    """Run uWebSockets on Node, forwarding what it receives, as the upper limit of sockets."""
    with node_peer("uWebSockets publish", "publish.mjs", MINIMAL, database) as peer:
        yield peer


@contextlib.contextmanager
def node_peer(
    name: str, script: str, place: int, database: BenchDatabase, **settings: str
) -> Iterator[Server]:
    """Run one of the Node peers on the same database."""
    node, port = shutil.which(os.environ.get("NODE", "node")) or "node", port_of(place)
    environment = database.peer_environment() | {
        "PORT": str(port),
        "TOKEN_KEY": DEVELOPMENT_TOKEN_KEY,
        "FEED_KEY": DEVELOPMENT_KEYS["fixture_feed_key"],
        "NODE_ENV": "production",
        **settings,
    }
    with server(name, [node, script], port, environment, folder=NODE_PEERS) as peer:
        yield peer


@contextlib.contextmanager
def django(database: BenchDatabase) -> Iterator[Server]:
    """Run Django REST framework under gunicorn, one process with eight threads."""
    port = port_of(DJANGO)
    command = [
        *(PYTHON, "-m", "gunicorn", "bench.peers.drf:application", "--workers", "1"),
        *("--threads", "8", "--bind", f"127.0.0.1:{port}", "--log-level", "error"),
    ]
    environment = database.peer_environment() | {"TOKEN_KEY": DEVELOPMENT_TOKEN_KEY}
    with server("Django REST", command, port, environment) as peer:
        yield peer


def sign_in(ours: Server, email: str = "ada@example.com") -> SignedIn:
    """Sign a member in."""
    body = json.dumps({"username": email, "password": DEMO_PASSWORD}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{ours.port}/api/v1/sign-in/username-password",
        data=body,
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - loopback
        data = json.load(answer)["data"]
    return SignedIn(data["user"]["id"], data["access_token"])


def sign_all_in(rows: BenchDatabase) -> list[str]:
    """Create a session for every member that a benchmark added; return their tokens."""
    codec = TokenCodec(DEVELOPMENT_TOKEN_KEY)
    issued_at = clock.now() - timedelta(seconds=5)
    tokens = []
    for pair in rows.ids(SESSIONS):
        user_id, _, session_id = pair.partition("/")
        if session_id:
            tokens.append(codec.issue(UUID(user_id), UUID(session_id), issued_at))
    return tokens
