"""A table with known network delays. A test says when hands move; the arbiter gets what a node would give it."""

from collections.abc import Collection, Mapping

from photofinish.engine import Micros, Seat
from photofinish.race import Arbiter, Claim, Params, Path, Release, Standing, Void
from photofinish.race.score import Kind

NORTH, EAST, SOUTH, WEST = (Seat(n) for n in range(4))
COIN = b"a coin tossed before the game"


def ms(millis: float) -> Micros:
    return Micros(round(millis * 1000))


class Bench:
    """Times in ms since the opening. Every node's clock is off by its own amount, to prove it does not matter."""

    def __init__(
        self,
        trips: Mapping[Seat, float],
        params: Params | None = None,
        standings: Mapping[Seat, Standing] | None = None,
        coin: bytes = COIN,
    ) -> None:
        self.trips = dict(trips)
        self.arbiter = Arbiter(params or Params(), coin, standings)
        self.tickets = 0
        self.start = 0.0
        for seat in trips:
            self.late(seat, 0)

    def open(
        self,
        key: str = "race",
        *,
        at: float = 0.0,
        present: Collection[Seat] | None = None,
        not_before: float = 0.0,
        opener: Seat | None = None,
    ) -> "Bench":
        here = tuple(self.trips) if present is None else present
        self.start = at
        self.arbiter.open(
            key,
            tuple(self.trips),
            now=ms(at),
            not_before=ms(not_before),
            opener=opener,
            present=here,
            nonce=key,
        )
        for seat in here:
            self.arbiter.shown(seat, self.clock(seat, 0))
        return self

    def late(self, seat: Seat, by: float) -> None:
        """The kernel sees that the seat's line is this many ms late in this race."""
        trip = self.trips[seat]
        path = Path(ms(trip), ms(trip + 1), ms(trip + 2), usual=ms(trip), acked=ms(trip + by))
        self.arbiter.path(seat, path)

    def clock(self, seat: Seat, after: float) -> Micros:
        """What the clock of the seat's node shows this long after the opening."""
        return ms(self.start + after + 5_000 * (seat + 1))

    def slap(
        self,
        seat: Seat,
        hand: float,
        *,
        kind: Kind = "contested",
        held_up: float = 0.0,
        says: float | None = None,
        silent: bool = False,
        nonce: str | None = None,
    ) -> Void | None:
        """A hand moves this long after its screen showed the trigger; the network takes its trip, and more."""
        came = hand + self.trips[seat] + held_up
        self.tickets += 1
        react = None if silent else ms(hand if says is None else says)
        return self.arbiter.take(
            Claim(
                self.tickets,
                seat,
                kind,
                self.clock(seat, came),
                ms(self.start + came),
                react,
                (self.arbiter.key or "") if nonce is None else nonce,
            )
        )

    def clock_runs_out(self, due: float, *, at: float | None = None) -> None:
        self.tickets += 1
        reached = ms(self.start + (due if at is None else at))
        self.arbiter.take(Claim(self.tickets, None, "clock", reached, reached, due=ms(self.start + due)))

    def next_release(self, after: float, *, stuck: Collection[Seat] = ()) -> Release | None:
        """The next release, if there is one now. The nodes of `stuck` seats have reported nothing."""
        clocks = {seat: self.clock(seat, after) for seat in self.trips if seat not in stuck}
        return self.arbiter.next(ms(self.start + after), clocks)

    def released(self, after: float, *, stuck: Collection[Seat] = ()) -> list[Release]:
        """All releases that are due at that moment."""
        out = []
        while release := self.next_release(after, stuck=stuck):
            out.append(release)
        return out

    def seats(self, after: float, *, stuck: Collection[Seat] = ()) -> list[Seat | None]:
        return [release.claim.seat for release in self.released(after, stuck=stuck)]
