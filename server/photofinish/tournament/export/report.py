"""The printable report: one HTML page without scripts. Every name is escaped (T72)."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

from photofinish.tournament.event_file.model import UNIT
from photofinish.tournament.export.report_strips import closest
from photofinish.tournament.reports.notes import notes
from photofinish.tournament.scores.reactions import board, race_lines
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.brackets_state import decided_of
from photofinish.tournament.state.model import BOT, State

_STYLE = (
    "body{font:14px/1.4 system-ui,sans-serif;margin:2rem;color:#111}table{border-collapse:collapse;margin:1rem 0}"
    "td,th{border:1px solid #999;padding:.2rem .5rem;text-align:left}caption{text-align:left;font-weight:bold}"
    "code{font-size:12px}@media print{body{margin:0}}"
)

OFFICIALS_TOLD = 4
"""The version of the log since which the report says whether officials play: older exports have another report."""


def shown_points(points: int) -> str:
    """T37: with at most two decimals."""
    whole = Fraction(points, UNIT)
    if whole.denominator == 1:
        return str(whole.numerator)
    hundredths = round(whole * 100)
    return f"{hundredths // 100}.{hundredths % 100:02}".rstrip("0").rstrip(".")


def report(state: State, head: str) -> bytes:
    name = {number: state.entrant(number).name for number in state.numbers} | {BOT: "bot"}
    rules, n = state.rules, len(state.numbers)
    facts = f"{rules.game}, {rules.format}, {n} entrants, {len(state.rounds)} rounds, {state.status}"
    parts = [
        f"<h1>{escape(state.rules.title)}</h1>",
        f"<p>{escape(facts)}.</p>",
        f"<p>{_officials(state)}</p>" if state.version >= OFFICIALS_TOLD else "",
        f"<p>Rules <code>{escape(state.rules_hash)}</code><br>Head of the log <code>{escape(head)}</code></p>",
        _table(
            "Standings",
            ("rank", "name", "points", *state.rules.tiebreaks),
            [(row.rank, name[row.number], shown_points(row.points), *row.ties) for row in standings(state)],
        ),
    ]
    for round_ in state.rounds:
        rows = [
            (
                table.table,
                " – ".join(name[number] for number in table.seats),
                "bye" if table.bye else table.status,
                name[table.winner] if table.winner else "",
                " ".join(it.head[:8] for it in table.games if it.counts),
            )
            for table in round_.tables
        ]
        parts.append(_table(f"Round {round_.number}", ("table", "players", "state", "winner", "heads"), rows))
    if state.rules.is_elimination and state.numbers:
        matches, decided = decided_of(state)
        rows_of_bracket = [
            (matches[at].name, name.get(it.winner, ""), name.get(it.loser, "bye"))
            for at, it in decided.items()
            if it.winner
        ]
        parts.append(_table("Bracket", ("match", "winner", "loser"), rows_of_bracket))
    reactions = [
        (
            row.rank or "–",
            name[row.number],
            row.n,
            _ms(row.median_us),
            _ms(row.low_us),
            _ms(row.high_us),
            _ms(row.best10_us),
        )
        for row in board(race_lines(state))
        if row.n
    ]
    if reactions:
        columns = ("rank", "name", "n", "median ms", "low", "high", "best ten")
        parts.append(_table("Reactions", columns, reactions))
    parts += [
        f"<figure><figcaption>Round {it.round}, table {it.table}, {escape(it.race)}: {_ms(it.gap_us)} ms apart"
        f"</figcaption>{it.svg}</figure>"
        for it in closest(state)
    ]
    noted = [(name[it.number], it.round or "", it.table or "", it.text) for it in notes(state)]
    if noted:
        parts.append(_table("Notes for the referee", ("name", "round", "table", "note"), noted))
    rulings = [
        (it.mark, it.round, it.table, it.game, it.text, it.ruling or "open", it.reason)
        for it in state.marks
        if not (state.is_running and state.is_sealed(it.round))  # T43
    ]
    if rulings:
        parts.append(
            _table("Disputes", ("mark", "round", "table", "game", "text", "ruling", "reason"), rulings)
        )
    title = escape(state.rules.title)
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    )
    return f"{page}{''.join(parts)}</html>\n".encode()


def _officials(state: State) -> str:
    """T3: it is shown on every page."""
    if not state.rules.officials_play:
        return "Officials do not play in this event."
    officials = {*state.organisers, *state.referees}
    playing = [it.name for it in state.entrants.values() if it.key in officials]
    players = f"Playing: {', '.join(playing)}." if playing else "None does."
    return escape(f"Officials may play in this event, and do not rule at their own table. {players}")


def _ms(us: int | None) -> str:
    return "" if us is None else f"{us // 1000}.{us % 1000 // 100}"


def _table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(it)}</th>" for it in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(it))}</td>" for it in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table>"
