"""Who may take a seat of a running game: its own player, a house bot, a substitute if the table allows it."""

from typing import Any

import pytest

from photofinish.games import all_games
from photofinish.room.facts import Cut, Joined, Looked, SessionId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.room.bench import SECOND, Bench
from tests.room.seats.test_lobby import room_of

CAMBIO = all_games()["cambio"]


def playing(seats: int = 3, **create: Any) -> tuple[Bench, list[SessionId]]:
    bench = Bench(CAMBIO, seats, **create)
    return bench, bench.start(seats)


def join(bench: Bench, name: str, seat: int | None = None, session: str = "", address: str = "") -> Any:
    """Join, by default as a stranger. Returns the answer."""
    stranger = SessionId(session or f"stranger {name}")
    bench.tell(Joined(stranger, 900, name, seat, address=address))
    return bench.answer(stranger, 900)


def test_a_host_who_kicks_a_player_does_not_get_the_hand() -> None:
    bench, sessions = playing()
    bench.request(sessions[0], messages.Kick, seat=1)

    assert join(bench, "Host's other window", 1).reason is Reason.ALREADY_STARTED
    assert join(bench, "Host's other window").reason is Reason.ALREADY_STARTED
    assert not bench.views[SessionId("stranger Host's other window")]
    assert room_of(bench, sessions[0]).seats[1].autopilot


def test_a_kicked_seat_plays_on_by_autopilot_or_by_a_bot_if_the_host_says_so() -> None:
    bench, sessions = playing()
    bench.request(sessions[0], messages.Kick, seat=1)
    assert isinstance(bench.request(sessions[0], messages.Bot, seat=1), messages.Ack)

    place = room_of(bench, sessions[0]).seats[1]
    assert (place.kind, place.autopilot) == ("bot", False)
    assert list(bench.room.bots()) == [bench.room.record.chairs[1].key]


def test_a_kicked_player_cannot_come_back_by_token_by_name_by_connection_or_to_watch() -> None:
    bench, sessions = playing(substitutes=True)
    token = bench.tokens[1]
    bench.request(sessions[0], messages.Kick, seat=1)

    refused = bench.heard[bench.resume(1, token=token, as_="back")][-1]
    assert isinstance(refused, messages.Refused)
    assert refused.reason is Reason.BAD_TOKEN
    assert join(bench, "P1").reason is Reason.KICKED
    assert join(bench, "ｐ1").reason is Reason.KICKED
    assert join(bench, "Somebody else", session=sessions[1]).reason is Reason.KICKED
    bench.tell(Looked(SessionId("eye"), 7, "P1"))
    assert bench.answer(SessionId("eye"), 7).reason is Reason.KICKED
    assert isinstance(join(bench, "A stranger"), messages.Ack)


def test_a_kicked_player_is_sent_away_from_watching_too() -> None:
    bench = Bench(CAMBIO, 3)
    ada, _ = bench.sit(0), bench.sit(1, "Bo")
    own, other = bench.watch("Bo"), bench.watch("Eve")
    bench.request(ada, messages.Kick, seat=1)

    assert own in bench.dropped
    assert other not in bench.dropped
    left = bench.heard[own][-1]
    assert isinstance(left, messages.Left)
    assert left.reason == "kicked"


def test_a_kick_before_the_game_also_lasts_through_a_crash_and_a_rematch() -> None:
    bench = Bench(CAMBIO, 3, {"target_points": 1})
    ada, _, _ = bench.sit(0), bench.sit(1), bench.sit(2)
    bench.request(ada, messages.Kick, seat=1)
    assert join(bench, "P1").reason is Reason.KICKED
    bench.crash()
    assert join(bench, "P1", session="new 1").reason is Reason.KICKED
    ada = bench.resume(0)
    bo = bench.resume(2)
    for session in (ada, bo):
        bench.request(session, messages.Ready)
    bench.request(ada, messages.Start)
    bench.wait(7200 * SECOND)
    bench.request(ada, messages.Rematch)

    assert join(bench, "P1", session="new 2").reason is Reason.KICKED
    assert isinstance(join(bench, "Cy", session="new 3"), messages.Ack)


def test_a_player_with_a_number_behind_the_name_is_known_by_the_name_that_was_sent() -> None:
    bench = Bench(CAMBIO, 3)
    ada = bench.sit(0, "Ada")
    bench.sit(1, "Ada")
    bench.request(ada, messages.Kick, seat=1)

    assert join(bench, "Ada").reason is Reason.KICKED


def test_a_kick_bans_the_address_only_if_nobody_else_at_the_table_has_it() -> None:
    bench = Bench(CAMBIO, 4)
    ada = SessionId("ada")
    bench.tell(Joined(ada, 1, "Ada", 0, address="192.0.2.1"))
    bench.tell(Joined(SessionId("bo"), 1, "Bo", 1, address="192.0.2.2"))
    bench.tell(Joined(SessionId("cy"), 1, "Cy", 2, address="192.0.2.1"))
    bench.request(ada, messages.Kick, id=5, seat=1)
    bench.request(ada, messages.Kick, id=6, seat=2)

    assert join(bench, "Another name", address="192.0.2.2").reason is Reason.KICKED
    assert join(bench, "Cy", address="192.0.2.9").reason is Reason.KICKED
    assert isinstance(join(bench, "Dee, in Ada's house", address="192.0.2.1"), messages.Ack)
    assert b"192.0.2" not in bench.stored


