"""Leaks of another kind, planted in a room or a game: they show that a hidden act happened, not which.

Each is caught by the world without the act (`tests/hunt/hidden.py`) or by the one with another choice. The worlds that
get the same acts are switched off here: they cannot find these leaks.
"""

import re
from importlib import import_module
from typing import Any

import msgspec
import pytest

from photofinish.engine import Micros, Seat, Viewer, replace
from photofinish.room.core import Room
from photofinish.room.play import race_report
from photofinish.room.play.clocks import Clocks
from photofinish.room.play.lag_ledger import lag_lines
from photofinish.room.play.match import Match
from photofinish.room.play.moves import Answered
from photofinish.room.sending import views
from photofinish.room.sending.broadcast import Broadcast
from photofinish.room.sending.out import Out
from photofinish_protocol import messages
from tests.hunt.planted.plants import Plant, around, hunted_hidden

bears = import_module("photofinish.games.alaska.race")


@pytest.mark.parametrize("game", ["alaska", "cambio"])
def test_no_leak_is_found_in_an_honest_room(game: str) -> None:
    assert hunted_hidden(game, rooms=3) is None


def test_a_let_go_that_repeats_the_catch_event_is_caught(monkeypatch: Plant) -> None:
    """A32, an earlier fault: everybody's `seq` went up."""

    def let_go(honest: Any, state: Any, seat: Seat) -> Any:
        after = honest(state, seat)
        return after if after.catch is None else replace(after, last=state.last)

    around(monkeypatch, bears, "let_go", let_go)

    assert "let_go" in (hunted_hidden("alaska") or "")


def test_a_dead_heat_with_a_claim_nobody_may_know_of_is_caught(monkeypatch: Plant) -> None:
    """A31, an earlier fault."""

    def tell(
        honest: Any, record: Any, presence: Any, out: Any, shown: Any, it: Match, closed: Any, now: Any
    ) -> None:
        runs.clear()
        runs.extend(closed.runs)
        honest(record, presence, out, shown, it, closed, now)

    def mark(honest: Any, run: Any, known: Any) -> messages.Mark:
        made: messages.Mark = honest(run, known)
        return msgspec.structs.replace(made, heat=honest(run, runs).heat)

    runs: list[Any] = []
    monkeypatch.setattr("photofinish.room.core.tell_race", lambda *args: tell(race_report.tell_race, *args))
    around(monkeypatch, race_report, "_mark", mark)

    assert "heat" in (hunted_hidden("alaska", 4, rooms=40) or "")


def test_everybodys_ledger_for_a_host_who_plays_is_caught(monkeypatch: Plant) -> None:
    def lines(_honest: Any, record: Any, presence: Any, it: Match, only: Seat | None = None) -> Any:
        return lag_lines(record, presence, it, None if only == 0 else only)

    around(monkeypatch, race_report, "lag_lines", lines)

    assert "ledger" in (hunted_hidden("cambio") or "")


def test_a_ledger_that_counts_the_refused_moves_of_others_is_caught(monkeypatch: Plant) -> None:
    """A seat's own total differs only by what the openings of races explain."""

    def lines(honest: Any, record: Any, presence: Any, it: Match, only: Seat | None = None) -> Any:
        return [
            msgspec.structs.replace(line, uncompensated_us=line.uncompensated_us + it.tickets)
            for line in honest(record, presence, it, only)
        ]

    around(monkeypatch, race_report, "lag_lines", lines)

    assert "uncompensated_us" in (hunted_hidden("cambio") or "")


def test_a_mark_for_a_claim_that_was_refused_is_caught(monkeypatch: Plant) -> None:
    """The number of marks reveals as much as a mark."""

    def said(
        honest: Any, record: Any, closed: Any, known: Any, *more: Any, **fields: Any
    ) -> messages.RaceReport:
        made: messages.RaceReport = honest(record, closed, known, *more, **fields)
        return msgspec.structs.replace(
            made, marks=made.marks + made.marks[-1:] * (len(closed.runs) - len(known))
        )

    around(monkeypatch, race_report, "_said", said)

    assert "marks" in (hunted_hidden("cambio") or "")


def test_a_pending_that_everybody_gets_is_caught(monkeypatch: Plant) -> None:
    def to_chair(honest: Any, self: Out, chair: Any, message: Any) -> None:
        if isinstance(message, messages.Pending):
            self.to_all(message)
        else:
            honest(self, chair, message)

    around(monkeypatch, Out, "to_chair", to_chair)

    assert "Pending" in (hunted_hidden("cambio") or "")


