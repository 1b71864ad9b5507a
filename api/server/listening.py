"""The address the server listens on."""

import socket


class PortError(RuntimeError):
    """The address cannot be listened on; the message says which and why."""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address, not yet listening: the port is ours from now on.

    Raises:
        PortError: somebody else has it, or it is not allowed.
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
