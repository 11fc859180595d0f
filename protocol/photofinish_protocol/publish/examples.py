"""One example of every message and of its important variants: what `protocol/examples` is written from."""

from typing import Any

from photofinish_protocol import messages
from photofinish_protocol.fairness import nonce_commit
from photofinish_protocol.limits import LIMITS
from photofinish_protocol.offers import Amounts, Offer, OneOf, SomeOf
from photofinish_protocol.publish.event_examples import EVENT_MESSAGES, EVENT_REQUESTS
from photofinish_protocol.publish.example_parts import (
    ADAS,
    BASILS,
    COMMITMENT,
    HEAD,
    NONCE,
    OPTIONS,
    ROOM,
    SEED,
    TOKEN,
    Example,
)
from photofinish_protocol.reasons import CLOSES, REASONS, Close, Reason
from photofinish_protocol.version import VERSION


def _refused(request_id: int, reason: Reason, text: str = "", clause: str = "") -> messages.Refused:
    row = REASONS[reason]
    return messages.Refused(
        id=request_id, reason=reason, text=text or row.sentence, clause=clause, retry=row.retry
    )


def _slot(mark: int, face: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"filled": True, "mark": mark, "face": face}


def _table(**more: Any) -> dict[str, Any]:
    """A Cambio table as a game's view has it."""
    return {
        "phase": "turn",
        "round": 1,
        "dealer": 0,
        "turn": 1,
        "main": 67,
        "discard": {
            "size": 1,
            "frozen": False,
            "top": {"rune": "king", "kind": "red_king", "colour": "red", "value": -2},
            "thrown": [],
        },
        "table": [[_slot(11), _slot(2), _slot(3), _slot(4)], [_slot(5), _slot(6), _slot(7), _slot(8)]],
        "drawn": None,
        "action": None,
        "race": None,
        "gifts": [],
        "looks": [],
        "caller": None,
        "ready": [],
        "totals": [0, 0],
        "sheet": [],
        "last": [],
        **more,
    }


def _view(**more: Any) -> messages.View:
    filled: dict[str, Any] = {
        "room": ROOM, "game": "cambio", "number": 1, "seq": 5, "from_": 4, "you": 1, "view": _table(),
        "scores": (), "head": HEAD, "commitment": COMMITMENT, **more,
    }  # fmt: skip
    return messages.View(**filled)


def _room(phase: Any = "lobby", **more: Any) -> messages.Room:
    filled: dict[str, Any] = {
        "room": ROOM,
        "game": "cambio",
        "phase": phase,
        "number": 0,
        "host": 0,
        "seats": (
            messages.Place(seat=0, kind="player", name="Ada", ready=True, connected=True),
            messages.Place(seat=1, kind="player", name="Basil", connected=True),
            messages.Place(seat=2, kind="bot", name="Cleo (bot)", ready=True, connected=True),
            messages.Place(seat=3, kind="empty"),
        ),
        "options": OPTIONS,
        "private": False,
        "commitment": COMMITMENT,
        **more,
    }
    return messages.Room(**filled)


REQUESTS: tuple[Example, ...] = (
    Example("hello", messages.Hello(id=0, v=VERSION, name="Ada", client="my-client 0.1")),
    Example("hello-resume", messages.Hello(id=0, v=VERSION, name="Basil", token=TOKEN, seq=5)),
    Example("games", messages.Games(id=1)),
    Example("rooms", messages.Rooms(id=2)),
    Example("rooms-of-one-game", messages.Rooms(id=2, game="cambio")),
    Example("create", messages.Create(id=3, game="cambio")),
    Example(
        "create-with-everything",
        messages.Create(
            id=3,
            game="cambio",
            seats=4,
            options={"target_points": 100, "turn_seconds": 60},
            private=True,
            spectator_delay=30,
            max_ping_ms=150,
            referee="three brown owls",
            substitutes=True,
        ),
    ),
    Example("join", messages.Join(id=1, room=ROOM)),
    Example("join-that-seat", messages.Join(id=1, room=ROOM, seat=2)),
    Example("watch", messages.Watch(id=1, room=ROOM)),
    Example("watch-as-referee", messages.Watch(id=1, room=ROOM, referee="three brown owls")),
    Example("watch-a-hand", messages.Watch(id=1, room="KQWMZDRA", seat=1)),
    Example("leave", messages.Leave(id=12)),
    Example("ready", messages.Ready(id=4)),
    Example("ready-with-commit", messages.Ready(id=4, commit=nonce_commit(bytes.fromhex(BASILS)))),
    Example("ready-with-nonce", messages.Ready(id=4, nonce="b0b5c0ffee")),
    Example("ready-taken-back", messages.Ready(id=5, ready=False)),
    Example("reveal", messages.Reveal(id=5, nonce=BASILS)),
    Example("bot", messages.Bot(id=5)),
    Example("bot-strong-in-that-seat", messages.Bot(id=5, seat=2, player="house", strength="strong")),
    Example("remove", messages.Remove(id=6, seat=2)),
    Example("kick", messages.Kick(id=6, seat=1)),
    Example("host", messages.Host(id=7, seat=1)),
    Example("configure", messages.Configure(id=8, options={"target_points": 30})),
    Example("start", messages.Start(id=9)),
    Example("rematch", messages.Rematch(id=30)),
    Example("play", messages.Play(id=10, move={"t": "draw", "from": "main"})),
    Example(
        "play-in-a-race",
        messages.Play(
            id=11, move={"t": "slap", "seat": 1, "slot": 2, "mark": 7}, race=NONCE, react_us=310_000
        ),
    ),
    Example("chat", messages.Chat(id=12, text="Schönes Spiel ♥")),
    Example("emote", messages.Emote(id=13, emote="well_played")),
    Example("ping", messages.Ping(id=14, at=1_767_225_600_123_456)),
)

