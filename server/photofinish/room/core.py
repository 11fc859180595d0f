"""A room without sockets, stores or clocks of its own: facts and the time go in, work comes out.

`take` and `wake` let things happen; `drain` hands over what is to be stored and then done. Whoever drives the
room must store a dirty batch before doing its effects: nothing is shown or acknowledged that is not stored.
"""

from collections.abc import Callable
from typing import Any

from photofinish.engine import AnyGame, IllegalMove, Micros, Rng, Seat, Table, Viewer
from photofinish.engine import wire as engine_wire
from photofinish.engine.rng import commitment, game_key
from photofinish.race.params import Params
from photofinish.room import lobby, log, tokens
from photofinish.room.answers import Answer
from photofinish.room.effects import Batch, Drop, Effect, Send, Show
from photofinish.room.facts import (
    Asked,
    BotSat,
    Cut,
    Fact,
    Handed,
    Joined,
    Looked,
    Measured,
    Resumed,
    SessionId,
)
from photofinish.room.lobby import No
from photofinish.room.match import Match, Seated, Sent
from photofinish.room.presence import Presence, Watcher
from photofinish.room.record import Chair, Record, Running
from photofinish.room.sights import Sight, compose, viewers
from photofinish.room.talk import cleaned
from photofinish_protocol import messages as wire
from photofinish_protocol.reasons import REASONS, Close, Reason
from photofinish_protocol.version import EMOTES

REOPEN_AFTER = Micros(3_000_000)
"""After an adoption an open race waits so long for the seats that were connected before."""
HOST_PATIENCE = Micros(60_000_000)
"""A host who has been away for so long loses the room to a player who is there."""


