"""Leaks planted in a room, each one or two lines long: the short hunt finds each of them, and none in an honest room.

`test_planted_frames.py` and `test_planted_hidden.py` have more, `tests/games/test_planted_leaks.py` those of a game.
"""

from typing import Any

import msgspec
import structlog

from photofinish.engine import Seat, Viewer
from photofinish.room import requests
from photofinish.room.core import Room
from photofinish.room.effects import Send
from photofinish.room.play import race_report
from photofinish.room.play.clocks import Clocks
from photofinish.room.play.dealing import Dealer
from photofinish.room.play.match import Match
from photofinish.room.play.moves import Answered
from photofinish.room.seats import join_leave
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.room.sending import broadcast, views
from photofinish.room.sending.broadcast import Broadcast
from photofinish.room.sending.out import Out
from photofinish.room.sending.views import ViewerState
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.hunt.planted.plants import Plant, around, hunted, secret


def test_no_leak_is_found_in_an_honest_room() -> None:
    assert hunted() is None
    assert hunted(delay=5) is None


def test_the_offers_of_another_seat_are_caught(monkeypatch: Plant) -> None:
    def parts(honest: Any, it: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(it, viewer, over)
        if viewer is not None and over is None:
            found["offers"] = it.game.offers(it.state, Seat((viewer + 1) % len(it.seats)))
        return found, last

    around(monkeypatch, views, "view_parts", parts)

    assert "offers" in (hunted("cauldron15") or "")


def test_events_that_another_seat_missed_in_the_view_of_a_returning_player_are_caught(
    monkeypatch: Plant,
) -> None:
    def missed(honest: Any, self: ViewerState, seq: int) -> Any:
        return honest(neighbours.get(id(self), self), seq)

    neighbours: dict[int, ViewerState] = {}

    def again(honest: Any, self: Broadcast, it: Match, session: Any, chair: Any, seq: int, now: Any) -> None:
        seat = self._record.chairs.index(chair)
        other = self._viewers.get(Seat((seat + 1) % len(self._record.chairs)))
        neighbours.clear()
        if other is not None:
            neighbours[id(self._viewer_state(Seat(seat)))] = other
        honest(self, it, session, chair, seq, now)

    around(monkeypatch, ViewerState, "missed", missed)
    around(monkeypatch, Broadcast, "show_again", again)

    assert "last" in (hunted() or "")


def test_a_view_that_is_delayed_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def show(honest: Any, self: Out, to: Any, view: messages.View) -> None:
        if not (view.view.main % 2 and secret(tables[-1])):
            honest(self, to, view)

    def after(honest: Any, room: Room, now: Any) -> None:
        tables.append(room.match)
        honest(room, now)

    tables: list[Match | None] = [None]
    around(monkeypatch, Out, "show", show)
    around(monkeypatch, Room, "_after", after)

    assert hunted() is not None


def test_a_message_that_comes_one_round_later_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def drain(honest: Any, room: Room, now: Any) -> Any:
        batch = honest(room, now)
        if secret(room.match):
            said = [
                it for it in batch.effects if isinstance(it, Send) and isinstance(it.message, messages.Said)
            ]
            batch.effects = [it for it in batch.effects if it not in said]
            room.out.batch.effects += said
        return batch

    around(monkeypatch, Room, "drain", drain)

    assert hunted() is not None


def test_a_clock_that_runs_out_a_millisecond_later_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    """No byte of any frame differs, only the time of sending."""

    def due(honest: Any, self: Match) -> Any:
        return [(at + 1_000 * secret(self), due, timer) for at, due, timer in honest(self)]

    around(monkeypatch, Match, "_due_clocks", due)

    assert hunted() is not None


def test_a_held_move_that_is_released_at_once_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    """RACES §3: the arbiter waits equally long for every seat, whatever cards it holds."""

    def play(honest: Any, self: Match, sent: Any, now: Any) -> bool:
        if self.race is not None and secret(self):
            for seat in self.race.seats:
                self.arbiter.lost(seat, now)
        return bool(honest(self, sent, now))

    around(monkeypatch, Match, "play", play)

    assert hunted() is not None


def test_a_race_message_with_somebody_elses_card_is_caught(monkeypatch: Plant) -> None:
    def tell(honest: Any, record: Any, presence: Any, out: Any, shown: Any, it: Match, *more: Any) -> None:
        cards.append(it.state.main[-1] if it.state.main else "")
        honest(record, presence, out, shown, it, *more)

    def said(honest: Any, *args: Any, **more: Any) -> messages.RaceReport:
        made: messages.RaceReport = honest(*args, **more)
        return msgspec.structs.replace(made, key=f"{made.key} {cards[-1]}")

    cards: list[str] = []
    around(monkeypatch, race_report, "_said", said)
    monkeypatch.setattr("photofinish.room.core.tell_race", lambda *args: tell(race_report.tell_race, *args))

    assert "key" in (hunted() or "")


def test_a_refusal_whose_reason_depends_on_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def refuse(honest: Any, self: Match, sent: Any, reason: Reason) -> None:
        honest(self, sent, Reason.NO_RACE if secret(self) else reason)

    around(monkeypatch, Match, "_refuse", refuse)

    assert "reason" in (hunted() or "")


def test_a_refusal_that_is_longer_for_a_hidden_hand_is_caught(monkeypatch: Plant) -> None:
    def judge(honest: Any, self: Match, sent: Any, now: Any, release: Any) -> None:
        honest(self, sent, now, release)
        last = self.verdicts[-1] if self.verdicts else None
        if last is not None and last.reason is not None and secret(self):
            self.verdicts[-1] = Answered(
                last.seat, last.request_id, last.reason, last.clause, last.text + " "
            )

    around(monkeypatch, Match, "_judge", judge)

    assert "text" in (hunted() or "")


def test_a_chat_that_is_muted_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def check(honest: Any, room: Room) -> None:
        honest(room)
        if secret(room.match):
            raise RequestRefusal(Reason.MUTED)

    around(monkeypatch, requests, "_check_talk", check)

    assert hunted() is not None


def test_a_chat_with_a_card_in_its_echo_is_caught(monkeypatch: Plant) -> None:
    def talk(honest: Any, room: Room, name: str, text: str, seat: int | None) -> None:
        under = room.match.state.main[:1] if room.match is not None else ()
        honest(room, name, text + "".join(under), seat)

    around(monkeypatch, requests, "talk", talk)

    assert "text" in (hunted() or "")


def test_a_refused_join_whose_text_depends_on_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def resumed(honest: Any, room: Room, fact: Any, now: Any) -> None:
        try:
            honest(room, fact, now)
        except RequestRefusal as no:
            raise RequestRefusal(no.reason, no.text.upper() if secret(room.match) else no.text) from no

    around(monkeypatch, join_leave, "resumed", resumed)

    assert "text" in (hunted(rooms=15) or "")


def test_a_spectators_view_that_is_not_delayed_is_caught(monkeypatch: Plant) -> None:
    def public(honest: Any, self: Broadcast, message: Any, now: Any) -> None:
        honest(self, message, now - 10_000_000)

    around(monkeypatch, Broadcast, "to_public", public)

    assert "before its time" in (hunted(delay=10) or "")


def test_a_view_sent_because_a_clock_was_set_again_is_caught(monkeypatch: Plant) -> None:
    """Both worlds send it: it shows that something happened, not what. Rooms had this fault before this test."""

    def parts(honest: Any, it: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(it, viewer, over)
        return {**found, "left": [left for _, _, left in it.clocks.visible()]}, last

    around(monkeypatch, views, "view_parts", parts)

    assert "nothing new" in (hunted() or "")


def test_the_seed_in_the_place_of_its_commitment_is_caught(monkeypatch: Plant) -> None:
    """It is the same in both worlds, so only the search finds it."""
    monkeypatch.setattr(broadcast, "commitment", bytes.hex)

    assert "the seed" in (hunted() or "")


def test_a_message_with_another_seats_token_is_caught(monkeypatch: Plant) -> None:
    def seated(honest: Any, room: Room, seat: int, *more: Any) -> messages.Seated:
        return honest(room, (seat + 1) % len(room.record.chairs), *more)  # type: ignore[no-any-return]  # it is one

    around(monkeypatch, join_leave, "_seated", seated)

    assert "token" in (hunted() or "")


def test_a_stopped_clock_that_depends_on_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def visible(honest: Any, self: Clocks) -> Any:
        return [(timer, due, left + hidden[-1]) for timer, due, left in honest(self)]

    def parts(honest: Any, it: Match, viewer: Viewer, over: Any) -> Any:
        hidden.append(len(it.state.main) > 0 and int(it.state.main[0].encode()[-1]))
        return honest(it, viewer, over)

    hidden = [0]
    around(monkeypatch, Clocks, "visible", visible)
    around(monkeypatch, views, "view_parts", parts)

    assert "clocks" in (hunted() or "")


def test_an_end_that_is_scored_by_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def over(honest: Any, self: Dealer, it: Match) -> Any:
        made = honest(self, it)
        return made and msgspec.structs.replace(made, why=made.why + " " * secret(it))

    around(monkeypatch, Dealer, "over", over)

    assert hunted() is not None


def test_a_log_line_about_a_move_with_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def advance(honest: Any, self: Match, *args: Any) -> None:
        honest(self, *args)
        structlog.get_logger().debug("moved", step=self.step, under=self.state.main[:1])

    around(monkeypatch, Match, "_advance", advance)

    assert "log line" in (hunted() or "")


def test_a_log_line_that_is_written_only_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def take(honest: Any, room: Room, *args: Any) -> None:
        if secret(room.match):
            structlog.get_logger().info("room is busy")
        honest(room, *args)

    around(monkeypatch, Room, "take", take)

    assert "log line" in (hunted() or "")
