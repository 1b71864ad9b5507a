"""``python -m bench.live_load``: many screens, and a feed that pushes goals.

Reads a ``LivePlan`` from the first line of standard input, connects everyone and starts the match;
each further line is a number of seconds during which goals are pushed one by one, and is answered
by a line of JSON. Between lines it keeps reading and responds to the server's pings.
"""

import gc
import hmac
import http.client
import json
import sys
import time
from dataclasses import asdict, dataclass
from itertools import count

from bench.chat_load import idle, say
from bench.chat_plan import SOCKET_IO, ChatPlan
from bench.chat_sockets import TIMEOUT_SECONDS, RoomSockets
from bench.harness import BenchError
from bench.load import summarise

PUSH = "/api/v1/fixtures/feed/push"
MAX_GOALS = 9  # per team, so that all frames have the same length


@dataclass(frozen=True)
class LivePlan:
    """The screens and their server, the feed's key, and the match in the feed's columns."""

    port: int
    tokens: list[str]
    key: str
    match: dict[str, str]


class Audience:
    """All screens, and the feed."""

    def __init__(self, plan: LivePlan) -> None:
        self._plan = plan
        chat = ChatPlan(plan.port, SOCKET_IO, plan.tokens, "/payment", "fixture_update")
        self.sockets = RoomSockets(chat)
        self._feed = http.client.HTTPConnection("127.0.0.1", plan.port, timeout=TIMEOUT_SECONDS)
        self._goals = count(1)
        self._pushes = count(time.time_ns() // 1000)  # up to eighteen digits

    def begin(self) -> None:
        """Connect everyone and start the match."""
        self.sockets.connect()
        self._push({"state": "live", "home_goals": 0, "away_goals": 0})

    def score(self, seconds: float) -> dict[str, object]:
        """Push one goal after the other, the next when all screens have received the last.

        Raises:
            BenchError: a goal was late or duplicated for a screen.
        """
        last_ms: list[float] = []
        started = time.perf_counter()
        while time.perf_counter() < started + seconds:
            number = next(self._goals)
            goals = {"home_goals": number % MAX_GOALS + 1, "away_goals": 0}
            last_ms.append(self._push({"state": "live", **goals}))
        return asdict(summarise(last_ms, time.perf_counter() - started))

    def _push(self, changes: dict[str, object]) -> float:
        """Push a row; return the milliseconds until the last screen has received it."""
        body = json.dumps({"rows": [self._plan.match | changes]}).encode()
        stamp = f"{int(time.time())}.{next(self._pushes)}"
        signed = stamp.encode() + b"." + body
        signature = hmac.new(self._plan.key.encode(), signed, "sha256").hexdigest()
        sent_at_second, _, sequence = stamp.partition(".")
        headers = {
            "X-Feed-Time": sent_at_second,
            "X-Feed-Sequence": sequence,
            "X-Feed-Signature": signature,
        }
        before = dict(self.sockets.counter.counts)
        sent_at = time.perf_counter()
        self._feed.request("POST", PUSH, body, headers)
        elapsed_ms, missing = 0.0, len(before)
        while missing > 0:
            missing -= self.sockets.read(1.0)
            elapsed_ms = (time.perf_counter() - sent_at) * 1000
            if elapsed_ms > TIMEOUT_SECONDS * 1000:
                self._require_accepted()
                raise BenchError(f"{missing} of {len(before)} never heard of a goal")
        self._require_accepted()
        if self.sockets.counter.counts != {one: times + 1 for one, times in before.items()}:
            raise BenchError("somebody heard of a goal twice, and somebody else never")
        return elapsed_ms

    def _require_accepted(self) -> None:
        """Read the response to a push.

        Raises:
            BenchError: the server did not accept the goal.
        """
        answer = self._feed.getresponse()
        content = answer.read().decode()
        if answer.status != 200 or json.loads(content)["data"]["accepted"] != 1:
            raise BenchError(f"a goal was refused: {answer.status} {content}")


def main() -> int:
    """Process each line of standard input."""
    gc.disable()  # no cycles; a collection would look like a late screen
    lines = sys.stdin.buffer
    audience = Audience(LivePlan(**json.loads(lines.readline())))
    try:
        audience.begin()
        say({"connected": len(audience.sockets.sockets)})
        while True:
            idle(audience.sockets, lines.fileno())
            line = lines.readline()
            if not line:
                return 0
            say(audience.score(float(line)))
    except BenchError as error:
        say({"error": str(error)})
        return 1
    finally:
        audience.sockets.close()


if __name__ == "__main__":
    sys.exit(main())
