"""Requirements of the machine, checked before anything is changed."""

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from api.dev.shell import SetupError

OLDEST_NODE = (20, 19)
CONNECT_SECONDS = 3.0


def require_node(environment: dict[str, str]) -> None:
    """Find Node and npm (``NODE`` names another binary) and put them first on the child's PATH.

    Raises:
        SetupError: one of them is missing or too old.
    """
    wanted = environment.get("NODE") or "node"
    node = shutil.which(wanted, path=environment.get("PATH"))
    if node is None:
        raise SetupError(f"Node 20.19 or newer is needed and `{wanted}` was not found: install it.")
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    version = tuple(int(part) for part in re.findall(r"\d+", answer.stdout)[:2])
    if version < OLDEST_NODE:
        shown = answer.stdout.strip() or "not running"
        raise SetupError(f"Node 20.19 or newer is needed; {node} is {shown}: install a newer one.")
    environment["PATH"] = os.pathsep.join([str(Path(node).parent), environment.get("PATH", "")])
    if shutil.which("npm", path=environment["PATH"]) is None:
        raise SetupError("npm was not found beside Node: install it (on Debian: apt install npm).")


def require_free_port(environment: dict[str, str]) -> None:
    """Check that the port is free, before anything is changed.

    Raises:
        SetupError: the port is in use, forbidden or not a number.
    """
    host, port = environment.get("HOST") or "127.0.0.1", environment.get("PORT") or "8000"
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise SetupError(f"PORT must be a number from 1 to 65535, not {port!r}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except OSError as error:
            raise SetupError(
                f"Port {port} on {host} cannot be used ({os.strerror(error.errno or 0)}): stop "
                f"what listens there, or choose another, for example PORT={int(port) % 65535 + 1}."
            ) from error


def require_database(environment: dict[str, str]) -> None:
    """Check that ``DATABASE_URL`` is reachable, before anything is changed.

    Raises:
        SetupError: it is no PostgreSQL address, or nothing listens there.
    """
    url = environment.get("DATABASE_URL")
    if not url:
        return
    parsed = urlsplit(url)
    if not parsed.scheme.startswith("postgres"):
        raise SetupError("DATABASE_URL must begin with postgresql+asyncpg:// or postgresql://.")
    query = parse_qs(parsed.query)
    host = query.get("host", [unquote(parsed.hostname or "localhost")])[0]
    port = int(query.get("port", [parsed.port or 5432])[0])
    address = f"{host}/.s.PGSQL.{port}" if host.startswith("/") else f"{host}:{port}"
    try:
        if host.startswith("/"):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
                probe.settimeout(CONNECT_SECONDS)
                probe.connect(address)
        else:
            socket.create_connection((host, port), timeout=CONNECT_SECONDS).close()
    except OSError as error:
        raise SetupError(
            f"The database of DATABASE_URL ({address}) does not answer: {error}."
        ) from error
