"""What a connection reads from the kernel, on a real socket."""

import socket
from types import SimpleNamespace
from typing import Any

from websockets.protocol import State
from websockets.server import ServerProtocol

from photofinish.gateway.sockets.connection import Connection


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
