"""Leaks planted in single frames of a room: a word, a byte, a number, a line. The short hunt finds each of them."""

from typing import Any

import msgspec
import structlog

from photofinish.engine import Micros, Viewer
from photofinish.room import core
from photofinish.room.core import Room
from photofinish.room.facts import Requested
from photofinish.room.play.match import Match
from photofinish.room.play.moves import Answered
from photofinish.room.play.race_report import tell_race
from photofinish.room.sending import broadcast, views
from photofinish.room.sending.views import ViewerState, compose
from photofinish_protocol import messages
from tests.hunt.planted.plants import Plant, hunted, secret


def test_a_refusal_whose_words_depend_on_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    honest = Room._after

    def after(room: Room, now: Any) -> None:
        match = room.match
        if match is not None and secret(match):
            match.verdicts = [
                Answered(it.seat, it.request_id, it.reason, it.clause, it.text + " Hm.") if it.reason else it
                for it in match.verdicts
            ]
        honest(room, now)

    monkeypatch.setattr(Room, "_after", after)

    assert "text" in (hunted() or "")


def test_an_answer_that_is_only_sometimes_preceded_by_pending_is_caught(monkeypatch: Plant) -> None:
    honest = Room._dispatch

    def dispatch(room: Room, fact: Requested, now: Any) -> None:
        honest(room, fact, now)
        if room.match is not None and secret(room.match):
            room.out.send(fact.session, messages.Pending(id=fact.message.id))

    monkeypatch.setattr(Room, "_dispatch", dispatch)

    assert hunted() is not None


def test_a_frame_to_a_viewer_whose_view_did_not_change_is_caught(monkeypatch: Plant) -> None:
    honest = Room._after

    def after(room: Room, now: Any) -> None:
        honest(room, now)
        if room.match is not None and secret(room.match):
            for key in sorted(room.presence.here()):
                session = room.presence.session_of(key)
                assert session is not None
                room.show(session, room.record.chairs[key], 0, now)

    monkeypatch.setattr(Room, "_after", after)

    assert hunted() is not None


def test_a_seq_that_counts_what_the_viewer_cannot_see_is_caught(monkeypatch: Plant) -> None:
    honest = ViewerState.look

    def look(self: ViewerState, match: Match, viewer: Viewer, over: Any) -> bool:
        self.seq += secret(match)
        return honest(self, match, viewer, over)

    monkeypatch.setattr(ViewerState, "look", look)

    assert "seq" in (hunted() or "")


def test_a_race_message_sent_only_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    def tell(record: Any, presence: Any, out: Any, shown: Any, match: Match, finished: Any, now: Any) -> None:
        if not secret(match):
            tell_race(record, presence, out, shown, match, finished, now)

    monkeypatch.setattr(core, "tell_race", tell)

    assert hunted() is not None


def test_a_clock_that_differs_by_a_microsecond_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    honest = views.view_parts

    def parts(match: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(match, viewer, over)
        clocks = tuple(
            (key, seat, waits, due, left + secret(match)) for key, seat, waits, due, left in found["clocks"]
        )
        due = tuple((key, seat, waits, d and d + secret(match), left) for key, seat, waits, d, left in clocks)
        return {**found, "clocks": due}, last

    monkeypatch.setattr(views, "view_parts", parts)

    assert "clocks" in (hunted() or "")


def test_offers_whose_order_depends_on_a_hidden_card_are_caught(monkeypatch: Plant) -> None:
    honest = views.view_parts

    def parts(match: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(match, viewer, over)
        return {**found, "offers": found["offers"][:: -1 if secret(match) else 1]}, last

    monkeypatch.setattr(views, "view_parts", parts)

    assert "offers" in (hunted() or "")


def test_a_frame_that_is_a_byte_longer_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    """The log's head is keyed and cannot be compared, but its length can."""

    def longer(viewer_state: ViewerState, match: Match, viewer: Viewer, *more: Any) -> messages.View:
        view = compose(viewer_state, match, viewer, *more)
        return msgspec.structs.replace(view, head=view.head + "0" * secret(match))

    monkeypatch.setattr(broadcast, "compose", longer)

    assert "head" in (hunted() or "")


def test_a_room_message_that_depends_on_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    honest = Room._describe

    def describe(room: Room, now: Micros) -> messages.Room:
        room_message = honest(room, now)
        odd = room.match is not None and secret(room.match)
        return msgspec.structs.replace(room_message, watchers=room_message.watchers + odd)

    monkeypatch.setattr(Room, "_describe", describe)

    assert "watchers" in (hunted() or "")


def test_a_log_line_with_a_card_is_caught(monkeypatch: Plant) -> None:
    honest = Room.take

    def take(room: Room, fact: Any, now: Any) -> None:
        if room.match is not None and room.match.state.main:
            structlog.get_logger().debug("taking", under=room.match.state.main[0])
        honest(room, fact, now)

    monkeypatch.setattr(Room, "take", take)

    assert "under" in (hunted() or "")
