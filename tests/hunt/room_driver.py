"""The leak hunt: one real room, other worlds beside it, and a comparison of everything that they send.

A *step* is one batch of the room: it got facts or a timer expired, and something changed. At every step

- **looking** (`looks`): for every viewer (each seat, and the watchers) whose view has changed, the state is
  resampled for that viewer and the view is made again: offers, race, clocks, scores, end. Its bytes must equal those
  of the view that was sent.
- **playing on** (`twins`): one more room (or `twins=` of them) plays in a world that was resampled for one viewer. It
  gets the same facts and timers at the same moments, until a step lawfully shows the viewer which world it is in, or
  48 steps have passed. Then it is the next viewer's turn. Every frame for that viewer's sessions must be the same in
  both rooms: the bytes as the real outbox makes them (of the log's head, which is keyed, only the length), the number,
  the order, the moment, and the log lines. All watchers count as one viewer, including the referee. Of a race's full
  record, which only the referee gets, only the arrival is compared.
- **searching**: no frame contains the seed before the end, or another seat's token; no view is sent without a
  change; no spectator of a delayed table gets a view too early.

- **leaving out** (`hidden`): another room does not get one act of one seat, an act that the rules hide. Nobody else
  may notice (`tests/hunt/hidden.py`). In yet another room a secret choice is different (`tests/hunt/choices.py`).

Two worlds may differ after a step that shows the viewer a new face (`tests.games.leaks.unlawful`), or whose input was
not the same in both: another seat's move that only one of the worlds allows, or autopilot with another hand. If one
step has several moves, each is checked by itself: the second may swap away a card that the first has shown. A viewer
who is away, does not read or is delayed sees the table later. Then the tables themselves are compared at once, and
the views that are not sent yet until the moment at which the difference may be seen.
"""

from itertools import cycle
from typing import Any

import msgspec

from photofinish.engine import AnyGame, Micros, Options, Seat, Viewer
from photofinish.engine.convert import pack, plain
from photofinish.replay import log
from photofinish.room.core import HOST_PATIENCE, Room
from photofinish.room.effects import Batch, Send
from photofinish.room.facts import Fact, Handed, Requested, SessionId
from photofinish.room.record import pack as pack_record
from photofinish.room.record import unpack
from photofinish.room.sending import views
from photofinish_protocol import messages
from tests.games.leaks import ViewerOutput, first_difference, named, unlawful
from tests.hunt.choices import chosen_otherwise, may_be_seen, secret_choice
from tests.hunt.hidden import WAIT, Leak, WithoutAct, is_unnoticed
from tests.hunt.lines import Lines
from tests.hunt.random_steps import WORD, RandomStep, RandomSteps
from tests.hunt.search import Search
from tests.hunt.worlds.counts import HuntCounts
from tests.hunt.worlds.dice import Dice
from tests.hunt.worlds.outputs import entry, output, public, shown_on_the_way
from tests.hunt.worlds.twin import Twin
from tests.hunt.worlds.world import RecordedSocket, World, answers
from tests.room.bench import Entropy

TWINS = 1
"""Default number of other worlds beside the real one."""
HIDDEN = 3
"""One act in this many is left out in a world of its own, if there is no such world at the time; 0: none."""


