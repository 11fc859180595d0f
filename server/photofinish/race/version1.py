"""Race records of version 1, and the rule that they were judged by: logs from before version 2 still verify.

A record of version 1 has no `version` field. Its score was bounded by a free band, a quota and a flag. Nothing writes
it any more.
"""

import hashlib
from collections.abc import Iterator, Sequence

from photofinish.engine import Micros, Record, Seat, replace
from photofinish.engine.convert import pack
from photofinish.race.evidence import By, Decision, Evidence, RaceRecord, SeatStart, SeatWait, Throw
from photofinish.race.lanes import BELOW_ALL
from photofinish.race.params import Params, Path
from photofinish.race.recompute import Verdict, checked, differ
from photofinish.race.score import Kind

ROOM, ROOM_BYTE = -1, b"\xff"
"""The room in the coins, and in the bytes of a toss."""


class Params1(Record, frozen=True):
    """The parameters of version 1, in microseconds (the last two of the flags are counts)."""

    g: Micros = Micros(20_000)
    qmax: Micros = Micros(240_000)
    qgain: Micros = Micros(6_000)
    qrace: Micros = Micros(60_000)
    eps: Micros = Micros(2_000)
    hard: Micros = Micros(400_000)
    cap: Micros = Micros(350_000)
    floor: Micros = Micros(100_000)
    after_void: Micros = Micros(250_000)
    unclaimed: Micros = Micros(12_000)
    flagged_g: Micros = Micros(5_000)
    flagged_at: int = 29
    cleared_at: int = 15
    wait_base: Micros = Micros(29_000)
    wait_least: Micros = Micros(34_000)
    wait_most: Micros = Micros(70_000)


class Path1(Record, frozen=True):
    """The path without `usual` and `acked`."""

    kmin: Micros | None = None
    amin: Micros | None = None
    slow: Micros | None = None
    behind_proxy: bool = False

    def modern(self) -> Path:
        return Path(self.kmin, self.amin, self.slow, self.behind_proxy)


class Evidence1(Record, frozen=True):
    """The evidence of one move: `give`, `quota` and `clamped` instead of the four grants of version 2."""

    ticket: int
    number: int
    seat: Seat | None
    kind: Kind
    shown: Micros
    arrived: Micros
    reached: Micros
    away: bool
    path: Path1
    react_us: int | None
    base: Micros
    lo: Micros
    hi: Micros
    give: Micros
    quota: Micros
    score: Micros
    clamped: bool
    void: bool = False
    why: str = ""
    late: bool = False
    nonce: str = ""
    node: str = ""
    retransmits: int = 0
    loop_lag: Micros = Micros(0)

    def modern(self) -> Evidence:
        """The same move as version 2 shows it: what was borrowed is a credit."""
        shared = {name: getattr(self, name) for name in SHARED}
        zero = Micros(0)
        return Evidence(
            **shared, path=self.path.modern(), jitter=zero, behind=zero, soft=zero, credit=self.give
        )


SHARED = tuple(set(Evidence.__struct_fields__) & set(Evidence1.__struct_fields__) - {"path"})


class Mark1(Record, frozen=True):
    """A watermark of version 1."""

    seat: Seat
    shown: Micros | None
    path: Path1
    last: Micros
    """`BELOW_ALL`: the seat had not moved."""
    clock: Micros | None

    def modern(self) -> SeatWait:
        last = None if self.last == BELOW_ALL else self.last
        return SeatWait(self.seat, self.shown, self.path.modern(), last, self.clock)


class Decision1(Record, frozen=True):
    """A release of version 1."""

    ticket: int
    at: Micros
    score: Micros
    by: By
    late: bool
    heat: int
    taken: int
    marks: tuple[Mark1, ...]

    def modern(self) -> Decision:
        marks = tuple(it.modern() for it in self.marks)
        return Decision(self.ticket, self.at, self.score, self.by, self.late, self.heat, self.taken, marks)


class Start1(Record, frozen=True):
    """The standing of a seat at the opening, in version 1."""

    seat: Seat
    quota: Micros
    flagged: bool


