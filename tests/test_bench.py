"""The measuring tools themselves: a benchmark that cannot fail says nothing."""

import inspect
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
from api.main import create_app
from bench import __main__ as program
from bench import scale
from bench.__main__ import BENCHMARKS
from bench.chat_frames import (
    MARKER,
    PING,
    TEXT,
    Counter,
    Judge,
    check_upgrade,
    content_of,
    handshake,
    split,
    text_frame,
)
from bench.chat_load import Crowd, wording
from bench.chat_plan import RAW, SOCKET_IO, ChatPlan, Order
from bench.chat_sockets import RoomSockets, greet
from bench.harness import (
    BenchError,
    Slice,
    Subject,
    Verdict,
    figures,
    get,
    paired,
    port_of,
    post,
    require_free,
)
from bench.load import body_length, summarise
from bench.peers import no_database, no_ticks
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

ROOT = Path(__file__).resolve().parents[1]


def subject(name: str, *rates: float) -> Subject:
    slices = [Slice(rate, 1.0, 2.0, 100.0) for rate in rates]
    return Subject(name, lambda: slices[0], slices)


@pytest.mark.parametrize("peer", [no_database, no_ticks])
def test_our_changed_servers_are_made_from_settings_as_ours_is(peer: ModuleType) -> None:
    assert inspect.signature(peer.create_app) == inspect.signature(create_app)


def test_a_missed_goal_fails_the_run_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = Verdict()

    verdict.at_most("small", 1.0, 1.25)
    failed_after_the_first = verdict.failed
    verdict.at_least("large", 0.4, 0.5)

    assert (failed_after_the_first, verdict.failed) == (False, True)
    assert capsys.readouterr().out.splitlines() == [
        "RATIO small=1.000 goal=<=1.25 PASS",
        "RATIO large=0.400 goal=>=0.5 FAIL",
    ]


def test_a_short_run_judges_counts_and_no_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(scale.VARIABLE, "1")
    verdict = Verdict()

    verdict.at_most("slow", 9.0, 1.25)
    verdict.at_least("slow_too", 0.4, 0.5)
    verdict.at_most("lost", 0, 0, exact=True)
    failed_without_a_loss = verdict.failed
    verdict.at_most("lost", 1, 0, exact=True)

    assert (failed_without_a_loss, verdict.failed) == (False, True)
    assert capsys.readouterr().out.splitlines() == [
        "RATIO slow=9.000 goal=<=1.25 not judged",
        "RATIO slow_too=0.400 goal=>=0.5 not judged",
        "RATIO lost=0.000 goal=<=0 PASS",
        "RATIO lost=1.000 goal=<=0 FAIL",
    ]


def test_a_full_run_has_the_full_numbers_and_a_short_one_fewer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = (scale.rounds, scale.people, scale.room, scale.rows, scale.calls, scale.min_count)

    assert [size(2_000_000) for size in sizes] == [2_000_000] * 6
    assert (scale.seconds(8.0), scale.warm_ups(), scale.variants((1, 2))) == (8.0, 1, (1, 2))
    assert scale.pgbench_length(3) == "--time=3"
    assert [port_of(place) for place in range(3)] == [8150, 8151, 8152]

    monkeypatch.setenv(scale.VARIABLE, "1")
    assert [size(2_000_000) for size in sizes] == [1, 20_000, 40, 1000, 4000, 1]
    assert [size(3) for size in sizes] == [1, 3, 3, 3, 1, 1]
    assert (scale.seconds(8.0), scale.warm_ups(), scale.variants((1, 2))) == (0.16, 0, (1,))
    require_free(port_of(0))


def test_short_alone_runs_all_and_names_those_that_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[tuple[str, bool]] = []

    def one(name: str, *, fails: bool = False) -> Callable[[Verdict], None]:
        def run(_verdict: Verdict) -> None:
            """Run nothing."""
            ran.append((name, scale.is_short()))
            if fails:
                raise BenchError("its peer answered 500")

        return run

    monkeypatch.setenv(scale.VARIABLE, "")  # restored at the end
    monkeypatch.setattr(
        program, "BENCHMARKS", {"a": one("a"), "b": one("b", fails=True), "c": one("c")}
    )

    assert program.main(["--short"]) == 1
    assert ran == [("a", True), ("b", True), ("c", True)]
    assert capsys.readouterr().out.splitlines()[-1] == "FAILED: b"
    assert program.main(["--short", "c"]) == 0
    assert program.main(["--short", "unknown"]) == 2


