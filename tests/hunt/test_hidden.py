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
from tests.hunt.choices import SECRET
from tests.hunt.hidden import UNNOTICED, WAIT, Item, is_alike, is_joined
from tests.hunt.lines import kept
from tests.hunt.room_driver import RoomDriver

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
            driver = RoomDriver(game, seats, game.options(), f"left out {room}", lines, twins=0, hidden=1)
            driver.open()
            driver.run(STEPS)
            found.update(driver.seen.hidden)

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
            driver = RoomDriver(
                game, 3, replace(game.options(), **options), f"laid {room}", lines, twins=0, hidden=1
            )
            driver.open()
            driver.run(14)
            match = driver.world.room.match
            assert match is not None
            driver.without, driver.twins = None, []
            match.state = lay(match.state)
            match.step += 1
            match.begin(driver.world.now)
            driver.world.room.wake(driver.world.now)
            driver.world.step(())  # show it
            driver.run(50)
            found.update(driver.seen.hidden)
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


def test_two_events_in_another_order_are_no_leak_if_the_same_was_sent_in_the_end() -> None:
    """A clock expired between the two moments at which a move may be released (Kodiak, portions 1000 and 1005)."""
    throw_first = [view(0, 1, "throw"), view(3_500, 2)]
    clock = view(3_500, 1)

    assert is_alike("View", throw_first, [clock, view(23_500, 2, "throw")])
    assert not is_alike("View", throw_first, [clock, view(23_500, 3, "throw")])
    assert not is_alike("View", throw_first, [clock, view(23_500, 2)])
    assert not is_alike("View", throw_first, [clock, view(1 + WAIT, 2, "throw")])
    assert is_alike("Ack", [Item(0, {"id": 4, "seq": 7})], [Item(9, {"id": 4, "seq": 8})])
    assert not is_alike("Ack", [Item(0, {"id": 4, "seq": 7})], [Item(9, {"id": 5, "seq": 7})])
    assert not is_alike("Ack", [Item(0, {"id": 4, "seq": 7})], [Item(1 + WAIT, {"id": 4, "seq": 7})])
    assert not is_alike("Ack", [Item(0, {"id": 4, "seq": 7})], [])


def test_two_views_may_be_one_with_the_events_of_both_and_nothing_else() -> None:
    """Two clocks took effect in the same moment instead of one after the other (Kodiak, portion 1000)."""
    more = [view(0, 1, "draw"), view(45_000, 2, "show"), view(90_000, 3, "throw")]

    assert is_joined([view(45_000, 2, "draw", "show"), view(90_000, 3, "throw")], more)
    assert is_joined([view(45_000, 2, "show", "draw"), view(90_000, 3, "throw")], more)
    assert is_alike("View", more, [view(90_000, 3, "draw", "show", "throw")])
    assert not is_joined([view(45_000, 2, "show"), view(90_000, 3, "throw")], more), "an event is missing"
    assert not is_joined([view(45_000, 1, "draw", "show"), view(90_000, 3, "throw")], more), "another table"
    assert not is_joined([view(45_000, 2, "draw", "show")], more), "a view is missing"
    assert not is_joined([view(90_001 + WAIT, 3, "draw", "show", "throw")], more), "too late"
    assert not is_joined([], more)
