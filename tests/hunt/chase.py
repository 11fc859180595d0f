"""The hunt itself: one real room, other worlds beside it, and everything that leaves them compared.

A *step* is one round of the room's own shell: facts go in or a wake is due, and something came of it. At every step

- **looking** (`looks`): for every viewer (each seat, and those who watch) whose view has changed, the state is
  resampled for that viewer and the room's view is made again: offers, race, clocks, scores, end. Its bytes must be
  those of the view that was sent.
- **playing on** (`twins`): beside the real room runs another (`twins=` more) in a world resampled for one viewer. It
  gets the same facts and is woken at the same moments, until a step lawfully tells the viewer which world it is in,
  or 48 steps have passed; then the next viewer has its turn, so that each gets its share. Every frame for that
  viewer's sessions must be the same in both: the same bytes as the real outbox makes them (the log's head, which is
  keyed, by its length alone), the same number, the same order, at the same moment, and the same log lines.
  Those who watch are one viewer, the referee among them; of a race's full record, which only he is sent, nothing but
  that it came is compared.
- **searching**: no frame has the seed in it before the end, or another seat's token; no view goes out in which
  nothing is new; no spectator of a delayed table is shown a view before its time.

A step may tell worlds apart if it newly shows the viewer a face (`tests.games.leaks.unlawful`), or if it was not
the same input in both: another seat's move that only one of the two worlds allows, or autopilot playing another
hand. Several moves may come in one step: then each is judged by itself, for a card that the first of them showed may
have been swapped away by the second. A viewer who is away, stands still or is delayed sees the table later: then the
tables themselves are compared at once, and the views that are still on their way until the moment at which the
difference may be seen.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import msgspec

from photofinish.engine import Act, AnyGame, Expired, Micros, Options, Rng, Seat, Viewer
from photofinish.engine.convert import move as typed_move
from photofinish.engine.convert import pack, plain
from photofinish.replay import log
from photofinish.room import views
from photofinish.room.core import HOST_PATIENCE, Room
from photofinish.room.effects import Batch, Send
from photofinish.room.facts import Asked, Fact, SessionId
from photofinish.room.record import pack as pack_record
from photofinish.room.record import unpack
from photofinish_protocol import messages
from tests.games.leaks import Sighting, first_difference, named, unlawful
from tests.hunt.dice import Dice
from tests.hunt.doings import WORD, Doing, Doings
from tests.hunt.lines import Lines
from tests.hunt.seen import Seen
from tests.hunt.sighted import entry, public, sighting
from tests.hunt.world import Ear, World, answers
from tests.room.bench import Entropy

TWINS = 1
"""Other worlds beside the real one, unless the caller wants more."""
LONG = 48
"""Steps after which a world makes way for another viewer's."""


class Leak(AssertionError):  # noqa: N818 - it is read as a word: a leak
    """A viewer was told what it may not know."""


@dataclass
class Twin:
    world: World
    viewer: Viewer
    left: int = LONG
    is_behind: bool = True
    was: tuple[Any, Any] = (None, None)
    """The states before the step, in the real world and in this one,"""
    entries: tuple[Sequence[bytes], Sequence[bytes]] = ((), ())
    """and what was logged in it."""
    parts_at: int | None = None
    """The tables have lawfully become different, but the viewer is not to see that before this moment."""


