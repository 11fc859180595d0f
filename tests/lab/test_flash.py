"""The laboratory's own game keeps the promises every game keeps, and its four rules."""

import pytest

from photofinish.engine import Act, Expired, IllegalMove, Rng, Seat, Table
from photofinish.engine.playthrough import Play, start
from photofinish.games import shelf
from photofinish.lab.flash import FLASH, Claim, FlashOptions, State
from tests.games.leaks import Variation
from tests.games.promises import Proof, clocks_alone
from tests.games.tables import options_for, sizes

NORTH, EAST = Seat(0), Seat(1)


def lit(play: Play) -> State:
    """Let the clocks run until the light is on."""
    while play.state.phase == "dark":
        play.wait()
    state: State = play.state
    return state


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("seats", sizes(FLASH))
def test_random_play_of_flash_keeps_every_promise(seats: int, number: int) -> None:
    variation, refusals, compared = Variation(), 0, 0
    for seed in range(6):
        key = bytes(Rng(f"flash {seats} {number}".encode(), seed).shuffled(range(32)))
        proof = Proof(FLASH, seats, options_for(FLASH, seats, number), key, (), 2, variation)
        proof.run(150, to_the_end=5_000)
        refusals, compared = refusals + proof.refusals, compared + proof.compared

    assert refusals > 0
    assert compared > 0
    assert variation.changed == 0, "flash has no secrets to redraw"


def test_flash_is_not_on_the_public_shelf() -> None:
    assert FLASH.key not in shelf()


def test_the_first_claim_wins_the_race_and_the_second_comes_too_late_f2() -> None:
    play = start(FLASH, 3, b"first")
    lit(play)
    play.apply(Act(EAST, Claim()))

    assert play.state.winners == (EAST,)
    assert play.state.wins == (0, 1, 0)
    with pytest.raises(IllegalMove, match="F2"):
        play.apply(Act(NORTH, Claim()))


def test_nobody_can_claim_before_the_light_is_on_f2() -> None:
    state = FLASH.setup(Table(2, FlashOptions()), Rng(b"dark", 0))

    assert FLASH.race(state) is None
    assert FLASH.offers(state, NORTH) == ()
    with pytest.raises(IllegalMove, match="F2"):
        FLASH.apply(state, Act(NORTH, Claim()), Rng(b"dark", 1))


def test_the_pause_before_a_race_is_the_gap_on_average_and_never_the_same_for_long_f1() -> None:
    pauses = []
    for number in range(400):
        play = start(FLASH, 2, b"pause %d" % number, FlashOptions(gap_ms=800))
        passed = 0
        while play.state.phase == "dark":
            due = play.next_clock()
            assert due is not None
            passed += due[1]
            play.wait()
        pauses.append(passed)

    assert min(pauses) == 600
    assert 750 < sum(pauses) / len(pauses) < 850
    assert len(set(pauses)) > 4


def test_a_race_that_nobody_answers_goes_to_nobody_f3() -> None:
    play = start(FLASH, 2, b"asleep", FlashOptions(races=2))
    lit(play)
    play.apply(Expired("window:1"))

    assert play.state.winners == (None,)
    assert play.state.phase == "dark"


def test_after_the_last_race_the_seat_with_most_wins_has_won_f4() -> None:
    play = start(FLASH, 3, b"end", FlashOptions(races=3))
    for seat in (EAST, NORTH, EAST):
        lit(play)
        play.apply(Act(seat, Claim()))
    outcome = FLASH.outcome(play.state)

    assert outcome is not None
    assert outcome.winners == (EAST,)
    assert FLASH.scores(play.state) == (1, 2, 0)


def test_a_table_at_which_nobody_ever_claims_comes_to_its_end() -> None:
    play = start(FLASH, 8, b"nobody", FlashOptions(races=20))
    clocks_alone(play, 2_000)
    outcome = FLASH.outcome(play.state)

    assert outcome is not None
    assert outcome.winners == ()
