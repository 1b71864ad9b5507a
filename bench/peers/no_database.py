"""``python -m bench.peers.no_database``: our whole server, its checkout statement made constant.

What is left is everything else of a checkout: parsing, validation, token, rules, envelope. The
token's session is read once and remembered, on both sides.
"""

import sys
from dataclasses import replace
from typing import Any

from api import main as house
from api import server
from api.core.config import Settings
from api.core.database import Database
from api.shop import repository
from fastapi import FastAPI

TOTAL_KOBO = 500_100


async def accepted_order(_database: Database, order: repository.NewOrder) -> dict[str, Any]:
    """Accept every order."""
    return {
        "id": str(order.id),
        "number": order.number,
        "total_kobo": TOTAL_KOBO,
        "replayed": False,
    }


def create_app() -> FastAPI:
    """Return the house with that call replaced."""
    repository.place_order = accepted_order
    return house.create_app()


def main() -> None:
    """Serve it the way ours is served."""
    settings = Settings()
    service = replace(server.service_of(settings), app="bench.peers.no_database:create_app")
    with server.bind(settings.host, settings.port) as listener:
        server.serve(service, listener, on_ready=sys.stdout.flush)


if __name__ == "__main__":
    main()
