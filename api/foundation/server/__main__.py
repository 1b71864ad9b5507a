"""``python -m api.foundation.server``: serves with existing services, as in a container."""

import sys

import structlog

from api.foundation.core.logs import set_up_logs
from api.foundation.core.processes import exit_on_sigterm
from api.foundation.server.listening import PortError, bind
from api.foundation.server.process_settings import WRONG_SETTINGS, read_settings
from api.foundation.server.serving import serve, service_of


def main() -> int:
    """Serve; return 1 if the port is unavailable and 2 if the settings are invalid.

    A failed start, or a stop by a signal, raises SystemExit.
    """
    exit_on_sigterm()
    settings = read_settings()
    if settings is None:
        return WRONG_SETTINGS
    set_up_logs(settings.log_level)
    log = structlog.get_logger()
    try:
        listener = bind(settings.host, settings.port)
    except PortError as error:
        log.critical("port_refused", reason=str(error))
        return 1
    with listener:
        serve(service_of(settings), listener, on_ready=lambda: log.info("ready"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
