"""Searches every frame of the real world for secrets that are the same in all worlds."""

from collections import deque
from collections.abc import Mapping
from typing import Any

from photofinish.engine import Viewer
from photofinish.room.effects import Batch, Show
from photofinish.room.facts import SessionId
from photofinish_protocol import messages
from tests.hunt.hidden import Leak
from tests.hunt.worlds.world import World


class Search:
    """Finds the seed, tokens of others, views without a change, views that are too early."""

    def __init__(self, whose: Mapping[SessionId, Viewer]) -> None:
        self._whose = whose
        self._due: deque[tuple[int, tuple[int, int]]] = deque()
        """For a delayed table: when spectators may get each view, by game and `seq`."""
        self._latest = (0, 0)
        self._made: dict[SessionId, tuple[int, Any]] = {}
        """The newest view that the room made for each session: its `seq` and what it says."""
        self._known: dict[SessionId, tuple[int, Any]] = {}
        """The newest view that was sent to each session. Of several views in one moment only the last is sent."""

    def through(self, world: World, batch: Batch) -> None:
        """Raise if a frame contains the seed or a token of another seat, or if a view has no change."""
        for effect in batch.effects:
            if isinstance(effect, Show):
                self._says_something(self._made, effect.to, effect.view, world.now)
        record = world.room.record
        secrets = () if record.phase == "over" else (record.seed, record.seed.hex().encode())
        for session, socket in world.heard.items():
            for frame in socket.frames:
                if any(secret in frame for secret in secrets):
                    raise Leak(f"{session} is shown the seed")
            for message in socket.typed:
                if isinstance(message, messages.View):
                    self._says_something(self._known, session, message, world.now)
                elif isinstance(message, messages.Ack) and isinstance(message.got, messages.Seated):
                    self._is_his(session, message.got)

    def _is_his(self, session: SessionId, got: messages.Seated) -> None:
        if got.seat != self._whose.get(session):
            raise Leak(f"{session} is handed the token of seat {got.seat}")

    def _says_something(
        self, known: dict[SessionId, tuple[int, Any]], session: SessionId, view: messages.View, now: int
    ) -> None:
        """Raise if nothing but the log's head changed: the view would reveal that something hidden happened.

        A view that was skipped on the way has changed something, and this one has changed it back. Each of them was
        examined when the room made it.
        """
        clocks = [(it.key, it.seat, it.left_us + now * it.running, it.running) for it in view.clocks]
        content = (view.number, view.view, view.offers, view.race, view.over, clocks)
        before, content_before = known.get(session, (0, None))
        if content_before == content and not view.last and view.seq <= before + 1:
            raise Leak(f"{session} is sent view {view.seq}, which says nothing new")
        known[session] = (view.seq, content)

    def too_soon(self, world: World, watchers: list[SessionId]) -> None:
        """Raise if a spectator of a delayed table gets a view too early."""
        record, now = world.room.record, world.now
        if not record.spectator_delay:
            return
        while self._due and self._due[0][0] <= now:
            self._latest = self._due.popleft()[1]
        for session in watchers:
            socket = world.recorded_sockets.get(session)
            for message in socket.typed if socket is not None else ():
                if isinstance(message, messages.View) and (message.number, message.seq) > self._latest:
                    raise Leak(f"a spectator is shown view {message.seq} before its time")
        viewer_state = world.room._broadcast._viewers.get(None)
        if viewer_state is not None:
            self._due.append((now + record.spectator_delay * 1_000_000, (record.number, viewer_state.seq)))
