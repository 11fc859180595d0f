"""Checks that depend on several keys: limits by game and format (§2), refused combinations (T11)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from photofinish.engine import AnyGame, IllegalMove, Rng, TableSetup, convert
from photofinish.engine.inputs import no_race
from photofinish.tournament.event_file.checks import Not, halves, public_key, text, whole
from photofinish.tournament.event_file.faults import nearest
from photofinish.tournament.event_file.keys import DEFAULT_TIEBREAKS
from photofinish.tournament.event_file.model import UNIT, Listed
from photofinish.tournament.event_file.sheet import Sheet
from photofinish.tournament.people.names import name_key

TWO_ONLY = frozenset({"single", "double", "arena"})
CUTS = (0, 2, 4, 8, 16, 32)


def game_of(sheet: Sheet, games: Mapping[str, AnyGame]) -> AnyGame | None:
    if "game" not in sheet.raw:
        sheet.fault(("game",), "nothing", "a game of this server: " + ", ".join(sorted(games)))
        return None
    key = sheet.raw["game"]
    if not isinstance(key, str) or key not in games:
        close = nearest(key, games) if isinstance(key, str) else ""
        sheet.fault(("game",), key, "a game of this server: " + ", ".join(sorted(games)), close)
        return None
    return games[key]


def seats_of(sheet: Sheet, game: AnyGame, kind: str) -> int:
    """Within the game's range; 2 only for duels and for a team game (§2)."""
    default = 4 if kind == "slapoff" else 2
    if kind == "slapoff":
        default = min(max(default, game.seats.start), game.seats.stop - 1)
    seats = sheet.get("seats", default)
    assert isinstance(seats, int)
    most = min(8, game.seats.stop - 1)
    if kind in TWO_ONLY or game.is_coop:
        if seats != 2:
            sheet.fault(("seats",), seats, f"2 for {'a team game' if game.is_coop else kind}")
        return 2
    if not game.seats.start <= seats <= most:
        sheet.fault(("seats",), seats, f"{game.seats.start} to {most} for {game.title}")
        return game.seats.start
    return seats


def refuse(sheet: Sheet, game: AnyGame, kind: str) -> None:
    """T11."""
    if game.is_coop and kind not in {"swiss", "roundrobin"}:
        sheet.fault(("format",), kind, f'"swiss" or "roundrobin" for {game.title}, a team game (T11)')
    if kind == "slapoff" and game.race is no_race:
        sheet.fault(("game",), game.key, "a game with races for a slap-off (T11)")
    if kind == "double" and sheet.raw.get("cut"):
        sheet.fault(("cut",), sheet.raw["cut"], "no cut with double (T11)")
    elif sheet.raw.get("cut") and kind != "swiss":
        sheet.fault(("cut",), sheet.raw["cut"], "0: a cut is for swiss only")
    if sheet.get("teams", 1) == 2 and not game.is_coop:
        sheet.fault(("teams",), 2, "1: fixed pairs are for team games (T38)")
    if "third_place" in sheet.values and kind != "single":
        sheet.fault(("third_place",), sheet.values["third_place"], "only with single")
    if kind in TWO_ONLY - {"arena"} and "rounds" in sheet.values:
        sheet.fault(("rounds",), sheet.values["rounds"], f"nothing: {kind} fixes its rounds")
    best_of = sheet.get("best_of", (1,))
    if len(best_of) > 1 and kind not in {"single", "double"}:
        sheet.fault(("best_of",), sheet.raw["best_of"], "one odd number; a list is for elimination")
    if best_of != (1,) and (kind in {"arena", "slapoff"} or sheet.get("seats", 2) != 2):
        sheet.fault(("best_of",), sheet.raw["best_of"], "1 unless two seats meet in a fixed pairing")
    if sheet.get("min_entrants", 2) > sheet.get("max_entrants", 512):
        sheet.fault(("min_entrants",), sheet.values["min_entrants"], "at most max_entrants")
    if kind in {"single", "double"} and sheet.get("late_join_until", 0) > 1:
        sheet.fault(("late_join_until",), sheet.values["late_join_until"], "0 or 1 in elimination (T40)")


