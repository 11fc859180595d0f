"""Judges a finished race again from its raw numbers, and lists where the record differs."""

from collections.abc import Callable, Iterator, Sequence

from photofinish.engine import Micros, Record, Seat
from photofinish.race.evidence import READABLE, Decision, Evidence, RaceRecord, SeatStart, sealed
from photofinish.race.lanes import BELOW_ALL
from photofinish.race.order import MOST_SEATS, Tie, dead_heat, hard_at, is_settled, sorted_by, toss
from photofinish.race.params import Path, Standing
from photofinish.race.score import judge


class Verdict(Record, frozen=True):
    """The order of the tickets that follows from the numbers, and every place where the record differs."""

    order: tuple[int, ...]
    mismatches: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        return not self.mismatches


def recompute(
    record: RaceRecord, entries: Sequence[Evidence] | None = None, coin: bytes | None = None
) -> Verdict:
    """Compute scores, order and reasons again.

    `entries` are the log's own entries of the released moves; they must be those of the record. With `coin`,
    known when the game is over and its seed is shown, the tosses are checked as well.
    """
    wrong: list[str] = []
    if record.version not in READABLE:
        readable = " and ".join(map(str, READABLE))
        return Verdict((), (f"a record of version {record.version}; this release verifies {readable}",))
    if sealed(record).seal != record.seal:
        wrong.append("the seal does not fit the record")
    if entries is not None and tuple(entries) != record.moves:
        wrong.append("the log's entries are not those of the record")
    return checked(record, wrong, _scores, coin)


def checked(
    record: RaceRecord,
    wrong: list[str],
    scores: Callable[[RaceRecord, Sequence[Evidence]], Iterator[str]],
    coin: bytes | None,
    room: bytes = b"",
) -> Verdict:
    """Check the tosses, the scores and the order. `wrong` has the faults that are known already."""
    if not _is_in_range(record):
        # The arbiter writes nothing like this: without these bounds the code below would fail.
        return Verdict((), (*wrong, "a number is outside its range"))
    for seat, tossed in record.coins if coin is not None else ():
        if toss(coin or b"", record.key, seat, room=room) != tossed:
            wrong.append(f"seat {seat}: the toss does not follow from the seed")
    given = sorted((*record.moves, *record.void, *record.held), key=lambda it: it.number)
    if [it.number for it in given] != list(range(len(given))):
        wrong.append("moves are missing or there twice")
        return Verdict((), tuple(wrong))
    wrong += scores(record, given)
    order, faults = _order(record, given)
    if order != tuple(it.ticket for it in record.moves):
        wrong.append(f"released {[it.ticket for it in record.moves]}, should be {list(order)}")
    return Verdict(order, (*wrong, *faults))


def _is_in_range(record: RaceRecord) -> bool:
    params = record.params
    seats = [seat for seat, _tossed in record.coins if seat is not None]
    return params.eps >= 0 and params.gain > 0 and all(0 <= seat < MOST_SEATS for seat in seats)


class _Lane:
    def __init__(self, start: SeatStart) -> None:
        self.start = Standing(start.screen, start.unproven)
        self.last = BELOW_ALL
        self.least = Micros(0)


