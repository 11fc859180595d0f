"""Battles: powder, dice, Lady Beth, the sabre, and the spoils."""

import pytest

from photofinish.engine import Seat, replace
from photofinish.games.jamaica import GAME
from photofinish.games.jamaica.state import Accept, Attack, Curse, Fire, Leave, Loot, Sabre, Ship, State
from photofinish.games.jamaica.steps.cargo import with_ship
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

AWAY = ship(0, "gold 1", "gold 1")


def meeting(attacker: Ship, defender: Ship, *rolls: str, third: Ship = AWAY, **rest: object) -> State:
    """Seat 0 sails one space forward onto seat 1; in the evening it loads food."""
    return played(laid([attacker, defender, third], [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD], **rest), *rolls)


def test_J23_a_ship_that_ends_its_movement_on_another_ships_space_must_fight() -> None:
    state = meeting(ship(3, "gunpowder 2"), ship(4))

    assert events(state, "attacked")[0].detail == {"ship": 0, "target": 1}
    assert offered(state, 0) == ["fire"]


def test_J23_of_several_the_attacker_chooses_exactly_one() -> None:
    state = meeting(ship(3, "gunpowder 2"), ship(4), third=ship(4))

    assert rows(state, 0, "attack") == [(1,), (2,)]
    refuses(state, 1, Attack(2), "J23")
    refuses(state, 0, Attack(0), "J23")
    refuses(state, 0, Attack("ghost"), "J23")
    state = does(state, 0, Attack(2))
    state = does(state, 0, Fire({}), "4", "4")
    assert state.battle is None  # a tie, and the other ship is left alone
    assert offered(state, 0) == ["load"]


def test_J23_the_ghost_ship_is_named_and_not_numbered() -> None:
    two = [ship(3, "gunpowder 2"), ship(4)]
    state = played(laid(two, [FORWARD_FOOD, GOLD_GOLD], ghost=ship(4)))

    assert rows(state, 0, "attack") == [(1,), ("ghost",)]
    refuses(state, 0, Attack(2), "J23")
    assert events(does(state, 0, Attack("ghost")), "attacked")[0].detail == {"ship": 0, "target": "ghost"}


def test_J23_ships_a_lap_apart_meet_like_any_others() -> None:
    assert events(meeting(ship(43, lap=-1), ship(44), "2", "2"), "attacked")


def test_J24_powder_first_from_holds_of_ones_choice_then_the_roll() -> None:
    state = meeting(ship(3, "gunpowder 2", "gunpowder 3"), ship(4))

    refuses(state, 0, Fire({"0": 3}), "J24")
    refuses(state, 0, Fire({"2": 0}), "J24")
    refuses(state, 1, Fire({}), "J24")
    state = does(state, 0, Fire({"0": 1, "1": 3}), "6", "2")
    shot = events(state, "fired")[0].detail
    assert shot == {"ship": 0, "powder": 4, "die": "6", "bonus": 0, "firepower": 10}
    assert cargo(state, 0)[:2] == ["gunpowder 1", ""]


def test_J24_a_ship_without_powder_is_not_asked_and_just_rolls() -> None:
    state = meeting(ship(3), ship(4, "food 1"), "6", "4")

    assert [it.detail["firepower"] for it in events(state, "fired")] == [6, 4]
    assert events(state, "battle_won")[0].seat == 0


def test_J25_the_attackers_star_wins_at_once() -> None:
    state = meeting(ship(3), ship(4, "gunpowder 9"), "star")

    assert events(state, "battle_won")[0].seat == 0
    assert len(events(state, "fired")) == 1
    assert cargo(state, 1)[0] == "gunpowder 9"


def test_J25_the_defenders_star_wins_against_any_firepower() -> None:
    state = does(meeting(ship(3, "gunpowder 30"), ship(4)), 0, Fire({"0": 30}), "10", "star")

    assert events(state, "battle_won")[0].seat == 1


def test_J25_the_defender_does_the_same() -> None:
    state = meeting(ship(3), ship(4, "gunpowder 3"), "8")

    assert awaited(state) == (1,)
    assert offered(state, 1) == ["fire"]
    refuses(state, 0, Fire({}), "J24")
    assert events(does(state, 1, Fire({"0": 3}), "6"), "battle_won")[0].seat == 1
    assert events(does(state, 1, Fire({"0": 1}), "6"), "battle_won")[0].seat == 0


def test_J26_equal_firepower_has_no_effect_but_the_powder_is_spent() -> None:
    state = meeting(ship(3, "gunpowder 2"), ship(4, "gunpowder 4", "gold 9"))
    state = does(state, 0, Fire({"0": 2}), "6")
    state = does(state, 1, Fire({"0": 2}), "6")

    assert events(state, "battle_tied")
    assert state.battle is None
    assert cargo(state, 0) == [""] * 5
    assert cargo(state, 1)[:2] == ["gunpowder 2", "gold 9"]
    assert offered(state, 0) == ["load"]


