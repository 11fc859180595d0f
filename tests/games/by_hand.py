"""Steps at a table that was laid out by hand: a move, a clock that expires, a refusal."""

from typing import Any, Generic, TypeVar

import msgspec
import pytest

from photofinish.engine import Act, Expired, Game, IllegalMove, Move, Rng, Seat
from photofinish.engine.convert import pack

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=Move)


class ByHand(Generic[S, M]):
    """The steps of one game, each with the same chance. A table module exports the methods as its functions."""

    def __init__(self, game: Game[S, M, Any, Any], chance: bytes) -> None:
        self._game, self._chance = game, chance

    def act(self, state: S, seat: int, move: M, key: bytes = b"") -> S:
        return self._game.apply(state, Act(Seat(seat), move), Rng(key or self._chance, 1))

    def wait(self, state: S, which: int = 0) -> S:
        """A clock expires: the first, unless another is named."""
        return self._game.apply(state, Expired(self._game.timers(state)[which].key), Rng(self._chance, 1))

    def refused(self, state: S, seat: int, move: M, clause: str) -> str:
        """The move is refused with this clause, and the state is as it was. Returns the text."""
        before = pack(state)
        with pytest.raises(IllegalMove) as refusal:
            self.act(state, seat, move)
        assert refusal.value.clause == clause
        assert pack(state) == before
        return refusal.value.text


def happened(state: Any) -> list[str]:
    """The words of `last`."""
    return [it.what for it in state.last]
