"""The photo-finish strip, drawn from the record of a race alone."""

import re
import xml.etree.ElementTree as ET

import pytest

from photofinish.race import RaceRecord
from photofinish.replay.strips import COLOURS, SHAPES, svg, text
from tests.race.bench import EAST, NORTH, SOUTH, WEST, Bench, ms

NAMES = ["Anna <b>&\"'", "Bert", "Chloë\x07\u202e", "Dora"]
SVG = "{http://www.w3.org/2000/svg}"


def finished(*slaps: tuple[int, float], clock: float | None = None) -> RaceRecord:
    race = Bench({NORTH: 10, EAST: 140, SOUTH: 80, WEST: 300}).open("cambio:17")
    for seat, hand in slaps:
        race.slap(type(NORTH)(seat), hand)
    if clock is not None:
        race.clock_runs_out(clock)
    race.released(5_000)
    return race.arbiter.close(ms(6_000)).record


def words(picture: str) -> list[str]:
    return [it.text or "" for it in ET.fromstring(picture).iter(f"{SVG}text")]


def test_the_strip_names_the_winner_and_the_margin() -> None:
    record = finished((NORTH, 310), (EAST, 289))

    assert "Bert was first, 21.0 ms ahead" in words(svg(record, NAMES))
    assert "Bert war zuerst, 21.0 ms voraus" in words(svg(record, NAMES, "de"))
    assert text(record, NAMES).splitlines()[0] == "Bert was first, 21.0 ms ahead"


def test_a_first_slap_that_the_rules_refused_is_shown_as_wrong() -> None:
    record = finished((NORTH, 310), (EAST, 289), (SOUTH, 350))

    assert words(svg(record, NAMES, won=1))[1] == "Anna <b>&\"' was first, 40.0 ms ahead"


def test_the_strip_shows_a_dead_heat() -> None:
    record = finished((NORTH, 300), (EAST, 301))

    assert any(it.startswith("Dead heat: the coin chose") for it in words(svg(record, NAMES)))


def test_an_unopposed_slap_and_an_empty_race_are_labelled() -> None:
    assert "Dora was first, unopposed" in words(svg(finished((WEST, 300)), NAMES))
    assert "Nobody was in time" in words(svg(finished(clock=500), NAMES))
    assert "Nobody was in time" in text(finished(), NAMES)


def test_a_false_start_and_a_clock_are_named() -> None:
    record = finished((SOUTH, 60), (NORTH, 310), clock=620)
    shown = words(svg(record, NAMES))

    assert "60.0 ms (false start)" in shown
    assert "clock" in shown
    assert "×" in text(record, NAMES)
    assert "│" in text(record, NAMES)


def test_special_characters_in_names_are_escaped() -> None:
    shown = words(svg(finished((NORTH, 310)), NAMES))

    assert "Anna <b>&\"'" in shown
    assert "Chloë" in shown


def test_every_seat_has_a_lane_a_colour_and_a_shape_of_its_own() -> None:
    picture = svg(finished((NORTH, 310), (EAST, 289), (SOUTH, 350), (WEST, 400)), NAMES)
    marks = list(ET.fromstring(picture).iter(f"{SVG}path"))

    assert len({it.get("d") for it in marks}) == 4
    assert len({it.get("fill") for it in marks}) == 4
    assert len(set(COLOURS)) == len(set(SHAPES)) == 8


def test_marks_are_in_the_order_of_their_scores_and_inside_the_picture() -> None:
    picture = svg(finished((NORTH, 310), (EAST, 289), (WEST, 400)), NAMES)
    places = {}
    for it in ET.fromstring(picture).iter(f"{SVG}path"):
        found = re.fullmatch(r"translate\(([\d.]+),(\d+)\)", it.get("transform") or "")
        assert found
        places[int(found[2])] = float(found[1])
    by_lane = [places[lane] for lane in sorted(places)]

    assert by_lane[1] < by_lane[0] < by_lane[2]
    assert all(16 <= x <= 384 for x in by_lane)


@pytest.mark.parametrize("width", [40, 72, 120])
def test_the_text_strip_is_never_wider_than_the_terminal(width: int) -> None:
    lines = text(finished((NORTH, 310), (EAST, 289), (SOUTH, 60), clock=900), NAMES, width).splitlines()

    assert max(map(len, lines)) <= width
    assert sum("░" in line for line in lines) >= 2


def test_a_move_over_a_late_line_shows_its_credit() -> None:
    race = Bench({NORTH: 40}).open()
    race.late(NORTH, 42)
    race.slap(NORTH, 300, held_up=42)
    race.released(5_000)
    record = race.arbiter.close(ms(5_000)).record

    assert any("line 42 ms late in this race: 15 ms credited" in it for it in words(svg(record, NAMES)))
