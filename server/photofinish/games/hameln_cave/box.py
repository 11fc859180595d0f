"""The components: the shipped boards, tracks and cards or the host's own. Checked when the games are loaded."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from photofinish.engine.decks.components import BrokenComponents, find, load
from photofinish.games.hameln_cave.chart import HEADINGS, Chart, Line, Place, Side, Space, TrackSpace, Water

SHIPPED = Path(__file__).parent / "components" / "hameln_levels.toml"

LETTERS: dict[str, Water] = {"S": "start", ".": "water", "R": "reef", "G": "ghost", "*": "goal"}
ROUNDS = (1, 2, 3, 4, 5)
"""H8. The cave collapses up to a line in rounds 3 and 5: `ROCKFALL` (H26)."""
ROCKFALL = (3, 5)
DECK: dict[str, tuple[str, ...] | tuple[int, ...] | str] = {
    "colours": ("brown", "blue", "green"),
    "numbers": (1, 2, 3, 4, 5, 6, 7, 8, 9),
    "ghost": (1, 2, 3),
    "saber": (4, 5),
    "wheel": (6, 7, 8),
    "mermaid": (9,),
    "start_ghost_area": (1, 2),
    "call_card_end": "right",
}
"""H2 and H4 define the cards, and the deals depend on their numbers (H28). The file repeats them for readers."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class _Face(_Strict, frozen=True):
    id: str
    board: Literal["near", "mid", "far"]
    side: Literal["A", "B"]
    first_row: int
    rows: tuple[str, ...]
    levels: tuple[int, ...]
    collapse_round: int | None = None
    collapse_after_row: int | None = None


class _Level(_Strict, frozen=True):
    level: int
    roman: str
    faces: tuple[str, ...]
    lose_at_round_3_if_row_at_most: int
    lose_at_round_5_if_row_at_most: int
    advances_needed: int
    bot_win_rate: float | None = None


class _GhostTrack(_Strict, frozen=True):
    spaces: tuple[str, ...]
    cards_added: tuple[int, ...]
    note: str = ""


class _RoundTrack(_Strict, frozen=True):
    rounds: tuple[int, ...]
    lead_side: tuple[Side, ...]
    rockfall: tuple[int, ...]
    note: str = ""


class _Deck(_Strict, frozen=True):
    colours: tuple[str, ...]
    numbers: tuple[int, ...]
    ghost: tuple[int, ...]
    saber: tuple[int, ...]
    wheel: tuple[int, ...]
    mermaid: tuple[int, ...]
    start_ghost_area: tuple[int, ...]
    call_card_end: str


class _File(_Strict, frozen=True):
    faces: tuple[_Face, ...]
    levels: tuple[_Level, ...]
    ghost_track: _GhostTrack
    round_track: _RoundTrack
    deck: _Deck


@dataclass(frozen=True)
class Box:
    charts: tuple[Chart, ...]
    """Level 1 first."""
    ghost_track: tuple[TrackSpace, ...]
    lead_sides: tuple[Side, ...]
    """On which side of the map each round's number stands (H10)."""

    def chart(self, level: int) -> Chart:
        return self.charts[level - 1]


@cache
def the_box() -> Box:
    file = load(SHIPPED, _File)
    for key, reason in _faults(file):
        raise BrokenComponents(find(SHIPPED), key, reason)
    track = file.ghost_track
    stops = zip(track.spaces, (*track.cards_added, None), strict=True)
    return Box(
        tuple(_chart(file, level) for level in file.levels),
        tuple(TrackSpace(label, adds) for label, adds in stops),
        file.round_track.lead_side,
    )


def _chart(file: _File, level: _Level) -> Chart:
    faces = {face.id: face for face in file.faces}
    spaces = tuple(space for name in level.faces for space in _spaces(faces[name]))
    fall = (level.lose_at_round_3_if_row_at_most, level.lose_at_round_5_if_row_at_most)
    lines = tuple(Line(number, row) for number, row in zip(ROCKFALL, fall, strict=True))
    return Chart(level.level, level.roman, spaces, lines)


def _spaces(face: _Face) -> Iterator[Space]:
    for row, text in enumerate(face.rows, start=face.first_row):
        for col, letter in zip(_cols(row), text.split(), strict=True):
            yield Space(col, row, LETTERS[letter])


def _cols(row: int) -> tuple[int, ...]:
    return (-3, -1, 1, 3) if row % 2 else (-2, 0, 2)


def _faults(file: _File) -> Iterator[tuple[str, str]]:
    """All faults, in the order of the file. Later checks assume the earlier ones, so only the first is reported."""
    yield from _in_faces(file)
    yield from _in_levels(file)
    yield from _in_tracks(file)
    for name, wanted in DECK.items():
        if getattr(file.deck, name) != wanted:
            yield f"deck.{name}", f"the rules (H2, H4) say {wanted}"


