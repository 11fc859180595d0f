"""Who sits where, and who may change it."""

from photofinish.games import all_games
from photofinish.room.facts import Joined, SessionId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.room.bench import SECOND, Bench

CAMBIO = all_games()["cambio"]


def room_of(bench: Bench, session: str) -> messages.Room:
    return next(it for it in reversed(bench.heard[session]) if isinstance(it, messages.Room))  # type: ignore[index]


def test_the_first_player_is_the_host_and_can_make_another_player_the_host() -> None:
    bench = Bench(CAMBIO, 3)
    ada, bo = bench.sit(0), bench.sit(1)

    assert room_of(bench, ada).host == 0
    assert bench.request(bo, messages.Host, seat=1).reason is Reason.NOT_HOST
    assert isinstance(bench.request(ada, messages.Host, seat=1), messages.Ack)
    assert room_of(bench, bo).host == 1
    assert bench.request(ada, messages.Start).reason is Reason.NOT_HOST


def test_a_host_who_leaves_is_replaced_by_another_player() -> None:
    bench = Bench(CAMBIO, 3)
    ada, bo = bench.sit(0), bench.sit(1)
    bench.request(ada, messages.Leave)

    assert room_of(bench, bo).host == 1
    assert room_of(bench, bo).seats[0].kind == "empty"
    assert ada in bench.dropped


def test_a_host_who_stays_away_for_a_minute_loses_the_room() -> None:
    from photofinish.room.facts import Cut

    bench = Bench(CAMBIO, 3)
    ada, bo = bench.sit(0), bench.sit(1)
    bench.tell(Cut(ada))
    bench.wait(59 * SECOND)
    assert room_of(bench, bo).host == 0
    bench.wait(2 * SECOND)

    assert room_of(bench, bo).host == 1


def test_a_host_who_does_not_come_back_after_a_restart_loses_the_room() -> None:
    bench = Bench(CAMBIO, 3)
    bench.sit(0)
    bench.sit(1)
    bench.crash()
    bo = bench.resume(1)
    bench.wait(59 * SECOND)
    assert bench.request(bo, messages.Kick, seat=0).reason is Reason.NOT_HOST
    bench.wait(2 * SECOND)

    assert room_of(bench, bo).host == 1


def test_if_all_players_were_away_the_first_to_return_replaces_an_absent_host() -> None:
    from photofinish.room.facts import Cut

    bench = Bench(CAMBIO, 3)
    ada, bo = bench.sit(0), bench.sit(1)
    bench.tell(Cut(bo))
    bench.tell(Cut(ada))
    bench.wait(61 * SECOND)
    bo = bench.resume(1)
    bench.wait(61 * SECOND)

    assert room_of(bench, bo).host == 1


def test_everybody_sees_that_the_table_has_a_referee_password() -> None:
    with_word = Bench(CAMBIO, 3, referee="a referee's word")
    assert room_of(with_word, with_word.sit(0)).referee
    without = Bench(CAMBIO, 3)
    assert not room_of(without, without.sit(0)).referee


def test_a_create_sent_again_gets_its_room_even_if_the_first_connection_never_sat_down() -> None:
    """The connection may be cut after the room is stored and before its player is in it."""
    bench = Bench(CAMBIO, 3)
    again = SessionId("again")
    bench.tell(Joined(again, 1, "Ada", 0, claim="the same request", is_again=True))

    assert isinstance(bench.answer(again, 1), messages.Ack)
    assert room_of(bench, again).host == 0
    bench.request(again, messages.Ready)  # from now on the claim is used
    late = SessionId("late")
    bench.tell(Joined(late, 1, "Ada", 0, claim="the same request", is_again=True))
    assert bench.answer(late, 1).reason is Reason.STALE_ID


def test_two_players_with_one_name_get_different_names() -> None:
    bench = Bench(CAMBIO, 3)
    bench.sit(0, "Ada")
    bo = bench.sit(1, "Ada")

    assert [place.name for place in room_of(bench, bo).seats] == ["Ada", "Ada 2", ""]


def test_a_kicked_player_is_told_and_the_seat_is_free() -> None:
    bench = Bench(CAMBIO, 2)
    ada, bo = bench.sit(0), bench.sit(1)
    assert isinstance(bench.request(ada, messages.Kick, seat=1), messages.Ack)

    left = next(it for it in bench.heard[bo] if isinstance(it, messages.Left))
    assert left.reason == "kicked"
    assert room_of(bench, ada).seats[1].kind == "empty"
    assert bench.request(ada, messages.Kick, seat=0).reason is Reason.NOT_A_PLAYER


