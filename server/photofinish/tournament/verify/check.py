"""The whole check, in the order of T73. Replays are checked by the caller, who knows rooms and races."""

import hashlib
from collections.abc import Callable, Mapping, Sequence

import msgspec

from photofinish.engine import AnyGame
from photofinish.tournament.event_file import BadEvent, canonical, read_event
from photofinish.tournament.export.archive import BadArchive, unpacked
from photofinish.tournament.export.files import EVENT, LOG, REPLAYS, derived
from photofinish.tournament.log import chain
from photofinish.tournament.log import entries as log
from photofinish.tournament.state.fold import after
from photofinish.tournament.state.illegal import Illegal
from photofinish.tournament.state.model import BOT, State
from photofinish.tournament.verify.recompute import faults, rating_faults
from photofinish.tournament.verify.rights import is_entitled


class ExportFinding(msgspec.Struct, frozen=True):
    """What is wrong, and where: a file, and its line from 1 (0: the file as a whole)."""

    file: str
    row: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}{f', line {self.row}' if self.row else ''}: {self.text}"


class ReplayFacts(msgspec.Struct, frozen=True):
    """What a verified replay says. `faults` are those of the replay itself."""

    room: str
    head: str
    commitment: str
    seed: str
    names: tuple[str, ...]
    options: dict[str, object]
    game: str
    outcome: log.RoomOutcome | None
    faults: tuple[str, ...] = ()
    race_params: tuple[Mapping[str, int], ...] = ()
    """Of each race."""


CheckReplay = Callable[[bytes], ReplayFacts]
IsSigned = Callable[[str, str, str], bool]


def is_export(raw: bytes) -> bool:
    """Does this look like an export, damaged or not?"""
    return b"PK" in raw[:4096] and (LOG.encode() in raw or EVENT.encode() in raw)


def verify_archive(
    raw: bytes, games: Mapping[str, AnyGame], check_replay: CheckReplay, is_signed: IsSigned
) -> tuple[ExportFinding, ...]:
    """Every fault that can be found; none if the export is right."""
    try:
        files = unpacked(raw)
    except BadArchive as no:
        return (ExportFinding("archive", 0, str(no)),)
    missing = [name for name in (EVENT, LOG) if name not in files]
    if missing:
        return tuple(ExportFinding(name, 0, "is missing") for name in missing)
    try:
        lines = [msgspec.json.decode(row, type=chain.ChainLine) for row in files[LOG].splitlines()]
        entries, head = chain.read(lines)
    except msgspec.DecodeError as no:
        return (ExportFinding(LOG, 0, f"not readable: {no}"),)
    except chain.BrokenChain as no:
        return (ExportFinding(LOG, no.number + 1, no.why),)
    found: list[ExportFinding] = []
    if b"".join(msgspec.json.encode(line) + b"\n" for line in lines) != files[LOG]:
        found.append(ExportFinding(LOG, 0, "not written as an export writes it"))
    state = _walk(entries, lines, found, is_signed)
    if state is None:
        return tuple(found) or (ExportFinding(LOG, 0, "no entries"),)
    found += _event_file(files[EVENT], state, games)
    found += _derived(files, state, entries, head)
    found += _replays(files, state, check_replay)
    return tuple(found)


def _walk(
    entries: Sequence[log.AnyEntry],
    lines: Sequence[chain.ChainLine],
    found: list[ExportFinding],
    is_signed: IsSigned,
) -> State | None:
    """(1), (3), (6), (7), (8): fold the log and compute again what follows from it."""
    secret = next((bytes.fromhex(it.secret) for it in entries if isinstance(it, log.Finished)), b"")
    state: State | None = None
    logged: list[log.Rated] = []
    unrated: State | None = None
    """Before the first rating of the round."""
    for row, entry in enumerate(entries, start=1):
        if not is_entitled(state, entry):
            found.append(ExportFinding(LOG, row, f"{entry.by[:16]} may not do this (§1)"))
        try:
            if state is not None and secret:
                found += [ExportFinding(LOG, row, text) for text in faults(state, entry, secret)]
                if isinstance(entry, log.RoundClosed):
                    texts = rating_faults(unrated if logged and unrated else state, entry.round, logged)
                    found += [ExportFinding(LOG, row, text) for text in texts]
                    logged = []
            if isinstance(entry, log.Rated) and not logged:
                unrated = state
            state = after(state, entry)
        except Illegal as no:
            found.append(ExportFinding(LOG, row, no.why))
            return None
        match entry:
            case log.Rated():
                logged.append(entry)
            case log.Finished(secret=opened):
                if hashlib.sha256(bytes.fromhex(opened)).hexdigest() != state.commitment:
                    found.append(ExportFinding(LOG, row, "E does not open its commitment (T41)"))
            case log.Sealed(head=head, signature=signature, by=by):
                if head != lines[row - 2].hash:
                    found.append(ExportFinding(LOG, row, "another head was sealed"))
                elif by != "clock" and not is_signed(by, head, signature):
                    found.append(ExportFinding(LOG, row, "not the organiser's signature over the head"))
            case _:
                pass
    return state


