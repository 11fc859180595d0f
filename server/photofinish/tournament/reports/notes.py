"""T19, T49: what a referee should look at. Nothing follows from a note by itself."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from photofinish.tournament.reports.favours import favours
from photofinish.tournament.scores.reactions import FOR_BEST, board, race_lines
from photofinish.tournament.state.model import BOT, State

MANY_FALSE_STARTS = 5
STEADY_US = 15_000
"""The spread between the quartiles of a person's reactions is greater than this."""


class RefereeNote(msgspec.Struct, frozen=True):
    number: int
    what: str
    """`false_starts`, `steady`, `favours`, `same_house` or `two_results`."""
    text: str
    round: int = 0
    table: int = 0
    game: int = 0


def notes(state: State) -> tuple[RefereeNote, ...]:
    """In the order of the rounds, then by entrant."""
    found: list[RefereeNote] = []
    for round_ in state.rounds:
        for table in round_.tables:
            for game in table.games:
                lines = game.outcome.races if game.counts and game.outcome else ()
                early = Counter(line.seat for line in lines if line.verdict == "false_start")
                for seat, count in sorted(early.items()):
                    if count >= MANY_FALSE_STARTS and game.seats[seat] != BOT:
                        text = f"{count} false starts in one deal"
                        found.append(
                            RefereeNote(
                                game.seats[seat], "false_starts", text, round_.number, table.table, game.game
                            )
                        )
    found += [_two_results(state, room) for room in state.conflicts]
    for row in board(race_lines(state)):
        if row.n >= FOR_BEST and row.iqr_us is not None and row.iqr_us < STEADY_US:
            text = f"{row.n} reactions with a spread of {row.iqr_us / 1000:.1f} ms: a machine?"
            found.append(RefereeNote(row.number, "steady", text))
    for it in favours(state):
        text = f"with {it.b}: {it.spoilt} of {it.of} races that one of them won, the other spoilt for itself"
        found.append(RefereeNote(it.a, "favours", text))
    return tuple(found)


def _two_results(state: State, room: str) -> RefereeNote:
    """T19."""
    round_, table, index = state.rooms[room]
    game = state.rounds[round_ - 1].tables[table - 1].games[index]
    heads = ", ".join(head[:8] for head in (game.head, *state.conflicts[room]))
    return RefereeNote(
        game.seats[0], "two_results", f"room {room} has given two results: {heads}", round_, table, game.game
    )


def shared_address_notes(state: State, shared_addresses: Iterable[str]) -> tuple[RefereeNote, ...]:
    """Entrants at one table whose connections have the same address. Not in the log: it is public, and this is not."""
    found = []
    for row in sorted(shared_addresses):
        round_, table, *numbers = map(int, row.split())
        names = " and ".join(state.entrant(number).name for number in numbers)
        found.append(RefereeNote(numbers[0], "same_house", f"same house: {names}", round_, table))
    return tuple(found)
