"""The races of a game that is played without a room: a real arbiter judges moves that come one minute apart."""

from typing import Any

from photofinish.engine import Act, AnyGame, Input, Micros
from photofinish.race import Arbiter, Claim, Params
from photofinish.race.evidence import Evidence
from photofinish.race.kinds import kind_of
from photofinish.replay import log

MINUTE = 60_000_000


class Races:
    def __init__(self, game: AnyGame, seed: bytes, state: Any, params: Params) -> None:
        self._game, self._arbiter = game, Arbiter(params, log.coin_key(seed))
        self._race: Any = None
        self._state, self._tickets = state, 0
        self.after(state, 0)

    def sort(self, it: Input[Any], now: int) -> Evidence | None:
        """The evidence of this input, if a race has to sort it."""
        if self._race is None:
            return None
        at = Micros(now)
        if isinstance(it, Act):
            if it.seat not in self._race.seats:
                return None
            claim = Claim(self._tickets + 1, it.seat, kind_of(self._race, it.move), at, at, None, "n")
        else:
            timer = next(each for each in self._game.timers(self._state) if each.key == it.timer)
            if timer.seat is None and not timer.ends_race:
                return None
            claim = Claim(self._tickets + 1, None, "clock", at, at, due=at)
        self._tickets += 1
        assert self._arbiter.take(claim) is None
        release = self._arbiter.next(at, {})
        assert release is not None
        return release.evidence

    def after(self, state: Any, now: int) -> log.Raced | None:
        """The record, if this step closed a race."""
        self._state, race, closed = state, self._race, None
        wish = self._game.race(state) if self._game.outcome(state) is None else None
        if race is not None and (wish is None or wish.key != race.key):
            closed = log.Raced(now, self._arbiter.close(Micros(now)).record, ())
            race = None
        elif race is not None and wish is not None and wish.throws != race.throws:
            self._arbiter.thrown(Micros(now))
        if wish is not None and race is None:
            pause = Micros(wish.not_before * 1000)
            self._arbiter.open(
                wish.key,
                wish.seats,
                now=Micros(now),
                not_before=pause,
                opener=wish.opener,
                present=(),
                nonce="n",
            )
        self._race = wish
        return closed
