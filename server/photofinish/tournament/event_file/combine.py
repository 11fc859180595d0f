"""Checks that depend on several keys: limits by game and format (§2), refused combinations (T11)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from photofinish.engine import AnyGame, IllegalMove, Rng, TableSetup, convert
from photofinish.engine.inputs import no_race
from photofinish.tournament.event_file.checked_values import CheckedValues
from photofinish.tournament.event_file.checks import BadValue, halves, public_key, text, whole
from photofinish.tournament.event_file.faults import nearest
from photofinish.tournament.event_file.keys import DEFAULT_TIEBREAKS
from photofinish.tournament.event_file.model import UNIT, Listed
from photofinish.tournament.people.names import name_key

TWO_ONLY = frozenset({"single", "double", "arena"})
CUTS = (0, 2, 4, 8, 16, 32)


def game_of(checked: CheckedValues, games: Mapping[str, AnyGame]) -> AnyGame | None:
    if "game" not in checked.raw:
        checked.fault(("game",), "nothing", "a game of this server: " + ", ".join(sorted(games)))
        return None
    key = checked.raw["game"]
    if not isinstance(key, str) or key not in games:
        close = nearest(key, games) if isinstance(key, str) else ""
        checked.fault(("game",), key, "a game of this server: " + ", ".join(sorted(games)), close)
        return None
    return games[key]


def seats_of(checked: CheckedValues, game: AnyGame, kind: str) -> int:
    """Within the game's range; 2 only for duels and for a team game (§2)."""
    default = 4 if kind == "slapoff" else 2
    if kind == "slapoff":
        default = min(max(default, game.seats.start), game.seats.stop - 1)
    seats = checked.get("seats", default)
    assert isinstance(seats, int)
    most = min(8, game.seats.stop - 1)
    if kind in TWO_ONLY or game.is_coop:
        if seats != 2:
            checked.fault(("seats",), seats, f"2 for {'a team game' if game.is_coop else kind}")
        return 2
    if not game.seats.start <= seats <= most:
        checked.fault(("seats",), seats, f"{game.seats.start} to {most} for {game.title}")
        return game.seats.start
    return seats


def refuse(checked: CheckedValues, game: AnyGame, kind: str) -> None:
    """T11."""
    if game.is_coop and kind not in {"swiss", "roundrobin"}:
        checked.fault(("format",), kind, f'"swiss" or "roundrobin" for {game.title}, a team game (T11)')
    if kind == "slapoff" and game.race is no_race:
        checked.fault(("game",), game.key, "a game with races for a slap-off (T11)")
    if kind == "double" and checked.raw.get("cut"):
        checked.fault(("cut",), checked.raw["cut"], "no cut with double (T11)")
    elif checked.raw.get("cut") and kind != "swiss":
        checked.fault(("cut",), checked.raw["cut"], "0: a cut is for swiss only")
    if checked.get("teams", 1) == 2 and not game.is_coop:
        checked.fault(("teams",), 2, "1: fixed pairs are for team games (T38)")
    if "third_place" in checked.values and kind != "single":
        checked.fault(("third_place",), checked.values["third_place"], "only with single")
    if kind in TWO_ONLY - {"arena"} and "rounds" in checked.values:
        checked.fault(("rounds",), checked.values["rounds"], f"nothing: {kind} fixes its rounds")
    best_of = checked.get("best_of", (1,))
    if len(best_of) > 1 and kind not in {"single", "double"}:
        checked.fault(("best_of",), checked.raw["best_of"], "one odd number; a list is for elimination")
    if best_of != (1,) and (kind in {"arena", "slapoff"} or checked.get("seats", 2) != 2):
        checked.fault(("best_of",), checked.raw["best_of"], "1 unless two seats meet in a fixed pairing")
    if checked.get("min_entrants", 2) > checked.get("max_entrants", 512):
        checked.fault(("min_entrants",), checked.values["min_entrants"], "at most max_entrants")
    if kind in {"single", "double"} and checked.get("late_join_until", 0) > 1:
        checked.fault(("late_join_until",), checked.values["late_join_until"], "0 or 1 in elimination (T40)")


