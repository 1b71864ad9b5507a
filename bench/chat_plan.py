"""What the chat's sockets are told, and what they report."""

from dataclasses import dataclass

from bench.load import Summary

SOCKET_IO, RAW = "socket.io", "raw"
FIRST_SEQ = 100_000  # every sequence of a run has as many digits
FRAME_HEAD_BYTES = 4  # of a message between 126 and 65,535 bytes


@dataclass(frozen=True)
class ChatPlan:
    """Who connects where: a socket for each token, speaking ``socket.io`` or nothing (``raw``).

    ``event`` is what is counted in the ``namespace``.
    """

    port: int
    speech: str
    tokens: list[str]
    namespace: str = "/chat"
    event: str = "message"


@dataclass(frozen=True)
class Order:
    """What the sockets do next.

    ``volley``: one message in flight for ``seconds``; where the server adds nothing, the text is
    made so long that its frame has ``frame_bytes``. ``stream``: ``rate`` messages a second, evenly
    spaced, of ``characters`` each. ``stick``: one more socket, for ``token``, that never reads.
    ``unstick``: read what it was sent until the server ends it.
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

    ``summary`` times each delivery from its sending, ``rounds`` each message until the last has
    it. ``load_cpu_us`` is what the measuring itself took for a delivery, ``load_share`` how much
    of its time the measuring process was busy.
    """

    summary: Summary
    rounds: Summary
    frame_bytes: int
    load_cpu_us: float
    load_share: float


@dataclass(frozen=True)
class Stream:
    """Deliveries at a fixed rate, timed from when each message was due.

    ``lost`` and ``doubled`` count deliveries, ``disordered`` those that came behind a later one.
    """

    summary: Summary
    messages: int
    lost: int
    doubled: int
    disordered: int
    load_share: float
