"""Data of other releases in Redis: that of the one before is read; newer or damaged data is kept, and reported.

`release_before.json` was written by `record_release.py` with the release before.
"""

import base64
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import redis

from photofinish.games import all_games
from photofinish.gateway.http.catalogue import Catalogue
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.node.metrics_port import MetricsPort
from photofinish.node.relay import Relay
from photofinish.room.facts import Joined, Requested, SessionId
from photofinish.room.record import VERSION, Unreadable, pack, unpack
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.keys import LEASES, SUMMARIES, mail_of, room_of, unread_of
from photofinish.store.mail import FORMAT, RedisMail, _Envelope
from photofinish.store.ports import NodeId, RoomId, Write
from photofinish.store.redis import RedisStore
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import JSON
from tests.node.test_actor import RecordingSession, table
from tests.waiting import until, within

BEFORE = json.loads((Path(__file__).parent / "release_before.json").read_text(encoding="utf-8"))
ROOMS: dict[str, RoomId] = BEFORE["rooms"]


class CountingMetrics(MetricsPort):
    def __init__(self) -> None:
        self.kinds: list[str] = []

    def unreadable(self, kind: str) -> None:
        self.kinds.append(kind)


def load(url: str) -> None:
    """The keys as the release before left them, its leases run out."""
    raw = base64.b64decode
    with redis.from_url(url) as client:
        for key, (kind, value) in BEFORE["keys"].items():
            if kind == "hash":
                client.hset(key, mapping={raw(k): raw(v) for k, v in value.items()})
            elif kind == "zset":
                client.zadd(key, {raw(k): 0 for k in value})
            elif kind == "stream":
                for place, entry in value:
                    client.xadd(key, {raw(k): raw(v) for k, v in entry.items()}, id=place)
            else:
                client.set(key, raw(value))
        for room in ROOMS.values():
            client.hset(room_of(room), "until", 0)


async def opened(url: str, name: str = "reader") -> tuple[Directory, RedisStore, CountingMetrics]:
    store, metrics = await RedisStore.open(url, lease_ms=400), CountingMetrics()
    return Directory(store, NodeId(name), all_games(), metrics=metrics), store, metrics


async def test_rooms_of_the_previous_release_continue(redis_url: str) -> None:
    load(redis_url)
    directory, store, metrics = await opened(redis_url)
    lobby, playing = await directory.find(ROOMS["lobby"]), await directory.find(ROOMS["playing"])
    listed = await directory.listing(messages.Rooms(id=1))

    assert lobby.room.record.phase == "lobby"
    assert playing.room.record.phase == "playing"
    assert playing.room.match is not None
    assert not playing.room.record.quarantine
    assert {it.room for it in listed.rooms} == set(ROOMS.values())
    session = RecordingSession()
    lobby.enter(SessionId("new"), session, Joined(SessionId("new"), 1, "Cy"))
    await session.until(lambda it: it.answer(1) is not None)
    assert isinstance(session.answer(1), messages.Ack)
    assert metrics.kinds == []
    await directory.stop()
    await store.close()


async def test_node_messages_of_the_previous_release_are_read(redis_url: str) -> None:
    load(redis_url)
    directory, store, metrics = await opened(redis_url)
    lobby = await directory.find(ROOMS["lobby"])
    mail = RedisMail(redis_url, NodeId("reader"))
    relay = Relay(mail, NodeId("reader"), directory)
    await relay.start()
    await until(
        lambda: any(it.name == "Bo" for it in lobby.room.record.chairs), "the player of the message sits down"
    )

    assert metrics.kinds == []
    await relay.stop()
    await directory.stop()
    await mail.close()
    await store.close()


async def test_an_envelope_that_cannot_be_read_does_not_stop_later_messages(redis_url: str) -> None:
    bad = [
        b"\xc1 nonsense",
        msgspec.msgpack.encode(["sender", 2, "no messages"]),
        msgspec.msgpack.encode(_Envelope("sender", 3, [b"of tomorrow"], 1, FORMAT + 1)),
    ]
    mail = RedisMail(redis_url, NodeId("reader"))
    unreadable: list[int] = []
    mail.on_unreadable = lambda: unreadable.append(1)
    with redis.from_url(redis_url) as client:
        for number, sealed in enumerate([b"", *bad, b""], 1):
            good = msgspec.msgpack.encode(
                _Envelope("sender", 1 if number == 1 else 4, [b"message"], 1, FORMAT)
            )
            client.xadd(mail_of(NodeId("reader")), {"l": sealed or good})
        found: list[tuple[NodeId, bytes]] = []
        async with within(lambda: f"both node messages that can be read; so far {found}"):
            while len(found) < 2:
                found += await mail.collect()

        assert found == [("sender", b"message")] * 2
        assert len(unreadable) == len(bad)
        await until(lambda: client.llen(unread_of(NodeId("reader"))) == len(bad), "they are kept aside")
    await mail.close()