def test_the_host_adds_and_removes_bots() -> None:
    bench = Bench(CAMBIO, 3)
    ada = bench.sit(0)
    assert bench.request(ada, messages.Bot, seat=2, strength="strong").got == messages.BotIn(seat=2)
    assert bench.request(ada, messages.Bot).got == messages.BotIn(seat=1)
    assert bench.request(ada, messages.Bot).reason is Reason.ROOM_FULL
    assert isinstance(bench.request(ada, messages.Remove, seat=1), messages.Ack)

    assert [place.kind for place in room_of(bench, ada).seats] == ["player", "empty", "bot"]


def test_the_deal_removes_empty_seats_and_a_rematch_restores_them() -> None:
    bench = Bench(CAMBIO, 4, {"target_points": 1})
    sessions = [bench.sit(0), bench.sit(2)]
    for session in sessions:
        bench.request(session, messages.Ready)
    assert isinstance(bench.request(sessions[0], messages.Start), messages.Ack)

    assert [bench.seat(session) for session in sessions] == [0, 1]
    assert len(room_of(bench, sessions[0]).seats) == 2
    bench.wait(3600 * SECOND)  # nobody moves: the clocks expire
    assert bench.view(sessions[0]).over is not None
    first = bench.view(sessions[0]).commitment
    assert isinstance(bench.request(sessions[0], messages.Rematch), messages.Ack)
    lobby = room_of(bench, sessions[0])
    assert lobby.phase == "lobby"
    assert len(lobby.seats) == 4
    assert lobby.commitment != first
    assert not any(place.ready for place in lobby.seats)


def test_a_game_starts_only_with_enough_players_who_are_ready() -> None:
    bench = Bench(CAMBIO, 4)
    ada = bench.sit(0)
    bench.request(ada, messages.Ready)

    assert bench.request(ada, messages.Start).reason is Reason.NOT_ENOUGH_SEATS
    bench.sit(1)
    assert bench.request(ada, messages.Start).reason is Reason.NOT_READY


def test_options_can_be_changed_until_the_deal() -> None:
    bench = Bench(CAMBIO, 2)
    ada = bench.sit(0)
    assert isinstance(bench.request(ada, messages.Configure, options={"target_points": 7}), messages.Ack)
    assert room_of(bench, ada).options["target_points"] == 7
    assert (
        bench.request(ada, messages.Configure, options={"target_points": "many"}).reason is Reason.BAD_OPTIONS
    )

    bench.sit(1)
    for session in bench.room.presence.everybody():
        bench.request(session, messages.Ready)
    bench.request(ada, messages.Start)
    assert bench.request(ada, messages.Configure, options={}).reason is Reason.ALREADY_STARTED


def test_a_table_with_a_ping_limit_refuses_slow_players() -> None:
    bench = Bench(CAMBIO, 2, max_ping_ms=15)
    ada = bench.sit(0)  # the bench's sockets take 20 ms

    refused = bench.request(ada, messages.Ready)
    assert refused.reason is Reason.HIGH_PING
    assert "20 ms" in refused.text


def test_a_private_room_is_not_listed() -> None:
    assert Bench(CAMBIO, 2, private=True).room.summary() is None
    assert Bench(CAMBIO, 2).room.summary() is not None


def test_chat_is_cleaned_and_reaches_everybody() -> None:
    bench = Bench(CAMBIO, 2)
    ada = bench.sit(0)
    eve = bench.watch()
    bench.request(ada, messages.Chat, text="hi\u202e\u0007 there\n")

    said = messages.Said(name="P0", text="hi there", seat=0)
    assert said in bench.heard[eve]
    assert said in bench.heard[ada]


def test_H40_in_hameln_cave_nobody_talks_from_the_deal_to_the_last_trick_spectators_included() -> None:
    game = all_games()["hameln_cave"]
    bench = Bench(game, 2)
    sessions = bench.start(2)
    eve = bench.watch()
    assert isinstance(bench.request(sessions[0], messages.Chat, text="which one do you take?"), messages.Ack)
    for session, name in zip(sessions, ("henry", "aria"), strict=True):
        bench.do(session, {"t": "character", "name": name})
    bench.forget_frames()

    assert bench.request(sessions[0], messages.Chat, text="pass me a nine").reason is Reason.MUTED
    assert bench.request(sessions[1], messages.Emote, emote="hurry").reason is Reason.MUTED
    assert bench.request(eve, messages.Chat, text="green!").reason is Reason.MUTED
    assert not any(
        isinstance(it, messages.Said | messages.Emoted) for frames in bench.heard.values() for it in frames
    )
