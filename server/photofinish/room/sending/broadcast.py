"""Sends the views of a game: to seats at once, to spectators after the table's delay."""

from collections.abc import Sequence

import msgspec

from photofinish.engine import Happened, Micros, Seat, Viewer
from photofinish.engine.rng import commitment
from photofinish.room.effects import Show
from photofinish.room.facts import SessionId
from photofinish.room.play.clocks import Face
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
        self.delayed: list[tuple[Micros, messages.View | messages.RaceSaid]] = []
        self._public: messages.View | None = None
        """What a new spectator sees if there is a delay."""
        self._commitment = commitment(record.seed)

    def look(self, match: Match, over: messages.Over | None) -> list[Viewer]:
        """Compute every view. Returns the viewers whose view has changed.

        The public view is left out while nobody watches (a fifth of the work at a table of four), unless a delay is
        set: then the next spectator sees what was public a while ago.
        """
        changed: list[Viewer] = []
        for viewer in viewers(len(self._record.chairs)):
            if viewer is None and not self.is_public_wanted:
                break
            sight = self._viewers.get(viewer) or self._sight(viewer)
            if sight.look(match, viewer, over):
                changed.append(viewer)
        return changed

    @property
    def is_public_wanted(self) -> bool:
        return bool(self._presence.watchers or self._record.spectator_delay)

    def reoffer(self, match: Match) -> list[Viewer]:
        """The seats whose held move was refused and whose offers have changed by that."""
        return [seat for seat in sorted(match.reoffered) if self._sight(seat).reoffer(match, seat)]

    def seq(self, viewer: Viewer) -> int:
        """The number of this viewer's newest view."""
        sight = self._viewers.get(viewer)
        return self._sight(viewer).seq if sight is None else sight.seq

    def show(self, match: Match, changed: Sequence[Viewer], now: Micros) -> None:
        """Show the views that `look` found changed."""
        if not changed:
            return
        record, sessions, batch = self._record, self._presence.sessions, self._out.batch
        batch.is_dirty = True
        faces: tuple[Face, ...] | None = None
        clocks: tuple[messages.Clock, ...] = ()
        for viewer in changed:
            sight = self._viewers[viewer]
            if sight.parts["clocks"] is not faces:  # the same for all viewers
                faces = sight.parts["clocks"]
                clocks = clocks_now(sight.parts["clocks"], now)
            view = compose(
                sight, match, viewer, room=record.code, number=record.number, commitment=self._commitment,
                last=sight.last, clocks=clocks,
                from_=sight.seq - 1,  # nearly always the next view of its socket: the outbox need not make it again
            )  # fmt: skip
            if viewer is None:
                self.to_public(view, now)
            else:
                if (session := sessions.get(record.chairs[viewer].key)) is not None:
                    batch.effects.append(Show(session, view))
                if self._presence.watchers:
                    self._show_hands(viewer, view)

    def _show_hands(self, seat: Seat, view: messages.View) -> None:
        """T4: to the referees who were given this seat's view. They may not move."""
        for session, watcher in self._presence.watchers.items():
            if watcher.seat == seat:
                self._out.show(session, msgspec.structs.replace(view, offers=()))

    def to_public(self, message: messages.View | messages.RaceSaid, now: Micros) -> None:
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
        sight = self._sight(viewer)
        self._out.show(session, self._compose(match, viewer, sight, sight.missed(seq), now))

    def show_public(self, match: Match, over: messages.Over | None, session: SessionId, now: Micros) -> None:
        """The view that a new spectator may see at once, without what happened before it came."""
        seat = self._presence.watchers[session].seat
        if seat is not None:
            self._show_hands_again(match, over, session, Seat(seat), now)
            return
        if not self._record.spectator_delay:
            sight = self._sight(None)
            sight.look(match, None, over)
            self._out.show(session, self._compose(match, None, sight, (), now))
        elif self._public is not None:
            self._out.show(session, self._public)

    def _show_hands_again(
        self, match: Match, over: messages.Over | None, session: SessionId, seat: Seat, now: Micros
    ) -> None:
        sight = self._sight(seat)
        if not sight.parts:
            sight.look(match, seat, over)
        self._out.show(
            session, msgspec.structs.replace(self._compose(match, seat, sight, (), now), offers=())
        )

    def keep_seqs(self) -> None:
        """Write every `seq` into the record."""
        for viewer, sight in self._viewers.items():
            if viewer is None:
                self._record.public_seq = sight.seq
            else:
                self._record.chairs[viewer].seq = sight.seq

    def _compose(
        self,
        match: Match,
        viewer: Viewer,
        sight: ViewerState,
        last: tuple[Happened, ...],
        now: Micros,
    ) -> messages.View:
        return compose(
            sight,
            match,
            viewer,
            room=self._record.code,
            number=self._record.number,
            commitment=self._commitment,
            last=last,
            clocks=clocks_now(sight.parts["clocks"], now),
            from_=0,
        )

    def _sight(self, viewer: Viewer) -> ViewerState:
        sight = self._viewers.get(viewer)
        if sight is None:
            seq = self._record.public_seq if viewer is None else self._record.chairs[viewer].seq
            sight = self._viewers[viewer] = ViewerState(seq)
        return sight
