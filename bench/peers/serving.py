"""Serves a changed house the way ours is served."""

import sys
from dataclasses import replace

from api import server
from api.core.config import Settings


def serve(factory: str) -> None:
    """Serve the application that ``factory``, an import string, makes."""
    settings = Settings()
    service = replace(server.service_of(settings), app=factory)
    with server.bind(settings.host, settings.port) as listener:
        server.serve(service, listener, on_ready=sys.stdout.flush)
