"""``python -m bench.peers.no_ticks``: our server without the countdown of each second.

Browsers could count down from the deadline alone; what remains is the rest of a battle.
"""

from api import main as app
from api.foundation.core.config import Settings
from api.games.battle.live import Arena
from fastapi import FastAPI

from bench.peers.serving import serve


async def no_visit(self: Arena, moment: int) -> None:
    """Do nothing."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application with silent countdowns."""
    Arena._visit = no_visit  # type: ignore[method-assign]
    return app.create_app(settings)


if __name__ == "__main__":
    serve("bench.peers.no_ticks:create_app")
