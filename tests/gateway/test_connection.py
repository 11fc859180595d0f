"""What a connection reads from the kernel, on a real socket."""

import asyncio
import socket
from types import SimpleNamespace
from typing import Any

from websockets.protocol import State
from websockets.server import ServerProtocol

from photofinish.gateway.sockets.connection import Connection
from photofinish.gateway.sockets.frame_scanner import BINARY, FIN
from photofinish.gateway.sockets.own_frames import PAD_FRAME, PING_HEAD, header
from photofinish.gateway.sockets.trigger import Trigger
from photofinish.race.lag import Lag
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.reasons import Close
from photofinish_protocol.version import MSGPACK


def connection(sock: socket.socket) -> Any:
    """The part of a connection that is needed here: the socket of its transport."""
    return SimpleNamespace(transport=SimpleNamespace(get_extra_info=lambda _: sock), retransmits=0)


def test_a_connected_socket_has_a_round_trip_and_a_closed_one_has_none() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = connection(socket.create_connection(server.getsockname()))
        sock = one.transport.get_extra_info("socket")
        kernel = Connection.kernel_min_rtt(one)
        assert kernel is None or kernel > 0
        sock.close()

        assert Connection.kernel_min_rtt(one) is None


def test_a_unix_socket_has_no_round_trip() -> None:
    one, other = socket.socketpair()
    with one, other:
        assert Connection.kernel_min_rtt(connection(one)) is None


def test_the_library_keeps_the_state_of_a_connection_where_we_read_it() -> None:
    """`Connection` reads `_state`: the property is a call, and it is asked with every frame."""
    protocol = ServerProtocol()
    for state in State:
        protocol.state = state
        assert protocol._state is state


class Writes:
    """A transport over a pair of sockets whose segments are small. It counts its writes."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock, self.written = sock, list[bytes]()

    def write(self, data: bytes) -> None:
        self.written.append(data)
        self.sock.sendall(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str) -> socket.socket:
        assert name == "socket"
        return self.sock


async def test_a_trigger_leaves_in_one_write_with_its_ping_and_padding_and_so_does_the_second_burst() -> None:
    with socket.socket() as listener:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1_400)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        with socket.create_connection(listener.getsockname()) as peer, listener.accept()[0] as own:
            line: Any = Connection.__new__(Connection)
            line.protocol, line.loop = ServerProtocol(state=State.OPEN), asyncio.get_running_loop()
            line.transport = writes = Writes(own)
            line.pings, line._unwritten, line._echo, line._opcode = {}, b"", b"", FIN | BINARY
            line.trigger = Trigger(own, Lag())
            line.begin_trigger()
            frame = CODECS[MSGPACK].encode(
                messages.Bye(code=Close.FAULT, text="as long as a view" * 30, retry=True)
            )
            line.write(frame)
            assert writes.written == []
            line.send_echo()
            (first,) = writes.written
            assert len(first) > 1_400, "padded to more than a segment"
            head = header(len(frame), FIN | BINARY)
            pads = PAD_FRAME * line.trigger.padding()
            assert pads
            assert first == head + frame + PING_HEAD + line._echo + pads
            line._send_pads(line.trigger.burst())
            assert len(writes.written) == 2
            assert len(peer.recv(8_192)) > 1_400
