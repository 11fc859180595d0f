"""The ACK of a trigger, over real sockets with segments as small as a network's."""

import socket
import statistics
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from photofinish.engine import Micros
from photofinish.gateway.sockets.kernel import bytes_without_ack, force_ack, may_force_acks, tcp_info
from photofinish.gateway.sockets.trigger import FRAMED, PAD, SPARE, Trigger, missing_proof
from photofinish.node.clock import clock
from photofinish.race.lag import Lag

MSS = 1_448
TRIGGERS = 9
FEW_MS = 20_000
"""µs. An ACK that the client's kernel delays takes 40 ms or more."""

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """The server's end and the client's end of a connection that has exchanged some messages."""
    with socket.socket() as listener, socket.socket() as client:
        for each in (listener, client):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, MSS)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        client.connect(listener.getsockname())
        server, _address = listener.accept()
        with server:
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(30):
                server.sendall(b"x" * 100)
                client.recv(200)
                client.sendall(b"y" * 50)
                server.recv(100)
            yield server, client


@pytest.fixture(autouse=True)
def not_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The padding alone, as on a server that may not force ACKs. `tests/lab/test_forced_acks.py` forces them."""
    monkeypatch.setattr("photofinish.gateway.sockets.trigger.force_ack", lambda _sock: False)


def unacked(server: socket.socket, size: int, *, is_padded: bool) -> int:
    """Send one trigger of that size. Returns for how many µs its ACK was missing at the last look."""
    lag = Lag()
    trigger = Trigger(server, lag)
    lag.triggered(has_proof=trigger.has_proof)
    trigger.begin(clock())
    server.sendall(b"t" * size)
    trigger.wrote(size)
    if is_padded:
        server.sendall((b"\x8a\x7d" + PAD) * trigger.padding())
    trigger.sent(clock(), is_buffered=False)
    assert trigger.is_watched
    end = time.monotonic() + 2
    while (later := trigger.look(clock())) is not None and time.monotonic() < end:
        time.sleep(min(later, 0.002))
    return lag.path(clock()).acked or 0


def answer(pair: Pair) -> None:
    """The client reads everything, late, and answers."""
    server, client = pair
    time.sleep(0.06)
    client.setblocking(False)
    try:
        while client.recv(65_536):
            pass
    except BlockingIOError:
        client.setblocking(True)
    client.sendall(b"pong")
    server.recv(100)


def medians_of(pair: Pair, size: int, *, is_padded: bool) -> Iterator[float]:
    """Up to four measurements: on a busy machine the process itself may be late."""
    for _ in range(4):
        yield _median_of(pair, size, is_padded=is_padded)


def _median_of(pair: Pair, size: int, *, is_padded: bool) -> float:
    found = []
    for _ in range(TRIGGERS):
        found.append(unacked(pair[0], size, is_padded=is_padded))
        answer(pair)
    return statistics.median(found)


@pytest.mark.parametrize("size", [100, 400, 1_400, 3_000, 4_400])
def test_a_client_that_answers_late_cannot_delay_the_ACK_of_a_padded_trigger(pair: Pair, size: int) -> None:
    assert any(it < FEW_MS for it in medians_of(pair, size, is_padded=True))


def test_without_padding_the_ACK_of_a_trigger_is_delayed(pair: Pair) -> None:
    assert any(it >= FEW_MS for it in medians_of(pair, 400, is_padded=False))


def test_the_padding_fills_a_segment_and_no_more_than_needed(pair: Pair) -> None:
    server, _client = pair
    info = tcp_info(server)
    assert info is not None
    trigger = Trigger(server, Lag())
    trigger.begin(Micros(0))
    trigger.wrote(400)
    filled = 400 + trigger.padding() * FRAMED

    assert info.mss + SPARE <= filled < info.mss + SPARE + FRAMED
    trigger.wrote(5_000)
    assert trigger.padding() == 0
    trigger.sent(Micros(0), is_buffered=False)


def test_a_trigger_that_did_not_fit_into_the_kernels_send_queue_is_not_measured(pair: Pair) -> None:
    trigger = Trigger(pair[0], Lag())
    trigger.begin(Micros(0))
    trigger.sent(Micros(0), is_buffered=True)

    assert not trigger.is_watched
    assert trigger.look(Micros(9)) is None


def test_bytes_without_ack_are_counted(pair: Pair) -> None:
    server, client = pair
    server.sendall(b"z" * 300)
    assert bytes_without_ack(server) in {0, 300}
    client.recv(400)
    client.sendall(b"pong")
    server.recv(100)

    assert bytes_without_ack(server) == 0


def test_a_closed_socket_gives_no_proof(pair: Pair) -> None:
    pair[0].close()

    assert tcp_info(pair[0]) is None
    assert not Trigger(pair[0], Lag()).has_proof


def test_a_connection_with_segments_as_large_as_loopbacks_is_never_measured() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        server, _address = listener.accept()
        with client, server:
            trigger = Trigger(server, Lag())
            trigger.begin(clock())
            trigger.wrote(400)

            assert trigger.has_proof
            assert trigger.padding() == 0
            trigger.sent(clock(), is_buffered=False)
            assert not trigger.is_watched


def test_a_client_that_closes_its_receive_window_gets_no_credit_for_a_late_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket() as client:
        for each in (listener, client):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, MSS)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        client.connect(listener.getsockname())
        server, _address = listener.accept()
        with server:
            server.setblocking(False)
            with suppress(BlockingIOError):
                while server.send(bytes(1_000)):  # until nothing more fits anywhere
                    pass
            lag = Lag()
            trigger = Trigger(server, lag)
            lag.triggered(has_proof=True)
            trigger.begin(clock())
            trigger.sent(clock(), is_buffered=False)
            assert trigger.look(Micros(clock() + 300_000)) is None

            assert lag.path(clock()).acked == 0


@pytest.mark.skipif(not may_force_acks(), reason="needs CAP_NET_ADMIN")
def test_a_socket_whose_ACKs_were_forced_still_lets_its_port_be_bound_again(pair: Pair) -> None:
    assert force_ack(pair[0])

    assert pair[0].getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 1
    pair[0].sendall(b"still open")
    assert pair[1].recv(100) == b"still open"


def test_two_triggers_in_half_a_second_force_one_ACK(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("photofinish.gateway.sockets.trigger.force_ack", lambda _sock: True)
    trigger = Trigger(pair[0], Lag())
    found = []
    for at in (0, 400_000, 600_000):
        trigger.begin(Micros(at))
        trigger.sent(Micros(at), is_buffered=False)
        found.append(trigger.is_delayable)

    assert found == [False, True, False]


def test_the_reason_for_missing_proof_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "proxy" in missing_proof(behind_proxy=True)
    monkeypatch.setattr("photofinish.gateway.sockets.trigger.may_force_acks", lambda: False)
    assert "CAP_NET_ADMIN" in missing_proof(behind_proxy=False)
    monkeypatch.setattr("photofinish.gateway.sockets.trigger.may_force_acks", lambda: True)
    assert missing_proof(behind_proxy=False) == ""
