"""Leaks planted in a room, not in a game: each is caught by the very proof that watches the rooms (DESIGN §7)."""

from typing import Any

import msgspec
import pytest
import structlog
from structlog.testing import capture_logs

from photofinish.engine import Micros, Rng, Seat, Viewer
from photofinish.games import shelf
from photofinish.room import broadcast, core, views
from photofinish.room.core import Room
from photofinish.room.facts import Asked
from photofinish.room.match import Match
from photofinish.room.moves import Answered
from photofinish.room.views import ViewerState
from photofinish_protocol import messages
from tests.games.leaks import Sighting, unlawful
from tests.room.bench import Bench
from tests.room.test_no_leak import any_fact, happen, is_another_input, sighting
from tests.room.test_race import MS, racing, slap

GAME = shelf()["cambio"]
SEATS = 3
Plant = pytest.MonkeyPatch


def watch(tables: int = 5, steps: int = 45) -> str | None:
    """Whole rooms in two worlds, as `test_no_leak` runs them, log lines too; the first fault, if there is one."""
    for table in range(tables):
        rng = Rng(b"planted", table)
        bench = Bench(GAME, SEATS)
        sessions = bench.start(SEATS)
        watcher = bench.watch()
        for step in range(steps):
            match = bench.room.match
            assert match is not None
            if match.outcome is not None:
                break
            for seat in range(SEATS):
                if bench.room.presence.chair_of(sessions[seat]) is None:
                    sessions[seat] = bench.resume(seat)
            bench.forget_frames()
            viewer: Viewer = None if step % 5 == 4 else Seat(rng.below(SEATS))
            session = watcher if viewer is None else sessions[viewer]
            before = GAME.view(match.state, viewer)
            other = bench.copy()
            assert other.room.match is not None
            other.room.match.state = GAME.resample(match.state, viewer, Rng(b"other world", step))
            fact = any_fact(bench, sessions, rng)
            logs = []
            for world in (bench, other):
                with capture_logs() as lines:
                    happen(world, fact)
                logs.append(lines)
            if is_another_input(fact, bench, other, session):
                continue
            here, there = (sighting(world, viewer, session) for world in (bench, other))
            here, there = (
                Sighting(it.view, [it.rest, log]) for it, log in zip((here, there), logs, strict=True)
            )
            fault = unlawful(GAME.faces, before, here, there)
            if fault is not None:
                return fault
    return None


def secret(match: Match) -> bool:
    """What nobody can know: something about the bottom card of the main stock."""
    return bool(match.state.main) and bool(sum(match.state.main[0].encode()) & 1)


def test_the_honest_room_passes() -> None:
    assert watch() is None


def test_a_refusal_whose_words_depend_on_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    honest = Room._after

    def after(room: Room, now: Any) -> None:
        match = room.match
        if match is not None and secret(match):
            match.verdicts = [
                Answered(it.seat, it.ask, it.reason, it.clause, it.text + " Hm.") if it.reason else it
                for it in match.verdicts
            ]
        honest(room, now)

    monkeypatch.setattr(Room, "_after", after)

    assert "text" in (watch() or "")


def test_an_answer_that_is_only_sometimes_preceded_by_pending_is_caught(monkeypatch: Plant) -> None:
    honest = Room._asked

    def asked(room: Room, fact: Asked, now: Any) -> None:
        honest(room, fact, now)
        if room.match is not None and secret(room.match):
            room.out.send(fact.session, messages.Pending(id=fact.message.id))

    monkeypatch.setattr(Room, "_asked", asked)

    assert watch() is not None


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

    assert watch() is not None


def test_a_seq_that_counts_what_the_viewer_cannot_see_is_caught(monkeypatch: Plant) -> None:
    honest = ViewerState.look

    def look(self: ViewerState, match: Match, viewer: Viewer, over: Any) -> bool:
        self.seq += secret(match)
        return honest(self, match, viewer, over)

    monkeypatch.setattr(ViewerState, "look", look)

    assert "seq" in (watch() or "")


def test_a_race_told_only_when_a_hidden_card_says_so_is_caught(monkeypatch: Plant) -> None:
    honest = core.tell_race

    def tell(record: Any, presence: Any, out: Any, shown: Any, match: Match, finished: Any, now: Any) -> None:
        if not secret(match):
            honest(record, presence, out, shown, match, finished, now)

    monkeypatch.setattr(core, "tell_race", tell)

    assert watch() is not None


