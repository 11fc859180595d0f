"""What an idle connection holds."""

from typing import Any

from photofinish import app
from photofinish.config import Settings
from tests.system.raw import Raw


async def test_the_headers_of_a_handshake_are_not_kept(redis_url: str) -> None:
    settings = Settings(port=0, metrics_port=0, redis=redis_url)
    async with app.running(settings) as running, Raw(running.url) as player:
        await player.hello("Ada")
        (session,) = running.gateway.sessions.values()
        socket: Any = session.outbox._socket
        connection = socket._connection

        assert not connection.request.headers
        assert not connection.response.headers
        assert (await player.request("ping", at=1))["got"]["at"] == 1
