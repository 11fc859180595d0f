"""The client's part of the shuffle: commits to a nonce with `ready`, reveals it at the start, checks it at the end."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from photofinish_protocol.fairness import nonce_commit
from photofinish_protocol.messages import Ready, Room, View


def fresh() -> bytes:
    return secrets.token_bytes(32)


KEPT: Final = 4
"""Nonces that are kept. A `ready` that is sent twice has two nonces, and the server may have taken either."""


@dataclass(slots=True)
class Promise:
    """The nonce of one game. `doubts` lists what does not match; an honest server causes no doubt."""

    draw: Callable[[], bytes] = fresh
    doubts: list[str] = field(default_factory=list)
    _nonces: dict[str, bytes] = field(default_factory=dict)
    """By their hashes."""
    _sent: bytes = b""
    _number: int = 0
    _commits: tuple[str, ...] = ()
    """The hashes of all seats when the host started game `_number`."""

    def made(self, wish: Ready) -> Ready:
        """The `ready` with the hash of a new nonce, unless it already has a nonce or hash."""
        self._sent = b""
        if not wish.ready or wish.nonce or wish.commit:
            return wish
        nonce = self.draw()
        commit = nonce_commit(nonce)
        self._nonces[commit] = nonce
        while len(self._nonces) > KEPT:
            del self._nonces[next(iter(self._nonces))]
        return msgspec.structs.replace(wish, commit=commit)

    def due(self, room: Room) -> str | None:
        """The nonce to reveal now, or None. Never twice, and never after the hashes of other seats have changed."""
        if room.dealing is None or not self._nonces:
            return None
        commits = tuple(place.commit for place in room.seats)
        if self._number != room.number:
            self._number, self._commits = room.number, commits
        if commits != self._commits:
            self._doubt(f"game {room.number}: the hashes of the nonces changed after the deal was called")
            return None
        owed = [commits[seat] for seat in room.dealing.seats if seat < len(commits)]
        nonce = next((self._nonces[it] for it in owed if it in self._nonces), None)
        if self._sent or nonce is None:
            return None
        self._sent = nonce
        return nonce.hex()

    def failed(self) -> None:
        """The server refused the reveal for now: send it again with the next room message."""
        self._sent = b""

    def forget(self) -> None:
        self._nonces, self._sent, self._number, self._commits = {}, b"", 0, ()

    def check(self, view: View) -> None:
        """Check at the end of a game that the hashes did not change and that our nonce is in the shuffle."""
        over = view.over
        assert over is not None
        if self._number != view.number:
            return
        if over.commits != self._commits:
            self._doubt(f"game {view.number}: the hashes in the record are not those shown before the deal")
        elif self._sent and self._sent.hex() not in over.nonces:
            self._doubt(f"game {view.number}: our nonce was revealed and is not in the shuffle")

    def _doubt(self, text: str) -> None:
        if text not in self.doubts:
            self.doubts.append(text)
