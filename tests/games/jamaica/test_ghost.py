"""The Ghost Ship, clause by clause."""

from photofinish.engine import Seat, replace
from photofinish.games.jamaica import GAME
from photofinish.games.jamaica.state import Attack, Curse, Fire, GhostMove, Leave, Loot, Ship, State
from photofinish.games.jamaica.steps.cargo import take_treasure, with_ship
from tests.games.jamaica.table import (
    FORWARD_FOOD,
    GOLD_GOLD,
    awaited,
    cards_of,
    cargo,
    does,
    events,
    laid,
    offered,
    played,
    refuses,
    rows,
    ship,
)

FULL = ("gold 1",) * 5
"""With gold twice nothing is loaded and nothing asked, so the ghost's move comes at once."""


def haunted(ships: list[Ship], ghost: Ship, *rolls: str, **rest: object) -> State:
    """All seats pass their actions; the Ghost Ship is to move."""
    options = {} if len(ships) == 2 else {"ghost_ship": "on"}
    return played(laid(ships, [GOLD_GOLD] * len(ships), ghost=ghost, **options, **rest), *rolls)


def test_J45_after_all_seats_the_captain_moves_it_by_both_dice() -> None:
    state = haunted([ship(0, *FULL), ship(0, *FULL)], ship(0), dice=(2, 3), captain=1)

    assert awaited(state) == (1,)
    assert GAME.view(state, None).acting == "ghost"
    assert rows(state, 1, "ghost_move") == [("forward", 2), ("backward", 48)]
    refuses(state, 0, GhostMove("forward", 2), "J45")
    refuses(state, 1, GhostMove("forward", 3), "J45")
    state = does(state, 1, GhostMove("forward", 2))
    # A ship that is alone in the lead moves backward by the evening die.
    assert events(state, "sailed")[1].detail["direction"] == "backward"
    assert (state.ships[2].space, state.ships[2].lap) == (49, -1)
    assert state.round == 2


def test_J45_alone_in_the_lead_it_goes_backward_and_alone_at_the_end_forward() -> None:
    leads = haunted([ship(3, *FULL), ship(5, *FULL)], ship(17), dice=(1, 1))
    trails = haunted([ship(17, *FULL), ship(20, *FULL)], ship(5), dice=(6, 6))

    assert events(leads, "sailed")[0].detail["direction"] == "backward"
    assert {direction for direction, _ in rows(trails, 0, "ghost_move")} == {"forward"}
    refuses(trails, 0, GhostMove("backward", 0), "J45")


def test_J45_beside_the_leader_the_captain_chooses() -> None:
    state = haunted([ship(20, *FULL), ship(5, *FULL)], ship(20), dice=(1, 1))

    assert rows(state, 0, "ghost_move") == [("forward", 21), ("backward", 19)]


def test_J45_he_also_chooses_its_fork_and_whom_it_attacks_even_himself() -> None:
    state = haunted([ship(8, *FULL), ship(8, *FULL), ship(13, *FULL)], ship(5), dice=(3, 1))
    assert rows(state, 0, "ghost_move")[:2] == [("forward", 8), ("forward", 14)]
    state = does(state, 0, GhostMove("forward", 8))

    assert awaited(state) == (0,)
    assert rows(state, 0, "attack") == [(0,), (1,)]
    assert events(does(state, 0, Attack(0), "star"), "battle_won")[0].detail == {"ship": "ghost", "loser": 0}


def test_J46_it_pays_nothing_and_has_no_shortage() -> None:
    state = haunted([ship(20, *FULL), ship(20, *FULL)], ship(1, "gold 5"), dice=(1, 2))

    assert [it.detail["to"] for it in events(state, "sailed")] == [2, 4]
    assert not events(state, "paid")
    assert not events(state, "shortage")
    assert cargo(state, 2)[0] == "gold 5"