def test_a_refusal_that_raises_the_seq_of_others_is_caught(monkeypatch: Plant) -> None:
    """No frame is sent at once, but the next view of each seat skips a number."""

    def answer(honest: Any, self: Out, chair: Any, made: Any, session: Any = None) -> None:
        honest(self, chair, made, session)
        if isinstance(made, messages.Refused):
            for viewer_state in sights:
                viewer_state.seq += 1

    def look(honest: Any, self: views.ViewerState, *args: Any) -> bool:
        if self not in sights:
            sights.append(self)
        return bool(honest(self, *args))

    sights: list[views.ViewerState] = []
    around(monkeypatch, Out, "answer", answer)
    around(monkeypatch, views.ViewerState, "look", look)

    assert "seq" in (hunted_hidden("jamaica") or "")


@pytest.mark.parametrize("game", ["rune_market", "cauldron15"])
def test_events_in_another_order_after_a_refused_move_are_caught(game: str, monkeypatch: Plant) -> None:
    """Another order is lawful only where a clock expires in between."""

    def judge(honest: Any, self: Match, sent: Any, now: Micros, release: Any) -> None:
        honest(self, sent, now, release)
        if self.verdicts[-1].reason is not None:
            refused.append(self)

    def look(honest: Any, self: views.ViewerState, match: Match, *args: Any) -> bool:
        changed = bool(honest(self, match, *args))
        if any(it is match for it in refused):
            self.last = self.last[::-1]
        return changed

    refused: list[Match] = []
    around(monkeypatch, Match, "_judge", judge)
    around(monkeypatch, views.ViewerState, "look", look)

    assert "last" in (hunted_hidden(game) or "")


def test_a_room_message_after_a_refused_move_is_caught(monkeypatch: Plant) -> None:
    def refuse(honest: Any, room: Room, *args: Any) -> None:
        refused = (
            any(it.reason is not None for it in room.match.verdicts) if room.match is not None else False
        )
        if refused:
            room.note()
        honest(room, *args)

    around(monkeypatch, Room, "_after", refuse)

    assert "Room" in (hunted_hidden("rune_market") or "")


@pytest.mark.parametrize("delay", [2_000_000, 200_000])
def test_a_clock_restarted_by_a_refused_move_is_caught(delay: int, monkeypatch: Plant) -> None:
    """The frames are the same, but the next one comes later: than any race may wait, or though there is no race."""

    def judge(honest: Any, self: Match, sent: Any, now: Micros, release: Any) -> None:
        honest(self, sent, now, release)
        if self.verdicts and self.verdicts[-1].reason is not None:
            for clock in self.clocks._clocks.values():
                if clock.due is not None:
                    clock.due += delay

    around(monkeypatch, Match, "_judge", judge)

    assert hunted_hidden("gravekeepers") is not None


def test_a_clock_that_visibly_stops_while_a_move_is_held_is_caught(monkeypatch: Plant) -> None:
    def visible(honest: Any, self: Clocks) -> Any:
        held = any(it._held for it in tables)
        return [(timer, None if held else due, left) for timer, due, left in honest(self)]

    def parts(honest: Any, it: Match, viewer: Viewer, over: Any) -> Any:
        tables[:] = [it]
        return honest(it, viewer, over)

    def play(honest: Any, self: Match, sent: Any, now: Any) -> bool:
        self.changes += 1
        return bool(honest(self, sent, now))

    tables: list[Match] = []
    around(monkeypatch, Clocks, "visible", visible)
    around(monkeypatch, views, "view_parts", parts)
    around(monkeypatch, Match, "play", play)

    assert hunted_hidden("kodiak") is not None


