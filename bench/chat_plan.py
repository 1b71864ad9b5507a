"""The input and output of the chat's load process."""

from dataclasses import dataclass

from bench.load import Summary

SOCKET_IO, RAW = "socket.io", "raw"
FIRST_SEQ = 100_000  # all sequence numbers of a run have the same length
FRAME_HEAD_BYTES = 4  # of a message between 126 and 65,535 bytes


@dataclass(frozen=True)
class ChatPlan:
    """The sockets to connect: one per token, with protocol ``socket.io`` or none (``raw``).

    ``event`` is counted in the ``namespace``.
    """

    port: int
    speech: str
    tokens: list[str]
    namespace: str = "/chat"
    event: str = "message"


@dataclass(frozen=True)
class Order:
    """The next step of the sockets.

    ``volley``: one message in flight for ``seconds``; if the server adds no content, the text is
    long enough for a frame of ``frame_bytes``. ``stream``: ``rate`` messages a second, evenly
    spaced, of ``characters`` each. ``stick``: one more socket, for ``token``, that never reads.
    ``unstick``: read its data until the server closes it.
    """

    order: str
    seconds: float = 0.0
    characters: int = 60
    rate: float = 0.0
    frame_bytes: int = 0
    token: str = ""


@dataclass(frozen=True)
class Volley:
    """Deliveries with one message in flight.

    ``summary`` has the latency of each delivery, ``rounds`` that of each message's last delivery.
    ``load_cpu_us`` is the load's own CPU time per delivery, ``load_share`` its share of a core.
    """

    summary: Summary
    rounds: Summary
    frame_bytes: int
    load_cpu_us: float
    load_share: float


@dataclass(frozen=True)
class Stream:
    """Deliveries at a fixed rate, timed from when each message was due.

    ``lost`` and ``doubled`` count deliveries, ``disordered`` those that arrived after a later one.
    """

    summary: Summary
    messages: int
    lost: int
    doubled: int
    disordered: int
    load_share: float
