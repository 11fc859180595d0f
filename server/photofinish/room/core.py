"""A room without sockets, stores or clocks of its own: facts and the time go in, work comes out.

`take` and `wake` let things happen; `drain` hands over what is to be stored and then done. Whoever drives the
room must store a dirty batch before doing its effects: nothing is shown or acknowledged that is not stored.
"""

from collections.abc import Callable

from photofinish.engine import AnyGame, Micros, Seat, Viewer
from photofinish.engine.rng import commitment
from photofinish.race.params import Params
from photofinish.room import join_leave, lobby, requests, reveal, tokens
from photofinish.room.answers import Answer
from photofinish.room.broadcast import Broadcast
from photofinish.room.crowd import Crowd
from photofinish.room.dealing import Dealer
from photofinish.room.effects import Batch
from photofinish.room.facts import (
    Asked,
    BotSat,
    Cut,
    Directed,
    Fact,
    Handed,
    Joined,
    Looked,
    Measured,
    Resumed,
    SessionId,
    Ticked,
)
from photofinish.room.lobby import No
from photofinish.room.match import Match
from photofinish.room.moves import Sent
from photofinish.room.out import Out
from photofinish.room.presence import Presence
from photofinish.room.race_report import tell_race
from photofinish.room.record import Chair, RoomRecord, RunningGame
from photofinish_protocol import messages
from photofinish_protocol.reasons import REASONS, Reason

