"""One answer per id, whatever the client does in between. Real sockets."""

import pytest

from photofinish.node.clock import clock
from photofinish.room.facts import Requested
from photofinish_protocol import messages
from tests.attacks.local_server import local_server, open_websocket
from tests.attacks.test_limits import request
from tests.node.test_actor import node, table


async def test_an_id_sent_again_after_leaving_opens_no_second_room(redis_url: str) -> None:
    async with local_server(redis_url) as app, open_websocket(app) as one:
        await request(one, 0, "hello", v=1, name="Ada")
        made = await request(one, 1, "create", game="cambio")
        await request(one, 2, "leave")

        assert await request(one, 1, "create", game="cambio") == made
        assert len(app.directory) == 1


async def test_a_leave_sent_again_is_answered_as_before(redis_url: str) -> None:
    async with local_server(redis_url) as app, open_websocket(app) as one:
        await request(one, 0, "hello", v=1, name="Ada")
        await request(one, 1, "create", game="cambio")
        left = await request(one, 2, "leave")

        assert await request(one, 2, "leave") == left


async def test_a_player_who_has_left_gets_no_more_views(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move and a leave in one batch of the room: the view of the move must not be sent after the ack of the leave."""
    directory, store = await node(redis_url, "one")
    actor, listener = await table(directory, turn_seconds=0)
    session = next(iter(actor._ports))
    sent: list[object] = []
    monkeypatch.setattr(listener, "send", sent.append)
    monkeypatch.setattr(listener, "show", sent.append)
    actor.post(Requested(session, messages.Play(id=60, move={"t": "ready"}), clock()))
    actor.post(Requested(session, messages.Leave(id=61), clock()))
    await listener.until(lambda it: it.dropped)

    acks = [it.id for it in sent if isinstance(it, messages.Ack)]
    assert acks[-2:] == [60, 61]
    assert not any(isinstance(it, messages.View) for it in sent[sent.index(messages.Ack(id=61)) :])
    await directory.stop()
    await store.close()