def test_J27_lady_beth_adds_two_to_every_roll_of_her_owner_rerolls_too() -> None:
    beth = ship(4, treasures=["lady_beth", "sarans_sabre"])
    state = does(meeting(ship(3), beth, "8", "2"), 1, Accept(), "2")
    assert events(state, "fired")[0].detail["firepower"] == 4
    again = does(state, 1, Sabre(), "8")

    assert events(again, "fired")[0].detail == {
        "ship": 1,
        "powder": 0,
        "die": "8",
        "bonus": 2,
        "firepower": 10,
    }
    assert events(again, "battle_won")[0].seat == 1


def test_J27_a_star_needs_no_lady() -> None:
    state = meeting(ship(3, treasures=["lady_beth"]), ship(4), "star")

    assert events(state, "fired")[0].detail["bonus"] == 0
    assert events(state, "fired")[0].detail["firepower"] is None


def test_J28_the_owner_may_have_the_others_roll_made_again_stars_included() -> None:
    state = meeting(ship(3), ship(4, treasures=["sarans_sabre"]), "star")

    assert awaited(state) == (1,)
    assert sorted(offered(state, 1)) == ["accept", "sabre"]
    refuses(state, 0, Accept(), "J28")
    refuses(state, 0, Sabre(), "J28")
    assert events(does(state, 1, Accept()), "battle_won")[0].seat == 0
    after = does(state, 1, Sabre(), "2", "4")
    assert events(after, "battle_won")[0].seat == 1


def test_J28_before_anything_else_happens_and_the_powder_spent_still_counts() -> None:
    state = meeting(ship(3, "gunpowder 5", treasures=["sarans_sabre"]), ship(4, "gunpowder 5"))
    state = does(state, 0, Fire({"0": 5}), "2")
    assert awaited(state) == (0,)  # the defender has not fired
    state = does(state, 0, Sabre(), "10")

    assert events(state, "fired")[0].detail["firepower"] == 15
    assert cargo(state, 0)[0] == ""
    assert awaited(state) == (1,)


def test_J28_once_per_battle_and_the_second_roll_stands() -> None:
    state = meeting(ship(3, treasures=["sarans_sabre"]), ship(4), "2")
    used = does(state, 0, Sabre(), "4", "8")
    kept = does(state, 0, Accept(), "8")

    assert events(used, "battle_won")[0].seat == 1  # not asked again after the defender's roll
    assert sorted(offered(kept, 0)) == ["accept", "sabre"]
    assert events(does(kept, 0, Sabre(), "2"), "battle_tied")


def test_J28_a_sabre_of_a_ship_outside_the_battle_has_no_effect() -> None:
    state = meeting(ship(3), ship(4), "8", "2", third=ship(0, treasures=["sarans_sabre"]))

    assert state.phase == "spoils"


def test_J29_the_question_is_always_put_even_when_nothing_is_possible() -> None:
    state = meeting(ship(3), ship(4), "8", "2")

    assert offered(state, 0) == ["leave"]
    assert offered(state, 1) == []
    refuses(state, 1, Leave(), "J29")
    refuses(state, 0, Loot(), "J29")
    after = does(state, 0, Leave())
    assert after.battle is None
    assert offered(after, 0) == ["load"]


def test_J29_the_winner_does_only_one_thing() -> None:
    state = meeting(ship(3), ship(4, "gold 3", treasures=["t5"]), "8", "2")

    refuses(state, 0, Loot(hold=0, into=0, treasure=0), "J29")
    after = does(state, 0, Loot(hold=0, into=0))
    refuses(after, 0, Loot(treasure=0), "J29")


def test_J30_the_whole_contents_of_one_hold_into_an_empty_one() -> None:
    state = meeting(ship(3, "food 9"), ship(4, "gold 3", "", "food 2"), "8", "2")

    assert rows(state, 0, "loot") == [(hold, into) for hold in (0, 2) for into in (1, 2, 3, 4)]
    refuses(state, 0, Loot(hold=1, into=1), "J30")
    refuses(state, 0, Loot(hold=0, into=0), "J30")
    refuses(state, 0, Loot(hold=0), "J30")
    after = does(state, 0, Loot(hold=0, into=3))
    assert cargo(after, 0) == ["food 9", "", "", "gold 3", ""]
    assert cargo(after, 1) == ["", "", "food 2", "", ""]


def test_J30_with_no_empty_hold_another_resource_gives_way_and_where_none_can_it_cannot_be_taken() -> None:
    full = ship(3, "gold 1", "gold 1", "gold 1", "gold 1", "food 9")
    state = meeting(full, ship(4, "gold 3", "food 2"), "8", "2")
    assert rows(state, 0, "loot") == [(0, 4), (1, 0), (1, 1), (1, 2), (1, 3)]
    assert cargo(does(state, 0, Loot(hold=0, into=4)), 0)[4] == "gold 3"

    all_gold = meeting(ship(3, *("gold 1",) * 5), ship(4, "gold 3"), "8", "2")
    assert offered(all_gold, 0) == ["leave"]
    refuses(all_gold, 0, Loot(hold=0, into=0), "J30")