class Room:
    """One room. Everything that must survive a crash is in `record`."""

    def __init__(
        self,
        record: Record,
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
        self._params = params or Params()
        self._batch = Batch()
        self._sights: dict[Viewer, Sight] = {}
        self._delayed: list[tuple[Micros, wire.View]] = []
        self._public: wire.View | None = None
        self._awaited: set[int] = set()
        self._reopen_at: Micros | None = None
        self._host_away: Micros | None = None
        self._room_changed = False
        if record.running is not None and not record.quarantine:
            self._load(record.running, now)

    @classmethod
    def create(
        cls, code: str, game: AnyGame, ask: wire.Create, now: Micros, entropy: Callable[[int], bytes]
    ) -> "Room":
        """A new room in the lobby. Raises `No` if the game cannot be set up like that."""
        seats = ask.seats if ask.seats is not None else game.seats.stop - 1
        if seats not in game.seats:
            raise No(
                Reason.BAD_OPTIONS,
                f"{game.title} is for {game.seats.start} to {game.seats.stop - 1} players.",
            )
        record = Record(
            code=code,
            game=game.key,
            rules=game.version,
            options=_options(game, ask.options, seats),
            capacity=seats,
            host=0,
            seed=entropy(32),
            chairs=[Chair(key=n) for n in range(seats)],
            private=ask.private,
            spectator_delay=ask.spectator_delay,
            max_ping_ms=ask.max_ping_ms,
            next_key=seats,
        )
        return cls(record, game, now, entropy)

    # In.

    def take(self, fact: Fact, now: Micros) -> None:
        """Something happened."""
        match fact:
            case Asked(session, message, arrived, move):
                self._asked(session, message, arrived, move, now)
            case Handed(session, race, at):
                if self.match and (seat := self._seat(session)) is not None:
                    self.match.shown(seat, race, at, now)
            case Measured(session, path):
                if self.match and (seat := self._seat(session)) is not None:
                    self.match.arbiter.path(seat, path)
            case Joined():
                self._joined(fact, now)
            case BotSat(session, key):
                chair = lobby.chair_by_key(self.record, key)
                if chair is not None and chair.kind == "bot":
                    self._arrive(session, chair, now)
                    self._show_now(session, chair, 0, now)
            case Resumed():
                self._resumed(fact, now)
            case Looked():
                self._looked(fact, now)
            case Cut(session):
                self._cut(session, now)
        self._after(now)

    def wake(self, now: Micros) -> None:
        """Time has passed."""
        if self._reopen_at is not None and now >= self._reopen_at:
            self._reopen(now)
        if self.match is not None:
            self.match.wake(now)
        if self._host_away is not None and now >= self._host_away:
            self._host_away = None
            heir = next((c for c in self.record.chairs if c.key in self._players_here()), None)
            if heir is not None:
                self.record.host = heir.key
                self._note_room()
        self._after(now)

    def wakes_at(self) -> Micros | None:
        """When `wake` is wanted, if nothing happens before."""
        times = [self._reopen_at, self._host_away, self._delayed[0][0] if self._delayed else None]
        if self.match is not None:
            times.append(self.match.wakes_at())
        return min((at for at in times if at is not None), default=None)

    def drain(self, now: Micros) -> Batch:
        """What is to be stored, then done. The room's `record` is up to date with it."""
        batch, self._batch = self._batch, Batch()
        if batch.is_dirty:
            self._save(now)
        return batch

    def summary(self) -> wire.RoomLine | None:
        """What the lobby lists; None for a private room."""
        return None if self.record.private else lobby.line(self.record, len(self.presence.watchers))

    def bots(self) -> dict[int, Chair]:
        """The chairs the house plays, by chair key."""
        return {chair.key: chair for chair in self.record.chairs if chair.kind == "bot"}

    # Coming and going.

    def _joined(self, fact: Joined, now: Micros) -> None:
        try:
            self._check_open()
            chair = lobby.find(self.record, fact.seat)
        except No as no:
            self._send(fact.session, _refused(fact.ask, no))
            self._do(Drop(fact.session))
            return
        seat = lobby.seat_of(self.record, chair)
        lobby.sit(self.record, chair, fact.name)
        chair = self.record.chairs[seat]
        if self.record.host < 0:
            self.record.host = chair.key
        token = self._new_token(chair)
        chair.token, chair.spare = chair.spare, b""
        got = wire.Seated(room=self.record.code, seat=seat, token=token)
        self._arrive(fact.session, chair, now)
        self._answer(chair, wire.Ack(id=fact.ask, got=got))
        if self.match is not None:
            self.match.set_autopilot(Seat(seat), False, now)
        self._note_room()
        self._show_now(fact.session, chair, 0, now)

    def _resumed(self, fact: Resumed, now: Micros) -> None:
        chair = lobby.chair_by_key(self.record, tokens.chair_of(fact.token))
        if chair is None or not (
            tokens.fits(fact.token, chair.token) or tokens.fits(fact.token, chair.spare)
        ):
            self._send(fact.session, _refused(fact.ask, No(Reason.BAD_TOKEN)))
            self._do(Drop(fact.session))
            return
        if tokens.fits(fact.token, chair.spare):
            chair.token = chair.spare
        token = self._new_token(chair)
        older = self.presence.session_of(chair.key)
        if older is not None:
            self._send(older, wire.Left(room=self.record.code, reason="taken_over", text=_taken_over()))
            self._do(Drop(older, Close.TAKEN_OVER))
            self._leave_match(older, now)
        self._arrive(fact.session, chair, now)
        seat = lobby.seat_of(self.record, chair)
        self._send(
            fact.session,
            wire.Ack(
                id=fact.ask,
                got=wire.Seated(
                    room=self.record.code, seat=seat, token=token, next_id=chair.answers.highest + 1
                ),
            ),
        )
        self._note_room()
        self._show_now(fact.session, chair, fact.seq, now)
        self._awaited.discard(chair.key)
        if self._reopen_at is not None and not self._awaited:
            self._reopen(now)

    def _looked(self, fact: Looked, now: Micros) -> None:
        self.presence.watchers[fact.session] = Watcher(fact.name)
        self._send(fact.session, wire.Ack(id=fact.ask, got=wire.Watching(room=self.record.code)))
        self._note_room()
        if self._public is not None:
            self._do(Show(fact.session, self._public))
        elif self.match is not None and not self.record.spectator_delay:
            self._do(Show(fact.session, self._compose(None, (), now)))

    def _cut(self, session: SessionId, now: Micros) -> None:
        if self.presence.watchers.pop(session, None) is not None:
            self._note_room(is_dirty=False)
        elif self.presence.chair_of(session) is not None:
            self._leave_match(session, now)
            self._note_room(is_dirty=False)

    def _arrive(self, session: SessionId, chair: Chair, now: Micros) -> None:
        self.presence.sit(session, chair.key)
        chair.was_here = True
        if self.match is not None:
            self.match.came(Seat(lobby.seat_of(self.record, chair)), now)
        if chair.key == self.record.host:
            self._host_away = None

    def _leave_match(self, session: SessionId, now: Micros) -> None:
        key = self.presence.rise(session)
        chair = lobby.chair_by_key(self.record, key) if key is not None else None
        if chair is None:
            return
        chair.was_here = False
        if self.match is not None:
            self.match.went(Seat(lobby.seat_of(self.record, chair)), now)
        if key == self.record.host:
            self._host_away = Micros(now + HOST_PATIENCE)

    def _give_up(self, chair: Chair, now: Micros) -> None:
        """The player in this chair leaves for good."""
        seat = Seat(lobby.seat_of(self.record, chair))
        lobby.rise(self.record, chair)
        if self.match is not None and self.record.phase == "playing":
            self.match.set_autopilot(seat, True, now)
        self._note_room()

    # Asking.

    def _asked(
        self, session: SessionId, message: wire.ClientMessage, arrived: Micros, move: Any, now: Micros
    ) -> None:
        chair = self._chair(session)
        if chair is None:
            self._watcher_asked(session, message)
            return
        if chair.spare:  # the new token has arrived: the one before is worth nothing from now on
            chair.token, chair.spare = chair.spare, b""
            self._batch.is_dirty = True
        seat = Seat(lobby.seat_of(self.record, chair))
        if self.match is not None and self.match.holds(seat, message.id):
            self._send(session, wire.Pending(id=message.id))
            return
        before = chair.answers.again(message.id)
        if before is not None:
            self._send(session, before)
            return
        try:
            if chair.answers.is_stale(message.id):
                self._send(session, _refused(message.id, No(Reason.STALE_ID)))
                return
            if isinstance(message, wire.Play):
                self._play(chair, seat, message, move, arrived, now)
                return
            got = self._do_ask(chair, session, message, now)
        except No as no:
            self._answer(chair, _refused(message.id, no))
        else:
            self._answer(chair, wire.Ack(id=message.id, got=got), session)

    def _play(
        self, chair: Chair, seat: Seat, message: wire.Play, move: Any, arrived: Micros, now: Micros
    ) -> None:
        self._check_open()
        if self.match is None:
            raise No(Reason.NOT_STARTED if self.record.phase == "lobby" else Reason.GAME_OVER)
        if self.record.phase == "over":
            raise No(Reason.GAME_OVER)
        if move is None:
            raise No(Reason.BAD_MOVE)
        sent = Sent(seat, message.id, move, arrived, message.race, message.react_us)
        if self.match.play(sent, now) and self.match.holds(seat, message.id):
            self._send_chair(chair, wire.Pending(id=message.id))

    def _do_ask(
        self, chair: Chair, session: SessionId, message: wire.ClientMessage, now: Micros
    ) -> wire.Got | None:
        record = self.record
        match message:
            case wire.Leave():
                self._leave_match(session, now)
                self._give_up(chair, now)
                self._do(Drop(session))
            case wire.Chat(text=text):
                self._talk(chair.name, text, lobby.seat_of(record, chair))
            case wire.Emote(emote=emote):
                self._check_talk()
                if emote not in EMOTES:
                    raise No(Reason.UNKNOWN_EMOTE)
                self._send_all(wire.Emoted(seat=lobby.seat_of(record, chair), emote=emote))
            case wire.Ready(ready=ready, nonce=nonce):
                self._check_lobby()
                chair.is_ready, chair.nonce = ready, bytes.fromhex(nonce)
                self._note_room()
            case wire.Join() | wire.Watch() | wire.Create():
                raise No(Reason.IN_A_ROOM)
            case _:
                return self._do_host(chair, message, now)
        return None

    def _do_host(self, chair: Chair, message: wire.ClientMessage, now: Micros) -> wire.Got | None:
        record = self.record
        if chair.key != record.host:
            raise No(Reason.NOT_HOST)
        self._check_open()
        match message:
            case wire.Bot(seat=seat, player=player, strength=strength):
                if player == "house" and self.game.house is None:
                    raise No(Reason.NO_HOUSE_BOT)
                free = lobby.find(record, seat)
                place = lobby.seat_of(record, free)
                lobby.sit(record, free, _bot_name(place))
                bot = record.chairs[place]
                bot.kind, bot.strength, bot.plays = "bot", strength, player
                self._note_room()
                return wire.BotIn(seat=place)
            case wire.Remove(seat=seat):
                bot = lobby.at(record, seat)
                if bot.kind != "bot":
                    raise No(Reason.NOT_A_BOT)
                session = self.presence.session_of(bot.key)
                if session is not None:
                    self._do(Drop(session))
                    self._leave_match(session, now)
                self._give_up(bot, now)
                bot.kind = "player" if bot.is_vacant else bot.kind
            case wire.Kick(seat=seat):
                self._kick(lobby.at(record, seat), now)
            case wire.Host(seat=seat):
                heir = lobby.at(record, seat)
                if heir.kind != "player" or heir.is_vacant:
                    raise No(Reason.NO_SUCH_SEAT)
                record.host = heir.key
                self._note_room()
            case wire.Configure(options=options):
                self._check_lobby()
                record.options = _options(self.game, options, len(record.chairs))
                self._note_room()
            case wire.Start():
                self._check_lobby()
                self._deal(now)
            case wire.Rematch():
                if record.phase != "over":
                    raise No(Reason.NOT_STARTED if record.phase == "lobby" else Reason.ALREADY_STARTED)
                self._clear()
            case _:
                raise No(Reason.UNKNOWN_TYPE)
        return None

    def _watcher_asked(self, session: SessionId, message: wire.ClientMessage) -> None:
        watcher = self.presence.watchers.get(session)
        if watcher is None:
            self._send(session, _refused(message.id, No(Reason.NOT_IN_A_ROOM)))
            return
        before = watcher.answers.again(message.id)
        if before is not None:
            self._send(session, before)
            return
        answer: Answer = wire.Ack(id=message.id)
        try:
            if watcher.answers.is_stale(message.id):
                raise No(Reason.STALE_ID)
            match message:
                case wire.Leave():
                    del self.presence.watchers[session]
                    self._do(Drop(session))
                    self._note_room(is_dirty=False)
                case wire.Chat(text=text):
                    self._talk(watcher.name, text, None)
                case wire.Join() | wire.Watch() | wire.Create():
                    raise No(Reason.IN_A_ROOM)
                case _:
                    raise No(Reason.NOT_SEATED)
        except No as no:
            answer = _refused(message.id, no)
        watcher.answers.keep(answer)
        self._send(session, answer)

    def _kick(self, chair: Chair, now: Micros) -> None:
        if chair.kind != "player" or chair.key == self.record.host:
            raise No(Reason.NO_SUCH_SEAT)
        session = self.presence.session_of(chair.key)
        if session is not None:
            self._send(
                session, wire.Left(room=self.record.code, reason="kicked", text="The host sent you away.")
            )
            self._do(Drop(session))
            self._leave_match(session, now)
        self._give_up(chair, now)

    def _talk(self, name: str, text: str, seat: int | None) -> None:
        self._check_talk()
        said = cleaned(text)
        if not said:
            raise No(Reason.BAD_TEXT)
        self._send_all(wire.Said(name=name, text=said, seat=seat))

    def _check_talk(self) -> None:
        if self.match is not None and self.record.phase == "playing" and self.game.muted(self.match.state):
            raise No(Reason.MUTED)

    def _check_lobby(self) -> None:
        if self.record.phase != "lobby":
            raise No(Reason.ALREADY_STARTED)

    def _check_open(self) -> None:
        if self.record.quarantine:
            raise No(Reason.QUARANTINED)

    # The game.

    def _deal(self, now: Micros) -> None:
        record, game = self.record, self.game
        before = list(record.chairs)
        lobby.close_up(record, game)
        nonces = [chair.nonce for chair in record.chairs]
        key = game_key(record.seed, nonces)
        table = self._table()
        rng = Rng(key, 0)
        try:
            state = game.setup(table, rng)
        except IllegalMove as no:
            record.chairs = before
            raise No(Reason.BAD_OPTIONS, no.text, no.clause) from no
        record.phase, record.number, record.rules = "playing", record.number + 1, game.version
        self.match = self._new_match(key, state, step=0, head=bytes(log.HASH), left={}, now=now)
        self.match.write(
            log.Dealt(
                game=game.key,
                rules=game.version,
                room=record.code,
                number=record.number,
                seats=len(record.chairs),
                names=tuple(chair.name for chair in record.chairs),
                options=record.options,
                nonces=tuple(nonce.hex() for nonce in nonces),
                previous=tuple(record.previous),
                shuffles=tuple(rng.shuffles),
            )
        )
        self._sights = {}
        self.match.begin(now)
        self._note_room()

    def _load(self, running: Running, now: Micros) -> None:
        state = engine_wire.unpack_state(self.game, running.state)
        self.match = match = self._new_match(
            running.key, state, step=running.step, head=running.head, left=running.left, now=now
        )
        match.began = Micros(now - running.elapsed)
        if self.record.phase == "playing" and self.game.race(state) is not None:
            self._awaited = {c.key for c in self.record.chairs if c.was_here and c.kind == "player"}
            self._reopen_at = Micros(now + REOPEN_AFTER)
            match.wait(now)
        elif self.record.phase == "playing":
            match.begin(now)
        for viewer in viewers(len(self.record.chairs)):
            sight = self._sight(viewer)
            sight.look(match, viewer, self._over())
        match.entries.clear()

    def _new_match(
        self, key: bytes, state: Any, *, step: int, head: bytes, left: dict[str, int], now: Micros
    ) -> Match:
        chairs = self.record.chairs
        return Match(
            self.game,
            self._table(),
            seed=self.record.seed,
            key=key,
            state=state,
            step=step,
            head=head,
            seats={
                Seat(n): Seated(
                    is_here=chair.kind == "bot" or chair.key in self.presence.here(),
                    is_autopilot=chair.is_autopilot,
                    missed=chair.missed,
                )
                for n, chair in enumerate(chairs)
            },
            standings={
                Seat(n): chair.standing for n, chair in enumerate(chairs) if chair.standing is not None
            },
            left=left,
            now=now,
            params=self._params,
            nonce=lambda: self._entropy(8).hex(),
        )

    def _reopen(self, now: Micros) -> None:
        """One trigger for all: the first to reconnect must not win."""
        self._reopen_at = None
        if self.match is not None and self.match.is_waiting:
            self.match.begin(now)

    def _clear(self) -> None:
        """After the game: back to the lobby, with a new seed."""
        record = self.record
        record.phase, record.running, self.match = "lobby", None, None
        record.seed = self._entropy(32)
        self._public, self._delayed = None, []
        for viewer, sight in self._sights.items():
            self._keep_seq(viewer, sight.seq)
        lobby.open_up(record)
        self._note_room()

    def _table(self) -> Table[Any]:
        options = engine_wire.options(self.game, self.record.options)
        return Table(len(self.record.chairs), options, tuple(Seat(n) for n in self.record.previous))

    def _over(self) -> wire.Over | None:
        outcome = self.match.outcome if self.match is not None else None
        if self.match is None or outcome is None:
            return None
        return wire.Over(
            winners=tuple(outcome.winners),
            why=outcome.why,
            scores=tuple(self.game.scores(self.match.state)),
            seed=self.record.seed.hex(),
            nonces=tuple(chair.nonce.hex() for chair in self.record.chairs),
        )

    # Out.

    def _after(self, now: Micros) -> None:
        """Turn what happened in the game into answers and views; look to the room itself."""
        match = self.match
        if match is not None:
            if match.entries:
                self._batch.entries += match.entries
                match.entries = []
                self._batch.is_dirty = True
            for verdict in match.verdicts:
                chair = self.record.chairs[verdict.seat]
                if verdict.reason is None:
                    self._answer(chair, wire.Ack(id=verdict.ask))
                else:
                    no = No(verdict.reason, verdict.text, verdict.clause)
                    self._answer(chair, _refused(verdict.ask, no))
            match.verdicts = []
            match.races = []
            for seat, it in match.seats.items():
                chair = self.record.chairs[seat]
                chair.missed = it.missed
                if chair.is_autopilot != it.is_autopilot:
                    chair.is_autopilot = it.is_autopilot
                    self._note_room()
            if self.record.phase == "playing" and match.outcome is not None:
                self._finish(match)
            self._refresh(match, now)
        self._release_public(now)
        if self._room_changed:
            self._room_changed = False
            self._send_all(self._describe())
        if self._players_here() or self.presence.watchers:
            self.alone_since = None
        elif self.alone_since is None:
            self.alone_since = now

    def _finish(self, match: Match) -> None:
        outcome = match.outcome
        assert outcome is not None
        self.record.phase = "over"
        self.record.previous = [int(seat) for seat in outcome.winners]
        for seat in outcome.winners:
            self.record.chairs[seat].wins += 1
        self._batch.is_over = True
        self._note_room()

    def _refresh(self, match: Match, now: Micros) -> None:
        over = self._over()
        for viewer in viewers(len(self.record.chairs)):
            sight = self._sight(viewer)
            if not sight.look(match, viewer, over):
                continue
            self._batch.is_dirty = True
            view = self._compose(viewer, sight.last, now)
            if viewer is None:
                self._delayed.append((Micros(now + self.record.spectator_delay * 1_000_000), view))
            elif (session := self.presence.session_of(self.record.chairs[viewer].key)) is not None:
                self._do(Show(session, view))

    def _release_public(self, now: Micros) -> None:
        while self._delayed and self._delayed[0][0] <= now:
            self._public = self._delayed.pop(0)[1]
            for session in self.presence.watchers:
                self._do(Show(session, self._public))

    def _show_now(self, session: SessionId, chair: Chair, seq: int, now: Micros) -> None:
        """One fresh view for somebody who has just sat down; what it missed is told, without faces."""
        if self.match is not None:
            viewer = Seat(lobby.seat_of(self.record, chair))
            sight = self._sight(viewer)
            self._do(Show(session, self._compose(viewer, sight.missed(seq), now)))

    def _compose(self, viewer: Viewer, last: Any, now: Micros) -> wire.View:
        assert self.match is not None
        return compose(
            self._sight(viewer),
            self.match,
            viewer,
            room=self.record.code,
            number=self.record.number,
            commitment=commitment(self.record.seed),
            last=last,
            now=now,
        )

    def _sight(self, viewer: Viewer) -> Sight:
        sight = self._sights.get(viewer)
        if sight is None:
            seq = self.record.public_seq if viewer is None else self.record.chairs[viewer].seq
            sight = self._sights[viewer] = Sight(seq)
        return sight

    def _keep_seq(self, viewer: Viewer, seq: int) -> None:
        if viewer is None:
            self.record.public_seq = seq
        else:
            self.record.chairs[viewer].seq = seq

    def _save(self, now: Micros) -> None:
        match = self.match
        if match is None:
            return
        for viewer, sight in self._sights.items():
            self._keep_seq(viewer, sight.seq)
        for seat, standing in match.arbiter.standings.items():
            self.record.chairs[seat].standing = standing
        self.record.running = Running(
            state=engine_wire.pack(match.state),
            step=match.step,
            key=match.key,
            head=match.head,
            elapsed=max(0, now - match.began),
            left=match.clocks.left(now),
        )

    def _describe(self) -> wire.Room:
        return lobby.describe(
            self.record,
            here=self.presence.here(),
            watchers=len(self.presence.watchers),
            commitment=commitment(self.record.seed),
        )

    def _note_room(self, *, is_dirty: bool = True) -> None:
        """Who sits where has changed: tell everybody, and the lobby."""
        self._room_changed = True
        self._batch.is_listed_anew = True
        if is_dirty:
            self._batch.is_dirty = True

    def _answer(self, chair: Chair, answer: Answer, session: SessionId | None = None) -> None:
        chair.answers.keep(answer)
        if isinstance(answer, wire.Ack):
            self._batch.is_dirty = True  # an ack survives a crash; a refusal may be judged again
        to = session if session is not None else self.presence.session_of(chair.key)
        if to is not None:
            self._send(to, answer)

    def _new_token(self, chair: Chair) -> str:
        token = tokens.make(self.record.code, chair.key, self._entropy(16))
        chair.spare = tokens.digest(token)
        self._batch.is_dirty = True
        return token

    def _chair(self, session: SessionId) -> Chair | None:
        key = self.presence.chair_of(session)
        return None if key is None else lobby.chair_by_key(self.record, key)

    def _players_here(self) -> set[int]:
        """The chairs of connected people and clients, the house's own bots aside."""
        return self.presence.here() - self.bots().keys()

    def _seat(self, session: SessionId) -> Seat | None:
        chair = self._chair(session)
        return None if chair is None else Seat(lobby.seat_of(self.record, chair))

    def _send_chair(self, chair: Chair, message: wire.ServerMessage) -> None:
        session = self.presence.session_of(chair.key)
        if session is not None:
            self._send(session, message)

    def _send_all(self, message: wire.ServerMessage) -> None:
        for session in self.presence.everybody():
            self._send(session, message)

    def _send(self, to: SessionId, message: wire.ServerMessage) -> None:
        self._do(Send(to, message))

    def _do(self, effect: Effect) -> None:
        self._batch.effects.append(effect)


def _options(game: AnyGame, sent: dict[str, Any], seats: int) -> dict[str, Any]:
    """All options spelt out, checked as far as they can be before the seats are known."""
    try:
        options = engine_wire.options(game, sent)
        game.setup(Table(seats, options), Rng(bytes(32), 0))
    except engine_wire.BadOptions as error:
        raise No(Reason.BAD_OPTIONS, str(error)) from error
    except IllegalMove as no:
        raise No(Reason.BAD_OPTIONS, no.text, no.clause) from no
    return engine_wire.plain(options)


def _refused(ask: int, no: No) -> wire.Refused:
    return wire.Refused(
        id=ask, reason=no.reason, text=no.text, clause=no.clause, retry=REASONS[no.reason].retry
    )


def _taken_over() -> str:
    return "Your seat was taken up by a newer connection of yours."


def _bot_name(seat: int) -> str:
    return ("Ada", "Basil", "Cleo", "Dara", "Edda", "Fritz", "Gus", "Hedy")[seat % 8] + " (bot)"