def cut_of(checked: CheckedValues, kind: str, seats: int) -> int:
    """2-seat Swiss: 2, 4, 8, 16, 32. With pods: one final table of `seats`."""
    cut = checked.raw.get("cut", 0)
    allowed = CUTS if seats == 2 else (0, seats)
    if type(cut) is not int or (kind == "swiss" and cut not in allowed):
        checked.fault(("cut",), cut, ", ".join(map(str, allowed)))
        return 0
    return cut if kind == "swiss" else 0


def first_points(points: tuple[tuple[int, ...], ...], seats: int) -> int:
    """What the first place at a full table scores (T37)."""
    row = next((row for row in points if len(row) == seats), None)
    return row[0] if row else UNIT * 2 * (seats - 1)


def bye_points_of(checked: CheckedValues, points: tuple[tuple[int, ...], ...], seats: int) -> int:
    first = first_points(points, seats)
    if "bye_points" not in checked.raw:
        return first

    def check(value: Any) -> int:
        try:
            made = halves(value)
        except BadValue:
            made = -1
        if not 0 <= made <= first:
            raise BadValue(f"a whole or half number from 0 to the first place's points, {first / UNIT:g}")
        return made

    made = checked.check(("bye_points",), checked.raw["bye_points"], check)
    return first if made is None else int(made)


def tiebreaks_of(checked: CheckedValues, kind: str, seats: int) -> tuple[str, ...]:
    """`lot` is always last (§2)."""
    key = "pods" if kind == "swiss" and seats > 2 else kind
    chosen = checked.get("tiebreaks", DEFAULT_TIEBREAKS[key])
    if "lot" in chosen[:-1]:
        checked.fault(("tiebreaks",), checked.raw["tiebreaks"], "lot only at the end")
    return (*(it for it in chosen if it != "lot"), "lot")


def options_of(checked: CheckedValues, game: AnyGame, kind: str, seats: int) -> dict[str, Any]:
    """Exactly the game's options, filled in and tried by the game at the file's seats."""
    sent = checked.raw.get("options", {})
    if not isinstance(sent, dict):
        return {}
    fields = {it.encode_name for it in msgspec.structs.fields(game.options)}
    wrong = False
    for key, value in sent.items():
        if key not in fields:
            allowed = "an option of this game: " + (", ".join(sorted(fields)) or "it has none")
            checked.fault(("options", key), value, allowed, nearest(key, fields))
            wrong = True
            continue
        try:
            convert.options(game, {key: value})
        except convert.BadOptions as no:
            checked.fault(("options", key), value, str(no))
            wrong = True
    if wrong:
        return {}
    if kind == "slapoff" and "target_points" in fields:
        sent = {"target_points": 1} | sent  # §5: a deal is one hand as a rule
    options = convert.options(game, sent)
    try:
        game.setup(TableSetup(seats, options), Rng(bytes(32), 0))
    except IllegalMove as no:
        checked.fault(("options",), "options the game refuses", f"{no.text} ({no.clause})")
        return {}
    return convert.plain(options)


def listed_of(checked: CheckedValues) -> tuple[Listed, ...]:
    """`registration.names`: tables with a name, perhaps a key and a seed. Names and keys are unique (T7, T9)."""
    registration = checked.raw.get("registration")
    sent = registration.get("names") if isinstance(registration, dict) else None
    if sent is None:
        return ()
    top = ("registration", "names")
    if not isinstance(sent, list) or len(sent) > 512 or not all(isinstance(it, dict) for it in sent):
        checked.fault(top, sent, "up to 512 tables { name, key, seed }")
        return ()
    checks = {"name": text(1, 24), "key": public_key, "seed": whole(1, 512)}
    made: list[Listed] = []
    for number, row in enumerate(sent):
        path = (*top, str(number))
        for key in sorted(row.keys() - checks.keys()):
            checked.fault((*path, key), row[key], "name, key, seed", nearest(key, checks))
        if "name" not in row:
            checked.fault((*path, "name"), "nothing", "a name")
            continue
        given = {
            key: checked.check((*path, key), row[key], check) for key, check in checks.items() if key in row
        }
        if all(value is not None for value in given.values()):
            made.append(Listed(**given))
    for what, keys in (
        ("name", [name_key(it.name) for it in made]),
        ("key", [it.key for it in made if it.key]),
        ("seed", [str(it.seed) for it in made if it.seed]),
    ):
        doubles = sorted({it for it in keys if keys.count(it) > 1})
        if doubles:
            checked.fault(top, f"the {what} {doubles[0]} twice", f"each {what} once (T7)")
    return tuple(made)
