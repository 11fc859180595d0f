"""The content of a photo-finish strip, computed from the record only: lanes, marks, and the verdict as text."""

from collections.abc import Mapping, Sequence

from photofinish.engine import Micros, Record, Seat
from photofinish.race.evidence import Evidence, RaceRecord

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "title": "Photo finish",
        "won": "{name} was first, {margin} ms ahead",
        "alone": "{name} was first, unopposed",
        "heat": "Dead heat: the coin chose {name}",
        "nobody": "Nobody was in time",
        "wrong": "Nobody won: every try was wrong",
        "false_start": "false start",
        "wrong_nonce": "not for this race",
        "late": "late",
        "held": "after the close",
        "away": "not compensated",
        "credited": "line {behind} ms late in this race: {credit} ms credited",
        "lent": "{credit} ms credited",
        "clock": "clock",
        "closer": "draw",
        "other": "other move",
        "anytime": "pounce",
        "contested": "",
        "legend": "mark: score · bar: what it may have been · hatched: network",
        "trigger": "trigger",
    },
    "de": {
        "title": "Zielfoto",
        "won": "{name} war zuerst, {margin} ms voraus",
        "alone": "{name} war zuerst, ohne Gegner",
        "heat": "Totes Rennen: Die Münze wählte {name}",
        "nobody": "Niemand war rechtzeitig",
        "wrong": "Niemand hat gewonnen: Alle Versuche waren falsch",
        "false_start": "Fehlstart",
        "wrong_nonce": "nicht zu diesem Rennen",
        "late": "verspätet",
        "held": "nach dem Schluss",
        "away": "nicht ausgeglichen",
        "credited": "Leitung in diesem Rennen {behind} ms verspätet: {credit} ms gutgeschrieben",
        "lent": "{credit} ms gutgeschrieben",
        "clock": "Uhr",
        "closer": "Ziehen",
        "other": "anderer Zug",
        "anytime": "Sprung",
        "contested": "",
        "legend": "Marke: Wertung · Balken: was möglich ist · schraffiert: Netz",
        "trigger": "Auslöser",
    },
}
"""The texts of the strip. English is used for a language that is missing here."""


WORTH_A_WORD = 500
"""A smaller credit, in µs, is not reported."""


class StripMove(Record, frozen=True):
    """One move on the strip. Times are since the trigger."""

    seat: Seat | None
    score: Micros
    lo: Micros
    hi: Micros
    back: Micros
    """When the move reached the server. The time between `hi` and this is network delay."""
    note: str
    is_void: bool
    is_winner: bool


class StripContent(Record, frozen=True):
    """The whole strip."""

    title: str
    verdict: str
    lanes: tuple[tuple[Seat, str, tuple[StripMove, ...]], ...]
    clocks: tuple[StripMove, ...]
    end: Micros
    words: dict[str, str]


def strip_content(
    record: RaceRecord, names: Sequence[str], lang: str = "en", won: int | None = None
) -> StripContent:
    """The strip of this race. `won` is the ticket of the move that won by the rules (default: the first slap), or
    `NOBODY`.
    """
    words = WORDS.get(lang, WORDS["en"])
    slaps = [it for it in record.moves if it.kind == "contested"]
    first = next((it for it in slaps if won is None or it.ticket == won), None)
    sorted_at = {it.ticket: it.score for it in record.decisions}
    moves = [_strip_move(it, words, first, sorted_at, held=False) for it in (*record.moves, *record.void)]
    moves += [_strip_move(it, words, first, sorted_at, held=True) for it in record.held]
    moves.sort(key=lambda it: it.score)
    seats = sorted({*record.seats, *(it.seat for it in moves if it.seat is not None)})
    lanes = tuple(
        (seat, name_of(names, seat), tuple(it for it in moves if it.seat == seat)) for seat in seats
    )
    end = max((it.back for it in moves), default=Micros(1))
    return StripContent(
        title=words["title"],
        verdict=_verdict(record, slaps, first, names, words),
        lanes=lanes,
        clocks=tuple(it for it in moves if it.seat is None),
        end=Micros(max(end, 1)),
        words=words,
    )


def name_of(names: Sequence[str], seat: Seat) -> str:
    """The name without characters that cannot be printed."""
    name = names[seat] if seat < len(names) else ""
    return "".join(sign for sign in name if sign.isprintable()).strip()[:32] or f"#{seat + 1}"


def _strip_move(
    it: Evidence,
    words: Mapping[str, str],
    first: Evidence | None,
    sorted_at: Mapping[int, Micros],
    *,
    held: bool,
) -> StripMove:
    notes = [
        words[it.kind],
        words[it.why] if it.void else "",
        words["late"] if it.late else "",
        words["held"] if held else "",
        words["away"] if it.away else "",
        _credited(it, words),
    ]
    score = sorted_at.get(it.ticket, it.score)
    return StripMove(
        seat=it.seat,
        score=score,
        lo=it.lo,
        hi=it.hi,
        back=max(Micros(it.arrived - it.shown), score),
        note=", ".join(note for note in notes if note),
        is_void=it.void,
        is_winner=first is not None and it.ticket == first.ticket,
    )


def _credited(it: Evidence, words: Mapping[str, str]) -> str:
    """What the move was credited because its line was late."""
    if it.credit < WORTH_A_WORD:
        return ""
    text = words["credited"] if it.behind else words["lent"]
    return text.format(behind=round(it.behind / 1000), credit=round(it.credit / 1000))


def _verdict(
    record: RaceRecord,
    slaps: Sequence[Evidence],
    first: Evidence | None,
    names: Sequence[str],
    words: Mapping[str, str],
) -> str:
    if first is None or first.seat is None:
        return words["wrong" if slaps else "nobody"]
    name = name_of(names, first.seat)
    # A claim that was still held when the first throw closed the race is a rival too.
    held = sorted((it for it in record.held if it.kind == "contested"), key=lambda it: it.score)
    rivals = [it for it in (*slaps[slaps.index(first) + 1 :], *held) if it.seat != first.seat]
    if not rivals:
        return words["alone"].format(name=name)
    heat = {it.ticket: it.heat for it in record.decisions}
    is_cut_short = rivals[0].ticket not in heat and rivals[0].score <= first.score + record.params.eps
    if is_cut_short or heat.get(rivals[0].ticket) == heat[first.ticket]:
        return words["heat"].format(name=name)
    margin = (rivals[0].score - first.score) / 1000
    return words["won"].format(name=name, margin=f"{margin:.1f}")
