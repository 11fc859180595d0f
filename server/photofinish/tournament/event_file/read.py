"""From TOML to an event, or to every fault at once (§2)."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from photofinish.engine import AnyGame
from photofinish.engine.inputs import no_race
from photofinish.tournament.event_file import combine
from photofinish.tournament.event_file.canon import code_hash
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
from photofinish.tournament.event_file.sheet import Sheet

MOST_BYTES = 12 * 1024
MOST_DOTS = 300
"""In the whole file. `tomllib` takes 650 ms for one key of 6,000 parts, and 2 ms for one of 300."""
_AT_LINE = re.compile(r"line (\d+)")


def read_event(raw: bytes, games: Mapping[str, AnyGame]) -> EventRules:
    """The event that this file describes. Raises `BadEvent` with every fault."""
    text, table = _parse(raw)
    sheet = Sheet(table, key_lines(text))
    sheet.read()
    _required(sheet)
    game = combine.game_of(sheet, games)
    kind = sheet.get("format", None)
    if game is None or kind is None:
        _registration(sheet)
        _league(sheet)
        if game is not None:
            combine.options_of(sheet, game, "", combine.seats_of(sheet, game, "swiss"))
        sheet.finish()
        raise AssertionError("a missing game or format is a fault")
    seats = combine.seats_of(sheet, game, kind)
    combine.refuse(sheet, game, kind)
    points = sheet.get("points", ())
    rules = {
        "title": sheet.get("title", ""),
        "game": game.key,
        "format": kind,
        "seats": seats,
        "rounds": sheet.get("rounds", None),
        "teams": sheet.get("teams", 1),
        "min_entrants": sheet.get("min_entrants", 2),
        "max_entrants": sheet.get("max_entrants", 512),
        "best_of": sheet.get("best_of", (1,)),
        "points": points,
        "bye_points": combine.bye_points_of(sheet, points, seats),
        "tiebreaks": combine.tiebreaks_of(sheet, kind, seats),
        "seeding": sheet.get("seeding", "rating"),
        "cut": combine.cut_of(sheet, kind, seats),
        "third_place": sheet.get("third_place", kind == "single"),
        "fill": sheet.get("fill", "none"),
        "late_join_until": sheet.get("late_join_until", 0),
        "officials_play": sheet.get("officials_play", False),
        "hands": sheet.get("hands", "never"),
        "rated": sheet.get("rated", True),
        "rehearsal": sheet.get("rehearsal", False),
        "host_away_minutes": sheet.get("host_away_minutes", 30),
        "options": combine.options_of(sheet, game, kind, seats),
        "is_coop": game.is_coop,
        "room": _room(sheet, kind),
        "races": {
            key: sheet.values[f"races.{key}"] for key in TABLES["races"] if f"races.{key}" in sheet.values
        },
        "registration": _registration(sheet),
        "clock": EventClock(**_given(sheet, "clock")),
        "slapoff": SlapOff(**_given(sheet, "slapoff")),
        "league": _league(sheet),
    }
    if "races" in sheet.raw and sheet.raw["races"] and game.race is no_race:
        sheet.fault(("races",), "race parameters", f"nothing: {game.title} has no races")
    sheet.finish()
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


def _required(sheet: Sheet) -> None:
    for key, allowed in (
        ("title", "a text of 1 to 80 printable characters"),
        ("format", "swiss, roundrobin, single, double, arena, slapoff"),
    ):
        if key not in sheet.raw:
            sheet.fault((key,), "nothing", allowed)


def _given(sheet: Sheet, table: str) -> dict[str, Any]:
    """The checked values of one table, without its name."""
    top = f"{table}."
    return {key.removeprefix(top): value for key, value in sheet.values.items() if key.startswith(top)}


def _room(sheet: Sheet, kind: str) -> RoomRules:
    return RoomRules(**({"max_ping_ms": 250 if kind == "slapoff" else 0} | _given(sheet, "room")))


def _registration(sheet: Sheet) -> Registration:
    given = _given(sheet, "registration")
    names = combine.listed_of(sheet)
    code = given.pop("code", "")
    mode = given.get("mode", "open")
    if mode == "code" and not code and not sheet.has_fault("registration.code"):
        sheet.fault(("registration", "code"), "nothing", 'a text of 4 to 32 characters with mode = "code"')
    opens, closes, starts = given.get("opens"), given.get("closes"), sheet.get("clock.starts", None)
    if opens is not None and closes is not None and opens >= closes:
        sheet.fault(("registration", "closes"), sheet.raw["registration"]["closes"], "a time after opens")
    if opens is not None and starts is not None and opens >= starts:
        sheet.fault(("clock", "starts"), sheet.raw["clock"]["starts"], "a time after registration.opens")
    return Registration(**given, names=names, code_hash=code_hash(code) if code else "")


def _league(sheet: Sheet) -> League | None:
    if "league" not in sheet.raw:
        return None
    given = _given(sheet, "league")
    for key in TABLES["league"]:
        if key not in given and not sheet.has_fault(f"league.{key}"):
            sheet.fault(("league", key), "nothing", "needed with [league]")
    return League(**given) if len(given) == len(TABLES["league"]) else None
