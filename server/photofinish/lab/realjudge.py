"""Hold the server's verdicts against the truth: its records on one side, what the hands did on the other."""

from collections.abc import Iterable, Sequence

import msgspec

from photofinish.lab.flash import FLASH
from photofinish.lab.realplan import Cell, Hand, Told
from photofinish.race import RaceRecord, recompute
from photofinish.race.evidence import Evidence
from photofinish.room import log
from photofinish.room.replay import Replay
from photofinish.room.verify import verify


class Raced(msgspec.Struct, frozen=True):
    """One race: what was true, what was decided. Times in µs."""

    room: str
    race: int
    truth: int
    gap: int
    """How far ahead of the next the truly fastest hand was."""
    winner: int | None
    first_come: int | None
    wait: int
    """From the first claim's arrival at the server to the release of the verdict."""
    commit: int
    """How long the commit before this race's triggers took: what storing the verdict costs, too."""
    by: str
    heat: bool
    sound: bool


class Claimed(msgspec.Struct, frozen=True):
    """One claim: what the server made of it. Times in µs."""

    seat: int
    kmin: int | None
    amin: int | None
    base: int
    off: int | None
    """Its score minus what the hand did; None if the hand's own time is not known."""
    give: int
    clamped: bool
    loop_lag: int


class Judged(msgspec.Struct, frozen=True):
    """A cell, race by race."""

    cell: Cell
    races: tuple[Raced, ...]
    claims: tuple[Claimed, ...]
    faults: tuple[str, ...]
    """What the replays' own check found."""
    cuts: int
    cpu_s: float = 0.0
    """How long the server had a core."""
    queued_s: float = 0.0
    """And how long it waited for one: if that is much, the lag is the machine's, not the server's."""

    def right(self, gap_ms: float, *, first_come: bool = False) -> tuple[int, int]:
        """Of the races with at least that gap: how many went to the right seat, and how many there were."""
        those = [it for it in self.races if it.gap >= gap_ms * 1000]
        good = [it for it in those if (it.first_come if first_come else it.winner) == it.truth]
        return len(good), len(those)

    def waits(self, quantile: float) -> float:
        """First claim to stored verdict, in ms."""
        return quantile_of([it.wait + it.commit for it in self.races], quantile) / 1000


def judge(cell: Cell, replays: Sequence[tuple[str, Replay]], told: Sequence[Told]) -> Judged:
    """Every race of every room of a cell."""
    races: list[Raced] = []
    claims: list[Claimed] = []
    faults: list[str] = []
    by_seat = sorted(told, key=lambda it: it.seat)
    for room, (code, replay) in enumerate(replays):
        faults += [f"{code}: {fault}" for fault in verify(replay, {FLASH.key: FLASH}).faults]
        coin = log.coin_key(bytes.fromhex(replay.seed))
        for entry in map(log.parse, (line.body for line in replay.entries)):
            if isinstance(entry, log.Raced):
                number = int(entry.record.key.partition(":")[2])
                hands = [it.hands[room][number - 1] for it in by_seat]
                races.append(raced(code, number, entry.record, hands, coin))
                claims += _claims(entry.record, hands)
    return Judged(cell, tuple(races), tuple(claims), tuple(faults), sum(it.cuts for it in told))


def raced(code: str, number: int, record: RaceRecord, hands: Sequence[Hand], coin: bytes) -> Raced:
    """One race. The truth is what the hands did; a hand the verdict forestalled counts as it was planned."""
    ranked = sorted((_did(hand), seat) for seat, hand in enumerate(hands))
    came = sorted(_contested(record), key=lambda it: it.reached)
    first = record.decisions[0] if record.decisions else None
    shown = min((it.shown for it in came if not it.away), default=record.opened)
    return Raced(
        room=code,
        race=number,
        truth=ranked[0][1],
        gap=ranked[1][0] - ranked[0][0],
        winner=record.moves[0].seat if record.moves else None,
        first_come=came[0].seat if came else None,
        wait=first.at - came[0].reached if first is not None and came else 0,
        commit=max(0, shown - record.opened),
        by=first.by if first is not None else "",
        heat=bool(record.heats) or _is_heat(record),
        sound=recompute(record, coin=coin).is_sound,
    )


def _did(hand: Hand) -> int:
    """What the hand did, or would have done had the race not been over."""
    return hand.planned if hand.pressed is None else hand.pressed


def _is_heat(record: RaceRecord) -> bool:
    """Did a coin decide it? The others of a heat are still held when the winner closes the race."""
    if not record.moves:
        return False
    taken = record.decisions[0].taken
    held = [it for it in record.held if it.number < taken]
    return any(abs(it.score - record.moves[0].score) <= record.params.eps for it in held)


def _contested(record: RaceRecord) -> list[Evidence]:
    return [it for it in (*record.moves, *record.held) if it.kind == "contested"]


def _claims(record: RaceRecord, hands: Sequence[Hand]) -> Iterable[Claimed]:
    for it in _contested(record):
        assert it.seat is not None
        pressed = hands[it.seat].pressed
        yield Claimed(
            seat=it.seat,
            kmin=it.path.kmin,
            amin=it.path.amin,
            base=it.base,
            off=None if pressed is None else it.score - pressed,
            give=it.give,
            clamped=it.clamped,
            loop_lag=it.loop_lag,
        )


def quantile_of(values: Iterable[float], quantile: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(quantile * len(ordered)))] if ordered else 0.0
