"""Sends the views of a game: to seats at once, to spectators after the table's delay."""

from collections.abc import Sequence

import msgspec

from photofinish.engine import Happened, Micros, Seat, Viewer
from photofinish.engine.rng import commitment
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
        self._delayed: list[tuple[Micros, messages.View | messages.RaceSaid]] = []
        self._public: messages.View | None = None
        """What a new spectator sees if there is a delay."""
        self._commitment = commitment(record.seed)
        self._told: tuple[tuple[Face, ...], Micros, tuple[messages.Clock, ...]] | None = None
        """The clocks of the newest view, and what they were made of."""

    def look(self, match: Match, over: messages.Over | None) -> list[Viewer]:
        """Compute every view. Returns the viewers whose view has changed.

        The public view is left out while nobody watches (a fifth of the work at a table of four), unless a delay is
        set: then the next spectator sees what was public a while ago.
        """
        every = viewers(len(self._record.chairs))
        if not self.is_public_wanted:
            every = every[:-1]
        changed: list[Viewer] = []
        for viewer in every:
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
        return self._sight(viewer).seq

    def show(self, match: Match, changed: Sequence[Viewer], now: Micros) -> None:
        """Show the views that `look` found changed."""
        chairs, session_of = self._record.chairs, self._presence.session_of
        for viewer in changed:
            sight = self._viewers[viewer]
            # Nearly always the next view of its socket: then the outbox need not make the message again.
            view = self._compose(match, viewer, sight, sight.last, now, from_=sight.seq - 1)
            if viewer is None:
                self.to_public(view, now)
            else:
                if (session := session_of(chairs[viewer].key)) is not None:
                    self._out.show(session, view)
                if self._presence.watchers:
                    self._show_hands(viewer, view)
        if changed:
            self._out.dirty()

    def _show_hands(self, seat: Seat, view: messages.View) -> None:
        """T4: to the referees who were given this seat's view. They may not move."""
        for session, watcher in self._presence.watchers.items():
            if watcher.seat == seat:
                self._out.show(session, msgspec.structs.replace(view, offers=()))

    def to_public(self, message: messages.View | messages.RaceSaid, now: Micros) -> None:
        """Send to the spectators after the delay."""
        self._delayed.append((Micros(now + self._record.spectator_delay * 1_000_000), message))

    def release(self, now: Micros) -> None:
        """Send to the spectators what is due."""
        while self._delayed and self._delayed[0][0] <= now:
            message = self._delayed.pop(0)[1]
            for session, watcher in self._presence.watchers.items():
                if isinstance(message, messages.View):
                    if watcher.seat is None:
                        self._out.show(session, message)
                elif not watcher.is_referee:  # referees got the full record at once
                    self._out.send(session, message)
            if isinstance(message, messages.View):
                self._public = message

    def wakes_at(self) -> Micros | None:
        return self._delayed[0][0] if self._delayed else None

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
        from_: int = 0,
    ) -> messages.View:
        return compose(
            sight,
            match,
            viewer,
            room=self._record.code,
            number=self._record.number,
            commitment=self._commitment,
            last=last,
            clocks=self._clocks(sight.parts["clocks"], now),
            from_=from_,
        )

    def _clocks(self, faces: tuple[Face, ...], now: Micros) -> tuple[messages.Clock, ...]:
        """All viewers of one step have the same clocks."""
        if self._told is None or self._told[0] is not faces or self._told[1] != now:
            self._told = faces, now, clocks_now(faces, now)
        return self._told[2]

    def _sight(self, viewer: Viewer) -> ViewerState:
        sight = self._viewers.get(viewer)
        if sight is None:
            seq = self._record.public_seq if viewer is None else self._record.chairs[viewer].seq
            sight = self._viewers[viewer] = ViewerState(seq)
        return sight
