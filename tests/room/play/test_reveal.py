"""Commit, then reveal: even with the seed and all other nonces nobody can choose the deal (FAIRNESS.md)."""

from itertools import chain, combinations
from typing import Any

import pytest

from photofinish.engine.rng import game_key, nonce_commit
from photofinish.games import all_games
from photofinish.replay import log
from photofinish.replay.replay import as_replay, read_replay
from photofinish.replay.verify import verify
from photofinish.room.facts import Cut, SessionId
from photofinish_protocol import messages
from photofinish_protocol.fairness import nonce_commit as protocol_commit
from photofinish_protocol.messages import ClientMessage
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import REVEAL_SECONDS
from tests.room.bench import SECOND, Bench
from tests.room.seats.test_lobby import room_of

CAMBIO = all_games()["cambio"]
NONCES = [bytes([seat]) * 32 for seat in range(8)]


def called(seats: int = 3, **create: Any) -> tuple[Bench, list[SessionId]]:
    """Everybody has committed to a nonce and the host has started the deal."""
    bench = Bench(CAMBIO, seats, {"target_points": 1}, **create)
    sessions = [bench.sit(seat) for seat in range(seats)]
    for seat, session in enumerate(sessions):
        assert isinstance(
            bench.request(session, messages.Ready, commit=nonce_commit(NONCES[seat])), messages.Ack
        )
    assert isinstance(bench.request(sessions[0], messages.Start), messages.Ack)
    return bench, sessions


def reveal(bench: Bench, session: SessionId, seat: int) -> Any:
    return bench.request(session, messages.Reveal, nonce=NONCES[seat].hex())


def key_of(bench: Bench) -> bytes:
    match = bench.room.match
    assert match is not None
    return match.key


def dealt(bench: Bench) -> log.Dealt:
    entry = log.read(bench.entries[0])[2]
    assert isinstance(entry, log.Dealt)
    return entry


def test_client_and_server_compute_the_same_hash_of_a_nonce() -> None:
    assert protocol_commit(NONCES[3]) == nonce_commit(NONCES[3])


def test_no_card_is_dealt_before_the_last_nonce_has_arrived() -> None:
    bench, sessions = called()
    for seat in (2, 0):
        assert isinstance(reveal(bench, sessions[seat], seat), messages.Ack)
        assert not any(bench.views.values())
    room = room_of(bench, sessions[0])
    assert room.dealing is not None
    assert room.dealing.seats == (1,)
    reveal(bench, sessions[1], 1)

    assert all(bench.view(session).number == 1 for session in sessions)
    assert key_of(bench) == game_key(bench.room.record.seed, NONCES[:3])
    assert dealt(bench).withheld == ()


def test_everybody_sees_every_hash_before_the_first_nonce_is_asked_for() -> None:
    bench, sessions = called()
    for session in sessions:
        room = room_of(bench, session)

        assert room.phase == "playing"
        assert room.dealing == messages.Dealing(seats=(0, 1, 2), left_us=REVEAL_SECONDS * SECOND)
        assert [place.commit for place in room.seats] == [nonce_commit(nonce) for nonce in NONCES[:3]]


def test_no_nonce_is_published_before_the_end() -> None:
    bench, sessions = called()
    reveal(bench, sessions[0], 0)
    said = str([bench.heard, bench.views])

    assert NONCES[0].hex() not in said


def test_a_player_who_withholds_the_nonce_is_left_out_after_a_while_and_named() -> None:
    bench, sessions = called()
    reveal(bench, sessions[0], 0)
    reveal(bench, sessions[2], 2)
    bench.wait(REVEAL_SECONDS * SECOND - 1)
    assert not bench.views[sessions[0]]
    bench.wait(1)

    assert bench.view(sessions[1]).number == 1
    assert key_of(bench) == game_key(bench.room.record.seed, [NONCES[0], b"", NONCES[2]])
    assert dealt(bench).withheld == (1,)
    assert dealt(bench).commits == tuple(nonce_commit(nonce) for nonce in NONCES[:3])
    assert room_of(bench, sessions[0]).withheld == (1,)
    assert room_of(bench, sessions[0]).dealing is None
    late = reveal(bench, sessions[1], 1)
    assert late.reason is Reason.ALREADY_STARTED


