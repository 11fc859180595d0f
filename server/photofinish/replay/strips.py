"""The photo-finish strip as SVG and as text for a terminal, made from the record only."""

import re
from collections.abc import Sequence
from typing import TypeAlias
from xml.sax.saxutils import escape, quoteattr

from photofinish.race.evidence import RaceRecord
from photofinish.replay.strip_content import StripContent, StripMove, strip_content

# The colours of Okabe and Ito, which people with any colour vision can tell apart. Each seat also has a shape.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8A7F00", "#000000")
SHAPES = (
    "M-6,0 A6,6 0 1 1 6,0 A6,6 0 1 1 -6,0 Z",
    "M-5.5,-5.5 H5.5 V5.5 H-5.5 Z",
    "M0,-7 L6.5,5 L-6.5,5 Z",
    "M0,-7.5 L7,0 L0,7.5 L-7,0 Z",
    "M0,7 L6.5,-5 L-6.5,-5 Z",
    "M-2.5,-7 H2.5 V-2.5 H7 V2.5 H2.5 V7 H-2.5 V2.5 H-7 V-2.5 H-2.5 Z",
    "M-6.5,-2 L0,-7 L6.5,-2 L4,6 L-4,6 Z",
    "M-6,-4 L0,-7 L6,-4 L6,4 L0,7 L-6,4 Z",
)
CROSS = "M-5,-5 L5,5 M-5,5 L5,-5"

WIDE, LEFT, RIGHT = 400, 16, 384
HEAD, LANE, FOOT = 58, 56, 52
STEPS = (50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000)
Marks: TypeAlias = dict[str, str | float]
SIGNS = "●■▲◆▼✚⬟⬢"


def svg(record: RaceRecord, names: Sequence[str], lang: str = "en", won: int | None = None) -> str:
    """The strip as an SVG, 400 units wide: readable on a phone and in print."""
    strip = strip_content(record, names, lang, won)
    high = HEAD + LANE * len(strip.lanes) + FOOT
    about = f"{strip.title} · {_short(record.key)}"
    inside = [
        _tag("title", escape(strip.title)),
        _tag("desc", escape(strip.verdict)),
        HATCHED,
        _tag("rect", width=WIDE, height=high, fill="#fff"),
        _words(about, LEFT, 20, font_size=12, fill="#444"),
        _words(strip.verdict, LEFT, 42, font_size=_size(strip.verdict, RIGHT - LEFT, 16), font_weight=700),
        *_axis(strip, high),
        *(part for move in strip.clocks for part in _clock(strip, move, high)),
        *(part for number in range(len(strip.lanes)) for part in _lane(strip, number)),
        _words(strip.words["legend"], LEFT, high - 10, font_size=11, fill="#444"),
    ]
    return _tag(
        "svg",
        "\n".join(["", *inside, ""]),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDE} {high}",
        role="img",
        font_family="system-ui, sans-serif",
        font_size=13,
        fill="#111",
    )


def text(
    record: RaceRecord, names: Sequence[str], width: int = 80, lang: str = "en", won: int | None = None
) -> str:
    """The strip as plain lines: ─ possible reaction times, ░ network, × refused, │ a clock."""
    strip = strip_content(record, names, lang, won)
    label = min(12, max(len(name) for _seat, name, _moves in strip.lanes))
    room = max(20, width - label - 14)
    lines = [strip.verdict]
    for seat, name, moves in strip.lanes:
        rest: list[StripMove | None] = [*moves] or [None]
        for number, move in enumerate(rest):
            head = name[:label] if number == 0 else ""
            cells = _cells(strip, room, move, SIGNS[seat % len(SIGNS)])
            figure = f"{move.score / 1000:8.1f} ms" if move else ""
            line = f"{head:<{label}} {cells} {figure}".rstrip()
            lines += [line, *([f"{'':<{label}} {move.note}"] if move and move.note else [])]
    return "\n".join(line[:width] for line in lines)