def test_a_kicked_player_on_a_shared_address_is_known_by_key_token_and_connection() -> None:
    """The same address under another name: what the server can still recognise, and what it cannot."""
    bench = Bench(CAMBIO, 4)
    ada, home = SessionId("ada"), "192.0.2.1"
    bench.tell(Joined(ada, 1, "Ada", 0, address=home))
    bench.tell(Joined(SessionId("bo"), 1, "Bo", 1, address=home, key="key of Bo"))
    token = bench.answer(SessionId("bo"), 1).got.token
    eye = SessionId("Bo's second window")
    bench.tell(Looked(eye, 1, "Mallory", address=home, key="key of Bo"))
    bench.request(ada, messages.Kick, id=5, seat=1)
    assert eye in bench.dropped

    def looks(session: str, key: str = "") -> Any:
        bench.tell(Looked(SessionId(session), 7, f"Name of {session}", address=home, key=key))
        return bench.answer(SessionId(session), 7)

    assert looks("by key", "key of Bo").reason is Reason.KICKED
    assert looks("bo").reason is Reason.KICKED
    back = bench.heard[bench.resume(1, token=token, as_="by token")][-1]
    assert isinstance(back, messages.Refused)
    assert back.reason is Reason.BAD_TOKEN
    bench.crash()
    assert looks("by token").reason is Reason.KICKED
    assert looks("by key again", "key of Bo").reason is Reason.KICKED
    assert isinstance(looks("a neighbour", "key of Cy"), messages.Ack)
    assert isinstance(looks("a stranger, or Bo after all"), messages.Ack)  # nobody could tell (SECURITY.md)
    assert b"key of" not in bench.stored


def test_a_wrong_token_of_somebody_who_was_not_kicked_bans_nobody() -> None:
    bench, sessions = playing()
    bench.request(sessions[0], messages.Kick, seat=1)
    bench.resume(2, token=f"{bench.tokens[2][:-1]}x", as_="clumsy")
    bench.tell(Looked(SessionId("clumsy"), 7, "Clumsy"))

    assert isinstance(bench.answer(SessionId("clumsy"), 7), messages.Ack)


def test_strangers_can_take_a_left_seat_only_with_the_substitutes_option_which_the_room_shows() -> None:
    for allowed in (False, True):
        bench, sessions = playing(substitutes=allowed)
        lobby = next(it for it in bench.heard[sessions[2]] if isinstance(it, messages.Room))
        assert lobby.phase == "lobby"
        assert lobby.substitutes is allowed
        line = bench.room.summary()
        assert line is not None
        assert line.free == 0
        bench.request(sessions[1], messages.Leave)
        line = bench.room.summary()
        assert line is not None
        assert line.free == int(allowed)

        answer = join(bench, "Heir", 1)
        assert isinstance(answer, messages.Ack) is allowed
        assert bool(bench.views[SessionId("stranger Heir")]) is allowed


@pytest.mark.parametrize("way", ["left", "cut"])
def test_a_player_who_left_or_was_disconnected_returns_with_the_token(way: str) -> None:
    bench, sessions = playing()
    if way == "left":
        bench.request(sessions[1], messages.Leave)
        assert room_of(bench, sessions[0]).seats[1].autopilot
    else:
        bench.tell(Cut(sessions[1]))
    again = bench.resume(1)
    bench.do(again, {"t": "ready"})

    assert bench.view(again).you == 1
    assert not room_of(bench, sessions[0]).seats[1].autopilot
    assert room_of(bench, sessions[0]).seats[1].connected


def test_a_player_who_left_gets_the_seat_back_from_a_bot_but_not_from_a_substitute() -> None:
    bench, sessions = playing(substitutes=True)
    token = bench.tokens[1]
    bench.request(sessions[1], messages.Leave)
    bench.request(sessions[0], messages.Bot, seat=1)
    assert room_of(bench, sessions[0]).seats[1].name.endswith("(bot)")
    bench.crash()
    host = bench.resume(0)
    again = bench.resume(1, token=token)
    place = room_of(bench, host).seats[1]
    assert (place.kind, place.name) == ("player", "P1")
    assert bench.view(again).you == 1

    token = bench.tokens[1]
    bench.request(again, messages.Leave, id=50)
    assert isinstance(join(bench, "Heir", 1), messages.Ack)
    refused = bench.heard[bench.resume(1, token=token, as_="late")][-1]
    assert isinstance(refused, messages.Refused)
    assert refused.reason is Reason.BAD_TOKEN


def test_the_seat_of_a_bot_removed_during_a_game_goes_to_autopilot_and_not_to_strangers() -> None:
    bench = Bench(CAMBIO, 3)
    ada, bo = bench.sit(0), bench.sit(1)
    bench.request(ada, messages.Bot, seat=2)
    for session in (ada, bo):
        bench.request(session, messages.Ready)
    bench.request(ada, messages.Start)
    bench.request(ada, messages.Remove, seat=2)

    assert join(bench, "Host's other window", 2).reason is Reason.ALREADY_STARTED
    assert room_of(bench, ada).seats[2].autopilot
    bench.wait(7200 * SECOND)


def test_the_token_of_a_left_seat_is_invalid_after_the_rematch() -> None:
    bench = Bench(CAMBIO, 2, {"target_points": 1})
    sessions = bench.start(2)
    token = bench.tokens[1]
    bench.request(sessions[1], messages.Leave)
    bench.request(sessions[0], messages.Bot, seat=1)
    bench.wait(7200 * SECOND)
    assert bench.view(sessions[0]).over is not None
    bench.request(sessions[0], messages.Rematch)

    refused = bench.heard[bench.resume(1, token=token, as_="late")][-1]
    assert isinstance(refused, messages.Refused)
    assert refused.reason is Reason.BAD_TOKEN
