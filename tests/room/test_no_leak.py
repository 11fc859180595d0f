"""Whole rooms in two worlds: what a viewer is sent does not depend on what it may not know (DESIGN §7).

The room's core runs on a state and on its resample with the same next fact. Every byte for the viewer (views,
offers, `last`, `seq`, race messages, refusals, the number of frames) is the same, unless the step lawfully
revealed a face. The log's head is keyed, and compared by length only.
"""

from typing import Any

import msgspec
import pytest

from photofinish.engine import Rng, Seat, Viewer
from photofinish.engine.convert import BadMove
from photofinish.engine.convert import move as typed
from photofinish.engine.offers import sample
from photofinish.games import shelf
from photofinish.room.facts import Asked, Cut, Fact, SessionId
from photofinish_protocol import messages
from tests.games.leaks import Sighting, unlawful
from tests.room.bench import Bench

STEPS = 220
GAMES = sorted(shelf())


def any_fact(bench: Bench, sessions: list[SessionId], rng: Rng) -> Fact | int:
    """Something that may happen next: mostly a legal move, now and then nonsense, talk, a cut, or time."""
    roll = rng.below(20)
    if roll < 4:
        return (50_000, 400_000, 2_000_000, 12_000_000)[roll]
    seat = rng.below(len(sessions))
    session = sessions[seat]
    match = bench.room.match
    assert match is not None
    offers = bench.game.offers(match.state, Seat(seat))
    if roll == 4:
        return Asked(session, messages.Chat(id=bench._next(session), text="hm"), bench.now)
    if roll == 5:
        return Cut(session)
    if not offers:
        seat = next((s for s in range(len(sessions)) if bench.game.offers(match.state, Seat(s))), seat)
        session, offers = sessions[seat], bench.game.offers(match.state, Seat(seat))
    sent = sample(offers, rng)
    if sent is None:
        return 3_000_000
    if roll == 6:
        sent = {key: (value + 1 if isinstance(value, int) else value) for key, value in sent.items()}
    message = messages.Play(
        id=bench._next(session), move=sent, race=match.nonce if roll != 7 else "old", react_us=None
    )
    race = bench.game.race(match.state)
    if race is None or roll == 8:
        message = msgspec.structs.replace(message, race=None)
    try:
        move = typed(bench.game, sent)
    except BadMove:
        move = None
    return Asked(session, message, bench.now, move)


def happen(bench: Bench, fact: Fact | int) -> None:
    if isinstance(fact, int):
        bench.wait(fact)
    else:
        bench.wait(150_000)  # so that a slap in a race is no false start
        if isinstance(fact, Asked):
            fact = Asked(fact.session, fact.message, bench.now, fact.move)
        bench.tell(fact)
        bench.wait(450_000)  # until what was held is released


def is_another_input(fact: Fact | int, bench: Bench, other: Bench, viewer: SessionId) -> bool:
    """Somebody else's move out of a hand that looks different in the other world is not the same input there."""
    if not isinstance(fact, Asked) or fact.session == viewer:
        return False
    answers = {type(world.answer(fact.session, fact.message.id)) for world in (bench, other)}
    return len(answers) > 1


def told(bench: Bench, session: SessionId) -> list[Any]:
    """Every frame of this session, the head masked."""
    frames: list[Any] = list(bench.heard[session])
    frames += [msgspec.structs.replace(view, head="0" * len(view.head)) for view in bench.views[session]]
    return frames


def sighting(bench: Bench, viewer: Viewer, session: SessionId) -> Sighting:
    assert bench.room.match is not None
    frames = [msgspec.to_builtins(frame) for frame in told(bench, session)]
    return Sighting(bench.game.view(bench.room.match.state, viewer), frames)


@pytest.mark.parametrize("key", GAMES)
def test_what_a_viewer_is_sent_does_not_depend_on_what_it_may_not_know(key: str) -> None:
    game = shelf()[key]
    compared = 0
    sizes = (game.seats.start, min(game.seats.stop - 1, 4))
    for table in range(12):
        if compared >= STEPS * 3 // 4:
            break
        seats = sizes[table % 2]
        rng = Rng(b"two worlds" + key.encode(), table)
        bench = Bench(game, seats)
        sessions = bench.start(seats)
        watcher = bench.watch()
        for step in range(STEPS // 2):
            match = bench.room.match
            assert match is not None
            if match.outcome is not None:
                break
            away = [seat for seat in range(seats) if bench.room.presence.chair_of(sessions[seat]) is None]
            if away:
                sessions[away[0]] = bench.resume(away[0])
            bench.forget_frames()
            viewer: Viewer = None if step % 5 == 4 else Seat(rng.below(seats))
            session = watcher if viewer is None else sessions[viewer]
            before = game.view(match.state, viewer)
            other = bench.copy()
            assert other.room.match is not None
            other.room.match.state = game.resample(match.state, viewer, Rng(b"other world", step))
            fact = any_fact(bench, sessions, rng)
            happen(bench, fact)
            happen(other, fact)
            if is_another_input(fact, bench, other, session):
                continue
            fault = unlawful(
                game.faces, before, sighting(bench, viewer, session), sighting(other, viewer, session)
            )

            assert fault is None, f"step {step}, {fact}: {fault}"
            compared += 1
    assert compared > 60
