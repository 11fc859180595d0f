"""While the rules forbid talk, only moves pass between the seats (H40): no chat, no emote, no name."""

from contextlib import suppress
from itertools import chain
from typing import Any

import msgspec
import pytest

from photofinish.games import all_games
from photofinish.room.facts import Joined, Looked, SessionId
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS, BadRequest, Malformed
from photofinish_protocol.messages import ClientMessage
from photofinish_protocol.publish.event_examples import EVENT_REQUESTS
from photofinish_protocol.publish.examples import REQUESTS
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import JSON
from tests.room.bench import SECOND, Bench
from tests.room.seats.test_lobby import room_of

HAMELN = all_games()["hameln_cave"]
WORDS = "Lead BLUE"


def muted(**create: Any) -> tuple[Bench, list[SessionId]]:
    bench = Bench(HAMELN, 2, **create)
    sessions = bench.start(2)
    for session, name in zip(sessions, ("henry", "aria"), strict=True):
        bench.do(session, {"t": "character", "name": name})
    assert HAMELN.muted(bench.room.match.state) == "H40"
    return bench, sessions


def test_H40_every_message_refused_because_of_muting_cites_the_clause() -> None:
    bench, sessions = muted()
    eve = bench.watch()
    answers = [
        bench.request(sessions[0], messages.Chat, text="pass me a nine"),
        bench.request(sessions[1], messages.Emote, emote="hurry"),
        bench.request(eve, messages.Chat, text="green!"),
    ]

    assert [(it.reason, it.clause) for it in answers] == [(Reason.MUTED, "H40")] * 3


def test_H40_a_seat_keeps_its_name_while_it_is_muted_and_takes_the_new_one_afterwards() -> None:
    bench, sessions = muted(substitutes=True)
    bench.request(sessions[1], messages.Leave)
    heir = SessionId("heir")
    bench.tell(Joined(heir, 1, WORDS, 1))

    assert room_of(bench, sessions[0]).seats[1].name == "P1"
    bench.forget_frames()
    for _ in range(600):
        if not HAMELN.muted(bench.room.match.state):
            break
        bench.wait(10 * SECOND)
    assert room_of(bench, sessions[0]).seats[1].name == WORDS


def test_H40_a_bot_takes_no_name_of_its_own_while_the_table_is_muted() -> None:
    bench, sessions = muted()
    token = bench.tokens[1]
    bench.request(sessions[1], messages.Leave)
    bench.request(sessions[0], messages.Bot, seat=1)
    assert room_of(bench, sessions[0]).seats[1].name == "P1"
    bench.resume(1, token=token)

    assert room_of(bench, sessions[0]).seats[1].name == "P1"


def wordy() -> list[messages.Request]:
    """Every message of the wire with words in every field where the wire lets words pass."""
    found: list[messages.Request] = []
    for kind in ClientMessage.__args__:
        message: Any = next(it.message for it in (*REQUESTS, *EVENT_REQUESTS) if type(it.message) is kind)
        for field in msgspec.structs.fields(kind):
            for words in (WORDS, {"t": WORDS, WORDS: WORDS}):
                changed = msgspec.structs.replace(message, **{field.encode_name: words})
                with suppress(BadRequest, Malformed):
                    message = CODECS[JSON].decode_request(msgspec.json.encode(changed).decode())
        found.append(message)
    return found


def test_the_messages_of_this_test_contain_the_forbidden_words() -> None:
    silent = {type(it).__name__ for it in wordy() if WORDS not in str(it)}

    assert silent == {
        "Games", "Leave", "Ready", "Reveal", "Bot", "Remove", "Kick", "Host", "Start", "Rematch", "Ping",
    }  # fmt: skip


@pytest.mark.parametrize("message", wordy(), ids=lambda it: type(it).__name__)
def test_H40_no_message_of_the_wire_carries_words_to_anybody_else(message: messages.Request) -> None:
    """Guards against a text of a client that reaches others in another message than chat."""
    for before in ((), (messages.Leave,)):
        bench, sessions = muted(substitutes=True)
        eve = bench.watch()
        bench.forget_frames()
        for request in before:
            bench.request(sessions[1], request)
        speakers = (sessions[0], eve) if before else (*sessions, eve)
        for speaker in speakers:
            fields = {name: getattr(message, name) for name in message.__struct_fields__ if name != "id"}
            bench.request(speaker, type(message), **fields)
        bench.tell(Joined(SessionId("heir"), 1, WORDS, 1))
        bench.tell(Looked(SessionId("eye"), 1, WORDS))
        bench.request(SessionId("eye"), messages.Chat, text="x")

        others = {it: heard for it, heard in bench.heard.items() if it not in ("heir", "eye")}
        texts = [
            str(it)
            for it in (*chain(*others.values()), *chain(*bench.views.values()))
            if not isinstance(it, messages.Ack | messages.Refused)
        ]
        assert texts
        assert not [it for it in texts if WORDS in it]