def test_a_wrong_nonce_is_refused_and_the_right_one_may_follow() -> None:
    bench, sessions = called(2)
    assert reveal(bench, sessions[0], 5).reason is Reason.WRONG_REVEAL
    assert isinstance(reveal(bench, sessions[0], 0), messages.Ack)
    assert isinstance(reveal(bench, sessions[0], 0), messages.Ack)
    assert isinstance(reveal(bench, sessions[1], 1), messages.Ack)

    assert key_of(bench) == game_key(bench.room.record.seed, NONCES[:2])


def test_nobody_reveals_before_the_deal_is_called() -> None:
    bench = Bench(CAMBIO, 2)
    ada = bench.sit(0)
    bench.request(ada, messages.Ready, commit=nonce_commit(NONCES[0]))

    assert reveal(bench, ada, 0).reason is Reason.NOT_STARTED


def test_a_ready_with_both_a_hash_and_a_clear_nonce_is_refused() -> None:
    bench = Bench(CAMBIO, 2)
    ada = bench.sit(0)
    answer = bench.request(ada, messages.Ready, nonce="aa", commit=nonce_commit(NONCES[0]))

    assert answer.reason is Reason.BAD_MESSAGE
    assert not room_of(bench, ada).seats[0].ready


def test_a_nonce_in_clear_is_published_as_its_hash_like_the_others() -> None:
    bench = Bench(CAMBIO, 2)
    ada, bo = bench.sit(0), bench.sit(1)
    bench.request(ada, messages.Ready, nonce="aa01")
    bench.request(bo, messages.Ready, commit=nonce_commit(NONCES[1]))

    assert room_of(bench, bo).seats[0].commit == nonce_commit(b"\xaa\x01")
    bench.request(ada, messages.Start)
    room = room_of(bench, bo)
    assert room.dealing is not None
    assert room.dealing.seats == (1,)
    reveal(bench, bo, 1)
    assert dealt(bench).nonces == ("aa01", NONCES[1].hex())


def test_a_table_of_bots_and_players_without_hashes_is_dealt_at_once() -> None:
    bench = Bench(CAMBIO, 3)
    ada = bench.sit(0)
    bench.request(ada, messages.Bot)
    bench.request(ada, messages.Bot)
    bench.request(ada, messages.Ready)
    bench.request(ada, messages.Start)

    assert bench.view(ada).number == 1
    assert dealt(bench).commits == ("", "", "")


@pytest.mark.parametrize("revealed", [(), (0,), (0, 2)])
def test_a_crash_between_the_call_and_the_last_nonce_loses_nothing(revealed: tuple[int, ...]) -> None:
    bench, sessions = called()
    for seat in revealed:
        reveal(bench, sessions[seat], seat)
    bench.wait(3 * SECOND)
    bench.crash()
    bench.wait(3 * SECOND)
    assert not any(bench.views.values())
    for seat in set(range(3)) - set(revealed):
        again = bench.resume(seat)
        room = room_of(bench, again)
        assert room.dealing is not None
        assert seat in room.dealing.seats
        assert [place.commit for place in room.seats] == [nonce_commit(nonce) for nonce in NONCES[:3]]
        assert isinstance(
            bench.request(again, messages.Reveal, id=90, nonce=NONCES[seat].hex()), messages.Ack
        )

    assert key_of(bench) == game_key(bench.room.record.seed, NONCES[:3])
    assert dealt(bench).withheld == ()


def test_the_wait_is_bounded_after_a_crash_too() -> None:
    bench, _ = called()
    bench.crash()
    bench.wait(REVEAL_SECONDS * SECOND)

    assert dealt(bench).withheld == (0, 1, 2)
    assert bench.room.match is not None


def test_the_deal_waits_for_a_disconnected_player_but_not_for_one_who_left() -> None:
    bench, sessions = called()
    reveal(bench, sessions[0], 0)
    bench.tell(Cut(sessions[1]))
    bench.request(sessions[2], messages.Leave)
    assert not bench.views[sessions[0]]
    again = bench.resume(1)
    bench.request(again, messages.Reveal, nonce=NONCES[1].hex())

    assert dealt(bench).withheld == (2,)
    assert room_of(bench, sessions[0]).seats[2].autopilot