def test_J46_a_treasure_it_finds_lies_face_down_and_nobody_may_look() -> None:
    state = haunted([ship(20, *FULL), ship(20, *FULL)], ship(3), dice=(1, 1), pile=["sarans_sabre"])

    assert cards_of(state, 2) == ["lady_beth", "sarans_sabre"]
    for viewer in (Seat(0), Seat(1), None):
        assert [it.card is None for it in GAME.view(state, viewer).ships[2].treasures] == [False, True]
        found = events(state, "treasure", viewer)[0]
        assert (found.seat, found.detail) == (None, {"ship": "ghost", "place": 1})


def test_J46_a_face_down_6th_hold_that_the_ghost_found_does_not_count_as_a_hold() -> None:
    state = haunted([ship(20, *FULL), ship(20, *FULL)], ship(3), dice=(1, 1), pile=["sixth_hold"])

    assert cards_of(state, 2) == ["lady_beth", "sixth_hold"]
    assert len(GAME.view(state, None).ships[2].holds) == 5


def test_J46_it_uses_no_power_but_lady_beth() -> None:
    """It stole the sabre, face up: nobody is asked."""
    state = haunted(
        [ship(4, *FULL), ship(20, *FULL)], ship(3, treasures=["sarans_sabre"]), "2", "2", dice=(1, 1)
    )

    assert [it.detail["bonus"] for it in events(state, "fired")] == [2, 0]
    assert state.phase == "spoils"


def test_J46_a_6th_hold_it_stole_serves_as_a_hold() -> None:
    ghost = ship(3, *FULL, treasures=["sixth_hold"])
    state = haunted([ship(4, *FULL), ship(20, *FULL)], ghost, "star", dice=(1, 1))

    assert rows(state, 1, "loot")[0] == (0, 5)


def test_J47_it_fights_without_powder_and_a_seat_outside_the_battle_decides() -> None:
    state = haunted([ship(4, *FULL), ship(20, *FULL)], ship(3, "gold 1"), "star", dice=(1, 1))

    assert awaited(state) == (1,)  # the captain is in the battle
    assert GAME.view(state, None).battle.decides == 1
    refuses(state, 0, Leave(), "J29")


def test_J47_with_more_seats_the_captain_or_the_next_one_clockwise_who_is_not_in_it() -> None:
    for captain, victim, decider in ((0, 1, 0), (0, 0, 1), (1, 1, 2), (2, 2, 0)):
        ships = [ship(4 if seat == victim else 20, *FULL) for seat in range(3)]
        state = haunted(ships, ship(3), "star", dice=(1, 1), captain=captain)

        assert awaited(state) == (decider,)


def test_J47_attacked_it_just_rolls() -> None:
    cards = [FORWARD_FOOD, GOLD_GOLD]
    state = laid([ship(3, "gunpowder 2"), ship(0, *FULL)], cards, ghost=ship(4, "gold 5"))
    state = does(played(state), 0, Fire({"0": 2}), "4", "4")

    assert [it.detail["firepower"] for it in events(state, "fired")] == [6, 6]
    assert events(state, "battle_tied")


def robbing(victim: Ship, ghost: Ship) -> State:
    """The Ghost Ship has beaten seat 0, whose ship is this one; seat 1 decides."""
    state = haunted([ship(4, *FULL), ship(20, *FULL)], ghost, "star", dice=(1, 1), taken=[4])
    return with_ship(state, 0, victim)


def test_J48_gold_is_loaded_and_anything_else_goes_overboard() -> None:
    victim = ship(4, "gold 3", "food 4", "gunpowder 1", "gold 1", "gold 1")
    state = robbing(victim, ship(3, "gold 5"))
    gold, food = does(state, 1, Loot(hold=0, into=2)), does(state, 1, Loot(hold=1))

    refuses(state, 1, Loot(hold=1, into=2), "J30")
    refuses(state, 1, Loot(hold=0), "J30")
    assert cargo(gold, 2) == ["gold 5", "", "gold 3", "", ""]
    assert cargo(food, 2) == ["gold 5", "", "", "", ""]
    assert cargo(food, 0)[1] == ""