def _event_file(raw: bytes, state: State, games: Mapping[str, AnyGame]) -> list[ExportFinding]:
    """(2)."""
    found = []
    if hashlib.sha256(raw).hexdigest() != state.file_hash:
        found.append(ExportFinding(EVENT, 0, "not the file that the log names"))
    try:
        if canonical(read_event(raw, games)) != canonical(state.rules):
            found.append(ExportFinding(EVENT, 0, "its canonical form is not that of the rules hash (T10)"))
    except BadEvent as no:
        found.append(ExportFinding(EVENT, no.faults[0].line, str(no)))
    return found


def _derived(
    files: Mapping[str, bytes], state: State, entries: Sequence[log.AnyEntry], head: bytes
) -> list[ExportFinding]:
    """(7): every table, row by row."""
    made = derived(state, entries, head)
    found = [ExportFinding(name, 0, "is missing") for name in made if name not in files]
    known = {*made, EVENT, LOG}
    found += [
        ExportFinding(name, 0, "does not belong to an export")
        for name in files
        if name not in known and not name.startswith(REPLAYS)
    ]
    for name, right in made.items():
        content = files.get(name, right)
        if content == right:
            continue
        rows, wanted = content.split(b"\n"), right.split(b"\n")
        at = next((n for n, (a, b) in enumerate(zip(rows, wanted, strict=False), start=1) if a != b), None)
        found.append(
            ExportFinding(name, at or min(len(rows), len(wanted)) + 1, "does not follow from the log")
        )
    return found


def _replays(files: Mapping[str, bytes], state: State, check: CheckReplay) -> list[ExportFinding]:
    """(4), (5): each replay is right, and each result follows from its replay and the rulings."""
    found: list[ExportFinding] = []
    rooms = {f"{REPLAYS}{room}-1.json": room for room in state.rooms}
    for name in sorted(it for it in files if it.startswith(REPLAYS)):
        if name not in rooms:
            found.append(ExportFinding(name, 0, "no room of this event"))
            continue
        found += [ExportFinding(name, 0, text) for text in _replay(state, rooms[name], check(files[name]))]
    for name, room in rooms.items():
        round_, table, index = state.rooms[room]
        game = state.rounds[round_ - 1].tables[table - 1].games[index]
        if game.head and name not in files:
            found.append(ExportFinding(name, 0, "the replay of a game with a result is missing"))
    return found


def _replay(state: State, room: str, facts: ReplayFacts) -> list[str]:
    round_, table, index = state.rooms[room]
    held = state.rounds[round_ - 1].tables[table - 1]
    game = held.games[index]
    wrong = list(facts.faults)
    is_told = game.how == "void" and facts.head in state.conflicts.get(room, ())  # T19: it was played again
    if game.head and facts.head != game.head and not is_told:
        wrong.append("its head is not that of the result (T20)")
    if game.commitment and facts.commitment != game.commitment:
        wrong.append("its commitment is not the one that was logged")
    if facts.room != room or facts.game != state.rules.game:
        wrong.append("another room or game")
    if facts.options != state.rules.options:
        wrong.append("other options than the event's")
    pinned = state.rules.races.items()
    if any(params.get(name, value) != value for params in facts.race_params for name, value in pinned):
        wrong.append("other race parameters than the event's (T49)")
    names = tuple(state.entrant(number).name for number in game.seats if number != BOT)
    seated = tuple(name for name, number in zip(facts.names, game.seats, strict=False) if number != BOT)
    if names != seated:
        wrong.append("others sat there than were paired")
    outcome = game.outcome
    if outcome is None or facts.outcome is None or game.how == "void":
        return wrong
    if (facts.outcome.scores, facts.outcome.races) != (outcome.scores, outcome.races):
        wrong.append("scores or races are not those of the result")
    recorded = facts.outcome
    if game.how == "played" and (recorded.places, recorded.winners) != (outcome.places, outcome.winners):
        wrong.append("the places are not those of the result")
    return wrong