def test_a_ratio_is_the_median_of_slices_that_ran_side_by_side() -> None:
    ours, theirs = subject("ours", 10, 20, 90), subject("theirs", 10, 40, 30)

    assert paired(ours, theirs, "operations_per_second") == 1.0


def test_the_tail_is_taken_from_the_slowest_of_a_hundred() -> None:
    summary = summarise([1.0] * 98 + [50.0, 70.0], 2.0, {"200": 100})

    assert (summary.p50_ms, summary.p99_ms, summary.max_ms) == (1.0, 70.0, 70.0)
    assert figures(summary, 0.01).cpu_us_per_operation == pytest.approx(100.0)


def test_too_few_operations_are_an_error_and_not_a_result() -> None:
    with pytest.raises(BenchError, match="only 3 operations"):
        figures(summarise([1.0, 1.0, 1.0], 2.0), 0.1)


def test_an_answer_of_unknown_length_is_not_measured() -> None:
    assert body_length(b"HTTP/1.1 200 OK\r\ncontent-LENGTH: 17\r\nx: y") == 17
    assert body_length(b"HTTP/1.1 304 Not Modified\r\nx: y") == 0
    with pytest.raises(ValueError, match="without Content-Length"):
        body_length(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked")


def test_requests_carry_token_key_and_the_length_in_bytes() -> None:
    assert "Authorization: Bearer abc\r\n" in get("/x", "abc")
    text = post("/x", {"name": "Ọlá"}, key="k" * 36)
    head, _, body = text.partition("\r\n\r\n")

    assert f"Content-Length: {len(body.encode())}" in head
    assert f"Idempotency-Key: {'k' * 36}" in head


def served_frame(payload: bytes, first: int = 0x81) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 65_536:
        return bytes((first, 126)) + size.to_bytes(2, "big") + payload
    return bytes((first, 127)) + size.to_bytes(8, "big") + payload


def message(number: int, seq: int) -> bytes:
    content = f'{{"chat_message":"{wording(number, 60)}","seq":{seq}}}'
    return MARKER + content.encode() + b"]"


def test_frames_are_found_however_the_bytes_arrive() -> None:
    payloads = [b"2", message(1, 1), b"", b"x" * 125, b"y" * 126, b"z" * 65_535, b"w" * 65_536]
    stream = b"".join(served_frame(payload) for payload in payloads)
    expected = [(TEXT, payload) for payload in payloads]

    assert split(stream) == (expected, b"")
    for piece in (1, 2, 3, 5, 1_000, 70_000):
        found, rest = [], b""
        for at in range(0, len(stream), piece):
            frames, rest = split(rest + stream[at : at + piece])
            found += frames
        assert (found, rest) == (expected, b""), piece


@pytest.mark.parametrize("first", [0xC1, 0x01, 0x80 | 0x10 | TEXT])
def test_compressed_or_partial_frames_end_a_benchmark(first: int) -> None:
    with pytest.raises(BenchError, match="compressed, masked or in parts"):
        split(served_frame(b"hello", first))


def test_a_clients_frame_is_masked_and_says_its_length() -> None:
    assert text_frame(b"hi") == b"\x81\x82\0\0\0\0hi"
    assert text_frame(b"x" * 300)[:4] == b"\x81\xfe\x01\x2c"
    assert text_frame(b"x" * 70_000)[:10] == b"\x81\xff" + (70_000).to_bytes(8, "big")


def test_a_server_that_compresses_is_not_measured() -> None:
    request, proof = handshake("/room")
    answer = b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: " + proof
    compressed = answer + b"\r\nsec-websocket-extensions: permessage-deflate\r\n\r\n"

    assert b"Sec-WebSocket-Extensions: permessage-deflate" in request
    check_upgrade(answer + b"\r\n\r\n", proof)
    with pytest.raises(BenchError, match="compresses"):
        check_upgrade(compressed, proof)
    with pytest.raises(BenchError, match="does not upgrade"):
        check_upgrade(answer + b"\r\n\r\n", b"another")
    with pytest.raises(BenchError, match="403 Forbidden"):
        check_upgrade(b"HTTP/1.1 403 Forbidden\r\n\r\n", proof)


def receive(counter: Counter, descriptor: int, data: bytes) -> bool:
    """Hand a receipt over as the load does; say whether it was seen at once what it is."""
    buffer = bytearray(data + b"left from before")
    if counter.is_one(descriptor, buffer, len(data)):
        return True
    counter.parse(descriptor, data)
    return False


def test_only_messages_are_counted_and_each_once() -> None:
    counter = Counter()
    counter.counts = {1: 0, 2: 0}
    first, second = served_frame(message(1, 100_001)), served_frame(message(2, 100_002))
    users = served_frame(b'42/chat,["userList",{"Public":[{"first_name":"Ada"}]}]')
    receipt = served_frame(b'43/chat,7[{"status":200,"data":{"seq":100001}}]')

    at_once = [
        receive(counter, 1, first),
        receive(counter, 2, first),
        receive(counter, 1, users),
        receive(counter, 1, receipt + second + served_frame(b"2")),
        receive(counter, 2, second),
    ]

    assert at_once == [False, True, False, False, True]
    assert counter.counts == {1: 2, 2: 2}
    assert counter.frame_bytes == len(first)


def test_a_message_that_arrives_in_parts_is_counted_when_it_is_whole() -> None:
    counter = Counter()
    counter.counts = {1: 0}
    whole = served_frame(message(1, 100_001))
    receive(counter, 1, whole)

    for cut in range(1, len(whole)):
        before = counter.counts[1]
        assert not receive(counter, 1, whole[:cut])
        assert counter.counts[1] == before
        # As long as a message, and beginning in the middle of one.
        assert not receive(counter, 1, whole[cut:] + whole[:cut])
        assert counter.counts[1] == before + 1
        assert not receive(counter, 1, whole[cut:])
        assert counter.counts[1] == before + 2
    assert receive(counter, 1, whole)


def test_a_message_inside_of_another_frame_is_none() -> None:
    counter = Counter()
    counter.counts = {1: 0}
    whole = served_frame(message(1, 100_001))
    long = served_frame(whole + b"!")
    receive(counter, 1, whole)

    receive(counter, 1, long[: long.index(whole)])
    receive(counter, 1, whole)
    receive(counter, 1, b"!")

    assert counter.counts == {1: 1}


def test_what_is_no_message_is_handed_back() -> None:
    counter = Counter()
    counter.counts = {1: 0}
    ping = served_frame(b"still there?", 0x80 | PING)

    assert counter.parse(1, ping + served_frame(b"2")) == [
        (PING, b"still there?"),
        (TEXT, b"2"),
    ]
    assert counter.counts[1] == 0


def judged(listeners: int, messages: int, *changes: str) -> tuple[int, int, int]:
    """Deliver all messages to all, but for what the changes do to the last listener's."""
    judge = Judge(list(range(listeners)), messages)
    for listener in range(listeners):
        numbers = list(range(messages))
        if listener == listeners - 1:
            for change in changes:
                if change == "lose":
                    del numbers[3]
                elif change == "swap":
                    numbers[5], numbers[6] = numbers[6], numbers[5]
                elif change == "double":
                    numbers.append(numbers[7])
        for number in numbers:
            judge.record(listener, number, 100_000 + number)
    return judge.lost, judge.doubled, judge.disordered


def test_the_judge_finds_one_loss_one_double_and_one_swap_among_many() -> None:
    assert judged(40, 50) == (0, 0, 0)
    assert judged(40, 50, "lose") == (1, 0, 0)
    assert judged(40, 50, "double") == (0, 1, 0)
    assert judged(40, 50, "swap") == (0, 0, 1)
    assert judged(40, 50, "swap", "lose", "double") == (1, 1, 1)


def test_an_order_that_differs_from_the_rooms_sequence_is_found() -> None:
    judge = Judge([1], 3)

    for number, seq in ((0, 11), (1, 13), (2, 12)):
        judge.record(1, number, seq)

    assert (judge.lost, judge.disordered) == (0, 1)


def test_a_texts_number_and_sequence_are_read_back() -> None:
    text, seq = content_of(message(4_711, 100_042))

    assert (int(text.split(" ")[0]), seq) == (4_711, 100_042)


def test_no_two_texts_are_the_same_and_all_are_as_long() -> None:
    texts = [wording(number, length) for length in (60, 1_000) for number in (1, 2, 99_999_999)]

    assert len(set(texts)) == 6
    assert {len(text) for text in texts} == {60, 1_000}
    assert [text for text in texts if text != text.strip()] == []


def test_what_is_only_handed_on_is_as_long_as_what_a_server_composes() -> None:
    raw, talking = Crowd(ChatPlan(1, RAW, [])), Crowd(ChatPlan(1, SOCKET_IO, []))

    handed_on = raw._compose(12, Order("volley", frame_bytes=357))
    said = talking._compose(12, Order("volley", characters=60))

    assert len(served_frame(handed_on)) == 357
    assert handed_on.startswith(MARKER)
    assert said.startswith(b'42/chat,12["message",{"club":"Public","chat_message":"00000012 ')


def test_what_comes_right_behind_a_greeting_is_not_lost() -> None:
    ours, theirs = socket.socketpair()
    users = served_frame(b'42/chat,["userList",{"Public":["' + b"x" * 30_000 + b'"]}]')
    said = served_frame(message(1, 100_001))
    greetings = served_frame(b'0{"sid":"1"}') + served_frame(b'40/chat,{"sid":"2"}')
    with ours, theirs:
        theirs.sendall(greetings + users[:5_000])
        greet([ours], ["token"])
        theirs.sendall(users[5_000:] + said)
        theirs.shutdown(socket.SHUT_WR)
        received = b"".join(iter(lambda: ours.recv(65_536), b""))
        asked = theirs.recv(1_000)

    assert received == users + said
    assert asked == text_frame(b'40/chat,{"token": "token"}')


def test_a_member_whom_the_server_refuses_ends_a_benchmark() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(served_frame(b"0{}") + served_frame(b'44/chat,{"message":"No."}'))
        with pytest.raises(BenchError, match="refused: 44/chat"):
            greet([ours], ["token"])


@contextmanager
def room_server(*, loses: int = 0, compresses: bool = False) -> Iterator[int]:
    """Hand on what anybody says to everybody; the ``loses``-th delivery is forgotten."""
    deliveries = count(1)
    people: list[ServerConnection] = []

    def talk(person: ServerConnection) -> None:
        people.append(person)
        with suppress(ConnectionClosed):
            for text in person:
                for listener in people:
                    if next(deliveries) != loses:
                        listener.send(text)

    compression = "deflate" if compresses else None
    with (
        serve(talk, "127.0.0.1", 0, compression=compression) as server,
        ThreadPoolExecutor(1) as pool,
    ):
        serving = pool.submit(server.serve_forever)
        try:
            yield server.socket.getsockname()[1]
        finally:
            server.shutdown()
            serving.result(10)


@contextmanager
def crowd(port: int, people: int) -> Iterator[Crowd]:
    gathered = Crowd(ChatPlan(port, RAW, ["-"] * people))
    try:
        gathered.connect()
        yield gathered
    finally:
        gathered.sockets.close()


def test_every_delivery_over_real_sockets_is_counted() -> None:
    with room_server() as port, crowd(port, 5) as people:
        volley = people.volley(Order("volley", 0.2, frame_bytes=300))

    assert volley.summary.count == 5 * volley.rounds.count > 0
    assert volley.frame_bytes == 300
    assert volley.rounds.p50_ms >= volley.summary.p50_ms > 0


def test_one_lost_delivery_over_real_sockets_ends_a_volley(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.chat_load.TIMEOUT_SECONDS", 0.3)
    with (
        room_server(loses=8) as port,
        crowd(port, 5) as people,
        pytest.raises(BenchError, match="1 of 5 never got a message"),
    ):
        people.volley(Order("volley", 5, frame_bytes=300))


def test_a_server_that_compresses_is_refused_over_real_sockets() -> None:
    with room_server(compresses=True) as port, pytest.raises(BenchError, match="compresses"):
        RoomSockets(ChatPlan(port, RAW, ["-"])).enter(["-"])


def test_a_busy_port_is_refused() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as holder,
        pytest.raises(BenchError, match="is busy"),
    ):
        require_free(holder.getsockname()[1])


def test_the_page_about_the_benchmarks_lists_each_of_them() -> None:
    page = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")

    assert [name for name in BENCHMARKS if f"\n| {name} |" not in page] == []