def _in_faces(file: _File) -> Iterator[tuple[str, str]]:
    ids = [face.id for face in file.faces]
    for n, face in enumerate(file.faces):
        at = f"faces[{n}]"
        if ids.count(face.id) > 1:
            yield f"{at}.id", f"{face.id} is there twice"
        if not face.rows:
            yield f"{at}.rows", "a board has at least one row"
        for row, text in enumerate(face.rows, start=face.first_row):
            letters = text.split()
            if unknown := set(letters) - LETTERS.keys():
                yield f"{at}.rows", f"row {row} has {', '.join(sorted(unknown))}: only S . R G * are known"
            if len(letters) != len(_cols(row)):
                yield f"{at}.rows", f"row {row} has {len(letters)} spaces, not {len(_cols(row))}"
        if (face.collapse_round is None) != (face.collapse_after_row is None):
            yield f"{at}.collapse_after_row", "a collapse line has both a round and a row"
        if face.collapse_round is not None and face.collapse_round not in ROCKFALL:
            yield f"{at}.collapse_round", "the cave collapses at 3 and 5 (H26)"
        used = sorted(level.level for level in file.levels if face.id in level.faces)
        if sorted(face.levels) != used:
            yield f"{at}.levels", f"the levels that use {face.id} are {used}"


def _in_levels(file: _File) -> Iterator[tuple[str, str]]:
    if not file.levels:
        yield "levels", "there must be a level"
    faces = {face.id: face for face in file.faces}
    for n, level in enumerate(file.levels):
        at = f"levels[{n}]"
        if level.level != n + 1:
            yield f"{at}.level", "levels are numbered from 1 in their order"
        if unknown := [name for name in level.faces if name not in faces]:
            yield f"{at}.faces", f"there is no board {unknown[0]}"
        boards = [faces[name] for name in level.faces]
        if [face.board for face in boards] != ["near", "mid", "far"]:
            yield f"{at}.faces", "a map is a near, a mid and a far board"
        row = 0
        for face in boards:
            if face.first_row != row:
                yield (
                    f"{at}.faces",
                    f"{face.id} begins at row {face.first_row}, not where the last ended: {row}",
                )
            row += len(face.rows)
        printed = {face.collapse_round: face.collapse_after_row for face in boards}
        for number in ROCKFALL:
            key = f"lose_at_round_{number}_if_row_at_most"
            if printed.get(number) != getattr(level, key):
                yield f"{at}.{key}", f"the line on the boards is after row {printed.get(number)}"
        yield from _in_chart(_chart(file, level), level, at)


def _in_chart(chart: Chart, level: _Level, at: str) -> Iterator[tuple[str, str]]:
    kinds = [space.kind for space in chart.spaces]
    if kinds.count("start") != 1:
        yield f"{at}.faces", f"a map has one start, this one {kinds.count('start')}"
    if "goal" not in kinds:
        yield f"{at}.faces", "the map has no goal"
    first, second = (line.after_row for line in chart.lines)
    if not chart.start.row <= first < second < chart.last_row:
        yield (
            f"{at}.lose_at_round_5_if_row_at_most",
            "the lines lie one behind the other between start and goal",
        )
    if level.advances_needed != chart.last_row - chart.start.row:
        yield f"{at}.advances_needed", f"start and goal are {chart.last_row - chart.start.row} rows apart"
    if not any(chart.kinds[place] == "goal" for place in _reachable(chart)):
        yield f"{at}.faces", "no way leads from the start to a goal"
    if level.bot_win_rate is not None and not 0 <= level.bot_win_rate <= 1:
        yield f"{at}.bot_win_rate", "a rate is 0 to 1"


def _reachable(chart: Chart) -> set[Place]:
    found, edge = {chart.start}, [chart.start]
    while edge:
        here = edge.pop()
        steps = {chart.ahead(here, heading) for heading in HEADINGS} - {None}
        new = {place for place in steps if place is not None} - found
        found |= new
        edge += new
    return found


def _in_tracks(file: _File) -> Iterator[tuple[str, str]]:
    spaces, added = file.ghost_track.spaces, file.ghost_track.cards_added
    if len(spaces) < 2 or spaces[0] != "S" or spaces[-1] != "DEAD" or len(set(spaces)) != len(spaces):
        yield "ghost_track.spaces", "the track goes from S to DEAD, each space once"
    if len(added) != len(spaces) - 1 or min(added, default=0) < 1:
        yield "ghost_track.cards_added", "every space but DEAD adds at least one card"
    if tuple(map(str, added[1:])) != spaces[1:-1]:
        yield "ghost_track.spaces", "between S and DEAD a space is called by the number it adds"
    track = file.round_track
    if track.rounds != ROUNDS:
        yield "round_track.rounds", "there are five rounds (H8)"
    if len(track.lead_side) != len(ROUNDS):
        yield "round_track.lead_side", "every round's number stands on one side"
    if track.rockfall != ROCKFALL:
        yield "round_track.rockfall", "the cave collapses at 3 and 5 (H26)"
