"""The SDK's codec and the server's codec read each other's messages, for every message."""

from typing import Any

import msgpack
import pytest
from msgspec import structs

from photofinish_client.connection.codec import CODECS as OURS
from photofinish_client.connection.codec import Encoding
from photofinish_protocol import messages as m
from photofinish_protocol.codec import CODECS as THEIRS
from photofinish_protocol.codec import Malformed
from photofinish_protocol.offers import Amounts, Offer, OneOf, SomeOf
from photofinish_protocol.publish import examples
from photofinish_protocol.publish.event_examples import EVENT_MESSAGES, EVENT_REQUESTS
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import JSON, MSGPACK

SUBPROTOCOL: dict[Encoding, str] = {"msgpack": MSGPACK, "json": JSON}
BOTH = pytest.mark.parametrize("encoding", ["msgpack", "json"])

REQUESTS: list[Any] = [
    m.Hello(id=0, v=1, name="Ana", client="test", token="t" * 40, seq=7),
    m.Games(id=1),
    m.Rooms(id=2, game="cambio"),
    m.Create(id=3, game="cambio", seats=4, options={"target_points": 30}, private=True),
    m.Join(id=4, room="ABCD", seat=2),
    m.Watch(id=5, room="ABCD"),
    m.Leave(id=6),
    m.Ready(id=7, ready=False, nonce="00ff"),
    m.Bot(id=8, seat=1, player="random", strength="easy"),
    m.Remove(id=9, seat=1),
    m.Kick(id=10, seat=1),
    m.Host(id=11, seat=1),
    m.Configure(id=12, options={"look_seconds": 3}),
    m.Start(id=13),
    m.Rematch(id=14),
    m.Play(id=15, move={"t": "slap", "seat": 1, "slot": 2, "mark": 9}, race="n0nce", react_us=312_456),
    m.Chat(id=16, text="“Grüße”, he said"),
    m.Emote(id=17, emote="wow"),
    m.Ping(id=2**53 - 1, at=-(2**53 - 1)),
    m.Reveal(id=18, nonce="00ff" * 8),
]
OFFERS = (
    Offer("slap", (OneOf(("seat", "slot", "mark"), ((0, 1, 5), (1, 0, 6))),), text="Slap a card"),
    Offer("pay", (Amounts("coins", {"3": 2, "5": 1}, 1, 2, optional=True),)),
    Offer("meld", (SomeOf("cards", ("a", "b"), 1, 2, (3, 4), (7,), None, optional=True),)),
    Offer("swap", (OneOf(("a",), (({"seat": 0},),)), OneOf(("b",), (({"seat": 1},),))), "different_seats"),
)
LIMITS = m.Limits(frame=16384, rate=50, burst=100, name=24, chat=280, remembered=64, emotes=("wow",))
SEATED = m.Seated(room="ABCD", seat=1, token="fresh")
GAME = m.GameInfo(key="k", title="K", blurb="", least=2, most=8, house=True, options={}, moves={"oneOf": []})
LINE = m.RoomLine(room="ABCD", game="cambio", phase="lobby", seats=4, free=1, host="Ana", watchers=2)
OVER = m.Over(winners=(0, 2), why="fewest points", scores=(3, 50, 3), seed="00", nonces=("", "ff"))
MARK = m.Mark(seat=1, move="slap", score=3, lo=2, hi=4, base=1, verdict="void", late=True, heat=True)
LAG = m.LagLine(
    seat=1, base_us=1, quota_us=2, given_us=3, uncompensated_us=4, credited_us=5, screen_us=6, proof="full"
)
SAYS: list[Any] = [
    m.Welcome(id=0, v=1, name="Ana", limits=LIMITS, next_id=9, server="s", resumed=SEATED),
    m.Ack(id=1),
    *(
        m.Ack(id=2, got=got)
        for got in (
            SEATED,
            m.Watching(room="ABCD"),
            m.RoomList(rooms=(LINE,), total=1),
            m.GameList(games=(GAME,)),
            m.BotIn(seat=3),
            m.Pong(at=-1, now=2**53),
        )
    ),
    m.Refused(id=3, reason=Reason.ILLEGAL_MOVE, text="no", clause="C5"),
    m.Refused(id=3, reason=Reason.RACE_REOPENED, text="again", retry=True),
    m.Pending(id=4),
    m.Room(
        room="ABCD", game="cambio", phase="playing", number=1, host=0, options={}, private=False, commitment="c",
        seats=(m.Place(seat=0, kind="player", name="Ana", ready=True), m.Place(seat=1, kind="empty")),
    ),
    m.View(
        room="ABCD", game="cambio", number=1, seq=5, from_=4, you=None, view={"main": 61, "slots": [[None, 1]]},
        scores=(1, -2), head="h", commitment="c", offers=OFFERS, over=OVER,
        race=m.OpenRace(key="r1", nonce="n", moves=("slap",), closers=("draw",), anytime=("pounce",)),
        clocks=(m.Clock(key="turn:1", left_us=30_000_000, seat=1, running=False),),
        last=(m.Happened(what="draw", seat=1, text="{1} draws.", detail={"from": "main"}),),
    ),
    m.RaceReport(key="r1", number=1, marks=(MARK,), ledger=(LAG,), record={"g": 2}),
    m.Said(name="Bo", text="hi", seat=1),
    m.Emoted(seat=1, emote="wow"),
    m.Left(room="ABCD", reason="kicked", text="out"),
    m.Bye(code=1012, text="back soon", retry=True, retry_after_ms=500),
]  # fmt: skip