class Chase:
    """One room, from its opening to as many steps as are wanted."""

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        options: Options,
        seed: str,
        lines: Lines,
        *,
        delay: int = 0,
        twins: int = TWINS,
    ) -> None:
        self.game, self.lines = game, lines
        self.dice = Dice(seed)
        self.seen = Seen()
        self.doing = Doing()
        """What happens just now, for whoever tells of a leak."""
        self.doings = Doings(game, seats, self.dice)
        entropy = Entropy(seed.encode())
        now = Micros(10_000_000)
        create = messages.Create(
            id=0,
            game=game.key,
            seats=seats,
            options=plain(options),
            referee=WORD,
            spectator_delay=delay,
            substitutes=True,
        )
        self.world = World(Room.create("BENCH", game, create, now, entropy), entropy, now)
        self.twins: list[Twin] = []
        self._wanted = twins
        self.viewers: tuple[Viewer, ...] = (*(Seat(n) for n in range(seats)), None)
        self._turn = cycle(self.viewers)
        self._whose: dict[SessionId, Viewer] = {}
        self._looked: dict[Viewer, tuple[int, int]] = {}
        self._due: deque[tuple[int, tuple[int, int]]] = deque()
        """When the spectators of a delayed table may be shown which view: game and `seq`."""
        self._latest = (0, 0)
        self._told: dict[SessionId, Any] = {}

    # Driving.

    def open(self) -> None:
        """Everybody sits down, and two look on, one of them a referee."""
        for seat in range(len(self.viewers) - 1):
            self.do(self.doings.sit(seat))
        for word in ("", WORD):
            self.do(self.doings.look_on(word))

    def run(self, steps: int) -> None:
        """Until so many steps have been taken, or the players cannot go on."""
        while self.seen.steps < steps:
            if self.world.room.record.phase != "playing" and not self._deal():
                return
            self.do(self.doings.next(self.world))

    def do(self, doing: Doing) -> None:
        self.doing = doing
        if doing.crash:
            self._crash()
        self._wait(doing.before)
        for world in self._worlds():
            for session, viewer in doing.comes:
                self._whose[session] = viewer
                world.let_in(session, viewer)
        if doing.stalls is not None:
            self._stall(doing.stalls)
        if doing.facts:
            self._step(doing.facts)
        self._wait(doing.wait)

    def _wait(self, micros: int) -> None:
        """Time passes. All worlds are woken whenever one of them asks for it."""
        until = Micros(self.world.now + micros)
        while True:
            wanted = [at for world in self._worlds() if (at := world.room.wakes_at()) is not None]
            at = min(wanted, default=None)
            if at is None or at > until:
                break
            for world in self._worlds():
                world.now = Micros(max(world.now, at))
            self._step(())
        for world in self._worlds():
            world.now = until

    def _worlds(self) -> list[World]:
        return [self.world, *(twin.world for twin in self.twins)]

    def _deal(self) -> bool:
        """The next game at this table, with the same players. False: they cannot."""
        self.seen.games += 1
        self.twins = []
        doings, room = self.doings, self.world.room
        if room.record.phase == "over":
            self._fill_up()
            if self._host() is None:
                self._wait(HOST_PATIENCE)
            self._host_asks(messages.Rematch)
        self._fill_up()
        for session in list(doings.sessions.values()):
            self.do(Doing((doings.ask(session, messages.Ready, nonce="00ff"),)))
        self._host_asks(messages.Start)
        return room.record.phase == "playing"

    def _fill_up(self) -> None:
        """Everybody who is away comes back, if his chair is still there for him."""
        for seat, _ in enumerate(self.world.room.record.chairs):
            if seat not in self.doings.sessions:
                self.do(self.doings.back(seat, self.world))

    def _host_asks(self, kind: type[messages.Ask]) -> None:
        host = self._host()
        if host is not None:
            self.do(Doing((self.doings.ask(host, kind),)))

    def _host(self) -> SessionId | None:
        return self.world.room.presence.session_of(self.world.room.record.host)

    def _crash(self) -> None:
        """The owner dies; another takes the room up from what was stored. Everybody has to come again."""
        room = self.world.room
        if room.match is None:
            return
        room._broadcast.keep_seqs()
        room._dealer.save(room.match, self.world.now)
        adopted = Room(unpack(pack_record(room.record)), self.game, self.world.now, self.world.entropy)
        self.twins, self._looked = [], {}
        self.world = World(adopted, self.world.entropy, self.world.now)
        self.doings.sessions.clear()
        self.doings.watchers.clear()

    def _stall(self, session: SessionId) -> None:
        is_stalled = session not in self.world.stalled
        (self.world.stalled.add if is_stalled else self.world.stalled.discard)(session)
        for world in self._worlds():
            world.heard = dict(world.ears)
            for name, ear in world.heard.items():
                ear.listen_anew()
                if name == session:
                    ear.read(not is_stalled)
        for twin in self.twins:
            self._compare(twin, Batch(), Batch(), [], [])

    # Comparing.

    def _step(self, facts: tuple[Fact, ...]) -> None:
        now = self.world.now
        facts = tuple(
            msgspec.structs.replace(it, arrived=now) if isinstance(it, Asked) else it for it in facts
        )
        was = self.world.room.match and self.world.room.match.state
        batch = self.world.step(facts)
        lines, handed = self.lines.take(), self.world.handed(batch)
        if facts or batch.effects or batch.entries:
            self.seen.steps += 1
        self._count(batch)
        self._search()
        for twin in self.twins:
            twin.is_behind = self._is_behind(twin)
            was_there = twin.world.room.match.state
            other = twin.world.step(facts, handed)
            twin.was, twin.entries = (was, was_there), (batch.entries, other.entries)
            twin.left -= 1
            twin.is_behind |= not twin.world.ears  # it was cut in this very step
            self._compare(twin, batch, other, lines, self.lines.take())
        self._not_too_soon()
        self.twins = [twin for twin in self.twins if twin.left > 0]
        self._sync(batch)
        match = self.world.room.match
        if match is not None:
            self._look()
            while len(self.twins) < self._wanted and self.world.room.record.phase == "playing":
                self._fork(next(self._turn))

    def _compare(
        self, twin: Twin, batch: Batch, other: Batch, lines: list[Any], other_lines: list[Any]
    ) -> None:
        self.seen.twins += 1
        if self._is_another_input(twin, batch, other):
            twin.left = 0
            self.seen.other += 1
            return
        if lines != other_lines:
            raise Leak(f"a log line knows the world it is in: {lines} here, {other_lines} there")
        if twin.is_behind:
            self._compare_behind(twin)
            return
        for session, ear in twin.world.heard.items():
            here = self.world.heard[session]
            if here.frames != ear.frames and twin.left > 0:
                self._differ(twin, here, ear)

    def _differ(self, twin: Twin, here: Ear, there: Ear) -> None:
        """The frames are not the same: is it the log's head alone, or a face that has come to light?"""
        one, other = sighting(here), sighting(there)
        if one.frame() == other.frame():
            return
        fault = unlawful(self.game.faces, here.view.view, one, other)
        if fault is not None and not self._shown_on_the_way(twin):
            raise Leak(f"{named(twin.viewer)} learns too much: {fault}")
        twin.left = 0
        self.seen.parted += 1

    def _shown_on_the_way(self, twin: Twin) -> bool:
        """Of several moves in one step, did one lawfully tell the worlds apart, though its face is hidden again?"""
        before = self.game.view(twin.was[0], twin.viewer)
        for states in zip(*map(self._played, twin.was, twin.entries), strict=False):
            one, other = (Sighting(self.game.view(state, twin.viewer), []) for state in states)
            if one.frame() != other.frame():
                return unlawful(self.game.faces, before, one, other) is None
            before = one.view
        return False

    def _played(self, state: Any, entries: Sequence[bytes]) -> Iterator[Any]:
        """The states between the moves of one step."""
        assert self.world.room.match is not None
        for it in map(entry, entries):
            if isinstance(it, log.Step):
                move = None if it.move is None else typed_move(self.game, it.move)
                event: Any = Expired(it.timer) if move is None else Act(Seat(it.seat), move)
                state = self.game.apply(state, event, Rng(self.world.room.match.key, it.step))
                yield state

    def _is_behind(self, twin: Twin) -> bool:
        """Does this viewer see the table later than it changes? Or is it away, or has only just come?"""
        ears = twin.world.ears
        return (
            not ears
            or self._delay(twin) > 0
            or not self.world.stalled.isdisjoint(ears)
            or any(ear.view is None for ear in ears.values())
        )

    def _delay(self, twin: Twin) -> int:
        return self.world.room.record.spectator_delay * 1_000_000 if twin.viewer is None else 0

    def _compare_behind(self, twin: Twin) -> None:
        """As long as the tables look the same everything is. From when they lawfully do not, the views that are
        still on their way are.
        """  # fmt: skip
        pairs = [(self.world.heard[it], ear) for it, ear in twin.world.heard.items()]
        now = self.world.now
        if twin.parts_at is None:
            states = (self._state(), twin.world.room.match.state)
            tables = [
                Sighting(self.game.view(state, twin.viewer), [sighting(pair[world]).rest for pair in pairs])
                for world, state in enumerate(states)
            ]
            if tables[0].frame() != tables[1].frame():
                before = self.game.view(twin.was[0], twin.viewer)
                fault = unlawful(self.game.faces, before, *tables)
                if fault is not None and not self._shown_on_the_way(twin):
                    raise Leak(f"{named(twin.viewer)} learns too much: {fault}")
                twin.parts_at = now + self._delay(twin)
        if twin.parts_at is not None and now >= twin.parts_at:
            twin.left = 0
            self.seen.parted += 1
            return
        for pair in pairs:
            one, other = (
                sighting(ear, of=messages.View if twin.parts_at else messages.ServerMessage) for ear in pair
            )
            if one.frame() != other.frame():
                raise Leak(f"{named(twin.viewer)} learns too soon: {first_difference(one, other)}")

    def _not_too_soon(self) -> None:
        """No spectator of a delayed table is shown a view before its time."""
        record, now = self.world.room.record, self.world.now
        if not record.spectator_delay:
            return
        while self._due and self._due[0][0] <= now:
            self._latest = self._due.popleft()[1]
        for session in self.doings.watchers:
            ear = self.world.ears.get(session)
            for message in ear.typed if ear is not None else ():
                if isinstance(message, messages.View) and (message.number, message.seq) > self._latest:
                    raise Leak(f"a spectator is shown view {message.seq} before its time")
        sight = self.world.room._broadcast._viewers.get(None)
        if sight is not None:
            self._due.append((now + record.spectator_delay * 1_000_000, (record.number, sight.seq)))

    def _is_another_input(self, twin: Twin, batch: Batch, other: Batch) -> bool:
        """Another seat's move that is right in one world only, or autopilot with another hand."""
        if batch.entries != other.entries:
            acts, acts_there = (
                [(it.seat, it.move) for it in map(entry, entries) if isinstance(it, log.Step) and it.move]
                for entries in (batch.entries, other.entries)
            )
            if [it for it in acts if it[0] != twin.viewer] != [
                it for it in acts_there if it[0] != twin.viewer
            ]:
                return True
        said, said_there = (
            [it for it in answers(made) if self._whose.get(it[0]) != twin.viewer] for made in (batch, other)
        )
        return said != said_there

    def _look(self) -> None:
        """Every view that has changed, made again from another state that its viewer could not tell apart."""
        room = self.world.room
        match = room.match
        assert match is not None
        state, shown = match.state, None
        over = room._dealer.over(match)
        for viewer, sight in room._broadcast._viewers.items():
            if self._looked.get(viewer) == (room.record.number, sight.seq):
                continue
            self._looked[viewer] = (room.record.number, sight.seq)
            self.seen.looks += 1
            other = self._resample(state, viewer)
            if shown is None:
                shown = public(self.game, state)
            match.state = other
            try:
                over_there = room._dealer.over(match) if over is not None else None
                parts, last = views.view_parts(match, viewer, over_there)
            finally:
                match.state = state
            # Of several steps in one round only the newest is made again; what it told stands last.
            told = sight.last[len(sight.last) - len(last) :]
            if pack(parts) != sight.body or (sight.last and pack(last) != pack(told)):
                one, two = Sighting(sight.parts, sight.last), Sighting(parts, last)
                raise Leak(f"{named(viewer)} can tell a table from another: {first_difference(one, two)}")
            if public(self.game, other) != shown:
                raise Leak(f"{named(viewer)} can tell two tables apart by clocks, race, mute or end")

    def _fork(self, viewer: Viewer) -> None:
        sessions = [it for it in self.world.ears if self._whose.get(it) == viewer]
        if not sessions:
            viewer = None if self.doings.watchers else viewer
            sessions = [it for it in self.world.ears if self._whose.get(it) == viewer]
        other = self._resample(self._state(), viewer)
        self.twins.append(Twin(self.world.other(viewer, other, sessions), viewer))

    def _state(self) -> Any:
        assert self.world.room.match is not None
        return self.world.room.match.state

    def _resample(self, state: Any, viewer: Viewer) -> Any:
        return self.game.resample(state, viewer, self.dice)

    def _search(self) -> None:
        """What two worlds have in common and yet nobody may know: the seed, others' tokens, that something happened."""
        record = self.world.room.record
        secrets = () if record.phase == "over" else (record.seed, record.seed.hex().encode())
        for session, ear in self.world.heard.items():
            for frame in ear.frames:
                if any(secret in frame for secret in secrets):
                    raise Leak(f"{session} is shown the seed")
            for message in ear.typed:
                if isinstance(message, messages.View):
                    self._says_something(session, message)
                elif isinstance(message, messages.Ack) and isinstance(message.got, messages.Seated):
                    self._is_his(session, message.got)

    def _is_his(self, session: SessionId, got: messages.Seated) -> None:
        if got.seat != self._whose.get(session):
            raise Leak(f"{session} is handed the token of seat {got.seat}")

    def _says_something(self, session: SessionId, view: messages.View) -> None:
        """A view in which nothing is new but the log's head would tell that something hidden has happened."""
        now = self.world.now
        clocks = [(it.key, it.seat, it.left_us + now * it.running, it.running) for it in view.clocks]
        told = (view.number, view.view, view.offers, view.race, view.over, clocks)
        if self._told.get(session) == told and not view.last:
            raise Leak(f"{session} is sent view {view.seq}, which says nothing new")
        self._told[session] = told

    # What the driver has to know.

    def _count(self, batch: Batch) -> None:
        for effect in batch.effects:
            if isinstance(effect, Send):
                message = effect.message
                kind = type(message).__name__.lower()
                if isinstance(message, messages.Refused):
                    kind = f"refused {message.reason.value}"
                self.seen.frames[kind] += 1
            else:
                self.seen.frames[type(effect).__name__.lower()] += 1

    def _sync(self, batch: Batch) -> None:
        """Who sits where now, and with which token he can come back."""
        room, doings = self.world.room, self.doings
        for effect in batch.effects:
            message = effect.message if isinstance(effect, Send) else None
            if (
                isinstance(message, messages.Ack)
                and isinstance(message.got, messages.Seated)
                and message.got.token
            ):
                doings.tokens[message.got.seat] = message.got.token
                doings.count_from(effect.to, message.got.next_id)
        if (
            room.presence.here()
            != {room.record.chairs[seat].key for seat in doings.sessions if seat < len(room.record.chairs)}
            or batch.is_listed_anew
        ):
            doings.sessions = {
                seat: session
                for seat, chair in enumerate(room.record.chairs)
                if (session := room.presence.session_of(chair.key)) is not None
            }
            doings.watchers = list(room.presence.watchers)
