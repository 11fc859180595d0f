"""Sampling, listing and checking of offers agree with each other."""

from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from photofinish.engine.offers import (
    Amounts,
    Choice,
    Offer,
    OneOf,
    SomeOf,
    Where,
    admits,
    moves,
    sample,
    sample_one,
)
from photofinish.engine.rng import Rng

values = st.integers(0, 5) | st.sampled_from(["red", "blue"]) | st.booleans()
refs = st.fixed_dictionaries(
    {"seat": st.integers(0, 3), "slot": st.integers(0, 3), "mark": st.integers(0, 9)}
)


def one_ofs(name: str, inner: st.SearchStrategy[Any] = values) -> st.SearchStrategy[OneOf]:
    rows = st.lists(st.tuples(inner), min_size=1, max_size=5, unique_by=repr).map(tuple)
    return st.builds(OneOf, st.just((name,)), rows, st.booleans())


def pairs(name: str) -> st.SearchStrategy[OneOf]:
    rows = st.lists(st.tuples(values, values), min_size=1, max_size=5, unique_by=repr).map(tuple)
    return st.builds(OneOf, st.just((name, name + "_mark")), rows, st.booleans())


@st.composite
def some_ofs(draw: st.DrawFn, name: str) -> SomeOf:
    given_values = draw(st.lists(values, min_size=1, max_size=5, unique_by=repr).map(tuple))
    least = draw(st.integers(0, len(given_values)))
    most = draw(st.integers(least, 6))
    weights = draw(st.just(()) | st.tuples(*[st.integers(0, 4)] * len(given_values)))
    sums = draw(st.just(()) | st.tuples(st.integers(0, 8), st.integers(0, 8)))
    sum_least = draw(st.none() | st.integers(0, 6))
    return SomeOf(name, given_values, least, most, weights, sums, sum_least, draw(st.booleans()))


@st.composite
def amounts(draw: st.DrawFn, name: str) -> Amounts:
    limits = draw(st.dictionaries(st.sampled_from(["food", "gold", "powder"]), st.integers(0, 3), min_size=1))
    least = draw(st.integers(0, sum(limits.values())))
    return Amounts(name, limits, least, draw(st.integers(least, 9)), draw(st.booleans()))


def choices(name: str) -> st.SearchStrategy[Choice]:
    return st.one_of(one_ofs(name), one_ofs(name, refs), pairs(name), some_ofs(name), amounts(name))


@st.composite
def offers(draw: st.DrawFn) -> Offer:
    parts = [draw(choices(name)) for name in ("a", "b", "c")[: draw(st.integers(0, 3))]]
    return Offer("move", tuple(parts))


@st.composite
def swaps(draw: st.DrawFn) -> Offer:
    where: Where = draw(st.sampled_from(("different_seats", "different_values")))
    return Offer("swap", (draw(one_ofs("a", refs)), draw(one_ofs("b", refs))), where)


NOTHING_ADDS_UP = Offer("move", (SomeOf("a", (0,), most=0, weights=(0,), sums=(1,), optional=True),))


@given(offers() | swaps(), st.integers(0, 2**32))
@example(NOTHING_ADDS_UP, 1)
def test_every_sampled_move_is_listed_and_admitted(it: Offer, seed: int) -> None:
    listed = list(moves(it))
    assume(listed)
    sent = sample_one(it, Rng(b"sample", seed))

    assert admits([it], sent)
    assert any(_canonical(sent) == _canonical(other) for other in listed)


@given(offers() | swaps())
def test_every_listed_move_is_admitted_and_none_is_listed_twice(it: Offer) -> None:
    listed = list(moves(it))

    assert all(admits([it], sent) for sent in listed)
    assert len({repr(_canonical(sent)) for sent in listed}) == len(listed)


@given(offers() | swaps(), st.dictionaries(st.sampled_from(["t", "a", "b", "c", "a_mark", "x"]), values))
def test_every_admitted_move_is_listed(it: Offer, sent: dict[str, Any]) -> None:
    sent = {"t": it.move, **sent}
    if admits([it], sent):
        assert any(_canonical(sent) == _canonical(other) for other in moves(it))


def _canonical(sent: dict[str, Any]) -> Any:
    """Lists without their order, amounts without their zeros, and True is not 1."""
    plain: dict[str, Any] = {}
    for key, value in sent.items():
        if isinstance(value, list | tuple):
            plain[key] = sorted(map(repr, value))
        elif isinstance(value, dict) and "slot" not in value:
            plain[key] = sorted((k, n) for k, n in value.items() if n)
        else:
            plain[key] = repr(value)
    return plain


