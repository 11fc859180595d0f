"""Planted leaks are found by the same functions that check the real games."""

from dataclasses import replace as with_field
from typing import Any

import pytest
from msgspec import to_builtins

from photofinish.engine import (
    Act,
    AnyGame,
    Happened,
    IllegalMove,
    Millis,
    Record,
    Timer,
    offer,
    replace,
    rows,
)
from tests.games.leaks import ViewerOutput, unlawful
from tests.games.promises import Broken, Proof
from tests.games.sample.game import MAGPIES, Close, Face, Slap, Swap, targets


def watch(game: AnyGame, games: int = 40) -> Proof:
    """Play some games of it with every check. Returns the last proof if no check failed."""
    proof = Proof(game, 3, game.options(), b"\0")
    for seed in range(games):
        proof = Proof(game, 3, game.options(), bytes([seed, 1]), every=2, variation=proof.variation)
        proof.run(1000)
    faults = proof.variation.faults()
    if faults:
        raise Broken(faults[0])
    return proof


def test_the_honest_game_passes() -> None:
    assert watch(MAGPIES).play.is_over


def test_a_view_that_shows_the_top_of_the_pile_is_caught() -> None:
    def view(state: Any, viewer: Any) -> Any:
        honest = MAGPIES.view(state, viewer)
        return replace(honest, pile=honest.pile * 100 + state.pile[0])

    with pytest.raises(Broken, match=r"can tell a state from its resample: view\.pile"):
        watch(with_field(MAGPIES, view=view))


def test_a_size_that_only_a_hidden_card_explains_is_caught() -> None:
    """A pile counted one short when a certain card lies under it: no face, just a number."""

    def view(state: Any, viewer: Any) -> Any:
        honest = MAGPIES.view(state, viewer)
        return replace(honest, pile=honest.pile - (state.pile[-1] == 0))

    with pytest.raises(Broken, match=r"view\.pile"):
        watch(with_field(MAGPIES, view=view))


def test_an_offer_computed_from_a_hidden_card_is_caught() -> None:
    """A server that offers a slap only to the seats that can win it."""

    def offers(state: Any, seat: Any) -> Any:
        if state.phase == "race" and state.discard[-1] not in state.slots[seat]:
            return tuple(it for it in MAGPIES.offers(state, seat) if it.move != "slap")
        return MAGPIES.offers(state, seat)

    with pytest.raises(Broken, match=r"offers|was not offered"):
        watch(with_field(MAGPIES, offers=offers))


def test_an_offers_text_that_depends_on_another_hand_is_caught() -> None:
    def offers(state: Any, seat: Any) -> Any:
        rich = any(sum(hand) > 6 for hand in state.hands)
        return tuple(replace(it, text="Quick!" if rich else "") for it in MAGPIES.offers(state, seat))

    with pytest.raises(Broken, match=r"offers\[0\]"):
        watch(with_field(MAGPIES, offers=offers))


def test_a_clock_that_runs_only_when_a_seat_holds_something_is_caught() -> None:
    def timers(state: Any) -> Any:
        honest = MAGPIES.timers(state)
        if honest and state.phase == "trade" and 6 in state.hands[state.lead]:
            return (*honest, Timer(f"six:{state.beat}", Millis(90_000)))
        return honest

    with pytest.raises(Broken, match=r"rest\.timers"):
        watch(with_field(MAGPIES, timers=timers))


def test_a_race_that_names_only_those_who_hold_a_match_is_caught() -> None:
    def race(state: Any) -> Any:
        honest = MAGPIES.race(state)
        if honest is None:
            return None
        able = [seat for seat in honest.seats if state.discard[-1] in state.slots[seat]]
        return with_field(honest, seats=tuple(able))

    with pytest.raises(Broken, match=r"rest\.race"):
        watch(with_field(MAGPIES, race=race))


