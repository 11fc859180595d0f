"""Draws the figures that have a bar: how far each is from the value it must reach. Plain SVG, a row per figure."""

import math
from collections.abc import Sequence
from html import escape

from photofinish.lab.bench.results.figures import Figure

ROW, LEFT, WIDTH = 26, 460, 360
FAR = 2.0
"""The scale is logarithmic and ends at four times better and four times worse (two doublings)."""
COLOURS = {"goal": "#2f7d4f", "holds": "#b8860b", "MISSED": "#b03030"}


def as_svg(figures: Sequence[Figure], title: str) -> str:
    rows = [it for it in figures if it.bar is not None]
    height = ROW * (len(rows) + 2)
    middle = LEFT + WIDTH / 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 150}" height="{height}">',
        "<style>text { font: 12px sans-serif }</style>",
        f'<rect width="100%" height="100%" fill="#fff"/><text x="8" y="17" font-weight="bold">{escape(title)}</text>',
        f'<text x="{middle}" y="{ROW + 12}" text-anchor="middle" fill="#555">← worse · must · better →</text>',
        f'<line x1="{middle}" y1="{ROW + 18}" x2="{middle}" y2="{height}" stroke="#999"/>',
    ]
    for number, it in enumerate(rows):
        lines += _row(it, (number + 2) * ROW, middle)
    return "\n".join([*lines, "</svg>", ""])


def better(it: Figure) -> float:
    """Doublings by which the figure is better than its bar; negative: worse."""
    assert it.bar is not None
    if it.value <= 0:
        return FAR
    doublings = math.log2(it.value / it.bar.must)
    return doublings if it.bar.is_least else -doublings


def _row(it: Figure, y: int, middle: float) -> list[str]:
    assert it.bar is not None
    end = middle + max(-FAR, min(FAR, better(it))) / FAR * WIDTH / 2
    x, width = min(middle, end), abs(end - middle)
    said = f"{it.value:.3g} {it.unit} (must {it.bar.must:g})"
    return [
        f'<text x="8" y="{y + 12}">{escape(it.name)}</text>',
        f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 10}" fill="{COLOURS[it.verdict]}"/>',
        f'<text x="{LEFT + WIDTH + 8}" y="{y + 12}">{escape(said)}</text>',
    ]
