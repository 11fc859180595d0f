"""Verifies a replay from its file only: commitment, chain, every shuffle, every step, every race, the result."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from photofinish.engine import AnyGame
from photofinish.engine.places import places
from photofinish.engine.rng import Draw, commitment, nonce_commit
from photofinish.race.normaliser import Normalisers
from photofinish.race.recompute import recompute
from photofinish.race.version1 import recompute1
from photofinish.replay import log
from photofinish.replay.race_tracker import RaceTracker
from photofinish.replay.replay import FORMAT, REFUSED, Replay, states
from photofinish.replay.shape import shape_faults


@dataclass(slots=True)
class Report:
    """What was checked, and the faults. Without faults the replay is verified."""

    steps: int = 0
    shuffles: int = 0
    draws: int = 0
    """Numbers that were drawn, apart from the shuffles."""
    races: int = 0
    committed: int = 0
    """The number of nonces that were committed before the deal and revealed after `start`."""
    version: int = 0
    """The version of the log. Before 3 a log does not contain the moves of a race that the rules refused."""
    reopened: int = 0
    """Races that were reopened because the room changed its owner. Earlier moves of them have no record."""
    withheld: tuple[str, ...] = ()
    """The names of players who committed to a nonce and did not reveal it."""
    faults: list[str] = field(default_factory=list)

    @property
    def is_true(self) -> bool:
        return not self.faults


def verify(
    replay: Replay, games: Mapping[str, AnyGame], on_entry: Callable[[int], None] = lambda _: None
) -> Report:
    """Replay the whole game and compare. Calls `on_entry` with the number of each entry when it is done."""
    report = Report()
    entries = _entries(replay, report)
    if report.faults:
        return report
    seed = bytes.fromhex(replay.seed)
    dealt = _dealt(entries)
    report.version = dealt.v
    try:
        tracker, normalisers = RaceTracker(_game(games, dealt), dealt.v), Normalisers()
        for number, (entry, state, rng) in enumerate(states(games, seed, entries)):
            on_entry(number)
            if not isinstance(entry, log.Raced):
                report.faults += tracker.unclosed()
            match entry:
                case log.Dealt() | log.Step():
                    has_draws = dealt.chance is not None
                    if has_draws and (wrong := differing(rng.draws, entry.chance or ())):
                        report.faults.append(f"entry {number}: {wrong}")
                    report.shuffles += sum(it.order is not None for it in rng.draws)
                    report.draws += sum(it.order is None for it in rng.draws)
                    if isinstance(entry, log.Dealt):
                        _check_nonces(entry, report)
                        tracker.deal(state)
                    else:
                        report.steps += 1
                        if entry.step != report.steps:
                            report.faults.append(
                                f"entry {number}: step {entry.step}, should be {report.steps}"
                            )
                        report.faults += tracker.step(entry, state)
                case log.Raced(record=record, older=older):
                    report.races += 1
                    coin = log.coin_key(seed)
                    verdict = recompute(record, None, coin) if older is None else recompute1(older, coin)
                    wrongs = [*verdict.mismatches]
                    if dealt.v >= log.FOLLOWS and verdict.is_sound:
                        wrongs += normalisers.check(record)
                    report.faults += [f"race {record.key}: {wrong}" for wrong in wrongs]
                    report.faults += tracker.raced(entry)
                    report.reopened += entry.reopened
                case log.Ended():
                    _check_end(entry, games[dealt.game], state, report)
    except REFUSED as fault:
        report.faults.append(f"the rules do not allow this game: {fault!r}")
    return report


def differing(drawn: Sequence[Draw], recorded: Sequence[Draw]) -> str:
    """How the draws of a step differ from what its entry says, or nothing."""
    if len(drawn) != len(recorded):
        return f"chance was drawn {len(drawn)} times, recorded {len(recorded)}"
    wrong = next((n for n, (one, two) in enumerate(zip(drawn, recorded, strict=True)) if one != two), None)
    return "" if wrong is None else f"draw {wrong} is {drawn[wrong]}, recorded {recorded[wrong]}"


def _entries(replay: Replay, report: Report) -> list[log.Entry]:
    """All entries, if format, commitment and chain hold."""
    if replay.format != FORMAT:
        report.faults.append(f"not a {FORMAT}")
        return []
    try:
        seed = bytes.fromhex(replay.seed)
        entries = [log.parse(line.body) for line in replay.entries]
    except (ValueError, msgspec.DecodeError, RecursionError) as fault:
        report.faults.append(f"not readable: {fault}")
        return []
    if commitment(seed) != replay.commitment:
        report.faults.append("the seed does not open the commitment")
    key, head = log.chain_key(seed), bytes(log.HASH)
    for number, line in enumerate(replay.entries):
        head = log.link(key, head, line.body.encode())
        if head.hex() != line.hash:
            report.faults.append(f"entry {number}: its hash does not follow from the entries before it")
            break
    if not report.faults and head.hex() != replay.head:
        report.faults.append("the head is not that of the last entry")
    report.faults += shape_faults(entries)
    return entries


def _check_nonces(dealt: log.Dealt, report: Report) -> None:
    """Each nonce must match its hash; a withheld nonce must be empty. Older logs have no hashes."""
    if not dealt.commits and not dealt.withheld:
        return
    if not len(dealt.commits) == len(dealt.nonces) == dealt.seats:
        report.faults.append(
            f"{len(dealt.commits)} hashes and {len(dealt.nonces)} nonces at {dealt.seats} seats"
        )
        return
    for seat, (commit, nonce) in enumerate(zip(dealt.commits, dealt.nonces, strict=True)):
        if seat in dealt.withheld:
            is_right = bool(commit) and not nonce
        else:
            is_right = commit == (nonce_commit(bytes.fromhex(nonce)) if nonce else "")
        if not is_right:
            report.faults.append(f"seat {seat}: its nonce does not open the hash it had published")
    report.committed = sum(bool(nonce) for nonce in dealt.nonces)
    report.withheld = tuple(dealt.names[seat] for seat in dealt.withheld)


def _game(games: Mapping[str, AnyGame], dealt: log.Dealt) -> AnyGame:
    if dealt.game not in games:
        raise ValueError(f"no game {dealt.game!r} in this release")
    return games[dealt.game]


def _dealt(entries: list[log.Entry]) -> log.Dealt:
    first = entries[0]
    assert isinstance(first, log.Dealt)
    return first


def _check_end(entry: log.Ended, game: AnyGame, state: object, report: Report) -> None:
    outcome = game.outcome(state)
    if outcome is None:
        report.faults.append("the log ends the game, but by the rules it is not over")
        return
    ranks = places(game, state) if entry.places else ()
    found = log.Ended(tuple(outcome.winners), outcome.why, tuple(game.scores(state)), ranks)
    if found != entry:
        report.faults.append(f"the log says the result is {entry}, the replay gives {found}")
