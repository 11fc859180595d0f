"""Draws the sequence diagrams of the protocol pages as SVG: a session, a race, a crash."""

from typing import Final, NamedTuple
from xml.sax.saxutils import escape

LANE: Final = 230
"""Pixels between the lifelines of two participants."""
STEP: Final = 34
TOP: Final = 56
MARGIN: Final = 110
FONT: Final = "font-family='ui-sans-serif,system-ui,sans-serif' font-size='13'"


class Arrow(NamedTuple):
    """A message. `to` -1: the message is lost on the way."""

    sender: int
    to: int
    text: str


class DiagramNote(NamedTuple):
    """What happens at one place, without a message."""

    at: int
    text: str


class Diagram(NamedTuple):
    title: str
    lanes: tuple[str, ...]
    steps: tuple[Arrow | DiagramNote, ...]


TIP: Final = (
    "<defs><marker id='tip' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='8' markerHeight='8' orient='auto'>"
    "<path d='M0 0 8 4 0 8Z' fill='#234'/></marker></defs>"
)


YOU, SERVER = 0, 1
SESSION: Final = Diagram(
    "A session: from hello to the first move",
    ("your client", "the server"),
    (
        Arrow(YOU, SERVER, "hello (name, version)"),
        Arrow(SERVER, YOU, "welcome (limits)"),
        Arrow(YOU, SERVER, "create (game) or join (room)"),
        Arrow(SERVER, YOU, "ack (seat, token), then room"),
        Arrow(YOU, SERVER, "ready (hash of your nonce)"),
        Arrow(YOU, SERVER, "start (host)"),
        Arrow(SERVER, YOU, "room (dealing: waits for nonces)"),
        Arrow(YOU, SERVER, "reveal (your nonce)"),
        Arrow(SERVER, YOU, "view (all you may know, offers)"),
        Arrow(YOU, SERVER, "play (a move from the offers)"),
        DiagramNote(SERVER, "stored first, then answered"),
        Arrow(SERVER, YOU, "ack (seq), then view (seq or higher)"),
        DiagramNote(YOU, "… until a view has `over`"),
    ),
)
RACE: Final = Diagram(
    "A race: two players slap the same card",
    ("near player, 20 ms away", "the server", "far player, 120 ms away"),
    (
        Arrow(1, 0, "view (race, nonce): the trigger"),
        Arrow(1, 2, "view (race, nonce): the trigger"),
        DiagramNote(0, "reacts after 300 ms"),
        Arrow(0, 1, "play (nonce, react_us 300 000)"),
        Arrow(1, 0, "pending: held"),
        DiagramNote(2, "reacts after 260 ms"),
        Arrow(2, 1, "play (nonce, react_us 260 000)"),
        Arrow(1, 2, "pending: held"),
        DiagramNote(1, "orders both by reaction, not by arrival"),
        Arrow(1, 2, "ack: first"),
        Arrow(1, 0, "refused: the card is gone"),
        Arrow(1, 0, "view, then race (order and times)"),
        Arrow(1, 2, "view, then race (order and times)"),
    ),
)
CRASH: Final = Diagram(
    "A crash: no acked move is lost, none is made twice",
    ("your client", "the server", "Redis"),
    (
        Arrow(0, 1, "play id 7"),
        Arrow(1, 2, "commit"),
        Arrow(1, -1, "ack 7"),
        DiagramNote(1, "killed, started again"),
        Arrow(1, 2, "load the rooms"),
        DiagramNote(0, "waits: back-off with jitter"),
        Arrow(0, 1, "hello (token, last seq)"),
        Arrow(1, 0, "welcome (resumed: new token)"),
        Arrow(1, 0, "view (from 0)"),
        Arrow(0, 1, "play id 7, again"),
        Arrow(1, 0, "ack 7: the same answer, done once"),
    ),
)
DIAGRAMS: Final = {"session": SESSION, "race": RACE, "crash": CRASH}


def svg(it: Diagram) -> str:
    width = 2 * MARGIN + LANE * (len(it.lanes) - 1)
    height = TOP + STEP * (len(it.steps) + 1)
    size = f"width='{width}' height='{height}'"
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' {size} viewBox='0 0 {width} {height}' role='img' {FONT}>",
        f"<title>{escape(it.title)}</title>",
        f"<rect {size} rx='8' fill='#fdfdfb'/>",
        TIP,
    ]
    for number, name in enumerate(it.lanes):
        x = MARGIN + LANE * number
        parts.append(
            f"<text x='{x}' y='26' text-anchor='middle' font-weight='bold' fill='#123'>{escape(name)}</text>"
        )
        parts.append(f"<path d='M{x} 36V{height - 12}' stroke='#9ab' stroke-dasharray='3 4'/>")
    for number, step in enumerate(it.steps):
        parts += _step(step, TOP + STEP * (number + 0.6))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _step(step: Arrow | DiagramNote, y: float) -> list[str]:
    if isinstance(step, DiagramNote):
        x = MARGIN + LANE * step.at
        w = 7 * len(step.text) + 12
        box = f"<rect x='{x - w / 2:.0f}' y='{y - 15:.0f}' width='{w}' height='21' rx='4' fill='#fbe9b7'/>"
        return [box, f"<text x='{x}' y='{y:.0f}' text-anchor='middle' fill='#432'>{escape(step.text)}</text>"]
    start = MARGIN + LANE * step.sender
    is_lost = step.to < 0
    end = start - LANE * 0.55 if is_lost else MARGIN + LANE * step.to
    short = end + (6 if end < start else -6)
    line = f"<path d='M{start} {y:.0f}H{short:.0f}' stroke='#234' marker-end='url(#tip)'/>"
    cross = (
        f"<path d='M{end - 5:.0f} {y - 5:.0f}l10 10m0-10l-10 10' stroke='#b22' stroke-width='2'/>"
        if is_lost
        else ""
    )
    middle = (start + end) / 2
    said = escape(step.text + (" (lost)" if is_lost else ""))
    return [
        line,
        cross,
        f"<text x='{middle:.0f}' y='{y - 5:.0f}' text-anchor='middle' fill='#123'>{said}</text>",
    ]
