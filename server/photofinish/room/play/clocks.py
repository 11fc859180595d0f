"""The clocks that a state asks for."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from photofinish.engine import Micros, Seat, Timer

HASTE = Micros(500_000)
"""A seat on autopilot answers after this time: short, but long enough for people to follow."""


ShownClock: TypeAlias = tuple[str, Seat | None, tuple[Seat, ...], int | None, int]
"""A clock as it is shown: key, seat, the seats it waits for, when it is due (None: stopped), what is left then."""


class _Clock:
    __slots__ = ("due", "has_rung", "left", "timer")

    def __init__(self, timer: Timer, left: int | None) -> None:
        self.timer = timer
        self.left = left  # None: no limit, nothing to show
        self.due: int | None = None  # None: stopped
        self.has_rung = False


class Clocks:
    """Starts a clock when its key appears, removes it when the key is gone, stops all clocks on `stop`."""

    def __init__(self, left: dict[str, int] | None = None) -> None:
        self._carried = dict(left or {})  # the time left when the room was stored
        self._clocks: dict[str, _Clock] = {}
        self._stopped = False
        self.shown_clocks: tuple[ShownClock, ...] | None = None
        """What `shown` returned last, until a clock changes."""
        self.next_due: Micros | None = None
        """When the first running clock is due."""

    def set(self, timers: Iterable[Timer], now: Micros, is_hasty: Callable[[Timer], bool]) -> None:
        """Set exactly these clocks. `is_hasty`: the seat is on autopilot and answers at once."""
        self.shown_clocks = None
        old, self._clocks, carried = self._clocks, {}, self._carried
        first: int | None = None
        for timer in timers:
            key = timer.key
            clock = old.get(key)
            if clock is None:
                after = timer.after
                left = carried.pop(key) if key in carried else None if after is None else int(after) * 1000
                clock = _Clock(timer, left)
            clock.timer = timer
            self._clocks[key] = clock
            due, clock.due = clock.due, None
            if due is not None:
                clock.left = max(0, due - now)
            if is_hasty(timer):
                clock.left = HASTE if clock.left is None else min(clock.left, HASTE)
            elif timer.after is None:
                clock.left = None  # the seat is no longer on autopilot
            if clock.left is not None and timer.running and not self._stopped and not clock.has_rung:
                # An expired clock that is still blocked keeps its due time; a new one would change the view.
                clock.due = due = due if due is not None and due <= now else now + clock.left
                if first is None or due < first:
                    first = due
        carried.clear()
        self.next_due = first  # type: ignore[assignment]  # as in `_note_first`, which would be a second loop

    def stop(self, now: Micros) -> None:
        """Stop all clocks."""
        self._stopped, self.shown_clocks = True, None
        for clock in self._clocks.values():
            if clock.due is not None:
                clock.left, clock.due = max(0, clock.due - now), None
        self.next_due = None

    def go(self, now: Micros) -> None:
        """After `stop`: go on."""
        if not self._stopped:
            return  # `set` has started every clock that may run
        self._stopped, self.shown_clocks = False, None
        for clock in self._clocks.values():
            if clock.left is not None and clock.timer.running and clock.due is None and not clock.has_rung:
                clock.due = now + clock.left
        self._note_first()

    def running(self) -> list[tuple[Micros, Timer]]:
        """The running clocks, each with its due time, earliest first."""
        found = [(Micros(c.due), c.timer) for c in self._clocks.values() if c.due is not None]
        if len(found) > 1:
            found.sort(key=lambda pair: pair[0])
        return found

    def _note_first(self) -> None:
        earliest: int | None = None
        for clock in self._clocks.values():
            due = clock.due
            if due is not None and (earliest is None or due < earliest):
                earliest = due
        self.next_due = earliest  # type: ignore[assignment]  # a `Micros` is an int; the call of `Micros` costs a call

    def visible(self) -> list[tuple[Timer, int | None, int]]:
        """Each clock that viewers may see: the timer, its due time, and the time left if it is stopped."""
        return [
            (c.timer, c.due, c.left)
            for c in self._clocks.values()
            if c.left is not None and not c.timer.hidden
        ]

    def shown(self) -> tuple[ShownClock, ...]:
        """Each clock as it is shown to all viewers.

        The time left on a running clock is not included: it follows from the due time. If views were compared by it,
        every step of the game would send a view to all, and so reveal steps that nobody may notice.
        """
        if self.shown_clocks is None:
            self.shown_clocks = tuple(
                [
                    (it.key, it.seat, it.waits_for, due, left if due is None else 0)
                    for it, due, left in self.visible()
                ]
            )
        return self.shown_clocks

    def left(self, now: Micros) -> dict[str, int]:
        """The time left on each clock, for the store."""
        return {
            key: clock.left if clock.due is None else max(0, clock.due - now)
            for key, clock in self._clocks.items()
            if clock.left is not None
        }

    def is_running(self, key: str) -> bool:
        return key in self._clocks and self._clocks[key].due is not None

    def ring(self, key: str) -> None:
        """Expire this clock once. While the state still asks for it, it stays at zero."""
        self.shown_clocks = None
        clock = self._clocks[key]
        clock.has_rung, clock.due, clock.left = True, None, 0
        self._note_first()