def test_a_swap_never_names_two_cards_of_one_seat() -> None:
    refs_of = tuple(({"seat": seat, "slot": 0, "mark": 1},) for seat in (0, 0, 1))
    it = Offer("swap", (OneOf(("a",), refs_of), OneOf(("b",), refs_of)), "different_seats")

    assert all(sent["a"]["seat"] != sent["b"]["seat"] for sent in moves(it))
    assert not admits([it], {"t": "swap", "a": refs_of[0][0], "b": refs_of[1][0]})
    assert admits([it], {"t": "swap", "a": refs_of[0][0], "b": refs_of[2][0]})


def test_an_omitted_choice_cannot_break_the_constraint() -> None:
    rows = (({"seat": 0},),)
    it = Offer("swap", (OneOf(("a",), rows), OneOf(("b",), rows, optional=True)), "different_seats")

    assert list(moves(it)) == [{"t": "swap", "a": {"seat": 0}}]
    assert sample_one(it, Rng(b"", 0)) == {"t": "swap", "a": {"seat": 0}}


def test_without_offers_there_is_no_sample() -> None:
    assert sample((), Rng(b"", 0)) is None


def test_an_optional_choice_without_rows_is_always_left_out() -> None:
    it = Offer("keep", (OneOf(("slot",), (), optional=True),))

    assert [sample_one(it, Rng(b"", n)) for n in range(20)] == [{"t": "keep"}] * 20


def test_a_rare_sum_is_found_although_random_picks_hardly_ever_reach_it() -> None:
    """Twelve coins of which one pick in 4,096 adds up."""
    coins = tuple(2**n for n in range(12))
    it = Offer("pay", (SomeOf("coins", coins, most=12, weights=coins, sums=(2741,)),))
    sent = sample_one(it, Rng(b"", 3))

    assert sum(sent["coins"]) == 2741


def test_a_list_is_listed_up_to_the_limit_and_no_further() -> None:
    it = Offer("pick", (OneOf(("n",), tuple((n,) for n in range(50))),))

    assert len(list(moves(it, limit=7))) == 7


ROW = Offer("slap", (OneOf(("seat", "slot"), ((1, 2), (2, 1))),))
SOME = Offer("sell", (SomeOf("cards", (0, 1, 2), least=1, most=2),))
LOAD = Offer("load", (Amounts("goods", {"food": 2, "gold": 1}, least=1, most=2),))


@pytest.mark.parametrize(
    ("it", "sent"),
    [
        (ROW, {"t": "slap", "seat": 1, "slot": 1}),
        (ROW, {"t": "slap", "seat": 1}),
        (ROW, {"t": "slap", "seat": True, "slot": 2}),
        (ROW, {"t": "slap", "seat": 1, "slot": 2, "mark": 0}),
        (ROW, {"t": "slop", "seat": 1, "slot": 2}),
        (ROW, {"seat": 1, "slot": 2}),
        (SOME, {"t": "sell", "cards": []}),
        (SOME, {"t": "sell", "cards": [0, 0]}),
        (SOME, {"t": "sell", "cards": [0, 1, 2]}),
        (SOME, {"t": "sell", "cards": [7]}),
        (SOME, {"t": "sell", "cards": "01"}),
        (SOME, {"t": "sell", "cards": None}),
        (LOAD, {"t": "load", "goods": {}}),
        (LOAD, {"t": "load", "goods": {"food": 2, "gold": 1}}),
        (LOAD, {"t": "load", "goods": {"food": 3}}),
        (LOAD, {"t": "load", "goods": {"gold": -1, "food": 2}}),
        (LOAD, {"t": "load", "goods": {"silver": 1}}),
        (LOAD, {"t": "load", "goods": {"food": "1"}}),
        (LOAD, {"t": "load", "goods": {"food": True}}),
        (LOAD, {"t": "load", "goods": [1]}),
    ],
)
def test_a_move_outside_the_offer_is_not_admitted(it: Offer, sent: dict[str, Any]) -> None:
    assert not admits([it], sent)


@pytest.mark.parametrize(
    ("it", "sent"),
    [
        (ROW, {"t": "slap", "seat": 2, "slot": 1, "mark": None}),
        (SOME, {"t": "sell", "cards": (2, 0)}),
        (LOAD, {"t": "load", "goods": {"food": 1, "gold": 0}}),
        (LOAD, {"t": "load", "goods": {"gold": 1, "food": 1}}),
    ],
)
def test_a_move_as_a_client_may_write_it_is_admitted(it: Offer, sent: dict[str, Any]) -> None:
    assert admits([it], sent)