class RoomDriver:
    """Drives one room from its opening through the given number of steps."""

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
        hidden: int | None = None,
    ) -> None:
        self.game, self.lines = game, lines
        self.dice = Dice(seed)
        self.seen = HuntCounts()
        self.doing = RandomStep()
        """What happens at the moment, for the report of a leak."""
        self.steps = RandomSteps(game, seats, self.dice)
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
        self.without: WithoutAct | None = None
        """The world in which one act is left out."""
        self._hidden, self._hidden_dice = HIDDEN if hidden is None else hidden, Dice(f"{seed} hidden")
        self._wanted = twins
        self.viewers: tuple[Viewer, ...] = (*(Seat(n) for n in range(seats)), None)
        self._turn = cycle(self.viewers)
        self._whose: dict[SessionId, Viewer] = {}
        self._looked: dict[Viewer, tuple[int, int]] = {}
        self._search = Search(self._whose)

    # Driving.

    def open(self) -> None:
        """All players sit down, and two clients watch, one of them as referee."""
        for seat in range(len(self.viewers) - 1):
            self.do(self.steps.sit(seat))
        for word in ("", WORD):
            self.do(self.steps.look_on(word))

    def run(self, steps: int) -> None:
        """Run this many steps, or until the players cannot continue."""
        while self.seen.steps < steps:
            if self.world.room.record.phase != "playing" and not self._deal():
                return
            self.do(self.steps.next(self.world))

    def do(self, doing: RandomStep) -> None:
        self.doing = doing
        self._settle()
        if self.without is not None:
            self.without.left -= 1
            if self.without.left < 0:
                self._end_without()
        if doing.crash:
            self._crash()
        self._wait(doing.before)
        self._settle()
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
        """Let time pass. When a timer of one world expires, all worlds are woken."""
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
        beside = [self.without.world] if self.without is not None else []
        return [self.world, *(twin.world for twin in self.twins), *beside]

    def _settle(self) -> None:
        """Let the world without the act reach the same point before anything else happens, if it can."""
        it = self.without
        if it is not None and not it.is_settled(self.world):
            self._wait(WAIT + 1_000)
        if self.without is not None:
            self.without.judge(self.world.now, self._whose)

    def _end_without(self) -> None:
        if self.without is not None:
            it = self.without
            self.seen.hidden.update({it.ended or it.kind: it.kind != "held", "held": it.was_held})
            self.without = None

    def _leave_out(self, facts: tuple[Fact, ...]) -> None:
        """Start a world in which one of these acts does not happen."""
        presence = self.world.room.presence
        asked = [
            it for it in facts if isinstance(it, Requested) and presence.chair_of(it.session) is not None
        ]
        if not (self._hidden and asked and self.world.room.record.phase == "playing"):
            return
        rare = [it for it in asked if is_unnoticed(self.game.key, it)]
        if rare and self.without is not None and self.without.is_settled(self.world):
            self._end_without()
        if self.without is None and (rare or self._hidden_dice.below(self._hidden) == 0):
            act = self._hidden_dice.pick(rare or asked)
            seat = self._whose[act.session]
            assert seat is not None
            self.without = WithoutAct(self.world, act, seat, self.game.key)

    def _deal(self) -> bool:
        """Start the next game at this table with the same players. False if they cannot."""
        self.seen.games += 1
        self.twins = []
        self._end_without()
        steps, room = self.steps, self.world.room
        if room.record.phase == "over":
            self._fill_up()
            if self._host() is None:
                self._wait(HOST_PATIENCE)
            self._host_asks(messages.Rematch)
        self._fill_up()
        for session in list(steps.sessions.values()):
            self.do(RandomStep((steps.request(session, messages.Ready, nonce="00ff"),)))
        self._host_asks(messages.Start)
        return room.record.phase == "playing"

    def _fill_up(self) -> None:
        """Reconnect every player who is away and still has a chair."""
        for seat, _ in enumerate(self.world.room.record.chairs):
            if seat not in self.steps.sessions:
                self.do(self.steps.back(seat, self.world))

    def _host_asks(self, kind: type[messages.Request]) -> None:
        host = self._host()
        if host is not None:
            self.do(RandomStep((self.steps.request(host, kind),)))

    def _host(self) -> SessionId | None:
        return self.world.room.presence.session_of(self.world.room.record.host)

    def _crash(self) -> None:
        """The owner dies. Another node adopts the room from the store, and everybody reconnects."""
        room = self.world.room
        if room.match is None:
            return
        self._end_without()
        room._broadcast.keep_seqs()
        room._dealer.save(room.match, self.world.now)
        adopted = Room(unpack(pack_record(room.record)), self.game, self.world.now, self.world.entropy)
        self.twins, self._looked = [], {}
        self.world = World(adopted, self.world.entropy, self.world.now)
        self.steps.sessions.clear()
        self.steps.watchers.clear()

    def _stall(self, session: SessionId) -> None:
        is_stalled = session not in self.world.stalled
        (self.world.stalled.add if is_stalled else self.world.stalled.discard)(session)
        for world in self._worlds():
            world.heard = dict(world.recorded_sockets)
            for name, socket in world.heard.items():
                socket.listen_again()
                if name == session:
                    socket.read(not is_stalled)
        for twin in self.twins:
            self._compare(twin, Batch(), Batch(), [], [])
        if self.without is not None:
            self.without.hear(self.world, self._whose)

    # Comparing.

    def _step(self, facts: tuple[Fact, ...]) -> None:
        now = self.world.now
        facts = tuple(
            msgspec.structs.replace(it, arrived=now) if isinstance(it, Requested) else it for it in facts
        )
        was = self.world.room.match and self.world.room.match.state
        self._leave_out(facts)
        otherwise = self._choose_otherwise(facts)
        batch = self.world.step(facts)
        lines, handed = self.lines.take(), self.world.handed(batch)
        if facts or batch.effects or batch.entries:
            self.seen.steps += 1
        self._count(batch)
        self._search.through(self.world, batch)
        for twin in self.twins:
            twin.is_behind = self._is_behind(twin)
            was_there = twin.world.room.match.state
            other = twin.world.step(facts, handed)
            twin.was, twin.entries = (was, was_there), (batch.entries, other.entries)
            twin.left -= 1
            twin.is_behind |= not twin.world.recorded_sockets  # it was cut in this step
            self._compare(twin, batch, other, lines, self.lines.take())
        if otherwise is not None:
            self._chose_otherwise(*otherwise, was, batch, handed)
        if self.without is not None:
            self.without.step(self.world, facts, batch, self._whose)
            self.lines.take()
            if self.without.ended or self.world.room.record.phase != "playing":
                self._end_without()
        self._search.too_soon(self.world, self.steps.watchers)
        self.twins = [twin for twin in self.twins if twin.left > 0]
        self._sync(batch)
        match = self.world.room.match
        if match is not None:
            if self._wanted:
                self._look()
            while len(self.twins) < self._wanted and self.world.room.record.phase == "playing":
                self._fork(next(self._turn))

    def _choose_otherwise(self, facts: tuple[Fact, ...]) -> tuple[Twin, tuple[Fact, ...]] | None:
        """A world for one viewer in which a secret choice is different, and the changed facts."""
        act = secret_choice(self.game, facts) if self._hidden else None
        match = self.world.room.match
        if act is None or match is None or self.world.room.record.phase != "playing":
            return None
        seat, viewer = self._whose.get(act.session), self._hidden_dice.pick(self.viewers)
        sessions = [it for it in self.world.recorded_sockets if self._whose.get(it) == viewer]
        if seat is None or viewer == seat or not sessions or may_be_seen(self.game, match.state, viewer):
            return None
        other = chosen_otherwise(self.game, match.state, seat, act, self._hidden_dice)
        if other is None:
            return None
        twin = Twin(self.world.other(viewer, match.state, sessions), viewer)
        twin.is_behind = self._is_behind(twin)
        return twin, tuple(other if it is act else it for it in facts)

    def _chose_otherwise(
        self, twin: Twin, facts: tuple[Fact, ...], was: Any, batch: Batch, handed: list[Handed]
    ) -> None:
        other = twin.world.step(facts, handed)
        self.lines.take()
        if answers(batch) != answers(other):
            return  # not the same hand, or the choice is not possible now
        self.seen.hidden["another choice"] += 1
        twin.was, twin.entries = (was, was), (batch.entries, other.entries)
        self._compare_frames(twin)
        self.twins.append(twin)

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
        self._compare_frames(twin)

    def _compare_frames(self, twin: Twin) -> None:
        if twin.is_behind:
            self._compare_behind(twin)
            return
        for session, socket in twin.world.heard.items():
            here = self.world.heard[session]
            if here.frames != socket.frames and twin.left > 0:
                self._differ(twin, here, socket)

    def _differ(self, twin: Twin, here: RecordedSocket, there: RecordedSocket) -> None:
        """The frames differ: is it only the log's head, or a face that was lawfully shown?"""
        one, other = output(here), output(there)
        if one.frame() == other.frame():
            return
        fault = unlawful(self.game.faces, here.view.view, one, other)
        if fault is not None and not self._shown_on_the_way(twin):
            raise Leak(f"{named(twin.viewer)} learns too much: {fault}")
        twin.left = 0
        self.seen.parted += 1

    def _shown_on_the_way(self, twin: Twin) -> bool:
        match = self.world.room.match
        assert match is not None
        return shown_on_the_way(self.game, match.key, twin.viewer, twin.was, twin.entries)

    def _is_behind(self, twin: Twin) -> bool:
        """Whether this viewer sees changes of the table late, is away, or has only just connected."""
        recorded_sockets = twin.world.recorded_sockets
        return (
            not recorded_sockets
            or self._delay(twin) > 0
            or not self.world.stalled.isdisjoint(recorded_sockets)
            or any(socket.view is None for socket in recorded_sockets.values())
        )

    def _delay(self, twin: Twin) -> int:
        return self.world.room.record.spectator_delay * 1_000_000 if twin.viewer is None else 0

    def _compare_behind(self, twin: Twin) -> None:
        """While the tables look the same, all frames must be the same. After a lawful difference this holds only for
        the views that are not sent yet.
        """
        pairs = [(self.world.heard[it], socket) for it, socket in twin.world.heard.items()]
        now = self.world.now
        if twin.parts_at is None:
            states = (self._state(), twin.world.room.match.state)
            tables = [
                ViewerOutput(self.game.view(state, twin.viewer), [output(pair[world]).rest for pair in pairs])
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
                output(socket, of=messages.View if twin.parts_at else messages.ServerMessage)
                for socket in pair
            )
            if one.frame() != other.frame():
                if not self._delay(twin) and self._shown_on_the_way(twin):
                    twin.left = 0  # a new deal in the same step has made the tables alike again
                    self.seen.parted += 1
                    return
                raise Leak(f"{named(twin.viewer)} learns too soon: {first_difference(one, other)}")

    def _is_another_input(self, twin: Twin, batch: Batch, other: Batch) -> bool:
        """Whether another seat's move is legal in one world only, or autopilot plays another hand."""
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
        """Make each changed view again from another state that its viewer could not tell apart."""
        room = self.world.room
        match = room.match
        assert match is not None
        state, shown = match.state, None
        over = room._dealer.over(match)
        for viewer, viewer_state in room._broadcast._viewers.items():
            if self._looked.get(viewer) == (room.record.number, viewer_state.seq):
                continue
            self._looked[viewer] = (room.record.number, viewer_state.seq)
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
            # Of several steps in one batch only the newest is made again; its events are the last ones.
            kept = viewer_state.last[len(viewer_state.last) - len(last) :]
            if pack(parts) != pack(viewer_state.parts) or (viewer_state.last and pack(last) != pack(kept)):
                one, two = ViewerOutput(viewer_state.parts, viewer_state.last), ViewerOutput(parts, last)
                raise Leak(f"{named(viewer)} can tell a table from another: {first_difference(one, two)}")
            if public(self.game, other) != shown:
                raise Leak(f"{named(viewer)} can tell two tables apart by clocks, race, mute or end")

    def _fork(self, viewer: Viewer) -> None:
        sessions = [it for it in self.world.recorded_sockets if self._whose.get(it) == viewer]
        if not sessions:
            viewer = None if self.steps.watchers else viewer
            sessions = [it for it in self.world.recorded_sockets if self._whose.get(it) == viewer]
        other = self._resample(self._state(), viewer)
        self.twins.append(Twin(self.world.other(viewer, other, sessions), viewer))

    def _state(self) -> Any:
        assert self.world.room.match is not None
        return self.world.room.match.state

    def _resample(self, state: Any, viewer: Viewer) -> Any:
        return self.game.resample(state, viewer, self.dice)

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
        """Update who sits where, and the token of each player."""
        room, steps = self.world.room, self.steps
        for effect in batch.effects:
            message = effect.message if isinstance(effect, Send) else None
            if (
                isinstance(message, messages.Ack)
                and isinstance(message.got, messages.Seated)
                and message.got.token
            ):
                steps.tokens[message.got.seat] = message.got.token
                steps.count_from(effect.to, message.got.next_id)
        if (
            room.presence.here()
            != {room.record.chairs[seat].key for seat in steps.sessions if seat < len(room.record.chairs)}
            or batch.is_listed_again
        ):
            steps.sessions = {
                seat: session
                for seat, chair in enumerate(room.record.chairs)
                if (session := room.presence.session_of(chair.key)) is not None
            }
            steps.watchers = list(room.presence.watchers)
