"""T1, T9, T23, T42, T43, T75: rooms of an event."""

import secrets
from typing import Any

import pytest

from photofinish.engine import Micros
from photofinish.games import all_games
from photofinish.race.params import Path
from photofinish.room.core import Room
from photofinish.room.effects import Drop, Send, Show
from photofinish.room.facts import Directed, Joined, Looked, Measured, Rekeyed, Requested, SessionId
from photofinish.room.record import pack, unpack
from photofinish.room.seats.event_room import BoundSeat, event_record
from photofinish_protocol import messages
from photofinish_protocol.reasons import Close, Reason

ADA, BO, EVE = "a" * 64, "b" * 64, "e" * 64


class EventRoomBench:
    def __init__(
        self,
        *seats: BoundSeat,
        is_duplicate: bool = False,
        races: dict[str, int] | None = None,
        max_ping_ms: int = 0,
        game: str = "cambio",
        options: dict[str, Any] | None = None,
    ) -> None:
        plays = all_games()[game]
        record = event_record(
            "ABCDEFGH", plays, "E1", seats, options or {}, bytes(32), is_duplicate=is_duplicate,
            races=races or {}, spectator_delay=0, max_ping_ms=max_ping_ms,
        )  # fmt: skip
        self.now = Micros(0)
        self.room = Room(unpack(pack(record)), plays, self.now, secrets.token_bytes)
        self.sent: list[tuple[str, messages.ServerMessage]] = []
        self.dropped: list[str] = []
        self.closes: list[Close | None] = []
        """The close codes of those that were dropped."""
        self.views: list[messages.View] = []

    def take(self, fact: object) -> list[messages.ServerMessage]:
        """The messages to the session of this fact."""
        self.now = Micros(self.now + 1000)
        self.room.take(fact, self.now)  # type: ignore[arg-type]
        self.room.wake(self.now)
        batch = self.room.drain(self.now)
        self.dropped += [it.session for it in batch.effects if isinstance(it, Drop)]
        self.closes += [it.code for it in batch.effects if isinstance(it, Drop)]
        self.views += [it.view for it in batch.effects if isinstance(it, Show)]
        sent = [(it.to, it.message) for it in batch.effects if isinstance(it, Send)]
        self.sent += sent
        own = getattr(fact, "session", "")
        return [message for to, message in sent if to == own]

    def join(self, session: str, key: str, seat: int | None = None) -> messages.ServerMessage:
        return self.take(Joined(SessionId(session), 1, "whoever", seat, key=key))[0]

    def request(self, session: str, message: messages.ClientMessage) -> messages.ServerMessage:
        found = self.take(Requested(SessionId(session), message, self.now))
        return next(it for it in found if isinstance(it, messages.Ack | messages.Refused))


def two(**more: object) -> EventRoomBench:
    return EventRoomBench(BoundSeat(ADA, "Ada"), BoundSeat(BO, "Bo"), **more)  # type: ignore[arg-type]


def reason(answer: messages.ServerMessage) -> Reason:
    assert isinstance(answer, messages.Refused), answer
    return answer.reason


def test_T1_a_seat_belongs_to_a_key() -> None:
    bench = two()
    assert reason(bench.join("s1", EVE)) is Reason.SEAT_TAKEN
    assert reason(bench.join("s2", "")) is Reason.SEAT_TAKEN
    assert reason(bench.join("s3", ADA, seat=1)) is Reason.SEAT_TAKEN
    got = bench.join("s4", BO)
    assert isinstance(got, messages.Ack)
    assert isinstance(got.got, messages.Seated)
    assert (got.got.seat, got.got.name) == (1, "Bo"), "under the entrant's name, whatever `hello` said"


def test_T1_nobody_but_the_director_hosts() -> None:
    bench = two()
    bench.join("s1", ADA)
    bench.join("s2", BO)
    asked: tuple[messages.ClientMessage, ...] = (
        messages.Start(id=2),
        messages.Configure(id=3, options={}),
        messages.Kick(id=4, seat=1),
        messages.Bot(id=5),
        messages.Host(id=6, seat=1),
        messages.Rematch(id=7),
    )
    for number, message in enumerate(asked):
        assert reason(bench.request("s1", message)) is Reason.NOT_HOST, number
    assert bench.room.record.host == -1


def test_T9_the_newest_connection_of_a_key_wins() -> None:
    bench = two()
    bench.join("old", ADA)
    assert isinstance(bench.join("new", ADA), messages.Ack)
    assert (bench.dropped, bench.closes) == (["old"], [Close.TAKEN_OVER])
    assert Close.TAKEN_OVER == 4409
    assert bench.room.presence.session_of(0) == "new"


