"""Serves a modified application like ours."""

import sys
from dataclasses import replace

from api.foundation.core.config import Settings
from api.foundation.server import listening, serving


def serve(factory: str) -> None:
    """Serve the application created by ``factory``, an import string."""
    settings = Settings()
    service = replace(serving.service_of(settings), app=factory)
    with listening.bind(settings.host, settings.port) as listener:
        serving.serve(service, listener, on_ready=sys.stdout.flush)