def test_a_clock_that_differs_by_a_hair_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    honest = views.view_parts

    def parts(match: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(match, viewer, over)
        clocks = tuple((key, seat, due, left + secret(match)) for key, seat, due, left in found["clocks"])
        due = tuple((key, seat, d and d + secret(match), left) for key, seat, d, left in clocks)
        return {**found, "clocks": due}, last

    monkeypatch.setattr(views, "view_parts", parts)

    assert "left_us" in (watch() or "")


def test_offers_whose_order_depends_on_a_hidden_card_are_caught(monkeypatch: Plant) -> None:
    honest = views.view_parts

    def parts(match: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(match, viewer, over)
        return {**found, "offers": found["offers"][:: -1 if secret(match) else 1]}, last

    monkeypatch.setattr(views, "view_parts", parts)

    assert "offers" in (watch() or "")


def test_a_frame_that_is_a_byte_longer_for_a_hidden_card_is_caught(monkeypatch: Plant) -> None:
    """The log's head is keyed and cannot be compared, but its length can."""
    honest = broadcast.compose

    def compose(sight: ViewerState, match: Match, viewer: Viewer, **more: Any) -> messages.View:
        view = honest(sight, match, viewer, **more)
        return msgspec.structs.replace(view, head=view.head + "0" * secret(match))

    monkeypatch.setattr(broadcast, "compose", compose)

    assert "head" in (watch() or "")


def test_a_line_about_the_lobby_that_knows_a_card_is_caught(monkeypatch: Plant) -> None:
    honest = Room._describe

    def describe(room: Room, now: Micros) -> messages.Room:
        told = honest(room, now)
        odd = room.match is not None and secret(room.match)
        return msgspec.structs.replace(told, watchers=told.watchers + odd)

    monkeypatch.setattr(Room, "_describe", describe)

    assert "watchers" in (watch() or "")


def test_a_log_line_with_a_card_is_caught(monkeypatch: Plant) -> None:
    honest = Room.take

    def take(room: Room, fact: Any, now: Any) -> None:
        if room.match is not None and room.match.state.main:
            structlog.get_logger().debug("taking", under=room.match.state.main[0])
        honest(room, fact, now)

    monkeypatch.setattr(Room, "take", take)

    assert "under" in (watch() or "")


# A held move (RACES §4). Both worlds hold it, so it takes a world without it to see whether others notice.


def look_whenever_a_move_comes(monkeypatch: Plant) -> None:
    """What the plants below need: a room that looks at its views anew when a move is only held."""
    honest = Match.play

    def play(match: Match, sent: Any, now: Any) -> bool:
        match.changes += 1
        return honest(match, sent, now)

    monkeypatch.setattr(Match, "play", play)


def noticed_while_held(bystander: int) -> bool:
    """Somebody slaps and waits for the verdict; can another seat tell that from nobody having slapped?"""
    bench, sessions = racing()
    bench.wait(300 * MS)
    bench.forget_frames()
    quiet = bench.copy()
    assert slap(bench, sessions[1]) is None
    for world in (bench, quiet):
        world.wait(15 * MS)
    assert bench.room.match is not None
    assert bench.room.match._held
    session = sessions[bystander]
    return (
        sighting(bench, Seat(bystander), session).frame() != sighting(quiet, Seat(bystander), session).frame()
    )


def test_nobody_notices_a_held_move(monkeypatch: Plant) -> None:
    look_whenever_a_move_comes(monkeypatch)

    assert not noticed_while_held(0)
    assert not noticed_while_held(2)


def test_a_clock_that_visibly_stands_still_while_a_move_is_held_is_caught(monkeypatch: Plant) -> None:
    honest = views.view_parts

    def parts(match: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(match, viewer, over)
        clocks = tuple(
            (key, seat, None if match._held else due, left) for key, seat, due, left in found["clocks"]
        )
        return {**found, "clocks": clocks}, last

    monkeypatch.setattr(views, "view_parts", parts)
    look_whenever_a_move_comes(monkeypatch)

    assert noticed_while_held(0)


def test_offers_that_shrink_for_everybody_while_a_move_is_held_are_caught(monkeypatch: Plant) -> None:
    honest = views.view_parts

    def parts(match: Match, viewer: Viewer, over: Any) -> Any:
        found, last = honest(match, viewer, over)
        return {**found, "offers": () if match._held else found["offers"]}, last

    monkeypatch.setattr(views, "view_parts", parts)
    look_whenever_a_move_comes(monkeypatch)

    assert noticed_while_held(0)