def test_a_refusal_whose_text_depends_on_a_hidden_card_is_caught() -> None:
    def apply(state: Any, event: Any, rng: Any) -> Any:
        try:
            return MAGPIES.apply(state, event, rng)
        except IllegalMove as refusal:
            hint = "Not yet." if state.pile[0] > 3 else "Better not."
            raise IllegalMove(refusal.clause, hint) from None

    with pytest.raises(Broken, match="learns from a refusal"):
        watch(with_field(MAGPIES, apply=apply))


def test_a_private_event_sent_to_everybody_is_caught() -> None:
    """The bidder is told its sum; a view that forgets `told` tells the whole table."""

    def view(state: Any, viewer: Any) -> Any:
        return replace(MAGPIES.view(state, viewer), last=state.last)

    with pytest.raises(Broken, match="`last`"):
        watch(with_field(MAGPIES, view=view))


def test_a_private_event_sent_to_everybody_without_the_field_only_is_caught() -> None:
    """The same leak in a less obvious form: only the comparison of two worlds finds it."""

    def apply(state: Any, event: Any, rng: Any) -> Any:
        after = MAGPIES.apply(state, event, rng)
        if after.phase == "keep":
            return replace(after, last=(Happened("drew", after.lead, detail={"card": after.drawn}),))
        return after

    with pytest.raises(Broken, match=r"view\.last\[0\]\.detail"):
        watch(with_field(MAGPIES, apply=apply))


def test_a_face_sent_to_everybody_in_last_is_caught() -> None:
    def apply(state: Any, event: Any, rng: Any) -> Any:
        after = MAGPIES.apply(state, event, rng)
        if after.phase == "keep":
            return replace(
                after, last=(Happened("drew", after.lead, detail={"card": {"rune": after.drawn}}),)
            )
        return after

    def view(state: Any, viewer: Any) -> Any:
        honest = MAGPIES.view(state, viewer)
        faces = tuple(
            replace(it, detail={"card": Face(it.detail["card"]["rune"])}) if "card" in it.detail else it
            for it in honest.last
        )
        return replace(honest, last=faces)

    with pytest.raises(Broken, match=r"view\.last\[0\]\.detail"):
        watch(with_field(MAGPIES, apply=apply, view=view))


def test_a_mark_that_moves_only_for_a_certain_card_is_caught_by_the_two_worlds() -> None:
    """Nothing shows before the step, and after it the mark is public: only the comparison of two worlds finds it."""

    def apply(state: Any, event: Any, rng: Any) -> Any:
        after = MAGPIES.apply(state, event, rng)
        if isinstance(event, Act) and isinstance(event.move, Close) and state.pile[0] < 3:
            marks = (tuple(mark + 1 for mark in after.marks[0]), *after.marks[1:])
            return replace(after, marks=marks)
        return after

    with pytest.raises(Broken, match="learns too much"):
        watch(with_field(MAGPIES, apply=apply))


def test_a_penalty_for_a_card_that_nobody_sees_is_caught_by_the_two_worlds() -> None:
    def apply(state: Any, event: Any, rng: Any) -> Any:
        after = MAGPIES.apply(state, event, rng)
        if isinstance(event, Act) and isinstance(event.move, Swap):
            fine = int(state.slots[event.move.a.seat][event.move.a.slot] == 0)
            return replace(after, points=(after.points[0] - fine, *after.points[1:]))
        return after

    with pytest.raises(Broken, match="learns too much"):
        watch(with_field(MAGPIES, apply=apply))


def test_a_move_accepted_or_not_by_a_hidden_card_is_caught() -> None:
    def apply(state: Any, event: Any, rng: Any) -> Any:
        match event:
            case Act(_, Slap(seat, slot)) if (
                state.phase == "race" and 6 in state.slots[seat % 3][slot : slot + 1]
            ):
                raise IllegalMove("M5", "A six cannot be slapped.")
        return MAGPIES.apply(state, event, rng)

    with pytest.raises((Broken, IllegalMove), match=r"M5|six"):
        watch(with_field(MAGPIES, apply=apply))


