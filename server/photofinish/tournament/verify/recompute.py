"""T73 (3), (6), (7): computes again, entry by entry, what follows from the state and the secret."""

import hashlib
from collections.abc import Iterator

import msgspec

from photofinish.tournament.course.chance import deal_seed, pairing_key
from photofinish.tournament.course.due import room_code, seed_of
from photofinish.tournament.course.plan import has_more, is_cut, plan
from photofinish.tournament.course.start import start
from photofinish.tournament.log import entries as log
from photofinish.tournament.scores.best_of import length_of, needs_winner, next_game, rounds_left
from photofinish.tournament.scores.ratings import CORRECTED_SINCE, Rating, round_changes
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.arena_state import pairs_of_tick
from photofinish.tournament.state.fold_rounds import TIES_CORRECTED
from photofinish.tournament.state.model import State

WAITING_TOLD = 6
"""The version of the log since which an arena's pairs can be computed again."""
ALLOWED = 2
"""T65: ratings may differ by this many millionths."""


def faults(state: State, entry: log.AnyEntry, secret: bytes) -> Iterator[str]:
    """What is wrong with an entry that the core makes by itself; `state` is that before it."""
    match entry:
        case log.Drawn():
            made = start(state, secret, entry.by)
            if made is None:
                yield "too few entrants to start (T26)"
            elif (made.numbers, made.mixed, made.key, made.withheld, made.rounds) != (
                entry.numbers, entry.mixed, entry.key, entry.withheld, entry.rounds,
            ):  # fmt: skip
                yield "numbers, nonces, K(0) or the number of rounds do not follow (T27, T41, T44)"
        case log.Paired():
            yield from _paired(state, entry, secret)
        case log.TableCalled():
            if entry.room != room_code(secret, entry.round, entry.table, entry.game, entry.attempt):
                yield "the room code does not follow (T21)"
            seed = seed_of(state, secret, entry.round, entry.table, entry.game, entry.attempt)
            if entry.commitment != hashlib.sha256(seed).hexdigest():
                yield "the room's commitment does not follow (T42)"
        case log.SeedRevealed():
            seed = deal_seed(secret, bytes.fromhex(state.mixed), entry.round, entry.deal, entry.attempt)
            if entry.seed != seed.hex():
                yield "the deal's seed does not follow (T42)"
        case log.PairingDecided():
            yield from _decided(state, entry)
        case log.RoundClosed():
            recomputed = tuple((it.rank, it.number, it.points) for it in standings(state))
            if recomputed != entry.standings:
                yield "the standings do not follow (T73)"
        case log.Rated():
            yield from _rated(state, entry)
        case log.Finished():
            if len(state.still_in()) >= 2 and has_more(state):
                yield "the event is finished before its last round (§3)"
        case _:
            pass


def _paired(state: State, entry: log.Paired, secret: bytes) -> Iterator[str]:
    key = pairing_key(secret, bytes.fromhex(state.mixed), entry.round)
    if entry.key != key.hex():
        yield "K(r) does not follow from E and N (T44)"
    elif state.rules.format != "arena":
        phase = "cut" if is_cut(state) else "main"
        if (plan(state, key), phase) != (entry.tables, entry.phase):
            yield "the pairing does not follow (T52, T54, T29, T30)"
    elif entry.tick and state.version >= WAITING_TOLD and state.round is not None:
        free = entry.waiting or ()
        field, pairs = pairs_of_tick(state, state.round, entry.tick, free)
        made = tuple(it.number for it in field), list(pairs)
        if made != (free, [it.seats for it in entry.tables]):
            yield "the pairing of the tick does not follow (T34)"


def _decided(state: State, entry: log.PairingDecided) -> Iterator[str]:
    round_ = state.rounds[entry.round - 1]
    table = round_.tables[entry.table - 1]
    length = length_of(state.rules, rounds_left(state, round_, table))
    must = needs_winner(state.rules, round_)
    if state.version < TIES_CORRECTED:  # older releases played no replay after the round's time
        table = msgspec.structs.replace(table, games=tuple(it for it in table.games if it.counts))
    for time_over in (False, True):
        made = next_game(state.rules, table, length=length, needs_winner=must, time_over=time_over)
        if (made.game, made.winner, made.step) == (0, entry.winner, entry.step):
            return
    yield "the winner of the pairing does not follow from its games (T31, T32)"


def _rated(state: State, entry: log.Rated) -> Iterator[str]:
    known = state.rated.get(entry.key)
    if known is not None and known[1] != entry.before:
        yield "the rating before is not the one after the last round (T65)"
    elif state.status == "finished":
        made = {it.key: it for it in round_changes(state, len(state.rounds), {})}.get(entry.key)
        if made is None or not _is_about(made.after, entry):
            yield f"the rating of {entry.key[:8]} does not follow from a correction (T66)"


def _is_about(made: Rating, entry: log.Rated) -> bool:
    return abs(made.mu - entry.after[0]) <= ALLOWED and abs(made.sigma - entry.after[1]) <= ALLOWED


def rating_faults(state: State, round_: int, logged: list[log.Rated]) -> Iterator[str]:
    """T65: the round's changes from the ratings before it. `state` is that before all of them."""
    newcomers = {it.key: Rating(*it.before) for it in logged}
    made = {it.key: it for it in round_changes(state, round_, newcomers)}
    if made.keys() != {it.key for it in logged}:
        yield "others are rated than played (T65)"
        return
    for it in logged:
        if not _is_about(made[it.key].after, it):
            yield f"the rating of {it.key[:8]} does not follow (T65)"
        if state.version >= CORRECTED_SINCE and it.games != made[it.key].games:
            yield f"{it.key[:8]} has played another number of rated games (T65)"