def _scores(record: RaceRecord, given: Sequence[Evidence]) -> Iterator[str]:
    params = record.params
    lanes = {start.seat: _Lane(start) for start in record.starts}
    for it in given:
        where = f"ticket {it.ticket}"
        if it.seat is None:
            due = max(0, it.arrived - record.opened)
            yield from differ(where, it, lo=due, hi=due, soft=0, credit=0, score=due, void=False)
            continue
        if it.seat not in lanes:
            yield f"{where}: seat {it.seat} never started"
            continue
        lane = lanes[it.seat]
        if it.away and (it.shown, it.arrived, it.react_us, it.path) != (
            record.opened,
            it.reached,
            None,
            Path(),
        ):
            yield f"{where}: compensated although its seat was away"
        contested = it.kind == "contested"
        new = judge(
            params,
            it.kind,
            elapsed=Micros(it.arrived - it.shown),
            path=it.path,
            react_us=it.react_us,
            start=lane.start,
            least=max(lane.last, lane.least) if contested else max(lane.last, Micros(0)),
            has_doubt=record.version > 2,
        )
        stray = contested and it.nonce != record.nonce
        why = "wrong_nonce" if stray else "false_start" if new.void else ""
        yield from differ(
            where,
            it,
            base=new.base,
            lo=new.lo,
            hi=new.hi,
            jitter=new.jitter,
            behind=new.behind,
            soft=0 if why else new.soft,
            credit=0 if why else new.credit,
            score=new.score,
            void=bool(why),
            why=why,
        )
        if why == "false_start":
            lane.least = Micros(params.floor + params.after_void)
        if not why:
            lane.last = new.score


def _order(record: RaceRecord, given: Sequence[Evidence]) -> tuple[tuple[int, ...], list[str]]:
    coins = dict(record.coins)
    ties: dict[int, Tie] = {}
    drawn: dict[Seat | None, Micros] = {}
    order: list[int] = []
    wrong: list[str] = []
    if [it.ticket for it in record.decisions] != [it.ticket for it in record.moves]:
        wrong.append("the decisions are not about the moves that were released")
    for place, decision in enumerate(record.decisions):
        held = [it for it in given[: decision.taken] if not it.void and it.ticket not in order]
        if not held or any(it.seat not in coins for it in held):
            wrong.append(f"decision {place}: no move was held, or a toss is missing")
            break
        scores = sorted_by(held, _closers_from(record, place), drawn)
        tie, group = dead_heat(held, scores, coins, ties, record.params.eps, place)
        first, score = held[group[0]], scores[group[0]]
        late = score < _top(record, first)
        if first.kind == "closer":
            drawn[first.seat] = score
        order.append(first.ticket)
        wrong += differ(
            f"ticket {first.ticket}", decision, ticket=first.ticket, score=score, late=late, heat=tie.number
        )
        wrong += _reason(record, decision, given, held, scores=scores)
        if place < len(record.moves):
            wrong += differ(f"ticket {first.ticket}", record.moves[place], late=late)
    return tuple(order), wrong


def _reason(
    record: RaceRecord,
    decision: Decision,
    given: Sequence[Evidence],
    held: Sequence[Evidence],
    *,
    scores: Sequence[Micros],
) -> Iterator[str]:
    """Whether this move was due, and for the reason that the record gives."""
    params = record.params
    where = f"ticket {decision.ticket}"
    for mark in decision.marks:
        own = [it.score for it in given[: decision.taken] if it.seat == mark.seat and not it.void]
        if mark.last != (own[-1] if own else None):
            yield f"{where}: the last move of seat {mark.seat} was another"
    settled = all(is_settled(mark, min(scores), params) for mark in decision.marks)
    if settled != (decision.by == "watermark"):
        yield f"{where}: released by {decision.by}, which the watermarks do not bear out"
    waited = (
        decision.at >= hard_at(params, record.opened, it, score)
        for it, score in zip(held, scores, strict=True)
    )
    if not settled and not any(waited):
        yield f"{where}: released before its time"


def _top(record: RaceRecord, it: Evidence) -> Micros:
    """The highest score that was already out when this move came in."""
    return max((out.score for out in record.decisions if out.taken <= it.number), default=BELOW_ALL)


def _closers_from(record: RaceRecord, place: int) -> Micros:
    """The score before which no closer took effect when that decision was made."""
    thrown = [throw.at - record.opened for throw in record.throws if throw.after <= place]
    return Micros((thrown[-1] if thrown else 0) + record.not_before)


def differ(where: str, it: Record, **derived: object) -> Iterator[str]:
    for name, value in derived.items():
        if getattr(it, name) != value:
            yield f"{where}: {name} is recorded as {getattr(it, name)}, should be {value}"