def test_a_resample_that_permutes_nothing_is_noticed() -> None:
    with pytest.raises(Broken, match="resample does not vary"):
        watch(with_field(MAGPIES, resample=lambda state, _viewer, _rng: state))


@pytest.mark.parametrize(
    ("forgotten", "place"), [("hands", r"hand\.\*"), ("bids", r"bids\.\*"), ("drawn", "drawn")]
)
def test_a_resample_that_forgets_one_kind_of_secret_is_noticed(forgotten: str, place: str) -> None:
    def resample(state: Any, viewer: Any, rng: Any) -> Any:
        again = MAGPIES.resample(state, viewer, rng)
        return replace(again, **{forgotten: getattr(state, forgotten)})

    with pytest.raises(Broken, match=f"resample does not vary {place}"):
        watch(with_field(MAGPIES, resample=resample), games=70)


def test_a_move_accepted_outside_the_offers_is_caught() -> None:
    def offers(state: Any, seat: Any) -> Any:
        """Only one's own cards to slap: the rules allow anybody's."""
        own = [(owner, slot, mark) for owner, slot, mark in targets(state) if owner == seat]
        slap = (offer(Slap, rows("seat slot mark", own)),) if own and state.phase == "race" else ()
        return (*slap, *(it for it in MAGPIES.offers(state, seat) if it.move != "slap"))

    with pytest.raises(Broken, match="was not offered"):
        watch(with_field(MAGPIES, offers=offers))


def test_an_offer_the_rules_refuse_is_caught() -> None:
    def offers(state: Any, seat: Any) -> Any:
        extra = (offer(Close),) if state.phase == "race" else ()
        return (*MAGPIES.offers(state, seat), *extra)

    with pytest.raises((Broken, IllegalMove), match="M3"):
        watch(with_field(MAGPIES, offers=offers))


def test_a_state_that_msgpack_changes_is_caught() -> None:
    def setup(table: Any, rng: Any) -> Any:
        state = MAGPIES.setup(table, rng)
        return replace(state, pile=list(state.pile))

    with pytest.raises(Broken, match="survive msgpack"):
        watch(with_field(MAGPIES, setup=setup))


def test_a_rule_that_keeps_its_own_state_is_caught() -> None:
    """Something kept outside the state: the log alone does not give the same game."""
    moves_made = [0]

    def apply(state: Any, event: Any, rng: Any) -> Any:
        after = MAGPIES.apply(state, event, rng)
        moves_made[0] += 1
        return replace(after, throws=moves_made[0]) if after.phase == "trade" else after

    with pytest.raises(Broken, match=r"two states|another state"):
        watch(with_field(MAGPIES, apply=apply))


class Pile(Record, frozen=True):
    faces: tuple[Face, ...]
    size: int
    last: tuple[Happened, ...]


def turned(*runes: int) -> tuple[Happened, ...]:
    return tuple(
        Happened("turned", None, "A card is turned.", {"card": to_builtins(Face(rune))}) for rune in runes
    )


def test_which_of_two_cards_came_first_is_revealed_and_may_have_consequences() -> None:
    before, shown = Pile((), 2, ()), (Face(1), Face(2))
    one, other = ViewerOutput(Pile(shown, 1, turned(1, 2))), ViewerOutput(Pile(shown, 0, turned(2, 1)))
    assert unlawful((Face,), before, one, other) is None


def test_an_order_of_cards_that_stayed_hidden_is_caught_if_it_is_sent() -> None:
    before, shown = Pile((), 2, ()), (Face(3),)
    one, other = ViewerOutput(Pile(shown, 1, turned(1, 2))), ViewerOutput(Pile(shown, 0, turned(2, 1)))
    assert unlawful((Face,), before, one, other) is not None


def test_a_consequence_without_another_order_is_caught() -> None:
    before, shown = Pile((), 2, ()), (Face(1), Face(2))
    one, other = ViewerOutput(Pile(shown, 1, turned(1, 2))), ViewerOutput(Pile(shown, 0, turned(1, 2)))
    assert unlawful((Face,), before, one, other) is not None
