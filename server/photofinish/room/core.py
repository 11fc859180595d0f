"""A room without I/O or clocks: facts and the time go in, a batch of work comes out.

`take` and `wake` change the room; `drain` returns the batch. The caller must store a dirty batch before it does the
batch's effects: nothing is shown or acknowledged that is not stored.
"""

from collections.abc import Callable

from photofinish.engine import AnyGame, Micros, Seat, Viewer
from photofinish.engine.rng import commitment
from photofinish.race.params import Params
from photofinish.room import dispatch
from photofinish.room.effects import Batch
from photofinish.room.facts import (
    BotSat,
    Cut,
    Directed,
    Fact,
    Handed,
    Joined,
    Looked,
    Measured,
    Rekeyed,
    Requested,
    Resumed,
    SessionId,
    Ticked,
)
from photofinish.room.play import reveal
from photofinish.room.play.dealing import Dealer
from photofinish.room.play.match import Match
from photofinish.room.play.race_report import tell_race
from photofinish.room.record import Chair, RoomRecord, RunningGame
from photofinish.room.seats import join_leave, lobby, tokens
from photofinish.room.seats.lobby import RequestRefusal, refusal
from photofinish.room.seats.new_room import new_record
from photofinish.room.seats.presence import Presence
from photofinish.room.sending.broadcast import Broadcast
from photofinish.room.sending.out import Out
from photofinish.room.sending.watcher_limits import WatcherLimits
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason

REOPEN_AFTER = Micros(3_000_000)
"""After an adoption, an open race waits this long for the seats that were connected before."""
HOST_PATIENCE = Micros(60_000_000)
"""After this time away, the host role passes to a connected player."""
NO_TIMES = (None, None, None, None)


