"""T69: calendar (.ics, RFC 5545) and news (Atom, RFC 4287) of an event. Names are escaped."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from photofinish.tournament.log import entries as log
from photofinish.tournament.state.model import State

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def utc(micros: int) -> tuple[int, int, int, int, int, int]:
    """Year to second. The core has no clock and no calendar of its own: this is arithmetic."""
    days, second = divmod(micros // 1_000_000, 86_400)
    year = 1970
    while days >= 365 + _is_leap(year):
        days -= 365 + _is_leap(year)
        year += 1
    month = 0
    while days >= _DAYS[month] + (month == 1 and _is_leap(year)):
        days -= _DAYS[month] + (month == 1 and _is_leap(year))
        month += 1
    return year, month + 1, days + 1, second // 3600, second % 3600 // 60, second % 60


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _stamp(micros: int) -> str:
    return "{:04}{:02}{:02}T{:02}{:02}{:02}Z".format(*utc(micros))


def _iso(micros: int) -> str:
    return "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z".format(*utc(micros))


def ics(state: State, url: str) -> bytes:
    """One event per scheduled round, and the start."""
    starts: list[tuple[str, str, int]] = []
    if state.rules.clock.starts is not None:
        starts.append(("start", f"{state.rules.title}: start", state.rules.clock.starts))
    for round_ in state.rounds:
        at = round_.began_at or round_.starts_at
        if at:
            starts.append((f"round-{round_.number}", f"{state.rules.title}: round {round_.number}", at))
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Photofinish//Events//EN"]
    for uid, title, at in starts:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{state.event}-{uid}@photofinish",
            f"DTSTAMP:{_stamp(state.last_at)}",
            f"DTSTART:{_stamp(at)}",
            f"SUMMARY:{_text(title)}",
            f"URL:{url}",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line)).encode()


def _text(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> list[str]:
    """At most 75 bytes per line; a continuation begins with a space."""
    parts: list[str] = []
    part, size = "", 0
    for ch in line:
        width = len(ch.encode())
        if size + width > 75:
            parts.append(part)
            part, size = " ", 1
        part += ch
        size += width
    return [*parts, part]


def atom(state: State, entries: Sequence[log.AnyEntry], url: str) -> bytes:
    """Pairings up, round closed, ruling, finished; the newest first."""
    news: list[tuple[int, int, str]] = []
    for it in entries:
        match it:
            case log.Paired(round=number, tick=0):
                news.append((it.n, it.at, f"Round {number}: the pairings are up"))
            case log.RoundClosed(round=number):
                news.append((it.n, it.at, f"Round {number} is closed"))
            case log.Ruled(round=number, table=table, ruling=ruling):
                news.append((it.n, it.at, f"Round {number}, table {table}: {ruling}"))
            case log.Corrected(round=number, table=table):  # T63: a ruling without a mark
                news.append((it.n, it.at, f"Round {number}, table {table}: corrected"))
            case log.Finished():
                news.append((it.n, it.at, "The event is finished"))
            case log.Cancelled(reason=reason):
                news.append((it.n, it.at, f"The event is cancelled: {reason}"))
            case _:
                pass
    items = "".join(
        f"<entry><id>{escape(url)}#{n}</id><title>{escape(title)}</title><updated>{_iso(at)}</updated>"
        f"<link href={quoteattr(url)}/></entry>"
        for n, at, title in reversed(news)
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<id>{escape(url)}</id><title>{escape(state.rules.title)}</title>"
        f"<updated>{_iso(state.last_at)}</updated><author><name>Photofinish</name></author>{items}</feed>\n"
    ).encode()
