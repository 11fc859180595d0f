"""T29, T30: the bracket of a running event, from its rounds. Seeds are entrant numbers, or ranks before the cut."""

from collections.abc import Mapping

from photofinish.tournament.pairing.brackets import (
    BracketMatch,
    Decided,
    Open,
    double,
    final_places,
    resolve,
    single,
)
from photofinish.tournament.state.model import Round, RoundTable, State


def matches_of(state: State) -> tuple[BracketMatch, ...]:
    n = len(state.numbers)
    if state.rules.format == "double":
        return double(n)
    return single(n, third_place=state.rules.third_place)


def winners_of(rounds: tuple[Round, ...]) -> dict[int, int]:
    """The winner's number by match. A pairing that nobody won (both forfeit) goes to the better seed."""
    return {
        table.match: table.winner or min(table.people)
        for round_ in rounds
        for table in round_.tables
        if table.match >= 0 and not table.bye and table.is_over
    }


def open_matches(state: State) -> tuple[Open, ...]:
    _, now = resolve(matches_of(state), len(state.numbers), winners_of(state.rounds))
    return now


def stage_matches(state: State) -> tuple[Open, ...]:
    """The matches of the next round. Two entrants who both had byes wait for their stage."""
    matches, now = matches_of(state), open_matches(state)
    stage = max(len(state.rounds) + 1, min(matches[it.index].stage for it in now))
    return tuple(it for it in now if matches[it.index].stage <= stage)


def byes_of_stage(state: State, stage: int) -> list[tuple[int, int]]:
    """(match, entrant) of each bye of the first stage; later byes leave no row."""
    matches = matches_of(state)
    decided, _ = resolve(matches, len(state.numbers), winners_of(state.rounds))
    return [
        (index, it.winner)
        for index, it in decided.items()
        if matches[index].stage == stage and it.winner and not it.loser
    ]


def decided_of(state: State) -> tuple[tuple[BracketMatch, ...], dict[int, Decided]]:
    matches = matches_of(state)
    decided, _ = resolve(matches, len(state.numbers), winners_of(state.rounds))
    return matches, decided


def leads_on(state: State, round_: Round, table: RoundTable) -> bool:
    """Does a later match take the winner or the loser of this one?"""
    if state.rules.is_elimination:
        matches = matches_of(state)
    elif round_.phase == "cut" and not state.rules.is_pods:
        matches = single(len(cut_seeds(state)), third_place=True)
    else:
        return False
    sources = (source for match in matches for source in (match.a, match.b))
    return any(source.side != "seed" and source.of == table.match for source in sources)


def places(state: State) -> dict[int, int]:
    matches, decided = decided_of(state)
    return final_places(matches, len(state.numbers), decided)


# The cut: the best of a Swiss event go on to single elimination, or to one final table


def cut_rounds(state: State) -> tuple[Round, ...]:
    return tuple(it for it in state.rounds if it.phase == "cut")


def cut_seeds(state: State) -> tuple[int, ...]:
    """Entrant numbers by their rank before the cut, as the first round of the cut seated them."""
    first = cut_rounds(state)[0]
    if state.rules.is_pods:
        return first.tables[0].seats
    matches = single(2 * len(first.tables), third_place=True)
    seeds: dict[int, int] = {}
    for table in first.tables:
        match = matches[table.match]
        better, worse = sorted((match.a.of, match.b.of))
        # The better seed sits second in game 1 (T31).
        seeds |= {
            better: table.seats[0] if table.bye else table.seats[1],
            worse: 0 if table.bye else table.seats[0],
        }
    return tuple(seeds[seed] for seed in sorted(seeds) if seeds[seed])


def cut_open(state: State) -> tuple[tuple[int, int, int], ...]:
    """(match, better entrant, other entrant) of each match that can be played now."""
    seeds = cut_seeds(state)
    matches = single(len(seeds), third_place=True)
    _, now = resolve(matches, len(seeds), _seed_winners(state, seeds))
    return tuple((it.index, seeds[it.a - 1], seeds[it.b - 1]) for it in now)


def _seed_winners(state: State, seeds: tuple[int, ...]) -> Mapping[int, int]:
    index = {number: seed for seed, number in enumerate(seeds, start=1)}
    return {match: index[number] for match, number in winners_of(cut_rounds(state)).items()}


def cut_places(state: State) -> dict[int, int]:
    """Final places of those who went on, by entrant number."""
    seeds = cut_seeds(state)
    if state.rules.is_pods:
        table = cut_rounds(state)[0].tables[0]
        game = next((it for it in reversed(table.games) if it.counts), None)
        if game is None or game.outcome is None:
            return {}
        return {number: game.outcome.places[seat] for seat, number in enumerate(game.seats)}
    matches = single(len(seeds), third_place=True)
    decided, _ = resolve(matches, len(seeds), _seed_winners(state, seeds))
    return {seeds[seed - 1]: place for seed, place in final_places(matches, len(seeds), decided).items()}
