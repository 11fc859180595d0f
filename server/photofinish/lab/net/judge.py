"""Compares the server's verdicts with the truth: its race records with the real reaction times."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from photofinish.games.reflex import GAME
from photofinish.lab.net.lies import known, liar_of
from photofinish.lab.net.links.shape import LatenessSummary
from photofinish.lab.net.plan import Cell, Hand, PlayerResult
from photofinish.lab.net.stall_monitor import Stall, stood_still
from photofinish.lab.net.window import STALL, window
from photofinish.race import RaceRecord, recompute
from photofinish.race.evidence import Evidence
from photofinish.replay import log
from photofinish.replay.replay import Replay
from photofinish.replay.verify import verify

LOST = 60_000
"""µs. A score that is this much slower than the real reaction counts as lost; how much slower does not matter. Without
this limit a few late packets would decide the mean of a noisy line.
"""


class JudgedRace(msgspec.Struct, frozen=True):
    """One race: the true order and the server's decision. Times in µs."""

    room: str
    race: int
    truth: int
    gap: int
    """The lead of the truly fastest player over the next."""
    winner: int | None
    first_come: int | None
    wait: int
    """From the first claim's arrival at the server to the release of the verdict."""
    commit: int
    """The duration of the commit before this race's triggers. Storing the verdict takes about as long."""
    by: str
    heat: bool
    sound: bool
    still: int = 0
    """The longest stall of a core in its window."""

    @property
    def is_disturbed(self) -> bool:
        return self.still > STALL


class Claimed(msgspec.Struct, frozen=True):
    """One claim and its score. Times in µs."""

    seat: int
    race: int
    kmin: int | None
    amin: int | None
    base: int
    off: int | None
    """Its score minus the true reaction; None if the true reaction is not known."""
    credit: int
    acked: int | None
    """The last time at which the kernel had no ACK of the trigger."""
    delayable: bool
    loop_lag: int
    is_disturbed: bool = False
    """Whether its race was disturbed."""
    liar: str = ""
    """The name of its client; empty if it is honest."""
    is_meant: bool = True
    """Whether this client tries to win this race."""

    @property
    def off_ms(self) -> float | None:
        return None if self.off is None else min(self.off, LOST) / 1000


class Judged(msgspec.Struct, frozen=True):
    """The results of a cell, race by race."""

    cell: Cell
    races: tuple[JudgedRace, ...]
    claims: tuple[Claimed, ...]
    faults: tuple[str, ...]
    """The faults that the verification of the replays found."""
    cuts: int
    cpu_s: float = 0.0
    """Seconds that the server ran on a core."""
    queued_s: float = 0.0
    """Seconds that it waited for a core. If this is large, the machine causes the lag, not the server."""
    rounds: int = 1
    stalls: tuple[Stall, ...] | None = None
    """The stalls of cores, from the stall monitors; None if there were no monitors: then every race counts."""
    stolen_s: float = 0.0
    """Core seconds in which the host ran something else (steal time), from the kernel."""
    monitor_s: float = 0.0
    """Core seconds that the stall monitors used."""
    links: tuple[LatenessSummary, ...] = ()
    """The punctuality of the links in each round."""

    @property
    def undisturbed(self) -> "Judged":
        """The same without the races in which the machine stalled."""
        return replace(
            self,
            races=tuple(it for it in self.races if not it.is_disturbed),
            claims=tuple(it for it in self.claims if not it.is_disturbed),
        )

    @property
    def is_enough(self) -> bool:
        """Whether there are as many undisturbed races as the cell requires."""
        return len(self.undisturbed.races) >= self.cell.races

    def plus(self, more: "Judged") -> "Judged":
        """The results with another round of the same cell added."""
        return replace(
            self,
            races=self.races + more.races,
            claims=self.claims + more.claims,
            faults=self.faults + more.faults,
            cuts=self.cuts + more.cuts,
            cpu_s=self.cpu_s + more.cpu_s,
            queued_s=self.queued_s + more.queued_s,
            rounds=self.rounds + more.rounds,
            stalls=None if self.stalls is None or more.stalls is None else self.stalls + more.stalls,
            stolen_s=self.stolen_s + more.stolen_s,
            monitor_s=self.monitor_s + more.monitor_s,
            links=self.links + more.links,
        )

    def right(self, gap_ms: float, *, first_come: bool = False) -> tuple[int, int]:
        """Among the races with at least that gap: how many the right seat won, and their number."""
        those = [it for it in self.races if it.gap >= gap_ms * 1000]
        good = [it for it in those if (it.first_come if first_come else it.winner) == it.truth]
        return len(good), len(those)

    def offs_ms(self, seat: int) -> list[float]:
        """Score minus true reaction of a seat, in the races that it tries to win."""
        return [it.off_ms for it in self.claims if it.seat == seat and it.off_ms is not None and it.is_meant]

    def waits(self, quantile: float) -> float:
        """Times from the first claim to the stored verdict, in ms."""
        return quantile_of([it.wait + it.commit for it in self.races], quantile) / 1000