def test_J48_it_takes_treasures_but_never_gives_a_curse() -> None:
    victim = ship(4, *FULL, treasures=["t7a"])
    state = haunted([victim, ship(20, *FULL)], ship(3, treasures=["c2"]), "star", dice=(1, 1), taken=[4])

    refuses(state, 1, Curse(1), "J48")
    assert "curse" not in offered(state, 1)
    after = does(state, 1, Loot(treasure=0))
    assert cards_of(after, 2) == ["lady_beth", "c2", "t7a"]
    assert GAME.view(after, Seat(0)).ships[2].treasures[2].card is None  # who knew it may remember
    assert [it.detail["points"] for it in events(after, "treasure_worth", 0)] == [7]
    assert not events(after, "treasure_worth", 1)


def test_J48_of_a_6th_hold_it_takes_only_gold_stays_in_it() -> None:
    for contents, left in (("food 4", ""), ("gold 4", "gold 4")):
        victim = ship(4, *FULL, contents, treasures=["sixth_hold"])
        after = does(robbing(victim, ship(3)), 1, Loot(treasure=0))

        assert cargo(after, 2) == ["", "", "", "", "", left]


def beaten(ghost: Ship, own: Ship) -> State:
    state = laid([own, ship(0, *FULL)], [FORWARD_FOOD, GOLD_GOLD], ghost=ghost, taken=[4])
    return played(state, "star")


def test_J44_J48_beaten_it_can_lose_anything_but_lady_beth() -> None:
    state = beaten(ship(4, "gold 5", treasures=["t5"]), ship(3, treasures=["c3"]))

    assert sorted(set(offered(state, 0))) == ["curse", "leave", "loot"]
    refuses(state, 0, Loot(treasure=0), "J44")
    refuses(state, 0, Loot(treasure=9), "J31")
    assert cargo(does(state, 0, Loot(hold=0, into=1)), 0)[1] == "gold 5"
    assert cards_of(does(state, 0, Loot(treasure=1)), 0) == ["c3", "t5"]
    given = does(state, 0, Curse(0))
    assert cards_of(given, 2) == ["lady_beth", "t5", "c3"]
    assert GAME.view(given, Seat(0)).ships[2].treasures[2].card is None
    assert GAME.view(given, Seat(0)).ships[2].treasures[2].curse


def test_J40_a_power_that_turns_up_when_taken_is_laid_face_up_and_works() -> None:
    hidden = beaten(ship(4), ship(3))
    found = take_treasure(hidden.ships[2], "sixth_hold", up=False)
    state = with_ship(hidden, 2, found)
    state = replace(state, pile=tuple(it for it in state.pile if it != "sixth_hold"))
    assert GAME.view(state, Seat(0)).ships[2].treasures[1].card is None
    after = does(state, 0, Loot(treasure=1))

    assert GAME.view(after, None).ships[0].treasures[0].card is not None
    assert len(after.ships[0].holds) == 6


def test_J49_it_finishes_ends_the_game_scores_and_can_win_and_its_second_move_is_dropped() -> None:
    ships = [ship(48, *FULL), ship(48, *FULL)]
    state = haunted(ships, ship(47, "gold 9", treasures=["t7a", "morgans_map"]), dice=(4, 6))

    assert state.phase == "over"
    assert [it.detail["ship"] for it in events(state, "sailed")] == ["ghost"]
    assert events(state, "dropped")
    outcome, seen = GAME.outcome(state), GAME.view(state, None)
    assert outcome is not None
    assert outcome.winners == ()
    assert "Ghost Ship" in outcome.why
    assert seen.scores == (14, 14, 31)
    assert all(it.card is not None for it in seen.ships[2].treasures)
    assert len(GAME.scores(state)) == 2


def test_J49_a_seat_may_share_the_win_with_the_ghost() -> None:
    ships = [ship(48, "gold 5", lap=0), ship(20, *FULL)]
    state = laid(ships, [FORWARD_FOOD, GOLD_GOLD], ghost=ship(48, "gold 5"), dice=(2, 2))
    state = does(played(state), 0, GhostMove("forward", 0))

    assert state.ships[0].has_finished
    assert events(state, "finished")[0].detail == {"ship": "ghost"}
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners == (0,)
    assert "shares" in outcome.why
