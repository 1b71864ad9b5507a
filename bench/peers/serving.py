"""Serves a modified application like ours."""

import sys
from dataclasses import replace

from api import server
from api.core.config import Settings


def serve(factory: str) -> None:
    """Serve the application created by ``factory``, an import string."""
    settings = Settings()
    service = replace(server.service_of(settings), app=factory)
    with server.bind(settings.host, settings.port) as listener:
        server.serve(service, listener, on_ready=sys.stdout.flush)
