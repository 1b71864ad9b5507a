"""The listening socket of the server."""

import socket


class PortError(RuntimeError):
    """The address is unusable; the message names it and the reason."""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address but not listening yet, which reserves the port.

    Raises:
        PortError: the port is in use or not permitted.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise PortError(f"Cannot listen on {host} port {port}: {error.strerror}.") from error
    listener.set_inheritable(True)
    return listener
