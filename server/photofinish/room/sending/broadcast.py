"""Sends the views of a game: to seats at once, to spectators after the table's delay."""

from collections.abc import Sequence
from typing import Any

import msgspec

from photofinish.engine import Happened, Micros, Seat, Viewer
from photofinish.engine.rng import commitment
from photofinish.room.effects import Show
from photofinish.room.facts import SessionId
from photofinish.room.play.match import Match
from photofinish.room.record import Chair, RoomRecord
from photofinish.room.seats.presence import Presence
from photofinish.room.sending.out import Out
from photofinish.room.sending.viewers import viewers
from photofinish.room.sending.views import ViewerState, clocks_now, compose
from photofinish_protocol import messages


class Broadcast:
    """The views of all viewers of one game. `seq` continues from the value in the chair."""

    def __init__(self, record: RoomRecord, presence: Presence, out: Out) -> None:
        self._record, self._presence, self._out = record, presence, out
        self._viewers: dict[Viewer, ViewerState] = {}
        self.delayed: list[tuple[Micros, messages.View | messages.RaceReport]] = []
        self._public: messages.View | None = None
        """What a new spectator sees if there is a delay."""
        self._commitment = commitment(record.seed)

    def look(self, match: Match, over: messages.Over | None) -> list[Viewer]:
        """Compute every view. Returns the viewers whose view has changed.

        The public view is left out while nobody watches (a fifth of the work at a table of four), unless a delay is
        set: then the next spectator sees what was public a while ago.
        """
        changed: list[Viewer] = []
        known = self._viewers
        for viewer in viewers(len(self._record.chairs)):
            if viewer is None and not self.is_public_wanted:
                break
            viewer_state = known.get(viewer) or self._viewer_state(viewer)
            if viewer_state.look(match, viewer, over):
                changed.append(viewer)
        return changed

    @property
    def is_public_wanted(self) -> bool:
        return bool(self._presence.watchers or self._record.spectator_delay)

    def reoffer(self, match: Match) -> list[Viewer]:
        """The seats whose held move was refused and whose offers have changed by that."""
        return [seat for seat in sorted(match.reoffered) if self._viewer_state(seat).reoffer(match, seat)]

    def seq(self, viewer: Viewer) -> int:
        """The number of this viewer's newest view."""
        viewer_state = self._viewers.get(viewer)
        return self._viewer_state(viewer).seq if viewer_state is None else viewer_state.seq

    def show(self, match: Match, changed: Sequence[Viewer], now: Micros) -> None:
        """Show the views that `look` found changed."""
        if not changed:
            return
        chairs, sessions, watchers = self._record.chairs, self._presence.sessions, self._presence.watchers
        batch, viewers = self._out.batch, self._viewers
        batch.is_dirty, effects = True, batch.effects
        parts = viewers[changed[0]].parts
        clocks, common = parts["clocks"], self._common(match, parts, now)
        for viewer in changed:
            it = viewers[viewer]
            if it.parts["clocks"] is not clocks:  # nearly always the same for all viewers
                clocks, common = it.parts["clocks"], self._common(match, it.parts, now)
            # This `from` is usually right for its socket; then the outbox need not encode the view again.
            view = compose(it, match, viewer, common, it.last, it.seq - 1)
            if viewer is None:
                self.to_public(view, now)
                continue
            session = sessions.get(chairs[viewer].key)
            if session is not None:
                effects.append(Show(session, view))
            if watchers:
                self._show_hands(viewer, view)

    def _show_hands(self, seat: Seat, view: messages.View) -> None:
        """T4: to the referees who were given this seat's view. They may not move."""
        for session, watcher in self._presence.watchers.items():
            if watcher.seat == seat:
                self._out.show(session, msgspec.structs.replace(view, offers=()))

    def to_public(self, message: messages.View | messages.RaceReport, now: Micros) -> None:
        """Send to the spectators after the delay."""
        self.delayed.append((Micros(now + self._record.spectator_delay * 1_000_000), message))

    def release(self, now: Micros) -> None:
        """Send to the spectators what is due."""
        while self.delayed and self.delayed[0][0] <= now:
            message = self.delayed.pop(0)[1]
            for session, watcher in self._presence.watchers.items():
                if isinstance(message, messages.View):
                    if watcher.seat is None:
                        self._out.show(session, message)
                elif not watcher.is_referee:  # referees got the full record at once
                    self._out.send(session, message)
            if isinstance(message, messages.View):
                self._public = message

    def show_again(self, match: Match, session: SessionId, chair: Chair, seq: int, now: Micros) -> None:
        """A view for a seat that has just connected, with the events after view `seq`."""
        viewer = Seat(self._record.chairs.index(chair))
        viewer_state = self._viewer_state(viewer)
        self._out.show(session, self._compose(match, viewer, viewer_state, viewer_state.missed(seq), now))

    def show_public(self, match: Match, over: messages.Over | None, session: SessionId, now: Micros) -> None:
        """The view that a new spectator may see at once, without what happened before it came."""
        seat = self._presence.watchers[session].seat
        if seat is not None:
            self._show_hands_again(match, over, session, Seat(seat), now)
            return
        if not self._record.spectator_delay:
            viewer_state = self._viewer_state(None)
            viewer_state.look(match, None, over)
            self._out.show(session, self._compose(match, None, viewer_state, (), now))
        elif self._public is not None:
            self._out.show(session, self._public)

    def _show_hands_again(
        self, match: Match, over: messages.Over | None, session: SessionId, seat: Seat, now: Micros
    ) -> None:
        viewer_state = self._viewer_state(seat)
        if not viewer_state.parts:
            viewer_state.look(match, seat, over)
        self._out.show(
            session, msgspec.structs.replace(self._compose(match, seat, viewer_state, (), now), offers=())
        )

    def keep_seqs(self) -> None:
        """Write every `seq` into the record."""
        chairs = self._record.chairs
        for viewer, viewer_state in self._viewers.items():
            if viewer is None:
                self._record.public_seq = viewer_state.seq
            else:
                chairs[viewer].seq = viewer_state.seq

    def _compose(
        self, match: Match, viewer: Viewer, viewer_state: ViewerState, last: tuple[Happened, ...], now: Micros
    ) -> messages.View:
        common = self._common(match, viewer_state.parts, now)
        return compose(viewer_state, match, viewer, common, last, 0)

    def _common(self, match: Match, parts: dict[str, Any], now: Micros) -> messages.View:
        """What all views of this moment have in common. `compose` fills in the rest."""
        return messages.View(
            room=self._record.code,
            game=match.game.key,
            number=self._record.number,
            seq=0,
            from_=0,
            you=None,
            view=None,
            scores=parts["scores"],
            head=match.head.hex(),
            commitment=self._commitment,
            race=parts["race"],
            clocks=clocks_now(parts["clocks"], now),
            over=parts["over"],
        )

    def _viewer_state(self, viewer: Viewer) -> ViewerState:
        viewer_state = self._viewers.get(viewer)
        if viewer_state is None:
            seq = self._record.public_seq if viewer is None else self._record.chairs[viewer].seq
            viewer_state = self._viewers[viewer] = ViewerState(seq)
        return viewer_state