def _cells(strip: StripContent, room: int, move: StripMove | None, sign: str) -> str:
    def at(time: int) -> int:
        return min(room - 1, max(0, time * (room - 1) // strip.end))

    cells = ["·"] * room
    for clock in strip.clocks:
        cells[at(clock.score)] = "│"
    if move:
        cells[at(move.hi) : at(move.back) + 1] = "░" * (at(move.back) + 1 - at(move.hi))
        cells[at(move.lo) : at(move.hi) + 1] = "─" * (at(move.hi) + 1 - at(move.lo))
        cells[at(move.score)] = "×" if move.is_void else sign
    return "".join(cells)


def _x(strip: StripContent, time: int) -> float:
    return round(LEFT + (RIGHT - LEFT - 8) * min(max(time, 0), strip.end) / strip.end, 1)


def _axis(strip: StripContent, high: int) -> list[str]:
    millis = strip.end / 1000
    step = next((step for step in STEPS if millis / step <= 5), max(STEPS[-1], int(millis // 5)))
    bottom = high - FOOT + 4
    parts = []
    for number in range(int(millis // step) + 1):
        x = _x(strip, number * step * 1000)
        ink: Marks = (
            {"stroke": "#ccc", "stroke_width": 0.7} if number else {"stroke": "#111", "stroke_width": 2}
        )
        parts.append(_tag("line", x1=x, y1=HEAD - 6, x2=x, y2=bottom, **ink))
        name = f"{number * step} ms" if number else strip.words["trigger"]
        anchor = "middle" if number else "start"
        parts.append(_words(name, x, bottom + 14, font_size=11, text_anchor=anchor, fill="#444"))
    return parts


def _lane(strip: StripContent, number: int) -> list[str]:
    seat, name, moves = strip.lanes[number]
    top = HEAD + LANE * number
    middle = top + 34
    colour, shape = COLOURS[seat % len(COLOURS)], SHAPES[seat % len(SHAPES)]
    weight = 700 if any(move.is_winner for move in moves) else 400
    figures = "; ".join(_figure(move) for move in moves)
    halo: Marks = {"stroke": "#fff", "stroke_width": 3, "paint_order": "stroke", "font_weight": weight}
    small = _size(figures, 225, 12)
    parts = [
        _tag("line", x1=LEFT, y1=top + LANE - 3, x2=RIGHT, y2=top + LANE - 3, stroke="#ddd"),
        _words(name, LEFT + 6, top + 14, font_size=_size(name, 135, 13), **halo),
        _words(figures, RIGHT, top + 14, font_size=small, text_anchor="end", **halo),
    ]
    for move in moves:
        lo, hi, back = _x(strip, move.lo), _x(strip, move.hi), _x(strip, move.back)
        wait = round(max(0.0, back - hi), 1)
        band = round(max(1.0, hi - lo), 1)
        parts += [
            _tag("rect", x=hi, y=middle - 8, width=wait, height=16, fill="url(#net)"),
            _tag(
                "rect",
                x=lo,
                y=middle - 4,
                width=band,
                height=8,
                fill=colour,
                fill_opacity=0.35,
                stroke=colour,
            ),
        ]
    for move in moves:
        place = f"translate({_x(strip, move.score)},{middle})"
        if move.is_void:
            parts.append(_tag("path", d=CROSS, transform=place, stroke="#111", stroke_width=2.5, fill="none"))
            continue
        rim, thick = ("#111", 2.5) if move.is_winner else ("#fff", 1)
        parts.append(_tag("path", d=shape, transform=place, fill=colour, stroke=rim, stroke_width=thick))
    return parts


def _clock(strip: StripContent, move: StripMove, high: int) -> list[str]:
    x = _x(strip, move.score)
    bottom = high - FOOT + 4
    dashes: Marks = {"stroke": "#111", "stroke_width": 1.5, "stroke_dasharray": "4 3"}
    return [
        _tag("line", x1=x, y1=HEAD - 6, x2=x, y2=bottom, **dashes),
        _words(move.note, x - 3, bottom - 6, font_size=11, text_anchor="end"),
    ]


def _figure(move: StripMove) -> str:
    figure = f"{move.score / 1000:.1f} ms"
    return f"{figure} ({move.note})" if move.note else figure


def _size(words: str, room: int, most: float) -> float:
    """The font size at which the line fits. Not every SVG viewer can compress a line."""
    return round(min(most, room / (0.62 * max(1, len(words)))), 1)


def _words(words: str, x: float, y: float, **marks: str | float) -> str:
    return _tag("text", escape(words), x=x, y=y, **marks)


def _tag(name: str, inside: str = "", /, **marks: str | float) -> str:
    """One element. `inside` is markup; `stroke_width` becomes `stroke-width`."""
    attributes = "".join(f" {key.replace('_', '-')}={quoteattr(str(value))}" for key, value in marks.items())
    return f"<{name}{attributes}>{inside}</{name}>" if inside else f"<{name}{attributes}/>"


def _short(key: str) -> str:
    return re.sub(r"[^\x20-\x7e]", "", key)[:40]


HATCHED = _tag(
    "defs",
    _tag(
        "pattern",
        _tag("rect", width=6, height=6, fill="#eee") + _tag("line", y2=6, stroke="#999", stroke_width=2),
        id="net",
        width=6,
        height=6,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    ),
)
"""Network time is hatched: a pattern is also visible in a black and white print."""