def judge(
    cell: Cell,
    replays: Sequence[tuple[str, Replay]],
    results: Sequence[PlayerResult],
    stalls: tuple[Stall, ...] | None = None,
) -> Judged:
    """Every race of every room of a cell."""
    races: list[JudgedRace] = []
    claims: list[Claimed] = []
    faults: list[str] = []
    by_seat = sorted(results, key=lambda it: it.seat)
    for room, (code, replay) in enumerate(replays):
        faults += [f"{code}: {fault}" for fault in verify(replay, {GAME.key: GAME}).faults]
        coin = log.coin_key(bytes.fromhex(replay.seed))
        for entry in map(log.parse, (line.body for line in replay.entries)):
            if isinstance(entry, log.Raced):
                number = int(entry.record.key.partition(":")[2])
                hands = [it.hands[room][number - 1] for it in by_seat]
                race = raced(code, number, entry.record, hands, coin, stalls or ())
                races.append(race)
                claims += _claims(cell, entry.record, hands, room, is_disturbed=race.is_disturbed)
    cuts = sum(it.cuts for it in results)
    return Judged(cell, tuple(races), tuple(claims), tuple(faults), cuts, stalls=stalls)


def raced(
    code: str,
    number: int,
    record: RaceRecord,
    hands: Sequence[Hand],
    coin: bytes,
    stalls: Sequence[Stall] = (),
) -> JudgedRace:
    """One race. The truth is the real reaction; for a player who had not moved before the verdict, the planned one."""
    ranked = sorted((_did(hand), seat) for seat, hand in enumerate(hands))
    came = sorted(_contested(record), key=lambda it: it.reached)
    first = record.decisions[0] if record.decisions else None
    commit = max(0, min((it.shown for it in came if not it.away), default=record.opened) - record.opened)
    return JudgedRace(
        room=code,
        race=number,
        truth=ranked[0][1],
        gap=ranked[1][0] - ranked[0][0],
        winner=record.moves[0].seat if record.moves else None,
        first_come=came[0].seat if came else None,
        wait=first.at - came[0].reached if first is not None and came else 0,
        commit=commit,
        by=first.by if first is not None else "",
        heat=bool(record.heats) or _is_heat(record),
        sound=recompute(record, coin=coin).is_sound,
        still=stood_still(stalls, *window(record, hands, commit)),
    )


def _did(hand: Hand) -> int:
    """The real reaction, or the planned one if the race was over before."""
    return hand.planned if hand.pressed is None else hand.pressed


def _is_heat(record: RaceRecord) -> bool:
    """Whether a coin decided a dead heat. Then its other claims are still held when the winner closes the race."""
    if not record.moves:
        return False
    taken = record.decisions[0].taken
    held = [it for it in record.held if it.number < taken]
    return any(abs(it.score - record.moves[0].score) <= record.params.eps for it in held)


def _contested(record: RaceRecord) -> list[Evidence]:
    return [it for it in (*record.moves, *record.held) if it.kind == "contested"]


def _claims(
    cell: Cell, record: RaceRecord, hands: Sequence[Hand], room: int, *, is_disturbed: bool
) -> Iterable[Claimed]:
    screens = {it.seat: it.screen for it in record.starts}
    for it in _contested(record):
        assert it.seat is not None
        pressed, race = hands[it.seat].pressed, hands[it.seat].race
        liar = liar_of(cell.lie, room, it.seat, cell.turn)
        yield Claimed(
            seat=it.seat,
            race=race,
            kmin=it.path.kmin,
            amin=it.path.amin,
            base=it.base,
            off=None if pressed is None else it.score - pressed,
            credit=it.credit,
            acked=it.path.acked,
            delayable=it.path.delayable,
            loop_lag=it.loop_lag,
            is_disturbed=is_disturbed,
            liar=liar.name if liar else "",
            is_meant=liar is None or liar.bites(known(race, screens[it.seat], "")),
        )


def quantile_of(values: Iterable[float], quantile: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(quantile * len(ordered)))] if ordered else 0.0