async def test_a_node_message_that_cannot_be_read_is_counted_and_the_next_one_is_carried_out(
    redis_url: str,
) -> None:
    directory, store, metrics = await opened(redis_url)
    room = await directory.create(messages.Create(id=0, game="cambio"))
    mail, sender = RedisMail(redis_url, NodeId("reader")), RedisMail(redis_url, NodeId("sender"))
    relay = Relay(mail, NodeId("reader"), directory)
    await relay.start()
    sender.post(NodeId("reader"), b"\xc1")
    far = Relay(sender, NodeId("sender"), directory)
    from photofinish.node.relay import FactForRoom

    far.write(NodeId("reader"), FactForRoom(room.code, Joined(SessionId("far"), 1, "Bo", None, "sender"), 1))
    await until(
        lambda: any(it.name == "Bo" for it in room.room.record.chairs),
        "the player of the next message sits down",
    )

    assert metrics.kinds == ["letter"]
    await relay.stop()
    await directory.stop()
    await mail.close()
    await sender.close()
    await store.close()


@pytest.mark.parametrize(
    "damage",
    [
        b"\xc1",
        b"",
        msgspec.msgpack.encode({"v": VERSION + 1, "code": "of tomorrow"}),
        msgspec.msgpack.encode([1, 2]),
    ],
    ids=["nonsense", "nothing", "a newer release", "another shape"],
)
async def test_a_room_that_cannot_be_read_is_logged_once_and_not_changed(
    redis_url: str, damage: bytes
) -> None:
    load(redis_url)
    with redis.from_url(redis_url) as client:
        client.hset(room_of(ROOMS["lobby"]), "state", damage)
        directory, store, metrics = await opened(redis_url)
        await directory.start()
        await until(lambda: directory.local(ROOMS["playing"]) is not None, "the other room is taken up")
        await until(lambda: metrics.kinds == ["room"], "the bad one is counted")
        epoch = client.hget(room_of(ROOMS["lobby"]), "epoch")
        with pytest.raises(RequestRefusal) as no:
            await directory.find(ROOMS["lobby"])
        for _ in range(3):
            await directory._adopt_orphans()

        assert no.value.reason is Reason.QUARANTINED
        assert metrics.kinds == ["room"]
        assert client.hget(room_of(ROOMS["lobby"]), "epoch") == epoch, "it was taken up again"
        assert client.hget(room_of(ROOMS["lobby"]), "state") == damage
    await directory.stop()
    await store.close()


async def test_if_a_line_of_the_list_cannot_be_read_the_others_are_still_listed(redis_url: str) -> None:
    directory, store, metrics = await opened(redis_url)
    one = await directory.create(messages.Create(id=0, game="cambio"))
    with redis.from_url(redis_url) as client:
        client.hset(SUMMARIES, "QQQQQ", b'1:1:{"room": 7}')
        client.zadd(LEASES, {"QQQQQ": 2**50})
    for _ in range(2):
        found = await directory.listing(messages.Rooms(id=1))
        assert [it.room for it in found.rooms] == [one.code]

    assert metrics.kinds == ["line"]
    await directory.stop()
    await store.close()


def test_stored_records_contain_their_version() -> None:
    raw = base64.b64decode(BEFORE["keys"][room_of(ROOMS["lobby"])][1][base64.b64encode(b"state").decode()])
    before = unpack(raw)
    assert before.v == 0
    assert unpack(pack(before)).v == VERSION
    with pytest.raises(Unreadable, match="version"):
        unpack(msgspec.msgpack.encode({"v": VERSION + 1}))


# What is remembered as stored is stored (issue 10, 23).


class Refusing(RedisStore):
    """The real store, with a fault of its own at the commit that answers this request."""

    request = 77
    last = b""
    """What was stored before."""

    def commit_then(self, write: Write, done: Callable[[Exception | None], None]) -> None:
        if unpack(write.state).chairs[0].answers.highest == self.request:
            done(ArithmeticError("refused"))
            return
        super().commit_then(write, done)
        self.last = write.state


async def test_after_a_refused_commit_the_quarantined_room_is_stored_as_it_was_before(redis_url: str) -> None:
    store = await Refusing.open(redis_url, lease_ms=400)
    directory = Directory(store, NodeId("one"), all_games())
    actor, listener = await table(directory, turn_seconds=0)
    session = next(it for it in actor._ports if it.startswith("listener"))
    actor.post(Requested(session, messages.Chat(id=Refusing.request, text="not stored"), clock()))
    await listener.until(lambda it: any(isinstance(m, messages.Left) for m in it.messages))
    with redis.from_url(redis_url) as client:
        kept = unpack(client.hget(room_of(actor.code), "state"))

    assert "refused" in kept.quarantine
    kept.quarantine = ""
    assert pack(kept) == store.last
    assert listener.answer(Refusing.request) is None
    await directory.stop()
    await store.close()


def test_each_set_of_games_has_its_own_list() -> None:
    """Before, the list was cached by the `id()` of its mapping, and a new mapping can have the `id()` of an old one."""
    for key in ("cambio", "kodiak", "jamaica"):
        frame = Catalogue({key: all_games()[key]}).answer(5, CODECS[JSON])
        got = json.loads(frame)
        assert (got["id"], [it["key"] for it in got["got"]["games"]]) == (5, [key])
