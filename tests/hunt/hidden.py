"""The world without an act: the same room, in which an act that the rules hide was never sent.

Two worlds with the same acts cannot show whether an act itself is noticed. So the real room gets an act of one seat,
and a fork of the room does not. From then on both get the same facts. Everything that other viewers are sent must be
the same in both: the frames, their number and lengths, `seq`, `last`, answers, race messages, room messages.

**Which acts are hidden.** A move or request that is refused for any reason: illegal, stale, repeated, a false start,
too late for its race. A move that is held, until it is released. And the moves in `UNNOTICED`, which are carried out.

**Times.** A held or refused claim may change when others' moves are released, never by more than the arbiter's `hard`
(RACES §3). So frames of one kind are compared in their order, and each may come that much earlier or later. A clock
may be due that much earlier or later. If no race has been open since the act, all times must be the same. Where the
times are the same, so are the lengths of the frames. A seat's own clock stands still while a move of that seat is
held which came before the clock was due (RACES §3), so it may take effect that much later. Then it changes places
with something else, or takes effect in the same moment as another clock: two views are one view with the events of
both. In both cases the same must have been told in the end. Without a clock that took effect in that time another
order is a leak, and so is another number of views.

**Where the comparison ends lawfully** (`parted`): the act turns out to be public. The seat itself does something later
that gets another answer or another score, because its lag ledger and its false starts differ. A race closes early
because all have let go, which is public (A32). Another seat moves in the moment between the two times at which
the race closes. The act is a closing move that is held, and its seat moves again: that move waits behind it (RACES §3).
Nobody else knows when it was sent.

**A seat's own offers.** A held move of a seat takes what it needs out of that seat's own offers. If the seat moves
between the two times at which a view comes, one of the two views has the offers before the move and the other those
after it. Nothing else of them may differ.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from photofinish.engine import Seat, Viewer
from photofinish.race.params import Params
from photofinish.replay.log import Step, read
from photofinish.room.effects import Batch
from photofinish.room.facts import Fact, Requested, SessionId
from photofinish_protocol import messages
from tests.games.leaks import ViewerOutput, first_difference, named
from tests.hunt.worlds.world import RecordedSocket, World, answers

Moves = dict[str, Counter[Seat]]
"""Moves by race and seat."""
UNNOTICED = {"alaska": {"let_go"}}
"""Moves that are carried out and that nobody else may notice (A32)."""
WAIT = int(Params().hard)
"""µs by which a hidden act may lawfully shift what others are sent."""
NO_SHIFTS: Mapping[int, int] = {}
NOBODY: Counter[Seat] = Counter()
DOINGS = 8
"""The number of further actions in both worlds."""


def is_unnoticed(game: str, act: Requested) -> bool:
    """Is this a move that nobody else may notice though it is carried out?"""
    return isinstance(act.message, messages.Play) and act.message.move.get("t") in UNNOTICED.get(game, ())


class Leak(AssertionError):  # noqa: N818 - it is read as a word: a leak
    """A viewer was sent something that it may not know."""


@dataclass(frozen=True)
class Item:
    """One message to one session, in a shape that two worlds can be compared in."""

    at: int
    body: Any
    clocks: tuple[tuple[str, int | None, bool, int], ...] = ()
    """Key, seat, whether it runs, and its due time (or the time left, if it is stopped)."""
    size: int = 0
    uncompensated: tuple[tuple[int, int], ...] = ()
    """Seat and total of each line of a ledger: a sum of scores, which count from the openings of races."""

    def differs(self, other: "Item", wait: int = WAIT, shifts: Mapping[int, int] = NO_SHIFTS) -> str | None:
        """The first difference that the receiver can see. `wait`: µs by which times may differ. `shifts`: µs by which
        the total of a seat's ledger may differ.
        """
        for (seat, one), (_, two) in zip(self.uncompensated, other.uncompensated, strict=False):
            if abs(one - two) > shifts.get(seat, 0):
                return f"uncompensated_us of seat {seat} is {one} here, {two} there"
        if self.body != other.body:
            return first_difference(ViewerOutput(None, self.body), ViewerOutput(None, other.body))
        if abs(self.at - other.at) > wait:
            return f"one comes {abs(self.at - other.at)} µs after the other"
        if [it[:3] for it in self.clocks] != [it[:3] for it in other.clocks]:
            return f"clocks are {self.clocks} here, {other.clocks} there"
        if any(abs(a[3] - b[3]) > wait for a, b in zip(self.clocks, other.clocks, strict=True)):
            return f"a clock is due at another time: {self.clocks} here, {other.clocks} there"
        if (self.at, self.clocks) == (other.at, other.clocks) and self.size != other.size:
            return f"a frame has {self.size} bytes here, {other.size} there"
        return None


def items(socket: RecordedSocket, now: int, opened: Mapping[str, int]) -> list[tuple[str, Item]]:
    """The messages to one socket in one step, by kind. `opened`: when each race opened."""
    frames = [it for it in socket.frames if not it.startswith((b"dropped", b"closed"))]
    sizes = [len(it) for it in frames] if len(frames) == len(socket.typed) else [0] * len(socket.typed)
    found = []
    for message, size in zip(socket.typed, sizes, strict=True):
        kind = type(message).__name__
        if isinstance(message, messages.View):
            clocks = tuple(
                (it.key, it.seat, it.running, it.left_us + now * it.running) for it in message.clocks
            )
            bare = msgspec.structs.replace(message, head="0" * len(message.head), clocks=())
            body = msgspec.to_builtins(bare)
            found.append((kind, Item(now, body, clocks, size, _totals(body.get("over") or {}))))
        elif isinstance(message, messages.RaceReport) and message.record is not None:
            # A referee may know everything about a race.
            found.append((kind, Item(now, ("race", message.key, message.number))))
        elif isinstance(message, messages.RaceReport):
            body = msgspec.to_builtins(message)
            for mark in body["marks"]:  # as moments: the race may have opened a little earlier or later
                mark.update({it: mark[it] + opened.get(message.key, 0) for it in ("score", "lo", "hi")})
            found.append((kind, Item(now, body, (), size, _totals(body))))
        else:
            found.append((kind, Item(now, msgspec.to_builtins(message), (), size)))
    ended = [it for it in socket.frames if it.startswith((b"dropped", b"closed"))]
    return found + [("end", Item(now, it)) for it in ended]


def _totals(body: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    """Take the total of each line of the ledger out of the message."""
    return tuple((line["seat"], line.pop("uncompensated_us")) for line in body.get("ledger", ()))


def is_alike(kind: str, ours: list[Item], others: list[Item]) -> bool:
    """Whether both worlds sent the same events, in another order or in fewer views, with the same table at the end."""
    if kind == "View":
        if len(ours) != len(others) and not is_joined(*sorted((ours, others), key=len)):
            return False
        return _are_near(_events_of(ours), _events_of(others)) and _is_same_table(ours[-1], others[-1])
    return _are_near(
        sorted((_without_seq(it), it.at) for it in ours), sorted((_without_seq(it), it.at) for it in others)
    )


def is_joined(fewer: list[Item], more: list[Item]) -> bool:
    """Is each of the fewer views one of the others, or several that follow each other, with the events of all?"""
    left = deque(more)
    for view in fewer:
        events: list[str] = []
        while left:
            it = left.popleft()
            events += [repr(event) for event in it.body.get("last", ())]
            later_events = [repr(event) for event in view.body.get("last", ())]
            if sorted(events) == sorted(later_events) and _is_same_table(it, view):
                break
        else:
            return False
    return not left


def has_expired(batch: Batch) -> bool:
    """Has a clock taken effect in this batch?"""
    return any(
        isinstance(it, Step) and it.timer is not None for it in (read(row)[2] for row in batch.entries)
    )


def _events_of(views: list[Item]) -> list[tuple[str, int]]:
    """Each event and when it was sent."""
    return sorted((repr(it), view.at) for view in views for it in view.body.get("last", ()))


def _are_near(ours: list[tuple[str, int]], others: list[tuple[str, int]]) -> bool:
    """Whether both have the same events, each at nearly the same time."""
    return [it[0] for it in ours] == [it[0] for it in others] and all(
        abs(one[1] - two[1]) <= WAIT for one, two in zip(ours, others, strict=True)
    )


def _is_same_table(one: Item, two: Item) -> bool:
    """Do both views show the same, but for what just happened? Its length and its number follow from that."""
    bare = [replace(it, body={**it.body, "last": (), "seq": 0, "from": 0}, size=0) for it in (one, two)]
    return bare[0].differs(bare[1]) is None


def _without_seq(item: Item) -> str:
    """An ack says which view has the move; in another order it is another view."""
    return repr({**item.body, "seq": 0} if isinstance(item.body, dict) else item.body)


def _race_of(world: World) -> str:
    match = world.room.match
    return "" if match is None or match.race is None else match.race.key


class WithoutAct:
    """A fork of the room without one act, and the messages of each world that have no counterpart yet."""

    def __init__(self, real: World, act: Requested, actor: Seat, game: str) -> None:
        match = real.room.match
        assert match is not None
        self.world = real.another()
        self.act, self.actor, self.game = act, actor, game
        chair = real.room.record.chairs[actor]
        self.is_repeated = chair.answers.again(act.message.id) is not None or match.holds(
            actor, act.message.id
        )
        self.kind = "held"
        """What is known of the act: `held`, `refused`, `done` unnoticed, or `repeated`."""
        self.was_held = False
        """Whether the act was held during a batch in which the frames of others were compared."""
        self.ended = ""
        """Why there is nothing more to compare: the act was `public`, or the worlds have lawfully `parted`."""
        self.left = DOINGS
        self._race = match.race.key if match.race is not None else ""
        self._has_raced = bool(self._race)
        """Whether a race was open at the time of the act or since. Without one nobody waits for anything."""
        self._tickets = match.tickets
        self._queues: dict[tuple[SessionId, str], tuple[deque[Item], deque[Item]]] = defaultdict(
            lambda: (deque(), deque())
        )
        self._claims: tuple[dict[int, tuple[int, bool]], dict[int, tuple[int, bool]]] = ({}, {})
        self._answers: tuple[dict[int, bool], dict[int, bool]] = ({}, {})
        self._step = match.step
        """Steps in the real world before this round."""
        self._fault: tuple[int, str] | None = None
        self._opened: tuple[dict[str, int], dict[str, int]] = ({}, {})
        """When each race opened, in both worlds. A score counts from there."""
        self._counted: tuple[Moves, Moves] = ({}, {})
        """How many moves of each seat each closed race had, in both worlds."""
        self._since: dict[tuple[SessionId, str], tuple[list[Item], list[Item]]] = {}
        """What has come in each world since the first difference."""
        self._expired: list[int] = []
        """When clocks took effect, in either world."""
        self._moved: dict[Viewer, list[int]] = defaultdict(list)
        """When other seats sent moves. A seat's own held move changes what it is offered."""

    # One batch in both worlds. The real one has already had it.

    def step(
        self, real: World, facts: tuple[Fact, ...], batch: Batch, whose: Mapping[SessionId, Viewer]
    ) -> None:
        """Apply the same facts except the act, and compare."""
        if self.kind == "done" and self.is_settled(real):
            self._align(self._step)
        other = self.world.step(tuple(it for it in facts if not self._is_act(it, whose)))
        for kept, world, made in zip(self._opened, (real, self.world), (batch, other), strict=True):
            race = world.room.match.arbiter._race if world.room.match is not None else None
            kept.update((it.key, it.opened) for it in (*made.races, race) if it is not None)
        for counted, made in zip(self._counted, (batch, other), strict=True):
            for record in made.races:
                counted[record.key] = Counter(move.seat for move in record.moves if move.seat is not None)
        for it in facts:
            if self._is_other_move(it, whose):
                assert isinstance(it, Requested)
                self._moved[whose.get(it.session)].append(real.now)
        self._has_raced |= bool(self._opened[0] or self._opened[1])
        if has_expired(batch) or has_expired(other):
            self._expired.append(real.now)
        self._learn(real)
        if _race_of(real) != _race_of(self.world) and any(self._is_other_move(it, whose) for it in facts):
            # The move enters the race in one world and is too late in the other.
            self.ended = self.ended or "parted"
        if self._delays_its_own(real) and any(self._is_own_move(it, whose) for it in facts):
            self.ended = self.ended or "parted"
        if not self.ended:
            self._has_parted(real, batch, other, whose)
        if not self.ended:
            self.hear(real, whose)
            assert real.room.match is not None
            self._step = real.room.match.step

    def _is_act(self, fact: Fact, whose: Mapping[SessionId, Viewer]) -> bool:
        return (
            isinstance(fact, Requested)
            and fact.message.id == self.act.message.id
            and whose.get(fact.session) == self.actor
        )

    def _is_other_move(self, fact: Fact, whose: Mapping[SessionId, Viewer]) -> bool:
        is_move = isinstance(fact, Requested) and isinstance(fact.message, messages.Play)
        return is_move and not self._is_act(fact, whose)

    def _is_own_move(self, fact: Fact, whose: Mapping[SessionId, Viewer]) -> bool:
        return (
            isinstance(fact, Requested)
            and whose.get(fact.session) == self.actor
            and self._is_other_move(fact, whose)
        )

    def _delays_its_own(self, real: World) -> bool:
        """Is the act a closing move that is held? Its seat's later moves wait behind it (RACES §3)."""
        race = real.room.match.arbiter._race if real.room.match is not None else None
        held = race.held if race is not None else []
        return any(it.ticket == self._tickets + 1 and it.kind == "closer" for it in held)

    def _learn(self, real: World) -> None:
        """Find the result of the act."""
        if self.kind != "held":
            return
        if self.is_repeated:
            self.kind = "repeated"
            return
        match, chair = real.room.match, real.room.record.chairs[self.actor]
        answer = chair.answers.again(self.act.message.id)
        if match is None or (answer is None and not match.holds(self.actor, self.act.message.id)):
            self.ended = "parted"  # somebody else has the seat now
        elif answer is None:
            self.was_held = True
        elif isinstance(answer, messages.Refused):
            self.kind = "refused"
        else:
            self.kind = "done"
            if not self._is_unnoticed(real):
                self.ended = "public"

    def _is_unnoticed(self, real: World) -> bool:
        match = real.room.match
        return (
            is_unnoticed(self.game, self.act)
            and match is not None
            and match.race is not None
            and match.race.key == self._race
        )

    def _align(self, step: int) -> None:
        """Random numbers depend on the number of the step, so the fork must continue with the same number."""
        match = self.world.room.match
        assert match is not None
        before, match.step = match.step, step
        for viewer_state in self.world.room._broadcast._viewers.values():
            if viewer_state._step == before:
                viewer_state._step = step

    def _has_parted(self, real: World, batch: Batch, other: Batch, whose: Mapping[SessionId, Viewer]) -> None:
        """Is it lawful that the two worlds look different from now on?"""
        here, there = real.room.match, self.world.room.match
        if here is None or there is None:
            self.ended = "parted"
            return
        for kept, made in zip(self._answers, (batch, other), strict=True):
            kept.update(
                {
                    request_id: yes
                    for session, request_id, yes in answers(made)
                    if whose.get(session) == self.actor
                }
            )
        mine, theirs = self._answers
        if any(mine[request_id] != theirs[request_id] for request_id in mine.keys() & theirs.keys()):
            self.ended = "parted"  # the seat has done something else since, with another answer
        closed = here.race is None or here.race.key != self._race
        if self.kind == "done" and closed and there.race is not None and there.race.key == self._race:
            self.ended = "parted"  # all have let go
        for kept_claims, match, made in zip(self._claims, (here, there), (batch, other), strict=True):
            kept_claims.update(self._scored(match, made))
        act = -1 if self.is_repeated else self._tickets + 1
        scores, scores_there = (
            [score for ticket, score in sorted(it.items()) if ticket != skipped]
            for it, skipped in zip(self._claims, (act, -1), strict=True)
        )
        if any(one != two for one, two in zip(scores, scores_there, strict=False)):
            self.ended = "parted"

    def _scored(self, match: Any, batch: Batch) -> dict[int, tuple[int, bool]]:
        """How the later claims of this seat are scored, by ticket."""
        race = match.arbiter._race
        found = [*race.held, *race.void, *race.released] if race is not None else []
        for closed in batch.races:
            found += [*closed.held, *closed.void, *closed.moves]
        mine = [it for it in found if it.seat == self.actor and it.ticket > self._tickets]
        return {it.ticket: (it.score, it.void) for it in mine}

    # What was sent.

    def hear(self, real: World, whose: Mapping[SessionId, Viewer]) -> None:
        """Compare the messages of each session with those of the same session in the other world."""
        for place, world in enumerate((real, self.world)):
            for session, socket in world.heard.items():
                if whose.get(session) != self.actor or session not in whose:
                    for kind, item in items(socket, world.now, self._opened[place]):
                        self._queues[session, kind][place].append(item)
        shifts = self._shifts()
        for (session, kind), (ours, others) in self._queues.items():
            while ours and others and (session, kind) not in self._since:
                fault = ours[0].differs(others[0], WAIT if self._has_raced else 0, shifts)
                if fault is None or self._has_moved_between(whose.get(session), ours[0], others[0]):
                    ours.popleft()
                    others.popleft()
                    continue
                self._since[session, kind] = ([], [])
                if self._fault is None:
                    self._fault = (real.now, self._sentence(whose.get(session), kind, fault))
            for since, queue in zip(self._since.get((session, kind), ()), (ours, others), strict=False):
                since.extend(queue)
                queue.clear()
        self.judge(real.now, whose)

    def _shifts(self) -> Counter[int]:
        """µs by which the total of each seat may differ: races opened a little earlier or later, once for each move."""
        shifts: Counter[int] = Counter()
        (here, there), (moves, moves_there) = self._opened, self._counted
        for key in here.keys() & there.keys():
            for seat, count in (moves.get(key, NOBODY) | moves_there.get(key, NOBODY)).items():
                shifts[seat] += count * abs(here[key] - there[key])
        return shifts

    def _has_moved_between(self, viewer: Viewer, ours: Item, other: Item) -> bool:
        """Do two views differ only in the offers, because their own seat has moved between their times?"""
        bare, bare_other = (
            replace(it, body={**it.body, "offers": ()} if isinstance(it.body, dict) else it.body, size=0)
            for it in (ours, other)
        )
        first, last = sorted((ours.at, other.at))
        is_own = any(first <= at <= last for at in self._moved[viewer])
        return is_own and first < last and bare.differs(bare_other) is None

    def judge(self, now: int, whose: Mapping[SessionId, Viewer]) -> None:
        """Raise `Leak` for a difference that has no lawful reason."""
        if self._fault is not None and now > self._fault[0] + WAIT:
            alike = (is_alike(kind, *both) for (_, kind), both in self._since.items())
            is_near = any(abs(at - self._fault[0]) <= WAIT for at in self._expired)
            if is_near and self._queues_are_empty() and all(alike):
                self.ended = "parted"
                return
            raise Leak(self._fault[1])
        for (session, kind), (ours, others) in self._queues.items():
            for side, where in ((ours, "here"), (others, "there")):
                if side and now > side[0].at + WAIT:
                    fault = f"it comes {where} alone: {side[0].body!r:.300}"
                    raise Leak(self._sentence(whose.get(session), kind, fault))

    def _sentence(self, viewer: Viewer, kind: str, fault: str) -> str:
        act = self.act.message
        what = act.move.get("t") if isinstance(act, messages.Play) else type(act).__name__.lower()
        return f"{named(viewer)} can tell that seat {self.actor} sent {what} ({self.kind}): {kind}: {fault}"

    def is_settled(self, real: World) -> bool:
        """Whether both worlds have reached the same point."""
        return (
            self._fault is None
            and self._queues_are_empty()
            and self._held(real) == self._held(self.world)
            and _race_of(real) == _race_of(self.world)  # a seat that does not read would not show it
        )

    def _queues_are_empty(self) -> bool:
        return not any(ours or others for ours, others in self._queues.values())

    def _held(self, world: World) -> set[tuple[Seat, int]]:
        match = world.room.match
        held = match._held.values() if match is not None else ()
        return {(it.seat, it.play.id) for it in held} - {(Seat(self.actor), self.act.message.id)}
