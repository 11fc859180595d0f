"""T25, T31, T32: when a pairing needs another game, and who has won it."""

import msgspec

from photofinish.tournament.event_file.model import EventRules
from photofinish.tournament.pairing.brackets import stages
from photofinish.tournament.state.brackets_state import matches_of
from photofinish.tournament.state.model import BOT, Played, Round, RoundTable, State

MORE_GAMES = 3
"""T32: the number of additional games, each deciding, if a pairing that needs a winner is equal."""


class Next(msgspec.Struct, frozen=True):
    """Play this game; or, with `game` 0, the pairing is decided."""

    game: int
    winner: int = 0
    step: str = ""


def length_of(rules: EventRules, rounds_left: int) -> int:
    """The best of how many; `best_of` counts from the final backwards, its last number repeats."""
    return rules.best_of[min(rounds_left, len(rules.best_of) - 1)]


def halves_won(table: RoundTable) -> dict[int, int]:
    """2 per game won, 1 per game drawn, by entrant."""
    won = dict.fromkeys(table.people, 0)
    for game in _counted(table):
        first = _first(game)
        for number in first:
            if number in won:
                won[number] += 2 if len(first) == 1 else 1
    return won


def _counted(table: RoundTable) -> list[Played]:
    return [it for it in table.games if it.counts]


def _first(game: Played) -> list[int]:
    """Who is first in a game; all, if nobody won it."""
    assert game.outcome is not None
    winners = [game.seats[seat] for seat, place in enumerate(game.outcome.places) if place == 1]
    return winners or list(game.seats)


def leader(table: RoundTable) -> int:
    """Who leads; 0 if they are equal."""
    won = halves_won(table)
    best = max(won.values(), default=0)
    ahead = [number for number, games in won.items() if games == best]
    return ahead[0] if len(ahead) == 1 else 0


def next_game(
    rules: EventRules, table: RoundTable, *, length: int, needs_winner: bool, time_over: bool = False
) -> Next:
    """The next step of a table that has no game running. A replay is no new game: it is played whatever the time."""
    counted = _counted(table)
    done = len(counted)
    kept = {it.game for it in counted}
    if again := next((it.game for it in table.games if it.how == "void" and it.game not in kept), 0):
        return Next(again)
    if rules.format == "slapoff":
        deal = next((it for it in range(1, rules.slapoff.deals + 1) if it not in kept), 0)
        return Next(0) if time_over or not deal else Next(deal)
    if rules.is_coop or rules.is_pods or BOT in table.seats:
        return Next(0, winner=0) if counted else Next(1)
    ahead, won = leader(table), halves_won(table)
    if ahead and (won[ahead] > length or done >= length):
        return Next(0, winner=ahead, step="" if done <= length else "more games")
    if done < length and not time_over:
        return Next(done + 1)
    if ahead:
        return Next(0, winner=ahead, step="time")
    if not needs_winner:
        return Next(0)
    if done < length + MORE_GAMES and not time_over:
        return Next(done + 1)
    return without_games(table)


def without_games(table: RoundTable) -> Next:
    """T32: more races won, then fewer false starts, then the better seed."""
    won, early = dict.fromkeys(table.people, 0), dict.fromkeys(table.people, 0)
    for game in _counted(table):
        assert game.outcome is not None
        for line in game.outcome.races:
            number = game.seats[line.seat]
            won[number] += line.verdict == "won"
            early[number] += line.verdict == "false_start"
    a, b = table.people
    if won[a] != won[b]:
        return Next(0, winner=max(won, key=lambda it: won[it]), step="races")
    if early[a] != early[b]:
        return Next(0, winner=min(early, key=lambda it: early[it]), step="false starts")
    return Next(0, winner=min(a, b), step="seed")


def seats_in(rules: EventRules, table: RoundTable, game: int) -> tuple[int, ...]:
    """T31: the first seat changes with every game of two."""
    if len(table.seats) == 2 and not rules.is_duplicate and game % 2 == 0:
        return (table.seats[1], table.seats[0])
    return table.seats


def rounds_left(state: State, round_: Round, table: RoundTable) -> int:
    """How far a match is from the final. The reset of a double elimination is as long as its grand final."""
    if round_.phase == "cut":
        size = max(1, state.rules.cut.bit_length() - 1)
        return max(0, size - (round_.number - state.planned))
    if not state.rules.is_elimination:
        return 0
    matches = matches_of(state)
    last = stages(matches) - (state.rules.format == "double")
    return max(0, last - matches[table.match].stage)


def needs_winner(rules: EventRules, round_: Round) -> bool:
    return rules.is_elimination or round_.phase == "cut"
