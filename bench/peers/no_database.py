"""``python -m bench.peers.no_database``: our server with a constant checkout statement.

What remains is the rest of a checkout: parsing, validation, token, rules, envelope. The token's
session is read once and cached, on both sides.
"""

from typing import Any

from api import main as app
from api.foundation.core.config import Settings
from api.foundation.database.database import Runner
from api.shop.repository import checkout
from fastapi import FastAPI

from bench.peers.serving import serve

TOTAL_KOBO = 500_100


async def accepted_order(
    database: Runner,  # noqa: ARG001 same signature as the original
    order: checkout.NewOrder,
) -> dict[str, Any]:
    """Accept every order."""
    return {
        "id": str(order.id),
        "number": order.number,
        "total_kobo": TOTAL_KOBO,
        "delivery_fee_kobo": 0,
        "replayed": False,
    }


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application with that call replaced."""
    checkout.place_order = accepted_order
    return app.create_app(settings)


if __name__ == "__main__":
    serve("bench.peers.no_database:create_app")
