"""The promises of the engine, for every game, without naming one.

Each game is played for more than 1,500 random steps: at its smallest, a middle and its largest table, with
the default options and with some random ones. `make soak` plays a million.
"""

import math
from typing import Any

import msgspec
import pytest

from photofinish.engine import AnyGame, Rng, Seat, TableSetup
from photofinish.engine.convert import BadMove, BadOptions, move, options
from photofinish.engine.playthrough import start
from photofinish.games import all_games
from tests.games.leaks import Variation
from tests.games.mutants import made_up
from tests.games.promises import Proof, clocks_alone
from tests.games.sample.game import MAGPIES
from tests.games.tables import options_for, sizes, without_turn_clock

STEPS = 1_500
OPTIONS = 3
LONGEST = 30_000
"""A random game with the default options must end within this many steps."""

GAMES: list[AnyGame] = [MAGPIES, *all_games().values()]
TABLES = [(game, seats, number) for game in GAMES for seats in sizes(game) for number in range(OPTIONS)]

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
every_size = pytest.mark.parametrize(
    ("game", "seats"),
    [(game, seats) for game in GAMES for seats in sizes(game)],
    ids=lambda value: getattr(value, "key", str(value)),
)
every_table = pytest.mark.parametrize(
    ("game", "seats", "number"), TABLES, ids=lambda value: getattr(value, "key", str(value))
)


@every_table
def test_random_play_keeps_every_promise(game: AnyGame, seats: int, number: int) -> None:
    """Round trip, replay, offers against refusals, no leak for any viewer, quiet after the end."""
    budget = math.ceil(STEPS / (len(sizes(game)) * OPTIONS))
    chosen = options_for(game, seats, number)
    variation, steps, refusals, compared, seed = Variation(), 0, 0, 0, 0
    while steps < budget:
        key = Rng(f"{game.key} {seats} {number}".encode(), seed).shuffled(range(32))
        previous = (Seat(seed % seats),) if seed % 2 else ()
        every = max(5, seats + 1)  # the larger the table, the longer a full check takes
        proof = Proof(game, seats, chosen, bytes(key), previous, every, variation)
        proof.run(budget - steps, to_the_end=LONGEST if number == 0 else 0)
        steps, seed = steps + proof.steps, seed + 1
        refusals, compared = refusals + proof.refusals, compared + proof.compared

    assert variation.faults() == []
    assert refusals > budget / 20, "hardly any move was refused: the border was not tested"
    assert compared > budget / 20, "hardly any two worlds were compared"


@every_size
def test_a_game_ends_even_if_no_seat_ever_answers(game: AnyGame, seats: int) -> None:
    play = start(game, seats, b"nobody answers")
    clocks_alone(play, LONGEST)

    assert play.is_over
    assert play.clocks == {}


@every_size
def test_a_table_without_turn_clocks_at_which_nobody_answers_is_ended_by_autopilot(
    game: AnyGame, seats: int
) -> None:
    play = start(game, seats, b"nobody answers", options(game, without_turn_clock(game)))
    clocks_alone(play, LONGEST)

    assert play.is_over


@every_size
def test_the_same_key_deals_the_same_table_and_another_key_another(game: AnyGame, seats: int) -> None:
    def deal(key: bytes) -> Any:
        return game.setup(TableSetup(seats, game.options()), Rng(key, 0))

    assert deal(b"one") == deal(b"one")
    assert any(deal(b"one") != deal(bytes([n])) for n in range(4))


@every_game
def test_a_message_that_is_not_a_move_is_refused_before_the_rules_are_called(game: AnyGame) -> None:
    tag = game.moves[0].__struct_config__.tag
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    bads: tuple[Any, ...] = (
        None,
        7,
        "draw",
        [],
        {},
        {"t": None},
        {"t": "no_such_move"},
        {"t": tag, "no_such_field": 1},
        {"t": tag, "deep": deep},
        {"T": tag},
    )
    for bad in bads:
        with pytest.raises(BadMove):
            move(game, bad)


@every_game
def test_a_field_of_the_wrong_type_is_refused_in_every_move(game: AnyGame) -> None:
    rng = Rng(b"wrong types", 0)
    wrongs: tuple[Any, ...] = (3.5, -1, 1 << 70, "x" * 5000, [[]], {"seat": {}}, [1] * 2000)
    for _ in range(300):
        good = made_up(game, rng)
        try:
            move(game, good)
        except BadMove:
            continue  # of the right types, but out of bounds
        for name in good.keys() - {"t"}:
            with pytest.raises(BadMove):
                move(game, {**good, name: rng.pick(wrongs)})


@every_game
def test_a_host_finds_a_default_and_the_bounds_of_every_option(game: AnyGame) -> None:
    schema = msgspec.json.schema(game.options)
    properties = schema["$defs"][game.options.__name__]["properties"]

    for name, it in properties.items():
        assert "default" in it, f"{name} has no default"
        if it.get("type") == "integer":
            assert {"minimum", "maximum"} <= it.keys(), f"{name} has no bounds"
    assert options(game, {}) == game.options()
    assert options(game, msgspec.to_builtins(game.options())) == game.options()
    with pytest.raises(BadOptions):
        options(game, {"no_such_option": 1})


@every_game
def test_a_game_introduces_itself(game: AnyGame) -> None:
    tags = [kind.__struct_config__.tag for kind in game.moves]

    assert len(set(tags)) == len(tags)
    assert game.title
    assert game.blurb
    assert game.faces, "which records are faces? Without them nothing may ever be revealed"
    assert game.house_bot is not None, "no house bot sits down at this game"
    assert game.seats.step == 1
    assert game.seats[0] >= 1
