"""``python -m bench.peers.no_ticks``: our whole server, without the countdown of each second.

Browsers could count down from the deadline alone; what is left is everything else of a battle.
"""

import sys
from dataclasses import replace

from api import main as house
from api import server
from api.battle.live import Arena
from api.core.config import Settings
from fastapi import FastAPI


async def no_visit(_arena: Arena, _moment: int) -> None:
    """Visit nobody."""


def create_app() -> FastAPI:
    """Return the house with silent countdowns."""
    Arena._visit = no_visit  # type: ignore[method-assign]
    return house.create_app()


def main() -> None:
    """Serve it the way ours is served."""
    settings = Settings()
    service = replace(server.service_of(settings), app="bench.peers.no_ticks:create_app")
    with server.bind(settings.host, settings.port) as listener:
        server.serve(service, listener, on_ready=sys.stdout.flush)


if __name__ == "__main__":
    main()
