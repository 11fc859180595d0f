"""From TOML to an event, or to every fault at once (§2)."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from photofinish.engine import AnyGame
from photofinish.engine.inputs import no_race
from photofinish.tournament.event_file import combine
from photofinish.tournament.event_file.canon import code_hash
from photofinish.tournament.event_file.checked_values import CheckedValues
from photofinish.tournament.event_file.faults import BadEvent, Fault
from photofinish.tournament.event_file.keys import TABLES
from photofinish.tournament.event_file.lines import key_lines
from photofinish.tournament.event_file.model import (
    EventClock,
    EventRules,
    League,
    Registration,
    RoomRules,
    SlapOff,
)

MOST_BYTES = 12 * 1024
MOST_DOTS = 300
"""In the whole file. `tomllib` takes 650 ms for one key of 6,000 parts, and 2 ms for one of 300."""
_AT_LINE = re.compile(r"line (\d+)")


def read_event(raw: bytes, games: Mapping[str, AnyGame]) -> EventRules:
    """The event that this file describes. Raises `BadEvent` with every fault."""
    text, table = _parse(raw)
    checked = CheckedValues(table, key_lines(text))
    checked.read()
    _required(checked)
    game = combine.game_of(checked, games)
    kind = checked.get("format", None)
    if game is None or kind is None:
        _registration(checked)
        _league(checked)
        if game is not None:
            combine.options_of(checked, game, "", combine.seats_of(checked, game, "swiss"))
        checked.finish()
        raise AssertionError("a missing game or format is a fault")
    seats = combine.seats_of(checked, game, kind)
    combine.refuse(checked, game, kind)
    points = checked.get("points", ())
    rules = {
        "title": checked.get("title", ""),
        "game": game.key,
        "format": kind,
        "seats": seats,
        "rounds": checked.get("rounds", None),
        "teams": checked.get("teams", 1),
        "min_entrants": checked.get("min_entrants", 2),
        "max_entrants": checked.get("max_entrants", 512),
        "best_of": checked.get("best_of", (1,)),
        "points": points,
        "bye_points": combine.bye_points_of(checked, points, seats),
        "tiebreaks": combine.tiebreaks_of(checked, kind, seats),
        "seeding": checked.get("seeding", "rating"),
        "cut": combine.cut_of(checked, kind, seats),
        "third_place": checked.get("third_place", kind == "single"),
        "fill": checked.get("fill", "none"),
        "late_join_until": checked.get("late_join_until", 0),
        "officials_play": checked.get("officials_play", False),
        "hands": checked.get("hands", "never"),
        "rated": checked.get("rated", True),
        "rehearsal": checked.get("rehearsal", False),
        "host_away_minutes": checked.get("host_away_minutes", 30),
        "options": combine.options_of(checked, game, kind, seats),
        "is_coop": game.is_coop,
        "room": _room(checked, kind),
        "races": {
            key: checked.values[f"races.{key}"] for key in TABLES["races"] if f"races.{key}" in checked.values
        },
        "registration": _registration(checked),
        "clock": EventClock(**_given(checked, "clock")),
        "slapoff": SlapOff(**_given(checked, "slapoff")),
        "league": _league(checked),
    }
    if "races" in checked.raw and checked.raw["races"] and game.race is no_race:
        checked.fault(("races",), "race parameters", f"nothing: {game.title} has no races")
    checked.finish()
    return EventRules(**rules)


def _parse(raw: bytes) -> tuple[str, dict[str, Any]]:
    if len(raw) > MOST_BYTES:
        raise BadEvent([Fault(1, "file", f"{len(raw)} bytes", f"at most {MOST_BYTES} bytes")])
    try:
        text = raw.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as no:
        line = raw[: no.start].count(b"\n") + 1
        raise BadEvent([Fault(line, "file", f"byte {raw[no.start]:#04x}", "UTF-8")]) from None
    if text.count(".") > MOST_DOTS:
        raise BadEvent([Fault(1, "file", f"{text.count('.')} dots", f"at most {MOST_DOTS} dots")])
    try:
        return text, tomllib.loads(text)
    except ValueError as no:  # a TOMLDecodeError, or a number of more than 4,300 digits
        at = _AT_LINE.search(str(no))
        line = int(at.group(1)) if at else text.count("\n") + 1
        raise BadEvent([Fault(line, "file", str(no), "TOML")]) from None
    except RecursionError:
        raise BadEvent([Fault(1, "file", "values nested too deep", "TOML")]) from None


def _required(checked: CheckedValues) -> None:
    for key, allowed in (
        ("title", "a text of 1 to 80 printable characters"),
        ("format", "swiss, roundrobin, single, double, arena, slapoff"),
    ):
        if key not in checked.raw:
            checked.fault((key,), "nothing", allowed)


def _given(checked: CheckedValues, table: str) -> dict[str, Any]:
    """The checked values of one table, without its name."""
    top = f"{table}."
    return {key.removeprefix(top): value for key, value in checked.values.items() if key.startswith(top)}


def _room(checked: CheckedValues, kind: str) -> RoomRules:
    return RoomRules(**({"max_ping_ms": 250 if kind == "slapoff" else 0} | _given(checked, "room")))


def _registration(checked: CheckedValues) -> Registration:
    given = _given(checked, "registration")
    names = combine.listed_of(checked)
    code = given.pop("code", "")
    mode = given.get("mode", "open")
    if mode == "code" and not code and not checked.has_fault("registration.code"):
        checked.fault(("registration", "code"), "nothing", 'a text of 4 to 32 characters with mode = "code"')
    opens, closes, starts = given.get("opens"), given.get("closes"), checked.get("clock.starts", None)
    if opens is not None and closes is not None and opens >= closes:
        checked.fault(("registration", "closes"), checked.raw["registration"]["closes"], "a time after opens")
    if opens is not None and starts is not None and opens >= starts:
        checked.fault(("clock", "starts"), checked.raw["clock"]["starts"], "a time after registration.opens")
    return Registration(**given, names=names, code_hash=code_hash(code) if code else "")


def _league(checked: CheckedValues) -> League | None:
    if "league" not in checked.raw:
        return None
    given = _given(checked, "league")
    for key in TABLES["league"]:
        if key not in given and not checked.has_fault(f"league.{key}"):
            checked.fault(("league", key), "nothing", "needed with [league]")
    return League(**given) if len(given) == len(TABLES["league"]) else None
