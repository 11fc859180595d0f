"""Pings of connections that end between two pings."""

import logging

import pytest

from photofinish.engine import Micros
from photofinish.gateway.sockets.connection import Connection
from tests.attacks.local_server import local_server, open_websocket
from tests.attacks.test_limits import request
from tests.waiting import until


async def test_a_connection_that_ends_between_two_pings_leaves_no_error(
    redis_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The socket is closed before any task learns that the connection has ended."""
    asked: list[Micros | None] = []
    honest = Connection.kernel_min_rtt

    def just_closed(self: Connection) -> Micros | None:
        self.transport.get_extra_info("socket")._sock.close()
        asked.append(honest(self))
        return None

    monkeypatch.setattr(Connection, "kernel_min_rtt", just_closed)
    with caplog.at_level(logging.ERROR):
        async with local_server(redis_url) as app, open_websocket(app) as one:
            await request(one, 0, "hello", v=1, name="Ada")
            await until(lambda: bool(asked), "the kernel is asked about the socket")

    assert asked[0] is None
    assert not caplog.records
