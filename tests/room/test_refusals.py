"""Every refusal of a move says why: it names a clause of the game, or the field that is wrong."""

import re
from typing import Any

import msgspec
import pytest

from photofinish.engine import AnyGame, Rng
from photofinish.engine.offers import sample
from photofinish.games import all_games
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.games.mutants import made_up, well_formed
from tests.games.promises import clauses
from tests.room.bench import SECOND, Bench

MS = 1000
NOT_THE_GAMES = {Reason.STALE_ID}
"""Reasons of refusals that do not come from the rules of a game."""

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.key)


def judge(game: AnyGame, refused: messages.Refused, sent: Any) -> None:
    if refused.reason in NOT_THE_GAMES:
        return
    if refused.reason is Reason.BAD_MOVE:
        assert "`" in refused.text, f"{refused} names no field of {sent}"
        return
    assert refused.clause in clauses(game.key), f"{refused} names no clause"


def refusals(bench: Bench) -> list[messages.Refused]:
    return [it for heard in bench.heard.values() for it in heard if isinstance(it, messages.Refused)]


@every_game
def test_every_refusal_of_a_move_names_a_clause_or_a_field(game: AnyGame) -> None:
    """Before the deal, in play, in races with right, wrong and no nonces, in time and late, and after the end."""
    seats, rng = min(max(game.seats), 4), Rng(f"refusals {game.key}".encode(), 0)
    bench = Bench(game, seats)
    before = bench.sit(0)
    judge(game, bench.play(before, made_up(game, rng)), None)
    bench = Bench(game, seats)
    sessions = bench.start(seats)
    seen: set[Reason] = set()
    for _ in range(700):
        session = sessions[rng.below(seats)]
        offers = bench.view(session).offers
        sent = (sample(offers, rng) or {}) if offers and rng.below(3) else made_up(game, rng)
        nonce = {} if rng.below(3) else {"race": rng.pick(("", "00", "ab" * 8))}
        bench.play(session, sent, **nonce)
        bench.wait(rng.below(600) * MS)
        for refused in refusals(bench):
            seen.add(refused.reason)
            judge(game, refused, sent)
        bench.forget_frames()
        if bench.view(session).over is not None:
            break
    while bench.view(sessions[0]).over is None:
        bench.wait(600 * SECOND)
        bench.forget_frames()
    over = bench.play(sessions[0], well_formed(game, rng))

    assert (over.reason, over.clause in clauses(game.key)) == (Reason.GAME_OVER, True)
    assert Reason.ILLEGAL_MOVE in seen
    if game.clauses.race:
        assert seen & {Reason.NO_RACE, Reason.WRONG_NONCE}, "no refusal by the room was looked at"


@every_game
def test_a_bad_move_is_refused_with_the_name_of_the_wrong_field(game: AnyGame) -> None:
    bench, rng = Bench(game, min(game.seats)), Rng(f"fields {game.key}".encode(), 0)
    session = bench.start(min(game.seats))[0]
    assert "`t`" in bench.play(session, {"t": "no_such_move"}).text
    assert "`t`" in bench.play(session, {}).text
    looked_at = set()
    for _ in range(60):
        good = well_formed(game, rng)
        assert "`no_such_field`" in bench.play(session, {**good, "no_such_field": 1}).text
        for name in good.keys() - {"t"}:
            refused = bench.play(session, {**good, name: 3.5})
            assert refused.reason is Reason.BAD_MOVE
            assert re.search(rf"`{name}\b", refused.text), refused.text
            looked_at.add(name)
        bench.forget_frames()

    assert bool(looked_at) == any(msgspec.structs.fields(it) for it in game.moves)
    assert len(bench.play(session, {"t": "x" * 8000}).text) < 300


@every_game
def test_the_room_cites_only_clauses_of_its_game(game: AnyGame) -> None:
    known = clauses(game.key)
    cited = [game.clauses.deal, game.clauses.over]
    if game.race is not type(game).__dataclass_fields__["race"].default:
        cited.append(game.clauses.race)

    assert all(it in known for it in cited), cited