def cut_of(sheet: Sheet, kind: str, seats: int) -> int:
    """2-seat Swiss: 2, 4, 8, 16, 32. With pods: one final table of `seats`."""
    cut = sheet.raw.get("cut", 0)
    allowed = CUTS if seats == 2 else (0, seats)
    if type(cut) is not int or (kind == "swiss" and cut not in allowed):
        sheet.fault(("cut",), cut, ", ".join(map(str, allowed)))
        return 0
    return cut if kind == "swiss" else 0


def first_points(points: tuple[tuple[int, ...], ...], seats: int) -> int:
    """What the first place at a full table scores (T37)."""
    row = next((row for row in points if len(row) == seats), None)
    return row[0] if row else UNIT * 2 * (seats - 1)


def bye_points_of(sheet: Sheet, points: tuple[tuple[int, ...], ...], seats: int) -> int:
    first = first_points(points, seats)
    if "bye_points" not in sheet.raw:
        return first

    def check(value: Any) -> int:
        try:
            made = halves(value)
        except Not:
            made = -1
        if not 0 <= made <= first:
            raise Not(f"a whole or half number from 0 to the first place's points, {first / UNIT:g}")
        return made

    made = sheet.check(("bye_points",), sheet.raw["bye_points"], check)
    return first if made is None else int(made)


def tiebreaks_of(sheet: Sheet, kind: str, seats: int) -> tuple[str, ...]:
    """`lot` is always last (§2)."""
    key = "pods" if kind == "swiss" and seats > 2 else kind
    chosen = sheet.get("tiebreaks", DEFAULT_TIEBREAKS[key])
    if "lot" in chosen[:-1]:
        sheet.fault(("tiebreaks",), sheet.raw["tiebreaks"], "lot only at the end")
    return (*(it for it in chosen if it != "lot"), "lot")


def options_of(sheet: Sheet, game: AnyGame, kind: str, seats: int) -> dict[str, Any]:
    """Exactly the game's options, filled in and tried by the game at the file's seats."""
    sent = sheet.raw.get("options", {})
    if not isinstance(sent, dict):
        return {}
    fields = {it.encode_name for it in msgspec.structs.fields(game.options)}
    wrong = False
    for key, value in sent.items():
        if key not in fields:
            allowed = "an option of this game: " + (", ".join(sorted(fields)) or "it has none")
            sheet.fault(("options", key), value, allowed, nearest(key, fields))
            wrong = True
            continue
        try:
            convert.options(game, {key: value})
        except convert.BadOptions as no:
            sheet.fault(("options", key), value, str(no))
            wrong = True
    if wrong:
        return {}
    if kind == "slapoff" and "target_points" in fields:
        sent = {"target_points": 1} | sent  # §5: a deal is one hand as a rule
    options = convert.options(game, sent)
    try:
        game.setup(TableSetup(seats, options), Rng(bytes(32), 0))
    except IllegalMove as no:
        sheet.fault(("options",), "options the game refuses", f"{no.text} ({no.clause})")
        return {}
    return convert.plain(options)


def listed_of(sheet: Sheet) -> tuple[Listed, ...]:
    """`registration.names`: tables with a name, perhaps a key and a seed. Names and keys are unique (T7, T9)."""
    registration = sheet.raw.get("registration")
    sent = registration.get("names") if isinstance(registration, dict) else None
    if sent is None:
        return ()
    top = ("registration", "names")
    if not isinstance(sent, list) or len(sent) > 512 or not all(isinstance(it, dict) for it in sent):
        sheet.fault(top, sent, "up to 512 tables { name, key, seed }")
        return ()
    checks = {"name": text(1, 24), "key": public_key, "seed": whole(1, 512)}
    made: list[Listed] = []
    for number, row in enumerate(sent):
        path = (*top, str(number))
        for key in sorted(row.keys() - checks.keys()):
            sheet.fault((*path, key), row[key], "name, key, seed", nearest(key, checks))
        if "name" not in row:
            sheet.fault((*path, "name"), "nothing", "a name")
            continue
        values = {
            key: sheet.check((*path, key), row[key], check) for key, check in checks.items() if key in row
        }
        if all(value is not None for value in values.values()):
            made.append(Listed(**values))
    for what, keys in (
        ("name", [name_key(it.name) for it in made]),
        ("key", [it.key for it in made if it.key]),
        ("seed", [str(it.seed) for it in made if it.seed]),
    ):
        doubles = sorted({it for it in keys if keys.count(it) > 1})
        if doubles:
            sheet.fault(top, f"the {what} {doubles[0]} twice", f"each {what} once (T7)")
    return tuple(made)