def test_J31_J40_a_face_down_treasure_is_picked_by_its_place_unseen() -> None:
    state = meeting(ship(3), ship(4, treasures=["t7a", "c4"]), "8", "2")
    before = GAME.view(state, Seat(0)).ships[1].treasures

    assert [it.card for it in before] == [None, None]
    assert rows(state, 0, "loot") == [(0,), (1,)]
    refuses(state, 0, Loot(treasure=2), "J31")
    after = does(state, 0, Loot(treasure=1))
    assert cards_of(after, 1) == ["t7a"]
    assert [it.card.points for it in GAME.view(after, Seat(0)).ships[0].treasures if it.card][:1] == [-4]
    assert [it.card for it in GAME.view(after, Seat(2)).ships[0].treasures][:1] == [None]
    assert [it.detail["points"] for it in events(after, "treasure_worth", 1)] == [-4]  # the robbed knows it
    assert events(after, "treasure_worth", 2) == events(after, "treasure_worth") == []
    assert "card" not in events(after, "robbed")[0].detail


def test_J31_a_place_keeps_its_number_and_is_not_used_again() -> None:
    state = meeting(ship(3), ship(4, treasures=["t7a", "c4"]), "8", "2", taken=[4])
    after = does(state, 0, Loot(treasure=0))

    assert [it.place for it in after.ships[1].treasures] == [1]
    assert after.ships[1].places == 2


def test_J31_a_face_up_one_may_be_taken_and_the_6th_hold_comes_with_what_is_in_it() -> None:
    rich = ship(4, "food 1", "", "", "", "", "food 6", treasures=["sixth_hold"])
    after = does(meeting(ship(3), rich, "8", "2", taken=[4]), 0, Loot(treasure=0))

    assert cargo(after, 0) == ["", "", "", "", "", "food 6"]
    assert cargo(after, 1) == ["food 1", "", "", "", ""]
    assert GAME.view(after, None).ships[0].treasures[0].card is not None


def test_J32_the_winner_may_give_one_of_his_own_curses_face_down() -> None:
    state = meeting(ship(3, treasures=["t3a", "c2"]), ship(4), "8", "2", taken=[4])

    assert rows(state, 0, "curse") == [(1,)]
    refuses(state, 0, Curse(0), "J32")
    refuses(state, 0, Curse(7), "J32")
    refuses(state, 1, Curse(1), "J29")
    after = does(state, 0, Curse(1))
    assert (cards_of(after, 0), cards_of(after, 1)) == (["t3a"], ["c2"])
    receiver, stranger = GAME.view(after, Seat(1)).ships[1], GAME.view(after, Seat(2)).ships[1]
    assert [it.card.points for it in receiver.treasures if it.card] == [-2]
    assert [(it.card, it.up, it.curse) for it in stranger.treasures] == [(None, False, True)]
    assert events(after, "treasure_worth", 0)
    assert events(after, "treasure_worth", 1)
    assert not events(after, "treasure_worth", 2)


def test_J29_the_offers_of_a_winner_do_not_tell_others_whether_he_holds_a_curse() -> None:
    clean = meeting(ship(3, treasures=["t3a"]), ship(4), "8", "2", taken=[4])
    cursed = meeting(ship(3, treasures=["c2"]), ship(4), "8", "2", taken=[4])

    assert awaited(clean) == awaited(cursed)
    assert GAME.timers(clean) == GAME.timers(cursed)
    assert GAME.view(clean, Seat(1)) == GAME.view(cursed, Seat(1))


@pytest.mark.parametrize("loot", [True, False])
def test_J22_what_was_won_may_pay_and_what_was_lost_may_not(loot: bool) -> None:
    """Space 5 costs 3 doubloons. The attacker wins them, or loses the ones he had."""
    if loot:
        state = does(meeting(ship(4), ship(5, "gold 3"), "8", "2"), 0, Loot(hold=0, into=0))

        assert events(state, "paid")
        assert not events(state, "shortage")
    else:
        state = meeting(ship(4, "gold 3"), ship(5), "2", "8")
        state = does(state, 1, Loot(hold=0, into=0), "stay")

        assert events(state, "shortage")[0].detail["count"] == 0


def test_J18_battle_first_then_treasure() -> None:
    state = meeting(ship(3), ship(4), "8", "2", pile=["t5"])

    assert cards_of(state, 0) == []
    assert 4 in state.tokens
    assert cards_of(does(state, 0, Leave()), 0) == ["t5"]


def test_J35_where_one_drifts_to_there_may_be_a_battle() -> None:
    """From 23 back to port 21, where seat 1 lies."""
    state = meeting(ship(22, "gunpowder 1"), ship(21), "port")

    assert events(state, "attacked")[0].detail["target"] == 1
    assert state.ships[0].space == 21
    after = does(does(state, 0, Fire({}), "8", "2"), 0, Leave())
    assert not events(after, "paid")
    assert not events(after, "shortage")


def test_J31_a_curse_once_given_stays_known_when_it_is_stolen_on() -> None:
    state = meeting(ship(3), ship(4, treasures=["c2"]), "8", "2", taken=[4])
    loser = state.ships[1]
    state = with_ship(state, 1, replace(loser, treasures=(replace(loser.treasures[0], curse=True),)))

    assert GAME.view(does(state, 0, Loot(treasure=0)), None).ships[0].treasures[0].curse