def test_offers_that_shrink_for_everybody_while_a_move_is_held_are_caught(monkeypatch: Plant) -> None:
    def parts(honest: Any, it: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(it, viewer, over)
        return {**found, "offers": () if it._held else found["offers"]}, last

    def play(honest: Any, self: Match, sent: Any, now: Any) -> bool:
        self.changes += 1
        return bool(honest(self, sent, now))

    around(monkeypatch, views, "view_parts", parts)
    around(monkeypatch, Match, "play", play)

    assert hunted_hidden("cambio") is not None


def test_a_view_sent_to_a_seat_with_a_held_move_because_another_was_refused_is_caught(
    monkeypatch: Plant,
) -> None:
    """An earlier fault: the held move of a seat was left out of its offers when others acted."""

    def parts(honest: Any, it: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(it, viewer, over)
        return {**found, "offers": views.offers_now(it, viewer, found)}, last

    around(monkeypatch, views, "view_parts", parts)

    assert hunted_hidden("alaska", 4) is not None


def all_on_autopilot(monkeypatch: Plant) -> None:
    """Not a fault: a state in which all players were away when the game began."""

    def begin(honest: Any, self: Match, now: Micros) -> None:
        honest(self, now)
        for seat in self.seats:
            self.set_autopilot(seat, True, now)

    around(monkeypatch, Match, "begin", begin)


@pytest.mark.parametrize("game", ["alaska", "cauldron15"])
def test_no_leak_is_found_for_seats_on_autopilot(game: str, monkeypatch: Plant) -> None:
    all_on_autopilot(monkeypatch)

    assert hunted_hidden(game, rooms=2) is None


def test_a_hidden_act_that_ends_autopilot_is_caught(monkeypatch: Plant) -> None:
    """A32, an earlier fault. Likewise, a let-go cancelled a missed clock."""
    all_on_autopilot(monkeypatch)
    monkeypatch.setattr(Match, "_was_noticed", lambda *_: True)

    assert "Room:" in (hunted_hidden("alaska") or "")


def test_a_refused_move_that_ends_autopilot_is_caught(monkeypatch: Plant) -> None:
    def judge(honest: Any, self: Match, sent: Any, now: Micros, release: Any) -> None:
        honest(self, sent, now, release)
        if self.seats[sent.seat].is_autopilot:
            self.set_autopilot(sent.seat, False, now)

    all_on_autopilot(monkeypatch)
    around(monkeypatch, Match, "_judge", judge)

    assert "Room:" in (hunted_hidden("cauldron15") or "")


def test_a_lost_claim_that_keeps_its_race_open_longer_is_caught(monkeypatch: Plant) -> None:
    """A race waits equally long for all seats. A losing claim must not lengthen it by more than the arbiter's wait."""

    def due(honest: Any, self: Match) -> Any:
        refused = sum(it.verdict == "refused" for it in self._notes.moves)
        return [(at + 900_000 * refused, *more) for at, *more in honest(self)]

    around(monkeypatch, Match, "_due_clocks", due)

    assert hunted_hidden("cambio") is not None


def test_a_log_head_that_grows_with_every_refused_move_is_caught(monkeypatch: Plant) -> None:
    def judge(honest: Any, self: Match, *args: Any) -> None:
        honest(self, *args)
        if self.verdicts and self.verdicts[-1].reason is not None:
            self.head += b"0"

    around(monkeypatch, Match, "_judge", judge)

    assert "head" in (hunted_hidden("cauldron15") or "")


def test_a_move_refused_because_of_another_seats_refused_move_is_caught(monkeypatch: Plant) -> None:
    """The answer to a third seat reveals that a second one tried."""

    def judge(honest: Any, self: Match, sent: Any, now: Micros, release: Any) -> None:
        honest(self, sent, now, release)
        last = self.verdicts[-1] if self.verdicts else None
        if last is not None and last.reason is not None:
            tried.add((id(self), self.step, sent.seat))
            others = [it for it in tried if it[:2] == (id(self), self.step) and it[2] != sent.seat]
            if others:
                self.verdicts[-1] = Answered(
                    last.seat,
                    last.request_id,
                    last.reason,
                    last.clause,
                    last.text + " You are not the first.",
                )

    tried: set[tuple[int, int, Seat]] = set()
    around(monkeypatch, Match, "_judge", judge)

    assert "text" in (hunted_hidden("jamaica", rooms=30) or "")


def test_a_view_that_waits_for_the_next_one_after_a_refused_move_is_caught(monkeypatch: Plant) -> None:
    """Both worlds send the same events and end with the same table, but the number of views reveals the refusal."""

    def judge(honest: Any, self: Match, *args: Any) -> None:
        honest(self, *args)
        if self.verdicts and self.verdicts[-1].reason is not None:
            lazy.add(id(self))

    def look(honest: Any, self: Broadcast, match: Match, over: Any) -> list[Viewer]:
        if id(match) in lazy and match.steps_unseen:
            lazy.discard(id(match))
            unseen[id(match)] = list(match.steps_unseen)
            return []
        match.steps_unseen[:0] = unseen.pop(id(match), [])
        found: list[Viewer] = honest(self, match, over)
        return found

    lazy: set[int] = set()
    unseen: dict[int, list[Any]] = {}
    around(monkeypatch, Match, "_judge", judge)
    around(monkeypatch, Broadcast, "look", look)

    # A later answer contains the number of the view too, and may be compared first.
    assert re.search(r"\(refused\): (View|Ack): ", hunted_hidden("cauldron15") or "")


# Another choice.


def test_a_choice_whose_length_can_be_seen_is_caught(monkeypatch: Plant) -> None:
    """J8: the view says how long the name of the chosen card is."""

    def parts(honest: Any, it: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(it, viewer, over)
        return {
            **found,
            "view": replace(found["view"], round=len(str([deck.chosen for deck in it.state.decks]))),
        }, last

    around(monkeypatch, views, "view_parts", parts)

    assert hunted_hidden("jamaica") is not None


def test_a_choice_that_moves_a_clock_is_caught(monkeypatch: Plant) -> None:
    """H9: a clock is due some microseconds later, depending on the card that was passed."""

    def parts(honest: Any, it: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(it, viewer, over)
        more = sum(card.number for card in it.state.passes if card is not None)
        clocks = tuple(
            (key, seat, waits, due and due + more, left) for key, seat, waits, due, left in found["clocks"]
        )
        return {**found, "clocks": clocks}, last

    around(monkeypatch, views, "view_parts", parts)

    assert "left_us" in (hunted_hidden("hameln_cave", 2) or "")