def test_a_rematch_has_a_new_seed_and_asks_for_new_nonces() -> None:
    bench, sessions = called(2)
    for seat, session in enumerate(sessions):
        reveal(bench, session, seat)
    first, seed = key_of(bench), bench.room.record.seed
    bench.wait(7200 * SECOND)
    assert bench.view(sessions[0]).over is not None
    bench.request(sessions[0], messages.Rematch)
    assert [place.commit for place in room_of(bench, sessions[0]).seats] == ["", ""]
    for seat, session in enumerate(sessions):
        bench.request(session, messages.Ready, commit=nonce_commit(NONCES[seat + 4]))
    bench.request(sessions[0], messages.Start)
    assert reveal(bench, sessions[0], 0).reason is Reason.WRONG_REVEAL
    for seat, session in enumerate(sessions):
        reveal(bench, session, seat + 4)

    assert bench.room.record.seed != seed
    assert key_of(bench) == game_key(bench.room.record.seed, NONCES[4:6])
    assert key_of(bench) != first


def test_the_replay_of_a_withheld_nonce_passes_and_names_the_player() -> None:
    bench, sessions = called()
    reveal(bench, sessions[0], 0)
    reveal(bench, sessions[2], 2)
    bench.wait(7200 * SECOND)
    over = bench.view(sessions[0]).over
    assert over is not None
    report = verify(read_replay(as_replay(bench.room.record.seed, bench.entries)), all_games())

    assert report.faults == []
    assert report.withheld == ("P1",)
    assert report.committed == 2
    assert over.withheld == (1,)
    assert over.commits == tuple(nonce_commit(nonce) for nonce in NONCES[:3])
    assert over.nonces == (NONCES[0].hex(), "", NONCES[2].hex())


def anything() -> list[Any]:
    """One of every message a client can send; a new kind of message fails here until it is added."""
    made = [
        messages.Hello(id=0, v=1, name="x"), messages.Games(id=0), messages.Rooms(id=0),
        messages.Create(id=0, game="cambio"), messages.Join(id=0, room="BENCH"),
        messages.Watch(id=0, room="BENCH"), messages.Leave(id=0), messages.Ready(id=0, nonce="abcd"),
        messages.Ready(id=0, commit=nonce_commit(b"other" * 4)), messages.Ready(id=0, ready=False),
        messages.Reveal(id=0, nonce=(b"other" * 4).hex()), messages.Bot(id=0, seat=1), messages.Remove(id=0, seat=1),
        messages.Kick(id=0, seat=1), messages.Host(id=0, seat=1),
        messages.Configure(id=0, options={"target_points": 2}), messages.Start(id=0), messages.Rematch(id=0),
        messages.Play(id=0, move={"t": "ready"}), messages.Chat(id=0, text="x"), messages.Emote(id=0, emote="wow"),
        messages.Ping(id=0),
    ]  # fmt: skip
    # Requests about events never reach a room: the session passes them to the event.
    of_events = {
        messages.Identify, messages.Follow, messages.Unfollow, messages.Sit, *messages.EventRequest.__args__
    }  # fmt: skip
    assert {type(it) for it in made} == set(ClientMessage.__args__) - of_events
    return made


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_after_the_call_a_seat_can_only_reveal_or_withhold(seat: int) -> None:
    """Guards against an input of the shuffle that can still change when the others are known.

    A player who knows the seed and all other nonces can choose between two deals per seat, not more.
    """
    seats = range(3)
    subsets = chain.from_iterable(combinations(seats, n) for n in range(len(seats) + 1))
    for message in anything():
        bench, sessions = called()
        seed = bench.room.record.seed
        allowed = {
            game_key(seed, [NONCES[s] if s in given else b"" for s in seats]): given for given in subsets
        }
        for other in seats:
            if other != seat:
                reveal(bench, sessions[other], other)
        fields = {name: getattr(message, name) for name in message.__struct_fields__ if name != "id"}
        bench.request(sessions[seat], type(message), **fields)
        if sessions[seat] not in bench.dropped:
            reveal(bench, sessions[seat], seat)
        bench.wait((REVEAL_SECONDS + 1) * SECOND)

        given = allowed.get(key_of(bench))
        assert given is not None, f"seat {seat} chose a deal with {message}"
        assert set(seats) - {seat} <= set(given)
        assert dealt(bench).withheld == tuple(sorted(set(seats) - set(given)))
        subsets = chain.from_iterable(combinations(seats, n) for n in range(len(seats) + 1))
