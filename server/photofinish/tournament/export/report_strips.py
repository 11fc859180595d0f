"""The closest races of an event as strips: each hand with its score and the interval of the score."""

from collections.abc import Iterator
from html import escape

import msgspec

from photofinish.tournament.log.entries import RaceLine
from photofinish.tournament.state.model import BOT, State

MOST = 12
WIDTH, ROW = 480, 16


class Strip(msgspec.Struct, frozen=True):
    round: int
    table: int
    race: str
    gap_us: int
    """How far the second was behind the winner."""
    svg: str


def closest(state: State) -> tuple[Strip, ...]:
    """The races with the smallest gaps, without those of sealed deals (T43)."""
    found = sorted(_strips(state), key=lambda it: (it.gap_us, it.round, it.table, it.race))
    return tuple(found[:MOST])


def _strips(state: State) -> Iterator[Strip]:
    for round_ in state.rounds:
        if state.is_sealed(round_.number):
            continue
        for table in round_.tables:
            for game in table.games:
                names = ["bot" if it == BOT else state.entrant(it).name for it in game.seats]
                races: dict[str, list[RaceLine]] = {}
                for line in game.outcome.races if game.counts and game.outcome else ():
                    if line.verdict in {"won", "heat", "beaten"}:
                        races.setdefault(line.race, []).append(line)
                for race, lines in races.items():
                    if len(lines) > 1:
                        order = sorted(lines, key=lambda it: it.score_us)
                        gap = order[1].score_us - order[0].score_us
                        yield Strip(round_.number, table.table, race, gap, _svg(order, names))


def _svg(lines: list[RaceLine], names: list[str]) -> str:
    """One row per hand; the scale is from the first lower bound to the last upper one."""
    first, last = min(it.lo_us for it in lines), max(it.hi_us for it in lines)
    span = max(1, last - first)

    def x(us: int) -> int:
        return 110 + (WIDTH - 120) * (us - first) // span

    rows = []
    for at, it in enumerate(lines):
        y = ROW * at + ROW // 2
        text = f"{names[it.seat]} {it.score_us / 1000:.1f} ms"
        rows.append(
            f'<text x="0" y="{y + 4}" font-size="10">{escape(text[:28])}</text>'
            f'<line x1="{x(it.lo_us)}" x2="{x(it.hi_us)}" y1="{y}" y2="{y}" stroke="#888" stroke-width="4"/>'
            f'<circle cx="{x(it.score_us)}" cy="{y}" r="4" fill="{"#111" if at == 0 else "#fff"}" stroke="#111"/>'
        )
    height = ROW * len(lines)
    return f'<svg role="img" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">{"".join(rows)}</svg>'
