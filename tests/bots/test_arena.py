"""The arena in virtual time: the faster player wins, the clocks run, the seats rotate."""

import io
from dataclasses import replace as with_field
from typing import Any

import pytest
from rich.console import Console

from photofinish.bots.arena import UnknownPlayer, arena, play_match
from photofinish.engine import AnyGame, Intent, Millis, Rng, Seat, Strength
from photofinish.games import all_games
from tests.games.sample.game import MAGPIES

every_game = pytest.mark.parametrize("game", [MAGPIES, *all_games().values()], ids=lambda game: game.key)


def quiet() -> Console:
    return Console(file=io.StringIO(), width=100)


def test_the_same_seed_plays_the_same_match() -> None:
    players = ("house", "random", "house:easy")

    assert play_match(MAGPIES, 3, players, b"s") == play_match(MAGPIES, 3, players, b"s")
    assert play_match(MAGPIES, 3, players, b"s") != play_match(MAGPIES, 3, players, b"t")


def test_the_house_bot_beats_the_random_player_and_the_table_shows_it() -> None:
    console = quiet()
    house, chance = arena(MAGPIES, "house,random", 60, console=console)

    assert house.interval[0] > 0.5 > chance.interval[1]
    assert sum(house.wins) + sum(chance.wins) == pytest.approx(60)
    assert house.refused == chance.refused == 0
    printed = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO, given above
    assert "house" in printed
    assert f"{house.share:.1%}" in printed


def test_seats_rotate_so_that_two_equal_players_win_equally_often() -> None:
    first, second = arena(MAGPIES, "random,random", 40, seats=4, console=quiet())

    assert first.even == second.even == [0.5] * 40
    assert len(first.scores) == len(second.scores) == 80


class Slapper:
    """Slaps the first card that it is offered, always after the same time. It makes no other move."""

    def __init__(self, after: int) -> None:
        self.after = Millis(after)

    def see(self, view: Any) -> None:
        """Nothing to remember."""

    def choose(self, view: Any, offers: Any) -> Intent | None:
        slaps = [it for it in offers if it.move == "slap"]
        if not slaps or any(slot.face for row in view.table for slot in row):
            return None
        seat, slot, mark = slaps[0].choices[0].rows[0]
        return Intent({"t": "slap", "seat": seat, "slot": slot, "mark": mark}, self.after)


def watched(game: AnyGame, log: list[Any]) -> AnyGame:
    def apply(state: Any, event: Any, rng: Rng) -> Any:
        log.append(event)
        return game.apply(state, event, rng)

    return with_field(game, apply=apply)


@pytest.mark.parametrize("quick", [0, 1])
def test_in_a_race_the_faster_player_comes_first_whatever_the_seat(quick: int) -> None:
    log: list[Any] = []

    def house_bot(seat: Seat, strength: Strength, rng: Rng) -> Slapper:
        return Slapper(300 if seat == quick else 400)

    game = with_field(watched(MAGPIES, log), house_bot=house_bot)
    play_match(game, 2, ("house", "house"), b"race")
    slaps = [event for event in log if type(getattr(event, "move", None)).__name__ == "Slap"]

    assert slaps
    assert slaps[0].seat == quick


def test_a_closing_move_waits_until_the_race_allows_it() -> None:
    """The leader would close the race at once, 600 ms before the others slap, but it stays open for 1.5 s."""
    log: list[Any] = []

    class Closer(Slapper):
        def choose(self, view: Any, offers: Any) -> Intent | None:
            if any(it.move == "close" for it in offers):
                return Intent({"t": "close"}, Millis(0))
            return super().choose(view, offers)

    game = with_field(watched(MAGPIES, log), house_bot=lambda seat, strength, rng: Closer(600))
    play_match(game, 2, ("house", "house"), b"close")
    names = [type(getattr(event, "move", event)).__name__ for event in log]

    assert "Close" in names
    assert names.index("Slap") < names.index("Close")


def test_when_a_clock_expires_the_arena_plays_for_a_player_who_never_moves() -> None:
    class Sleeper:
        def see(self, view: Any) -> None:
            """Never moves."""

        def choose(self, view: Any, offers: Any) -> None:
            return None

    game = with_field(MAGPIES, house_bot=lambda seat, strength, rng: Sleeper())
    result = play_match(game, 2, ("house", "house"), b"asleep")

    assert sum(result.missed) > 4
    assert result.millis >= 2 * 20_000


def test_a_refused_move_is_counted_and_a_player_that_repeats_it_plays_a_random_one() -> None:
    class Stubborn:
        def see(self, view: Any) -> None:
            """Always chooses a move that is not offered."""

        def choose(self, view: Any, offers: Any) -> Intent:
            return Intent({"t": "close"}, Millis(100))

    game = with_field(MAGPIES, house_bot=lambda seat, strength, rng: Stubborn())
    result = play_match(game, 2, ("house", "random"), b"stubborn")

    assert result.refused[0] > 0
    assert result.refused[1] == 0


@pytest.mark.parametrize("name", ["nobody", "house:mighty", "random:easy", ""])
def test_an_unknown_player_is_refused_before_the_first_match(name: str) -> None:
    with pytest.raises(UnknownPlayer):
        arena(MAGPIES, f"house,{name}", 1, console=quiet())


@every_game
@pytest.mark.parametrize("size", ["smallest", "largest"])
def test_house_bots_of_every_game_play_to_the_end_and_keep_to_their_offers(game: AnyGame, size: str) -> None:
    seats = game.seats[0] if size == "smallest" else game.seats[-1]
    mixed = ["house:easy", "house:strong", "random", "house:medium"]
    for seed in range(2):
        result = play_match(game, seats, [mixed[(n + seed) % 4] for n in range(seats)], bytes([seed]))

        assert result.refused == (0,) * seats
        assert len(result.scores) == seats