class Room:
    """One room. Everything that must survive a crash is in `record`."""

    def __init__(
        self,
        record: RoomRecord,
        game: AnyGame,
        now: Micros,
        entropy: Callable[[int], bytes],
        params: Params | None = None,
    ) -> None:
        self.record, self.game = record, game
        self.may_seat_bot: Callable[[], bool] = _always
        self.presence = Presence()
        self.match: Match | None = None
        self.alone_since: Micros | None = now
        self._entropy = entropy
        self._dealer = Dealer(record, game, self.presence, params or _params(record), self._new_nonce)
        self.out = Out(self.presence)
        self._broadcast = Broadcast(record, self.presence, self.out)
        self._awaited: set[int] = set()
        self._reopen_at: Micros | None = None
        self._host_away: Micros | None = None
        self._deal_by: Micros | None = Micros(now + reveal.PATIENCE) if record.phase == "dealing" else None
        """When the deal stops waiting for nonces."""
        self.watcher_limits = WatcherLimits(now)
        self._room_changed = False
        self._looked_at = -1
        """`Match.changes` when the views were last compared."""
        self._wakes_at: Micros | None = None
        self._is_wake_known = False
        if record.running is not None and not record.quarantine:
            self._load(record.running, now)

    @classmethod
    def create(
        cls, code: str, game: AnyGame, request: messages.Create, now: Micros, entropy: Callable[[int], bytes]
    ) -> "Room":
        """A new room in the lobby. Raises `RequestRefusal` if the game does not allow these options or seats."""
        return cls(new_record(code, game, request, entropy(32)), game, now, entropy)

    # In.

    def take(self, fact: Fact, now: Micros) -> None:
        """Apply a fact."""
        self._is_wake_known = False
        if isinstance(fact, Requested):  # nearly all
            self._dispatch(fact, now)
            self._after(now)
            return
        match fact:
            case Handed(session, race, at):
                self.handed(session, race, at, now)
            case Measured():
                self.measured(fact)
            case Ticked(session, at):
                if self.match and (seat := self._seat(session)) is not None:
                    self.match.ticked(seat, at, now)
            case Cut(session):
                join_leave.cut(self, session, now)
            case BotSat():
                join_leave.bot_sat(self, fact, now)
            case Directed():
                join_leave.directed(self, fact, now)
            case Rekeyed():
                join_leave.rekeyed(self, fact, now)
            case Joined() | Resumed() | Looked():
                self._come(fact, now)
        self._after(now)

    def handed(self, session: SessionId, race: str, at: Micros | None, now: Micros) -> None:
        """The fact `Handed`. Nothing is to be sent because of it."""
        self._is_wake_known = False
        if self.match and (seat := self._seat(session)) is not None:
            self.match.shown(seat, race, at, now)

    @property
    def is_holding(self) -> bool:
        """A race holds a move, so that measurements bear on what happens next."""
        return self.match is not None and self.match.arbiter.is_holding

    def measured(self, fact: Measured) -> None:
        """Note the path to a session. Unless a race holds a move nothing follows from it."""
        self._is_wake_known = False
        self.presence.measured(fact.session, fact.path)
        if self.match and (seat := self._seat(fact.session)) is not None:
            self.match.arbiter.path(seat, fact.path)

    def _come(self, fact: Joined | Resumed | Looked, now: Micros) -> None:
        try:
            match fact:
                case Joined():
                    join_leave.joined(self, fact, now)
                case Resumed():
                    join_leave.resumed(self, fact, now)
                case Looked():
                    join_leave.looked(self, fact, now)
        except RequestRefusal as no:
            self.out.send(fact.session, refusal(fact.request_id, no))
            self.out.drop(fact.session)

    def wake(self, now: Micros) -> None:
        """Time has passed."""
        self._is_wake_known = False
        if self._reopen_at is not None and now >= self._reopen_at:
            self._reopen(now)
        self._deal_if_ready(now)
        if self.match is not None:
            self.match.wake(now)
        if self._host_away is not None and now >= self._host_away:
            self._host_away = None
            new_host = next((c for c in self.record.chairs if c.key in self._players_here()), None)
            if new_host is not None:
                self.record.host = new_host.key
                self.note()
        self._after(now)

    def is_due(self, now: Micros) -> bool:
        """Whether `wake` has something to do."""
        at = self.wakes_at()
        return at is not None and at <= now

    def wakes_at(self) -> Micros | None:
        """When to call `wake`, if no fact comes earlier. Computed once after each fact."""
        if self._is_wake_known:
            return self._wakes_at
        match = self.match
        earliest = None if match is None else match.wakes_at()
        delayed = self._broadcast.delayed
        if delayed and (earliest is None or delayed[0][0] < earliest):
            earliest = delayed[0][0]
        rare = self._reopen_at, self._host_away, self._deal_by, self.watcher_limits.send_at
        if rare != NO_TIMES:
            for at in rare:
                if at is not None and (earliest is None or at < earliest):
                    earliest = at
        self._wakes_at, self._is_wake_known = earliest, True
        return earliest

    def drain(self, now: Micros) -> Batch:
        """The batch to store and then do. The room's `record` includes its changes."""
        batch = self.out.batch
        self.out.batch = Batch()
        if batch.is_dirty and self.match is not None:
            self._broadcast.keep_seqs()
            self._dealer.save(self.match, now)
        return batch

    def summary(self) -> messages.RoomLine | None:
        """What the lobby lists; None for a private room."""
        return None if self.record.private else lobby.line(self.record, len(self.presence.watchers))

    def awaited_clocks(self) -> dict[SessionId, Micros]:
        """Sessions on other nodes, and the time that their node's clock must reach before a race continues."""
        if self.match is None or self.match.race is None:
            return {}
        wanted = {}
        for seat, at in self.match.awaited_clocks().items():
            session = self.presence.session_of(self.record.chairs[seat].key)
            if session is not None:
                wanted[session] = at
        return wanted

    def bots(self) -> dict[int, Chair]:
        """The chairs of house bots, by chair key."""
        return {chair.key: chair for chair in self.record.chairs if chair.kind == "bot"}

    # What `asking`, `requests` and `join_leave` use (`ports.py`).

    def arrive(self, session: SessionId, chair: Chair, now: Micros, node: str = "") -> None:
        self.presence.sit(session, chair.key, node)
        chair.was_here = True
        if self.match is not None:
            seat = Seat(lobby.seat_of(self.record, chair))
            self.match.connected(seat, now, node)
            self.match.arbiter.path(seat, self.presence.path_of(chair.key))
        if chair.key == self.record.host:
            self._host_away = None
        elif self._host_away is None and self._is_host_missing():
            # After a restart nobody has seen the host go. Without players nobody could take over from the host.
            self._host_away = Micros(now + HOST_PATIENCE)

    def returned(self, chair: Chair, now: Micros) -> None:
        """If a race waits to reopen, it no longer waits for this chair."""
        self._awaited.discard(chair.key)
        if self._reopen_at is not None and not self._awaited:
            self._reopen(now)

    def unseat(self, session: SessionId, now: Micros) -> None:
        """The session is no longer in its chair; the chair stays its player's."""
        key = self.presence.rise(session)
        chair = lobby.chair_by_key(self.record, key) if key is not None else None
        if chair is None:
            return
        chair.was_here = False
        if self.match is not None:
            self.match.disconnected(Seat(lobby.seat_of(self.record, chair)), now)
        if key == self.record.host:
            self._host_away = Micros(now + HOST_PATIENCE)

    def give_up(self, chair: Chair, now: Micros, *, is_kicked: bool = False) -> None:
        """The player in this chair leaves. Unless kicked, the player may return to a running game."""
        seat = Seat(lobby.seat_of(self.record, chair))
        lobby.rise(self.record, chair, is_kicked=is_kicked)
        if self.record.phase == "playing":
            self.set_autopilot(seat, True, now)
        self.note()

    def set_autopilot(self, seat: Seat, on: bool, now: Micros) -> None:
        if self.match is not None:
            self.match.set_autopilot(seat, on, now)

    def new_token(self, chair: Chair) -> str:
        """A new token for this chair. The old one stays valid until the new one is known to have arrived."""
        token = tokens.make(self.record.code, chair.key, self._entropy(16))
        chair.spare = tokens.digest(token)
        self.out.dirty()
        return token

    def show(self, session: SessionId, chair: Chair, seq: int, now: Micros) -> None:
        if self.match is not None:
            self._broadcast.show_again(self.match, session, chair, seq, now)

    def show_public(self, session: SessionId, now: Micros) -> None:
        if self.match is not None:
            self._broadcast.show_public(self.match, self._dealer.over(self.match), session, now)

    def _dispatch(self, fact: Requested, now: Micros) -> None:
        dispatch.dispatch(self, fact, now)

    def muted(self) -> str:
        """The clause that forbids talk now, or an empty string."""
        if self.match is None or self.record.phase != "playing":
            return ""
        return self.game.muted(self.match.state)

    def check_open(self) -> None:
        if self.record.quarantine:
            raise RequestRefusal(Reason.QUARANTINED)

    # The game.

    def call_deal(self, now: Micros) -> None:
        """Fix the table for a new game and wait for the nonces. Raises `RequestRefusal`."""
        self._dealer.call()
        self._deal_by = Micros(now + reveal.PATIENCE)
        self.note()

    def _deal_if_ready(self, now: Micros) -> None:
        """Deal when every nonce is there, or when the wait for them is over."""
        if self._deal_by is not None and (now >= self._deal_by or not reveal.awaited(self.record)):
            self._deal_by = None
            self._deal(now)

    def _deal(self, now: Micros) -> None:
        self.record.is_touched = False
        self.match = self._dealer.deal(now)
        self._broadcast = Broadcast(self.record, self.presence, self.out)
        self._looked_at = -1
        self.match.begin(now)
        self.note()

    def _load(self, running: RunningGame, now: Micros) -> None:
        self.match = match = self._dealer.load(running, now)
        if self.record.phase == "playing" and self.game.race(match.state) is not None:
            self._awaited = {c.key for c in self.record.chairs if c.was_here and c.kind == "player"}
            self._reopen_at = Micros(now + REOPEN_AFTER)
            match.wait(now)
        elif self.record.phase == "playing":
            match.begin(now)
        self._broadcast.look(match, self._dealer.over(match))
        match.entries.clear()

    def _new_nonce(self) -> str:
        return self._entropy(8).hex()

    def _reopen(self, now: Micros) -> None:
        """Open the race for all seats at the same time, so that the first to reconnect has no advantage."""
        self._reopen_at = None
        if self.match is not None and self.match.is_waiting:
            self.match.begin(now)

    def clear(self) -> None:
        """After the game: back to the lobby, with a new seed."""
        record = self.record
        record.phase, record.running, self.match = "lobby", None, None
        record.seed = self._entropy(32)
        self._broadcast.keep_seqs()
        self._broadcast = Broadcast(record, self.presence, self.out)
        lobby.open_up(record)
        self.note()

    # Out.

    def _after(self, now: Micros) -> None:
        """Turn what happened in the game into answers and views; send the room's description if it changed."""
        if self._deal_by is not None:
            self._deal_if_ready(now)
        match = self.match
        if match is not None:
            if match.entries:
                batch = self.out.batch
                batch.entries += match.entries
                match.entries = []
                batch.is_dirty = True
            changed: list[Viewer] = []
            if match.changes != self._looked_at:
                self._looked_at = match.changes
                self._note_seats(match)
                over = None if match.outcome is None else self._dealer.over(match)
                changed = self._broadcast.look(match, over)
                match.steps_unseen.clear()
            if self._room_changed:
                self._call_by_new_names()
            if match.reoffered:
                match.reoffered.difference_update(seat for seat in changed if seat is not None)
                changed += self._broadcast.reoffer(match)
                match.reoffered.clear()
            if match.verdicts:
                self._answer_moves(match)
            if match.races:
                for finished in match.races:
                    tell_race(self.record, self.presence, self.out, self._broadcast, match, finished, now)
                    self.out.batch.races.append(finished.record)
                match.races = []
            self._broadcast.show(match, changed, now)
        if self._broadcast.delayed:
            self._broadcast.release(now)
        if self._room_changed or (
            self.watcher_limits.send_at is not None and now >= self.watcher_limits.send_at
        ):
            self._room_changed = False
            self.watcher_limits.sent(now)
            self.out.to_all(self._describe(now))
        if self.presence.watchers or self._is_a_player_here():
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = now

    def _note_seats(self, match: Match) -> None:
        """The game has changed: take over what it says of the seats, of its end, and of names that waited for it."""
        chairs = self.record.chairs
        if match.seats_have_changed:
            match.seats_have_changed = False
            for seat, it in match.seats.items():
                chair = chairs[seat]
                chair.missed = it.missed
                if chair.is_autopilot != it.is_autopilot:
                    chair.is_autopilot = it.is_autopilot
                    self.note()
        if match.outcome is not None and self.record.phase == "playing":
            self._finish(match)
        for chair in chairs:
            if chair.next_name:
                self._call_by_new_names()
                break

    def _answer_moves(self, match: Match) -> None:
        """Called after all views are updated: an ack says which view contains the move."""
        for verdict in match.verdicts:
            chair = self.record.chairs[verdict.seat]
            if verdict.reason is None:
                self.out.ack_move(chair, verdict.request_id, self._broadcast.seq(verdict.seat))
            else:
                no = RequestRefusal(verdict.reason, verdict.text, verdict.clause)
                self.out.answer(chair, refusal(verdict.request_id, no))
        match.verdicts = []

    def _call_by_new_names(self) -> None:
        """Apply new names that waited while the rules forbade talk."""
        for chair in self.record.chairs:
            if chair.next_name and not self.muted():
                chair.name, chair.next_name = chair.next_name, ""
                self.note()

    def _finish(self, match: Match) -> None:
        outcome = match.outcome
        assert outcome is not None
        self.record.phase = "over"
        self.record.previous = [self.record.chairs[seat].key for seat in outcome.winners]
        for seat in outcome.winners:
            self.record.chairs[seat].wins += 1
        self.out.batch.is_over = True
        self.note()

    def _describe(self, now: Micros) -> messages.Room:
        dealing = None
        if self._deal_by is not None:
            awaited = tuple(reveal.awaited(self.record))
            dealing = messages.Dealing(seats=awaited, left_us=max(0, self._deal_by - now))
        return lobby.describe(
            self.record,
            here=self.presence.here(),
            watchers=len(self.presence.watchers),
            commitment=commitment(self.record.seed),
            dealing=dealing,
        )

    def note(self, *, is_dirty: bool = True) -> None:
        """The room's description has changed: send it to everybody, and update the list of rooms."""
        self._room_changed = True
        self.out.batch.is_listed_again = True
        if is_dirty:
            self.out.dirty()

    def note_watcher(self, now: Micros) -> None:
        """A watcher came or left: send the description to everybody, less often if there are many watchers."""
        if not self.watcher_limits.is_put_off(len(self.presence.watchers), now):
            self.note(is_dirty=False)

    def describe_if_postponed(self, session: SessionId, now: Micros) -> None:
        """Send the description to a new session, unless everybody gets it in this batch."""
        if not self._room_changed:
            self.out.send(session, self._describe(now))

    def _is_host_missing(self) -> bool:
        host = lobby.chair_by_key(self.record, self.record.host)  # the rooms of events have none
        return host is not None and host.key not in self.presence.here()

    def _players_here(self) -> set[int]:
        """The chairs with a connection, without house bots."""
        return self.presence.here() - self.bots().keys()

    def _is_a_player_here(self) -> bool:
        sessions = self.presence.sessions
        for chair in self.record.chairs:  # noqa: SIM110 - a generator costs more than the loop, and this follows each fact
            if chair.key in sessions and chair.kind != "bot":
                return True
        return False

    def _seat(self, session: SessionId) -> Seat | None:
        key = self.presence.chairs.get(session)
        if key is not None:
            for seat, chair in enumerate(self.record.chairs):
                if chair.key == key:
                    return Seat(seat)
        return None


def _always() -> bool:
    return True


def _params(record: RoomRecord) -> Params:
    """The race parameters: the defaults, unless an event has pinned others (T49)."""
    known = Params.__struct_fields__  # a room of an older release may have names that do not exist any more
    return Params(**{name: Micros(value) for name, value in record.races.items() if name in known})
