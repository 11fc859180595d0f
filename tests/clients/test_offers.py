"""A player that knows no rules samples moves from the offers; the engine decides whether they are admitted."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from photofinish.engine import offers as engine
from photofinish_client.bots import QUICKEST, RandomPlayer
from photofinish_client.offers import sample, sample_one
from photofinish_protocol.messages import OpenRace
from photofinish_protocol.offers import Amounts, Offer, OneOf, SomeOf
from tests.clients.server_messages import CALL, DRAW, RACE, SLAP, view

SLOT = st.fixed_dictionaries({"seat": st.integers(0, 3), "slot": st.integers(0, 3)})
VALUES = st.lists(st.integers(0, 30), unique=True, max_size=6)


@st.composite
def some(draw: st.DrawFn) -> SomeOf:
    values = draw(VALUES)
    weights = draw(st.lists(st.integers(0, 5), min_size=len(values), max_size=len(values)))
    least, most = sorted(draw(st.tuples(st.integers(0, 4), st.integers(0, 6))))
    rules: tuple[dict[str, Any], ...] = ({}, {"sums": (3, 5)}, {"sum_least": 4})
    rule = draw(st.sampled_from(rules))
    if rule:
        rule = rule | {"weights": tuple(weights)}
    return SomeOf("some", tuple(values), least, most, optional=draw(st.booleans()), **rule)


@st.composite
def amounts(draw: st.DrawFn) -> Amounts:
    limits = draw(st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=3))
    least, most = sorted(draw(st.tuples(st.integers(0, 5), st.integers(0, 6))))
    return Amounts("amounts", limits, least, most, optional=draw(st.booleans()))


@st.composite
def rows(draw: st.DrawFn) -> OneOf:
    made = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), max_size=5))
    return OneOf(("row", "mark"), tuple(made), optional=draw(st.booleans()))


@st.composite
def any_offer(draw: st.DrawFn) -> Offer:
    if draw(st.booleans()):
        where: Any = draw(st.sampled_from(["different_seats", "different_values"]))
        slots = st.lists(SLOT, min_size=1, max_size=4).map(lambda it: tuple((slot,) for slot in it))
        first, second = OneOf(("a",), draw(slots)), OneOf(("b",), draw(slots))
        return Offer("swap", (first, second, *draw(st.lists(amounts(), max_size=1))), where)
    kinds: tuple[st.SearchStrategy[OneOf | SomeOf | Amounts], ...] = (rows(), some(), amounts())
    choices = [draw(kind) for kind in kinds if draw(st.booleans())]
    return Offer("move", tuple(choices))


@settings(max_examples=300, deadline=None)
@given(any_offer(), st.integers(0, 2**32))
def test_the_engine_admits_every_sampled_move_and_none_means_that_there_is_no_move(
    it: Offer, seed: int
) -> None:
    move = sample_one(it, random.Random(seed))

    if move is None:
        assert next(engine.moves(it), None) is None
    else:
        assert engine.admits([it], move)


def test_a_move_that_random_picks_would_hardly_find_is_found() -> None:
    tight = Offer("meld", (SomeOf("cards", tuple(range(14)), 7, 7, tuple(2**n for n in range(14)), (127,)),))

    sent = sample_one(tight, random.Random(1))
    assert sent is not None
    assert sorted(sent["cards"]) == list(range(7))


def test_an_offer_with_nothing_to_pick_is_skipped() -> None:
    empty = Offer("slap", (OneOf(("slot",), ()),))

    assert sample((empty, CALL), random.Random(3)) == {"t": "call"}
    assert sample((empty,), random.Random(3)) is None


def test_every_row_is_played_sooner_or_later() -> None:
    chance = random.Random(5)

    seen = {(sample((SLAP,), chance) or {})["mark"] for _ in range(100)}

    assert seen == {4, 7, 9}


def test_a_random_player_is_not_faster_than_a_person_in_a_race() -> None:
    player = RandomPlayer(random.Random(2), eager=1)
    decisions = [player.choose(view(1, 0, race=RACE, offers=(SLAP, DRAW))) for _ in range(50)]

    assert all(isinstance(it, tuple) and it[0]["t"] == "slap" and it[1] >= QUICKEST for it in decisions)


def test_a_random_player_may_skip_a_race_but_always_takes_its_turn() -> None:
    player = RandomPlayer(random.Random(2), eager=0)

    assert player.choose(view(1, 0, race=RACE, offers=(SLAP,))) is None
    assert player.choose(view(1, 0, race=RACE, offers=(SLAP, CALL))) == ({"t": "call"}, 0.0)


def test_a_watcher_and_a_finished_game_ask_for_no_move() -> None:
    assert RandomPlayer().choose(view(1, 0, you=None, offers=(CALL,))) is None
    assert RandomPlayer().choose(view(1, 0)) is None


@pytest.mark.parametrize("closers", [(), ("draw",)])
def test_a_closing_move_is_played_at_an_ordinary_pace(closers: tuple[str, ...]) -> None:
    race = OpenRace(key="r", nonce="n", moves=("slap", *closers), closers=closers)
    player = RandomPlayer(random.Random(2), eager=0)

    decision = player.choose(view(1, 0, race=race, offers=(DRAW,)))
    assert isinstance(decision, tuple)
    assert decision[0]["t"] == "draw"