EXAMPLES = [it.message for it in examples.EXAMPLES]
REQUESTS += [
    it for it in EXAMPLES if type(it) in set(m.ClientMessage.__args__) - {type(it) for it in REQUESTS}
]
SAYS += [it for it in EXAMPLES if type(it) in set(m.ServerMessage.__args__) - {type(it) for it in SAYS}]
# The messages of events, which are many, as the protocol's own examples have them.


def kind(message: Any) -> str:
    return type(message).__name__


# The messages of events as the documents show them.
REQUESTS += [it.message for it in EVENT_REQUESTS]
SAYS += [it.message for it in EVENT_MESSAGES]


def test_every_message_type_is_covered_by_this_file() -> None:
    assert {type(it) for it in REQUESTS} == set(m.ClientMessage.__args__)
    assert {type(it) for it in SAYS} == set(m.ServerMessage.__args__)


@BOTH
@pytest.mark.parametrize("message", REQUESTS, ids=kind)
def test_the_server_reads_what_a_player_writes(message: Any, encoding: Encoding) -> None:
    frame = OURS[encoding].pack(message)

    assert isinstance(frame, str) == (encoding == "json")
    assert THEIRS[SUBPROTOCOL[encoding]].decode_request(frame) == message


@BOTH
@pytest.mark.parametrize("said", SAYS, ids=kind)
def test_a_player_reads_what_the_server_writes(said: Any, encoding: Encoding) -> None:
    frame = THEIRS[SUBPROTOCOL[encoding]].encode(said)

    assert OURS[encoding].unpack(frame.decode() if encoding == "json" else frame) == said


def test_an_old_client_ignores_an_unknown_field_of_a_newer_server() -> None:
    plain = {"t": "said", "name": "Bo", "text": "hi", "mood": "sunny"}

    assert OURS["msgpack"].unpack(msgpack.packb(plain)) == m.Said(name="Bo", text="hi")


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\xc1",
        b"\x81\xa1t",
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 5000 + b"\xc0",
        msgpack.packb({"t": "view", "seq": "five"}),
        msgpack.packb({"t": "said", "name": "x", "text": "y"}) + b"\x00",
        "{}",
    ],
    ids=["empty", "reserved", "cut", "bomb", "deep", "wrong type", "trailing", "text"],
)
def test_a_binary_frame_that_is_not_a_message_raises_malformed(frame: bytes | str) -> None:
    with pytest.raises(Malformed):
        OURS["msgpack"].unpack(frame)


def test_a_message_that_only_a_newer_server_knows_is_ignored() -> None:
    assert OURS["msgpack"].unpack(msgpack.packb({"t": "no such message", "id": 3})) is None
    assert OURS["json"].unpack('{"t":"no such message"}') is None


@pytest.mark.parametrize("frame", ["", "[", "[" * 20_000, "{}", '{"t":"said"}', b"{}"])
def test_a_text_frame_that_is_not_a_message_raises_malformed(frame: bytes | str) -> None:
    with pytest.raises(Malformed):
        OURS["json"].unpack(frame)


def test_a_field_left_at_its_default_is_not_sent() -> None:
    frame = OURS["msgpack"].pack(structs.replace(REQUESTS[15], race=None, react_us=None))
    assert isinstance(frame, bytes)

    assert set(msgpack.unpackb(frame)) == {"t", "id", "move"}