class RaceRecord1(Record, frozen=True):
    """The closing entry of a race, version 1."""

    key: str
    nonce: str
    params: Params1
    seats: tuple[Seat, ...]
    opener: Seat | None
    opened: Micros
    closed: Micros
    not_before: Micros
    coins: tuple[tuple[int, str], ...]
    """-1: the room."""
    starts: tuple[Start1, ...]
    decisions: tuple[Decision1, ...]
    throws: tuple[Throw, ...]
    moves: tuple[Evidence1, ...]
    void: tuple[Evidence1, ...]
    held: tuple[Evidence1, ...]
    seal: str = ""

    def modern(self) -> RaceRecord:
        """The same race in the types of version 2, for strips and lists. `version` stays 1: it has no other seal."""
        names = ("eps", "hard", "cap", "floor", "after_void", "wait_base", "wait_least", "wait_most")
        return RaceRecord(
            version=1,
            key=self.key,
            nonce=self.nonce,
            params=Params(**{name: getattr(self.params, name) for name in names}),
            seats=self.seats,
            opener=self.opener,
            opened=self.opened,
            closed=self.closed,
            not_before=self.not_before,
            coins=tuple((None if seat == ROOM else Seat(seat), it) for seat, it in self.coins),
            starts=tuple(SeatStart(it.seat, Params().screen, it.quota) for it in self.starts),
            decisions=tuple(it.modern() for it in self.decisions),
            throws=self.throws,
            moves=tuple(it.modern() for it in self.moves),
            void=tuple(it.modern() for it in self.void),
            held=tuple(it.modern() for it in self.held),
            seal=self.seal,
        )


def recompute1(record: RaceRecord1, coin: bytes | None = None) -> Verdict:
    """Derive scores, order and reasons of a race of version 1 by the rule of its time."""
    bare = replace(record, seal="")
    is_sealed = hashlib.sha256(pack(bare)).hexdigest() == record.seal
    wrong = [] if is_sealed else ["the seal does not fit the record"]
    raw = {it.number: it for it in (*record.moves, *record.void, *record.held)}

    def scores(_record: RaceRecord, given: Sequence[Evidence]) -> Iterator[str]:
        return _scores(record, [raw[it.number] for it in given])

    return checked(record.modern(), wrong, scores, coin, ROOM_BYTE)


def _scores(record: RaceRecord1, given: Sequence[Evidence1]) -> Iterator[str]:
    params = record.params
    quotas = {start.seat: start.quota for start in record.starts}
    flags = {start.seat: start.flagged for start in record.starts}
    borrowed = dict.fromkeys(quotas, Micros(0))
    lasts = dict.fromkeys(quotas, BELOW_ALL)
    leasts = dict.fromkeys(quotas, Micros(0))
    for it in given:
        where, seat = f"ticket {it.ticket}", it.seat
        if seat is None:
            due = max(0, it.arrived - record.opened)
            yield from differ(where, it, lo=due, hi=due, give=0, score=due, void=False)
            continue
        if seat not in quotas:
            yield f"{where}: seat {seat} never started"
            continue
        if it.away and (it.shown, it.arrived, it.react_us) != (record.opened, it.reached, None):
            yield f"{where}: compensated although its seat was away"
        base = Micros(0) if it.away else it.path.modern().base(params.cap)
        contested = it.kind == "contested"
        floor = params.floor if contested else Micros(0)
        least = max(lasts[seat], leasts[seat] if contested else Micros(0))
        hi = Micros(it.arrived - it.shown - base)
        lo = hi - (params.flagged_g if flags[seat] else params.g)
        claim = hi - params.unclaimed if it.react_us is None else it.react_us
        is_early = contested and hi < floor
        give = min(max(0, lo - claim), quotas[seat], params.qrace - borrowed[seat])
        score = hi if is_early else max(min(max(claim, floor, lo - give), max(hi, floor)), least)
        stray = contested and it.nonce != record.nonce
        why = "wrong_nonce" if stray else "false_start" if is_early else ""
        give = 0 if why else give
        yield from differ(
            where,
            it,
            base=base,
            lo=lo,
            hi=hi,
            give=give,
            quota=quotas[seat],
            score=score,
            clamped=claim < hi - params.g,
            void=bool(why),
            why=why,
        )
        if why == "false_start":
            leasts[seat] = Micros(params.floor + params.after_void)
        if not why:
            lasts[seat] = Micros(score)
            quotas[seat] = Micros(quotas[seat] - give)
            borrowed[seat] = Micros(borrowed[seat] + give)
