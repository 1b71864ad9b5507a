"""The HTTP and socket server: uvicorn with timeouts for slow senders and a bounded shutdown."""

from api.server.listening import PortError, bind
from api.server.serving import Service, serve, service_of

__all__ = ["PortError", "Service", "bind", "serve", "service_of"]
