"""A client that only chooses awaited offers plays every game to its end and misses no clock."""

import pytest

from photofinish.engine import Act, AnyGame, Rng, Seat, Timer
from photofinish.engine.awaiting import awaited_seats, marked
from photofinish.engine.convert import move
from photofinish.engine.offers import Offer, sample
from photofinish.engine.playthrough import Playthrough, start
from photofinish.games import all_games
from tests.games.tables import sizes

TABLES = [(game, seats) for game in all_games().values() for seats in {sizes(game)[0], sizes(game)[-1]}]
LONGEST = 30_000


def answers(offers: tuple[Offer, ...], seat: Seat, timers: tuple[Timer, ...]) -> tuple[Offer, ...]:
    return tuple(it for it in marked(offers, seat, timers) if it.awaited)


def risks(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    return tuple(it for it in offers if it.risky)


def one_step(play: Playthrough, rng: Rng) -> None:
    """A seat that the table waits for answers; if there is none, time passes. Sometimes a seat makes a risky
    move: a game of Kodiak in which nobody throws a card never ends.
    """  # fmt: skip
    timers = play.game.timers(play.state)
    offers = {seat: play.game.offers(play.state, seat) for seat in play.seats}
    bold = [(seat, found) for seat, every in offers.items() if (found := risks(every))]
    if bold and rng.below(4) == 0:
        seat, found = rng.pick(bold)
        sent = sample(found, rng)
        assert sent is not None
        play.apply(Act(seat, move(play.game, sent)))
        return
    able = [(seat, found) for seat, every in offers.items() if (found := answers(every, seat, timers))]
    if able:
        seat, found = rng.pick(able)
        sent = sample(found, rng)
        assert sent is not None
        play.apply(Act(seat, move(play.game, sent)))
        return
    due = play.next_clock()
    assert due is not None, "nobody is awaited and no clock is running"
    timer = next(it for it in timers if it.key == due[0])
    assert timer.seat is None or timer.is_answer, f"{timer} runs out on a seat that was offered no answer"
    play.wait()


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game.key}-{seats}" for game, seats in TABLES])
def test_a_game_ends_without_a_missed_clock_if_only_awaited_offers_are_chosen(
    game: AnyGame, seats: int
) -> None:
    rng = Rng(b"knows no game", seats)
    play = start(game, seats, b"a stranger's game")
    for _ in range(LONGEST):
        if play.is_over:
            break
        one_step(play, rng)

    assert play.is_over


def test_a_seat_is_awaited_while_its_own_clock_or_a_clock_for_all_runs() -> None:
    timers = (
        Timer("turn", None, Seat(0)),
        Timer("stands still", None, Seat(1), running=False),
        Timer("look", None, waits_for=(Seat(2), Seat(3))),
    )

    assert awaited_seats(timers) == {0, 2, 3}


def test_an_offer_is_awaited_only_while_the_table_waits_for_the_seat() -> None:
    offers = (Offer("draw", awaited=True), Offer("slap", risky=True))

    assert marked(offers, Seat(0), (Timer("turn", None, Seat(0)),)) == offers
    assert [it.awaited for it in marked(offers, Seat(1), (Timer("turn", None, Seat(0)),))] == [False, False]


def test_only_fouls_are_risky_and_never_awaited() -> None:
    risky: dict[str, set[str]] = {}
    for game in all_games().values():
        rng, play = Rng(b"any", 1), start(game, game.seats[-1], b"look for risks")
        for _ in range(400):
            if play.is_over:
                break
            for seat in play.seats:
                for it in game.offers(play.state, seat):
                    assert not (it.risky and it.awaited)
                    if it.risky:
                        risky.setdefault(game.key, set()).add(it.move)
            one_step(play, rng)

    assert risky.keys() == {"cambio", "kodiak", "reflex"}
    assert risky["cambio"] == {"slap"}
    assert risky["reflex"] == {"press"}
    assert {"scurry", "pounce"} <= risky["kodiak"] <= {"scurry", "pounce", "grab"}