_DRAW = Offer("draw", (OneOf(("from",), (("main",), ("discard",))),), text="Draw a card")
_SLAP = Offer(
    "slap",
    (OneOf(("seat", "slot", "mark"), ((0, 0, 11), (0, 1, 2), (1, 2, 7))),),
    text="Slap an identical card",
)
_RACE = messages.OpenRace(key="race:12", nonce=NONCE, moves=("slap",), closers=("draw", "call"))
_PLACES = tuple(({"seat": seat, "slot": 0, "mark": mark},) for seat, mark in ((0, 11), (1, 5)))
_OTHER_OFFERS = (
    Offer(
        "swap",
        (OneOf(("a",), _PLACES), OneOf(("b",), _PLACES)),
        where="different_seats",
        text="Swap two cards of different seats",
    ),
    Offer(
        "pay",
        (
            SomeOf("cards", ("h4", "h7", "h9"), least=1, most=3, weights=(4, 7, 9), sums=(11, 13)),
            OneOf(("for",), (("shield",),), optional=True),
        ),
        text="Pay with cards",
    ),
    Offer("brew", (Amounts("gems", {"red": 2, "blue": 1}, least=1, most=3),), text="Brew from your gems"),
)
_MARKS = (
    messages.Mark(seat=1, move="slap", score=291_004, lo=283_122, hi=303_122, base=41_200),
    messages.Mark(seat=0, move="slap", score=303_122, lo=283_122, hi=303_122, base=6, verdict="refused"),
    messages.Mark(seat=2, move="slap", score=304_500, lo=284_500, hi=304_500, base=0, heat=True, late=True),
)
_LEDGER = tuple(
    messages.LagLine(seat=seat, base_us=base, quota_us=126_000, given_us=base, uncompensated_us=0)
    for seat, base in ((0, 6), (1, 41_200))
)

