"""Every game beside a world without one hidden act: the messages to everybody else are the same.

The worlds with the same acts have their own test (`test_hunt.py`). `make hunt` runs both.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from photofinish.engine import Seat, replace
from photofinish.games import all_games
from photofinish.games.rune_market.state import Throwing
from tests.hunt.chase import Chase
from tests.hunt.choices import SECRET
from tests.hunt.hidden import UNNOTICED, WAIT, Item, is_other_order
from tests.hunt.lines import kept

STEPS = 300
RACING = {"alaska", "cambio", "kodiak"}
AT_ITS_END = {"cauldron15", "rune_market"}
"""Games in which the secret choice comes rarely and at the end: the test sets up a state for it."""


@pytest.mark.parametrize("key", sorted(all_games()))
def test_nobody_notices_an_act_that_the_rules_hide(key: str) -> None:
    game = all_games()[key]
    found: Counter[str] = Counter()
    with kept() as lines:
        for room in range(3):
            seats = min(4, game.seats[-1])
            chase = Chase(game, seats, game.options(), f"left out {room}", lines, twins=0, hidden=1)
            chase.open()
            chase.run(STEPS)
            found.update(chase.seen.hidden)

    assert found["refused"] >= 12
    assert found["repeated"] >= 2
    if key in RACING:
        assert found["held"] >= 10
    if key in UNNOTICED:
        assert found["done"] >= 10
    if key in SECRET and key not in AT_ITS_END:
        assert found["another choice"] >= 3


def chosen_in_secret(key: str, lay: Callable[[Any], Any], **options: Any) -> Counter[str]:
    """Rooms of three seats in a state in which the choice is next."""
    game = all_games()[key]
    found: Counter[str] = Counter()
    with kept() as lines:
        for room in range(8):
            chase = Chase(
                game, 3, replace(game.options(), **options), f"laid {room}", lines, twins=0, hidden=1
            )
            chase.open()
            chase.run(14)
            match = chase.world.room.match
            assert match is not None
            chase.without, chase.twins = None, []
            match.state = lay(match.state)
            match.step += 1
            match.begin(chase.world.now)
            chase.world.room.wake(chase.world.now)
            chase.world.step(())  # show it
            chase.run(50)
            found.update(chase.seen.hidden)
    return found


def test_R40_nobody_can_tell_which_sign_was_thrown() -> None:
    tie = Throwing((Seat(0), Seat(1), Seat(2)), (0, 0, 0), (None, None, None))
    found = chosen_in_secret(
        "rune_market", lambda it: replace(it, throwing=tie, duel=None, theft=None, shown=(), last=())
    )

    assert found["another choice"] >= 6
    assert found["refused"] >= 6


def test_B25_nobody_can_tell_which_kept_bonuses_are_spent() -> None:
    def lay(it: Any) -> Any:
        cards = (*it.deck, *(card for hand in it.hands for card in hand))
        before = tuple(tuple(cards[2 * seat : 2 * seat + 2]) for seat in range(3))
        return replace(
            it,
            phase="spend",
            kept=(2, 1, 1),
            before=before,
            deck=cards[6:],
            hands=((),) * 3,
            trick=(),
            last=(),
        )

    found = chosen_in_secret("cauldron15", lay, keep_bonus=True)

    assert found["another choice"] >= 4
    assert found["refused"] >= 4


def view(at: int, points: int, *last: str) -> Item:
    return Item(at, {"t": "view", "points": points, "last": [{"what": it} for it in last]}, (), 40)


def test_two_things_in_another_order_are_no_leak_if_the_same_was_told_in_the_end() -> None:
    """A clock expired between the two moments at which a move may be released (Kodiak, portions 1000 and 1005)."""
    throw_first = [view(0, 1, "throw"), view(3_500, 2)]
    clock_first = [view(3_500, 1), view(23_500, 2, "throw")]
    alike = list(zip(throw_first, clock_first, strict=True))

    assert is_other_order("View", alike)
    assert not is_other_order("View", [*alike[:-1], (view(3_500, 2), view(23_500, 3, "throw"))])
    assert not is_other_order("View", [*alike[:-1], (view(3_500, 2), view(23_500, 2))])
    assert not is_other_order("View", [*alike[:-1], (view(3_500, 2), view(3_501 + WAIT, 2, "throw"))])
    assert is_other_order("Ack", [(Item(0, {"id": 4, "seq": 7}), Item(9, {"id": 4, "seq": 8}))])
    assert not is_other_order("Ack", [(Item(0, {"id": 4, "seq": 7}), Item(9, {"id": 5, "seq": 7}))])