REOPEN_AFTER = Micros(3_000_000)
"""After an adoption an open race waits so long for the seats that were connected before."""
HOST_PATIENCE = Micros(60_000_000)
"""A host who has been away for so long loses the room to a player who is there."""


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
        """When the deal waits no longer for nonces."""
        self.crowd = Crowd(now)
        self._room_changed = False
        self._looked_at = -1
        """What of the game's changes everybody has been shown."""
        if record.running is not None and not record.quarantine:
            self._load(record.running, now)

    @classmethod
    def create(
        cls, code: str, game: AnyGame, ask: messages.Create, now: Micros, entropy: Callable[[int], bytes]
    ) -> "Room":
        """A new room in the lobby. Raises `No` if the game cannot be set up like that."""
        seats = ask.seats if ask.seats is not None else game.seats.stop - 1
        if seats not in game.seats:
            raise No(
                Reason.BAD_OPTIONS,
                f"{game.title} is for {game.seats.start} to {game.seats.stop - 1} players.",
            )
        record = RoomRecord(
            code=code,
            game=game.key,
            rules=game.version,
            options=requests.spelt_out(game, ask.options, seats),
            capacity=seats,
            host=0,
            seed=entropy(32),
            chairs=[Chair(key=n) for n in range(seats)],
            private=ask.private,
            spectator_delay=ask.spectator_delay,
            max_ping_ms=ask.max_ping_ms,
            substitutes=ask.substitutes,
            absent_seconds=ask.absent_seconds,
            referee=tokens.digest(ask.referee) if ask.referee else b"",
            next_key=seats,
        )
        return cls(record, game, now, entropy)

    # In.

    def take(self, fact: Fact, now: Micros) -> None:
        """Something happened."""
        match fact:
            case Asked():
                self._asked(fact, now)
            case Handed(session, race, at):
                if self.match and (seat := self._seat(session)) is not None:
                    self.match.shown(seat, race, at, now)
            case Measured(session, path):
                self.presence.measured(session, path)
                if self.match and (seat := self._seat(session)) is not None:
                    self.match.arbiter.path(seat, path)
            case Ticked(session, at):
                if self.match and (seat := self._seat(session)) is not None:
                    self.match.ticked(seat, at, now)
            case Cut(session):
                join_leave.cut(self, session, now)
            case BotSat():
                join_leave.bot_sat(self, fact, now)
            case Directed():
                join_leave.directed(self, fact, now)
            case Joined() | Resumed() | Looked():
                self._come(fact, now)
        self._after(now)

    def _come(self, fact: Joined | Resumed | Looked, now: Micros) -> None:
        try:
            match fact:
                case Joined():
                    join_leave.joined(self, fact, now)
                case Resumed():
                    join_leave.resumed(self, fact, now)
                case Looked():
                    join_leave.looked(self, fact, now)
        except No as no:
            self.out.send(fact.session, _refused(fact.ask, no))
            self.out.drop(fact.session)

    def wake(self, now: Micros) -> None:
        """Time has passed."""
        if self._reopen_at is not None and now >= self._reopen_at:
            self._reopen(now)
        self._deal_if_ready(now)
        if self.match is not None:
            self.match.wake(now)
        if self._host_away is not None and now >= self._host_away:
            self._host_away = None
            heir = next((c for c in self.record.chairs if c.key in self._players_here()), None)
            if heir is not None:
                self.record.host = heir.key
                self.note()
        self._after(now)

    def wakes_at(self) -> Micros | None:
        """When `wake` is wanted, if nothing happens before."""
        times = [
            self._reopen_at,
            self._host_away,
            self._deal_by,
            self.crowd.tell_at,
            self._broadcast.wakes_at(),
        ]
        if self.match is not None:
            times.append(self.match.wakes_at())
        return min((at for at in times if at is not None), default=None)

    def drain(self, now: Micros) -> Batch:
        """What is to be stored, then done. The room's `record` is up to date with it."""
        batch = self.out.take()
        if batch.is_dirty and self.match is not None:
            self._broadcast.keep_seqs()
            self._dealer.save(self.match, now)
        return batch

    def summary(self) -> messages.RoomLine | None:
        """What the lobby lists; None for a private room."""
        return None if self.record.private else lobby.line(self.record, len(self.presence.watchers))

    def wants(self) -> dict[SessionId, Micros]:
        """Sessions on other nodes, and how far their node's clock must have come before a race goes on."""
        if self.match is None:
            return {}
        wanted = {}
        for seat, at in self.match.wants().items():
            session = self.presence.session_of(self.record.chairs[seat].key)
            if session is not None:
                wanted[session] = at
        return wanted

    def bots(self) -> dict[int, Chair]:
        """The chairs the house plays, by chair key."""
        return {chair.key: chair for chair in self.record.chairs if chair.kind == "bot"}

    # Coming and going: what `comings` and `asks` are made of.

    def arrive(self, session: SessionId, chair: Chair, now: Micros, node: str = "") -> None:
        self.presence.sit(session, chair.key, node)
        chair.was_here = True
        if self.match is not None:
            seat = Seat(lobby.seat_of(self.record, chair))
            self.match.came(seat, now, node)
            self.match.arbiter.path(seat, self.presence.path_of(chair.key))
        if chair.key == self.record.host:
            self._host_away = None

    def returned(self, chair: Chair, now: Micros) -> None:
        """If a race waits to be opened again: one fewer to wait for."""
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
            self.match.went(Seat(lobby.seat_of(self.record, chair)), now)
        if key == self.record.host:
            self._host_away = Micros(now + HOST_PATIENCE)

    def give_up(self, chair: Chair, now: Micros, *, is_kicked: bool = False) -> None:
        """The player in this chair leaves. Who was not sent away may come back to a running game."""
        seat = Seat(lobby.seat_of(self.record, chair))
        lobby.rise(self.record, chair, is_kicked=is_kicked)
        if self.match is not None and self.record.phase == "playing":
            self.match.set_autopilot(seat, True, now)
        self.note()

    def new_token(self, chair: Chair) -> str:
        """A token for this chair. The one before stays good until the new one is known to have arrived."""
        token = tokens.make(self.record.code, chair.key, self._entropy(16))
        chair.spare = tokens.digest(token)
        self.out.dirty()
        return token

    def show(self, session: SessionId, chair: Chair, seq: int, now: Micros) -> None:
        if self.match is not None:
            self._broadcast.show_again(self.match, session, chair, seq, now)

    def show_public(self, session: SessionId, now: Micros) -> None:
        if self.match is not None:
            self._broadcast.show_public(self.match, session, now)

    # Asking.

    def _asked(self, fact: Asked, now: Micros) -> None:
        session, message = fact.session, fact.message
        chair = self._chair(session)
        if chair is None:
            self._watcher_asked(session, message, now)
            return
        if chair.spare:  # the new token has arrived: the one before is worth nothing from now on
            chair.token, chair.spare = chair.spare, b""
            self.out.dirty()
        if chair.claim:
            chair.claim = b""
            self.out.dirty()
        seat = Seat(lobby.seat_of(self.record, chair))
        if self.match is not None and self.match.holds(seat, message.id):
            self.out.send(session, messages.Pending(id=message.id))
            return
        before = chair.answers.again(message.id)
        if before is not None:
            self.out.send(session, before)
            return
        try:
            if chair.answers.is_stale(message.id):
                self.out.send(session, _refused(message.id, No(Reason.STALE_ID)))
                return
            if isinstance(message, messages.Play):
                self._play(chair, seat, message, fact, now)
                return
            self.crowd.check_talk(message, now)
            got = requests.by_seat(self, chair, session, message, now)
        except No as no:
            self.out.answer(chair, _refused(message.id, no))
        else:
            self.out.answer(chair, messages.Ack(id=message.id, got=got), session)

    def _play(self, chair: Chair, seat: Seat, message: messages.Play, fact: Asked, now: Micros) -> None:
        self.check_open()
        if self.record.phase == "over":
            raise No(Reason.GAME_OVER, clause=self.game.clauses.over)
        if self.match is None:
            raise No(Reason.NOT_STARTED, clause=self.game.clauses.deal)
        if fact.move is None:
            raise requests.bad_move(self.game, message.move)
        sent = Sent(
            seat,
            message.id,
            fact.move,
            fact.arrived,
            message.race,
            message.react_us,
            fact.loop_lag,
            fact.retransmits,
        )
        if chair.kind == "player":
            self.record.is_touched = True
        if self.match.play(sent, now):
            # Also if it was released at once: that would tell that the others have moved already.
            self.out.to_chair(chair, messages.Pending(id=message.id))

    def _watcher_asked(self, session: SessionId, message: messages.ClientMessage, now: Micros) -> None:
        watcher = self.presence.watchers.get(session)
        if watcher is None:
            self.out.send(session, _refused(message.id, No(Reason.NOT_IN_A_ROOM)))
            return
        before = watcher.answers.again(message.id)
        if before is not None:
            self.out.send(session, before)
            return
        answer: Answer = messages.Ack(id=message.id)
        try:
            if watcher.answers.is_stale(message.id):
                raise No(Reason.STALE_ID)
            self.crowd.check_talk(message, now)
            requests.by_watcher(self, session, watcher.name, message, now)
        except No as no:
            answer = _refused(message.id, no)
        watcher.answers.keep(answer)
        self.out.send(session, answer)

    def muted(self) -> str:
        """The clause that forbids talk just now; empty: none does."""
        if self.match is None or self.record.phase != "playing":
            return ""
        return self.game.muted(self.match.state)

    def check_open(self) -> None:
        if self.record.quarantine:
            raise No(Reason.QUARANTINED)

    # The game.

    def call_deal(self, now: Micros) -> None:
        """The table is fixed; the nonces follow. Raises `No`."""
        self._dealer.call()
        self._deal_by = Micros(now + reveal.PATIENCE)
        self.note()

    def _deal_if_ready(self, now: Micros) -> None:
        """Deal when every nonce is there, or when they have been waited for long enough."""
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
        """One trigger for all: the first to reconnect must not win."""
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
        """Turn what happened in the game into answers and views; look to the room itself."""
        self._deal_if_ready(now)
        match = self.match
        if match is not None:
            if match.entries:
                self.out.batch.entries += match.entries
                match.entries = []
                self.out.dirty()
            for seat, it in match.seats.items():
                chair = self.record.chairs[seat]
                chair.missed = it.missed
                if chair.is_autopilot != it.is_autopilot:
                    chair.is_autopilot = it.is_autopilot
                    self.note()
            if self.record.phase == "playing" and match.outcome is not None:
                self._finish(match)
            self._call_by_new_names()
            changed: list[Viewer] = []
            if match.changes != self._looked_at:
                self._looked_at = match.changes
                changed = self._broadcast.look(match, self._dealer.over(match))
                match.steps_unseen.clear()
            if match.reoffered:
                match.reoffered.difference_update(seat for seat in changed if seat is not None)
                changed += self._broadcast.reoffer(match)
                match.reoffered.clear()
            self._answer_moves(match)
            for finished in match.races:
                tell_race(self.record, self.presence, self.out, self._broadcast, match, finished, now)
                self.out.batch.races.append(finished.record)
            match.races = []
            self._broadcast.show(match, changed, now)
        self._broadcast.release(now)
        if self._room_changed or (self.crowd.tell_at is not None and now >= self.crowd.tell_at):
            self._room_changed = False
            self.crowd.told(now)
            self.out.to_all(self._describe(now))
        if self._players_here() or self.presence.watchers:
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = now

    def _answer_moves(self, match: Match) -> None:
        """After everybody's view was made anew: an ack says which view contains the move."""
        for verdict in match.verdicts:
            chair = self.record.chairs[verdict.seat]
            if verdict.reason is None:
                self.out.answer(chair, messages.Ack(id=verdict.ask, seq=self._broadcast.seq(verdict.seat)))
            else:
                no = No(verdict.reason, verdict.text, verdict.clause)
                self.out.answer(chair, _refused(verdict.ask, no))
        match.verdicts = []

    def _call_by_new_names(self) -> None:
        """Names that had to wait while the rules forbade talk."""
        if self.muted():
            return
        for chair in self.record.chairs:
            if chair.next_name:
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
        """Who sits where has changed: tell everybody, and the lobby."""
        self._room_changed = True
        self.out.batch.is_listed_anew = True
        if is_dirty:
            self.out.dirty()

    def note_watcher(self, now: Micros) -> None:
        """A watcher came or went: tell everybody, if there are many not each time."""
        if not self.crowd.is_put_off(len(self.presence.watchers), now):
            self.note(is_dirty=False)

    def describe_if_not_told(self, session: SessionId, now: Micros) -> None:
        """Who has just come sees the room at once, though the others are told later."""
        if not self._room_changed:
            self.out.send(session, self._describe(now))

    def _chair(self, session: SessionId) -> Chair | None:
        key = self.presence.chair_of(session)
        return None if key is None else lobby.chair_by_key(self.record, key)

    def _players_here(self) -> set[int]:
        """The chairs of connected people and clients, the house's own bots aside."""
        return self.presence.here() - self.bots().keys()

    def _seat(self, session: SessionId) -> Seat | None:
        chair = self._chair(session)
        return None if chair is None else Seat(lobby.seat_of(self.record, chair))


def _refused(ask: int, no: No) -> messages.Refused:
    return messages.Refused(
        id=ask, reason=no.reason, text=no.text, clause=no.clause, retry=REASONS[no.reason].retry
    )


def _params(record: RoomRecord) -> Params:
    """How races are judged here: as everywhere, unless an event has pinned something else (T49)."""
    known = Params.__struct_fields__  # a room may have been stored with names that an older release knew
    return Params(**{name: Micros(value) for name, value in record.races.items() if name in known})