MESSAGES: tuple[Example, ...] = (
    Example(
        "welcome",
        messages.Welcome(id=0, v=VERSION, name="Ada", limits=LIMITS, next_id=1, server="photofinish"),
    ),
    Example(
        "welcome-resumed",
        messages.Welcome(
            id=0,
            v=VERSION,
            name="Basil",
            limits=LIMITS,
            next_id=5,
            server="photofinish",
            resumed=messages.Seated(room=ROOM, seat=1, token=TOKEN, next_id=5),
        ),
    ),
    Example("ack", messages.Ack(id=10)),
    Example("ack-of-a-move", messages.Ack(id=17, seq=42)),
    Example("ack-seated", messages.Ack(id=1, got=messages.Seated(room=ROOM, seat=1, token=TOKEN, next_id=2))),
    Example("ack-watching", messages.Ack(id=1, got=messages.Watching(room=ROOM))),
    Example(
        "ack-rooms",
        messages.Ack(
            id=2,
            got=messages.RoomList(
                rooms=(
                    messages.RoomLine(room=ROOM, game="cambio", phase="lobby", seats=4, free=1, host="Ada"),
                    messages.RoomLine(
                        room="KXWPA", game="alaska", phase="playing", seats=3, free=0, host="Edda", watchers=2
                    ),
                ),
                total=2,
            ),
        ),
    ),
    Example(
        "ack-games",
        messages.Ack(
            id=1,
            got=messages.GameList(
                games=(
                    messages.GameInfo(
                        key="cambio",
                        title="Cambio",
                        blurb="Know your cards, get rid of them, be quick.",
                        least=2,
                        most=8,
                        house=True,
                        options={"type": "object", "properties": {"turn_seconds": {"type": "integer"}}},
                        moves={"anyOf": [{"$ref": "#/$defs/Draw"}], "$defs": {"Draw": {"type": "object"}}},
                    ),
                )
            ),
        ),
    ),
    Example("ack-bot", messages.Ack(id=5, got=messages.BotIn(seat=2))),
    Example("ack-pong", messages.Ack(id=14, got=messages.Pong(at=1_767_225_600_123_456, now=3_491_760_210))),
    Example("refused", _refused(9, Reason.NOT_READY)),
    Example(
        "refused-by-the-rules",
        _refused(10, Reason.ILLEGAL_MOVE, "Everybody is still looking at two cards.", "C3"),
    ),
    Example("refused-false-start", _refused(11, Reason.FALSE_START)),
    Example("pending", messages.Pending(id=11)),
    Example("room-lobby", _room()),
    Example(
        "room-dealing",
        _room(
            "playing",
            number=1,
            seats=(
                messages.Place(
                    seat=0,
                    kind="player",
                    name="Ada",
                    ready=True,
                    connected=True,
                    commit=nonce_commit(bytes.fromhex(ADAS)),
                ),
                messages.Place(
                    seat=1,
                    kind="player",
                    name="Basil",
                    ready=True,
                    connected=True,
                    commit=nonce_commit(bytes.fromhex(BASILS)),
                ),
            ),
            dealing=messages.Dealing(seats=(1,), left_us=4_993_107),
        ),
    ),
    Example(
        "room-playing",
        _room(
            "playing",
            number=1,
            seats=(
                messages.Place(seat=0, kind="player", name="Ada", ready=True, connected=True, wins=1),
                messages.Place(seat=1, kind="player", name="Basil", ready=True, autopilot=True),
            ),
            private=True,
            watchers=2,
            spectator_delay=30,
            max_ping_ms=150,
            substitutes=True,
            withheld=(1,),
        ),
    ),
    Example(
        "view",
        _view(
            offers=(_DRAW, Offer("call", text="Call Cambio")),
            clocks=(messages.Clock(key="turn:13", left_us=59_640_812, seat=1),),
            last=(messages.Happened(what="began", text="The first turn begins.", detail={"round": 1}),),
        ),
    ),
    Example(
        "view-with-a-race",
        _view(
            view=_table(race={"number": 12, "rune": "king", "opener": 0, "winner": None, "throws": 0}),
            offers=(_DRAW, _SLAP),
            race=_RACE,
            clocks=(
                messages.Clock(key="show:14", left_us=2_975_863),
                messages.Clock(key="turn:13", left_us=59_640_812, seat=1, running=False),
            ),
            last=(
                messages.Happened(
                    what="kept",
                    seat=0,
                    text="{0} kept the card.",
                    detail={"place": {"seat": 0, "slot": 0, "mark": 11}, "replaced": 1},
                ),
            ),
        ),
    ),
    Example("view-with-every-kind-of-offer", _view(offers=_OTHER_OFFERS)),
    Example("view-of-a-spectator", _view(seq=8, from_=7, you=None)),
    Example("view-after-resuming", _view(seq=6, from_=0, race=_RACE, offers=(_SLAP,))),
    Example(
        "view-over",
        _view(
            seq=13,
            from_=12,
            you=0,
            view=_table(phase="over", turn=None, caller=0, totals=[44, 29], sheet=[[44, 29]]),
            scores=(44, 29),
            over=messages.Over(
                winners=(1,),
                why="A total has reached 1 points; the fewest points win (C28).",
                scores=(44, 29),
                places=(2, 1),
                seed=SEED,
                nonces=("", BASILS),
                commits=(nonce_commit(bytes.fromhex(ADAS)), nonce_commit(bytes.fromhex(BASILS))),
                withheld=(0,),
                ledger=_LEDGER,
            ),
        ),
    ),
    Example("race", messages.RaceReport(key="race:12", number=1, marks=_MARKS[:1], ledger=_LEDGER[1:])),
    Example(
        "race-for-a-referee",
        messages.RaceReport(
            key="race:12",
            number=1,
            marks=_MARKS,
            ledger=(
                *_LEDGER,
                messages.LagLine(seat=2, base_us=0, quota_us=126_000, given_us=0, uncompensated_us=0),
            ),
            record={"key": "race:12", "nonce": NONCE, "seats": [0, 1, 2], "opener": 0, "seal": HEAD},
        ),
    ),
    Example("said", messages.Said(name="Basil", text="Good evening.", seat=1)),
    Example("said-by-a-spectator", messages.Said(name="Cleo (watching)", text="What a slap!")),
    Example("emoted", messages.Emoted(seat=0, emote="hello")),
    Example(
        "left-kicked", messages.Left(room=ROOM, reason="kicked", text="The host removed you from the room.")
    ),
    Example(
        "left-taken-over",
        messages.Left(room=ROOM, reason="taken_over", text=CLOSES[Close.TAKEN_OVER].sentence),
    ),
    Example(
        "bye-restart",
        messages.Bye(code=Close.RESTART, text=CLOSES[Close.RESTART].sentence, retry=True, retry_after_ms=500),
    ),
    Example("bye-malformed", messages.Bye(code=Close.MALFORMED, text=CLOSES[Close.MALFORMED].sentence)),
)

EXAMPLES: tuple[Example, ...] = (*REQUESTS, *MESSAGES, *EVENT_REQUESTS, *EVENT_MESSAGES)