def test_T8_a_seat_goes_to_the_new_key_and_the_old_connection_gets_a_message() -> None:
    bench = two()
    bench.join("old", ADA)
    bench.take(Rekeyed("another", ADA, EVE))
    assert reason(bench.join("new", EVE)) is Reason.SEAT_TAKEN, "not its event"
    bench.take(Rekeyed("E1", ADA, EVE))
    removed = [message for to, message in bench.sent if to == "old" and isinstance(message, messages.Left)]
    assert [it.reason for it in removed] == ["closed"]
    assert "old" in bench.dropped
    assert reason(bench.join("old again", ADA)) is Reason.SEAT_TAKEN

    got = bench.join("new", EVE)
    assert isinstance(got, messages.Ack)
    assert isinstance(got.got, messages.Seated)
    assert (got.got.seat, got.got.name) == (0, "Ada"), "the entrant's seat and name"


def test_a_player_who_leaves_the_lobby_keeps_the_chair() -> None:
    bench = two()
    bench.join("s1", ADA)
    bench.request("s1", messages.Leave(id=2))
    assert reason(bench.join("s2", EVE)) is Reason.SEAT_TAKEN
    assert isinstance(bench.join("s3", ADA), messages.Ack)


def test_T23_the_director_deals_to_the_players_who_are_present() -> None:
    bench = EventRoomBench(BoundSeat(ADA, "Ada"), BoundSeat(BO, "Bo"), BoundSeat(EVE, "Eve"))
    for session, key in (("s1", ADA), ("s2", BO)):
        bench.join(session, key)
        bench.request(session, messages.Ready(id=2))
    bench.take(Directed("another", (0, 1)))
    assert bench.room.record.phase == "lobby", "not its event"
    bench.take(Directed("E1", (0, 1)))
    assert bench.room.record.phase == "playing"
    assert [chair.name for chair in bench.room.record.chairs] == ["Ada", "Bo"]
    bench.take(Directed("E1", (0, 1)))
    assert bench.room.record.number == 1, "twice changes nothing"


def test_T23_a_bot_takes_the_seat_of_a_no_show() -> None:
    bench = two()
    bench.join("s1", ADA)
    bench.take(Directed("E1", (0,), bots=True))
    assert [chair.kind for chair in bench.room.record.chairs] == ["player", "bot"]
    assert bench.room.record.phase == "playing"


def test_with_too_few_players_the_room_does_not_change() -> None:
    bench = two()
    bench.join("s1", ADA)
    bench.take(Directed("E1", (0,)))
    assert bench.room.record.phase == "lobby"


def test_T42_T43_I17_a_duplicate_deal_takes_no_nonce_and_nobody_watches() -> None:
    bench = two(is_duplicate=True)
    bench.join("s1", ADA)
    assert isinstance(bench.request("s1", messages.Ready(id=2, nonce="abcd")), messages.Ack)
    assert (bench.room.record.chairs[0].nonce, bench.room.record.chairs[0].commit) == (b"", "")
    assert reason(bench.take(Looked(SessionId("w"), 1, "Cleo"))[0]) is Reason.SEALED


def test_T49_T75_race_parameters_are_pinned() -> None:
    bench = two(races={"eps": 1234})
    assert bench.room._dealer._params.eps == 1234
    assert two().room._dealer._params.eps == 2000


def test_T23_a_player_above_the_ping_limit_cannot_be_ready_and_is_a_no_show() -> None:
    bench = two(max_ping_ms=100)
    for session, key, ms in (("near", ADA, 60), ("far", BO, 140)):
        bench.join(session, key)
        rtt = Micros(ms * 1000)
        bench.take(Measured(SessionId(session), Path(rtt, rtt, rtt)))
    assert isinstance(bench.request("near", messages.Ready(id=2)), messages.Ack)
    assert reason(bench.request("far", messages.Ready(id=2))) is Reason.HIGH_PING
    assert [chair.is_ready for chair in bench.room.record.chairs] == [True, False], (
        "the director counts these"
    )


@pytest.mark.parametrize("is_duplicate", [True, False])
def test_T43_T75_the_result_of_a_deal_that_others_still_play_does_not_open_its_seed(
    is_duplicate: bool,
) -> None:
    options = {"flashes": 1, "gap_ms": 400, "window_ms": 400}
    bench = two(is_duplicate=is_duplicate, game="reflex", options=options)
    for session, key in (("s1", ADA), ("s2", BO)):
        bench.join(session, key)
        bench.request(session, messages.Ready(id=2))
    bench.take(Directed("E1", (0, 1)))
    for _ in range(600):
        bench.now = Micros(bench.now + 100_000)
        bench.take(Measured(SessionId("s1"), Path()))
    (over,) = {(it.over.seed, it.over.places) for it in bench.views if it.over is not None}
    assert over == ("" if is_duplicate else bytes(32).hex(), (1, 1))
