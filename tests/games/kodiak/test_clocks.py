"""What is played for a seat that does not answer."""

from photofinish.engine import Millis
from photofinish.engine.playthrough import start
from photofinish.games.kodiak import GAME
from photofinish.games.kodiak.moves import KodiakOptions
from tests.games.kodiak.board import CAT, MOUSE, OTHER, board


def test_the_turn_clock_draws_and_exchanges_the_lowest_slot() -> None:
    it = board(main=["y10_1"])
    clock = it.clocks()["draw"]
    assert (clock.after, clock.seat, clock.ends_race) == (Millis(30_000), CAT, False)

    it.run_out("draw")

    assert it.cards(CAT)[0] == "y10_1"
    assert it.state.discard == ("y1_1",)
    assert it.state.turn == MOUSE
    assert it.clocks()["draw"].seat == MOUSE
    assert it.clocks()["draw"].ends_race


def test_K4_the_seat_may_still_look_at_a_card_the_clock_drew() -> None:
    it = board(main=["y10_1"])
    it.run_out("draw")

    assert it.slot(CAT, CAT, 0).face.rune == "10"
    assert it.slot(MOUSE, CAT, 0).face is None


def test_the_turn_clock_takes_the_first_target_of_the_action_too() -> None:
    it = board(rows={CAT: ["peek_yours_1", "y2_1", "y3_1"]}, main=["y10_1"])
    it.run_out("draw")

    assert it.state.table[MOUSE][0].up
    assert it.state.owed == ()


def test_the_clock_swaps_the_first_cards_of_the_first_two_seats_and_kodiak_is_asked() -> None:
    it = board(rows={MOUSE: ["swap_1", "y5_1", "y6_1"]}, main=["y10_1"], turn=MOUSE)
    it.run_out("draw")
    clock = it.clocks()["offer"]
    assert (clock.after, clock.seat) == (Millis(10_000), CAT)
    assert not it.clocks()["draw"].running
    assert not it.clocks()["action"].running

    it.run_out("offer")

    assert it.cards(CAT)[0] == "y10_1"
    assert it.cards(MOUSE)[0] == "y1_1"
    assert it.clocks()["draw"].running


def test_a_seat_that_drew_and_does_not_answer_exchanges_the_lowest_slot_that_holds_a_card() -> None:
    it = board(rows={CAT: ["y4_2", "y2_1", "y3_1"]}, main=["y10_1", "y10_2"])
    it.pounce(0, MOUSE, 0)
    it.send(CAT, "draw")
    it.run_out("keep")

    assert it.state.discard[-1] == "y2_1"
    assert it.cards(CAT)[0] is None


def test_K7_an_action_owed_out_of_turn_has_the_shorter_clock() -> None:
    it = board(
        rows={CAT: ["peek_mine_1", "y2_1", "y3_1"], OTHER: ["peek_mine_2", "y8_1", "y9_1"]}, main=["y10_1"]
    )
    it.discard(0)
    assert it.clocks()["action"].after == Millis(30_000)
    it.own(OTHER, "scurry", 0)
    it.run_out("action")
    assert (it.clocks()["action"].after, it.clocks()["action"].seat) == (Millis(10_000), OTHER)

    it.run_out("action")

    assert it.slot(OTHER, OTHER, 1).face is not None
    assert it.state.owed == ()


def test_K12_each_step_of_an_action_is_a_clock_of_its_own() -> None:
    it = board(rows={CAT: ["red_king_1", "y2_1", "y3_1"]}, main=["y10_1"])
    it.discard(0)
    first = it.clocks()["action"].key
    it.run_out("action")

    assert it.clocks()["action"].key != first


def test_K17_the_clock_turns_the_lowest_face_down_card() -> None:
    it = board(rows={MOUSE: ["peek_yours_1", "y5_1", "y6_1"]}, main=["y10_1"], turn=MOUSE)
    it.discard(0)
    it.at(MOUSE, "expose", CAT, 0)
    assert not it.clocks()["action"].running
    assert it.clocks()["touch"].seat == MOUSE

    it.run_out("touch")

    assert it.state.table[MOUSE][0].up
    assert it.clocks()["action"].running


def test_K13_the_clock_picks_the_lowest_slots() -> None:
    it = board(rows={CAT: ["blue_king_1", "y2_1", "y3_1"]}, main=["y10_1"])
    it.run_out("draw")

    assert [slot.up for slot in it.state.table[MOUSE]] == [True, False, False]
    assert [slot.up for slot in it.state.table[OTHER]] == [True, False, False]


def test_without_a_turn_clock_no_seat_has_one_but_cards_are_still_put_away() -> None:
    it = board(rows={MOUSE: ["swap_1", "y5_1", "y6_1"]}, main=["y10_1"], turn=MOUSE, turn_seconds=0)
    it.discard(0)
    it.swap(MOUSE, (MOUSE, 0), CAT)
    it.own(OTHER, "scurry", 0)

    assert [name for name, clock in it.clocks().items() if clock.after is not None] == ["show"]


def test_K13_all_picks_of_a_blue_king_have_one_clock_which_picks_the_rest() -> None:
    it = board(seats=5, rows={MOUSE: ["blue_king_1", "y5_1", "y6_1"]}, main=["y10_1"], turn=MOUSE)
    it.discard(0)
    first = it.clocks()["action"]
    it.at(MOUSE, "pick", OTHER, 1)
    assert it.clocks()["action"] == first
    it.run_out("action")

    assert it.state.owed == ()
    assert it.state.table[OTHER][1].up
    assert all(it.state.table[seat][0].up for seat in (3, 4))


def test_the_host_sets_the_seconds_of_the_clocks() -> None:
    options = KodiakOptions(
        look_seconds=7, show_seconds=9, turn_seconds=11, answer_seconds=4, race_min_ms=900
    )
    play = start(GAME, 3, b"seconds", options)
    assert [clock.after for clock in GAME.timers(play.state)] == [7000]

    it = board(rows={CAT: ["y1_1", "y2_1", "y3_1"], MOUSE: ["b1_1"]}, main=["y10_1"], show_seconds=9, turn_seconds=11,
               race_min_ms=900)  # fmt: skip
    it.discard(0)
    it.own(OTHER, "scurry", 0)
    assert it.clocks()["show"].after == 9000
    assert it.clocks()["draw"].after == 11_000
    it.own(MOUSE, "scurry", 0)
    assert it.clocks()["grab"].after == 900
