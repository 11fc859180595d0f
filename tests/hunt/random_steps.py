"""Chooses what happens to a room next: mostly a legal move, sometimes anything else that can happen."""

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import Any

from photofinish.engine import AnyGame, Micros, Seat, Viewer, move_name
from photofinish.engine.offers import sample
from photofinish.race.params import Path
from photofinish.room.facts import Cut, Fact, Joined, Looked, Measured, Requested, Resumed, SessionId
from photofinish_protocol import messages
from photofinish_protocol.version import EMOTES
from tests.games.mutants import bent, made_up
from tests.hunt.worlds.dice import Dice
from tests.hunt.worlds.world import World

WORD = "whistle"
"""Makes a watcher a referee."""
PAUSES = (3_000, 40_000, 150_000, 400_000, 900_000, 2_000_000, 6_000_000, 20_000_000, 70_000_000)
HANDS = (60_000, 130_000, 180_000, 250_000, 320_000)
"""Reaction times in a race in µs. The first is faster than a person can be."""


@dataclass(frozen=True)
class RandomStep:
    """New sessions, then the facts of one batch, then the µs that pass."""

    facts: tuple[Fact, ...] = ()
    comes: tuple[tuple[SessionId, Viewer], ...] = ()
    wait: int = 0
    before: int = 0
    stalls: SessionId | None = None
    """This session stops reading, or reads again."""
    crash: bool = False
    """The owner dies, and another node adopts the room from the store."""


class RandomSteps:
    """Chooses at random what happens. Knows the table as the driver of all worlds does."""

    def __init__(self, game: AnyGame, seats: int, dice: Dice) -> None:
        self.game, self.seats, self.dice = game, seats, dice
        self.sessions: dict[int, SessionId] = {}
        """The connected players by seat."""
        self.watchers: list[SessionId] = []
        self.tokens: dict[int, str] = {}
        self._ids: dict[SessionId, int] = defaultdict(int)
        self._sent: deque[tuple[SessionId, messages.Request]] = deque(maxlen=30)
        self._moves: deque[dict[str, Any]] = deque(maxlen=30)
        self._own: dict[int, dict[str, Any]] = {}
        """The last move of each seat."""
        self._named = 0

    # Coming in.

    def name(self, who: str) -> SessionId:
        """A new session name. One session in four uses JSON."""
        self._named += 1
        return SessionId(f"{who} {self._named}{'j' if self._named % 4 == 0 else ''}")

    def sit(self, seat: int) -> RandomStep:
        session = self.sessions[seat] = self.name(f"s{seat}")
        least, own, slow = ((0, 0, 0), (20_000, 21_000, 25_000), (90_000, 90_000, 90_000))[seat % 3]
        path = Path(Micros(least), Micros(own), Micros(slow))
        joined = Joined(session, self._id(session), f"P{seat} {self._named}", seat)
        return RandomStep((joined, Measured(session, path)), ((session, Seat(seat)),))

    def look_on(self, referee: str = "") -> RandomStep:
        session = self.name("referee" if referee else "watch")
        self.watchers.append(session)
        return RandomStep((Looked(session, self._id(session), "Eve", referee),), ((session, None),))

    def resume(self, seat: int, seq: int) -> RandomStep:
        session = self.name(f"s{seat}")
        self.sessions[seat] = session
        return RandomStep((Resumed(session, 0, self.tokens[seat], seq),), ((session, Seat(seat)),))

    def request(self, session: SessionId, kind: type[messages.Request], **fields: Any) -> Requested:
        return self.say(session, kind(id=self._id(session), **fields))

    def say(self, session: SessionId, message: messages.Request, **more: Any) -> Requested:
        return Requested(session, message, Micros(0), **more)  # type: ignore[arg-type]  # stamped when it is sent

    # What happens.

    def next(self, world: World) -> RandomStep:
        away = [seat for seat in range(self.seats) if seat not in self.sessions]
        roll = self.dice.below(100)
        if away and roll < 40:
            return self.back(self.dice.pick(away), world)
        if not self.sessions or roll < 12:
            return RandomStep(wait=self.dice.pick(PAUSES[: 7 if roll else 9]))
        if roll < 72:
            return self._move(world)
        if roll < 78:
            return self._odd_move(world)
        if roll < 84:
            return RandomStep((self._talk(),))
        if roll < 87:
            return self._go()
        if roll < 90:
            return self._watch()
        if roll < 93:
            return self._again()
        if roll < 97:
            return RandomStep((self._not_now(),))
        if roll < 98:
            return RandomStep(stalls=self.dice.pick([*self.sessions.values(), *self.watchers]))
        if roll < 99:
            session = self.dice.pick(list(self.sessions.values()))
            us = Micros(5_000 + self.dice.below(150_000))
            return RandomStep((Measured(session, Path(us, us, Micros(us + 4_000))),))
        return RandomStep(crash=self.dice.below(2) == 0)

    def back(self, seat: int, world: World) -> RandomStep:
        """A player reconnects; its `seq` says that it has seen everything, something, or nothing."""
        chair = world.room.record.chairs[seat]
        if chair.is_empty or (chair.is_vacant and (not chair.token or self.dice.below(2))):
            return self.sit(seat)  # in a running game as a substitute
        return self.resume(seat, max(0, chair.seq - self.dice.pick((0, 1, 3, 1000))))

    def _move(self, world: World) -> RandomStep:
        """A legal move; in a race also by several hands at once."""
        able = [seat for seat in self.sessions if offered(world, seat)]
        if not able:
            at = world.room.wakes_at()
            return RandomStep(wait=1_000_000 if at is None else max(1_000, at - world.now + 1))
        facts = []
        react = self.dice.pick((None, 110_000, 200_000))  # one time for all players makes a dead heat
        for seat in self.dice.shuffled(able)[: 1 + (self.dice.below(3) == 0)]:
            sent = sample(offered(world, seat), self.dice)
            if sent is not None:
                facts.append(self._play(world, seat, sent, react))
        racing = world.room.match is not None and world.room.match.race is not None
        before = self.dice.pick(HANDS) if racing else 0
        wait = self.dice.pick((0, 0, 500_000)) if racing else 0
        return RandomStep(tuple(facts), before=before, wait=wait)

    def _odd_move(self, world: World) -> RandomStep:
        """Another seat's move, an old, changed or invented one; with a wrong nonce or none."""
        seat = self.dice.pick(list(self.sessions))
        theirs = sample(offered(world, self.dice.below(self.seats)), self.dice)
        old = self.dice.pick(self._moves) if self._moves else None
        own = self._own.get(seat)  # a choice that is made again
        sent = self.dice.pick(
            [it for it in (theirs, old, own) if it is not None] or [made_up(self.game, self.dice)]
        )
        sent = self.dice.pick(
            (sent, bent(sent, self.dice), bent(sent, self.dice), made_up(self.game, self.dice))
        )
        nonce = self.dice.pick((None, "00", "", *([world.room.match.nonce] if world.room.match else [])))
        session = self.sessions[seat]
        message = messages.Play(id=self._id(session), move=sent, race=nonce or None)
        return RandomStep((self.say(session, message),), before=self.dice.pick((0, 200_000)))

    def _play(self, world: World, seat: int, sent: dict[str, Any], react: int | None) -> Requested:
        match, session = world.room.match, self.sessions[seat]
        nonce = None
        race = match.race if match is not None else None
        if match is not None and race is not None and sent["t"] in map(move_name, race.contested):
            nonce = match.nonce
        react = react if nonce is not None else None
        message = messages.Play(id=self._id(session), move=sent, race=nonce, react_us=react)
        self._sent.append((session, message))
        self._moves.append(sent)
        self._own[seat] = sent
        return self.say(session, message, retransmits=self.dice.below(2))

    def _talk(self) -> Requested:
        session = self.dice.pick([*self.sessions.values(), *self.watchers])
        if self.dice.below(2):
            return self.request(
                session, messages.Chat, text=self.dice.pick(("hm", "\u202e \u0000", "my card is red"))
            )
        return self.request(session, messages.Emote, emote=self.dice.pick((*EMOTES, "bow")))

    def _again(self) -> RandomStep:
        """Send an id again: its answer may be kept, pending, or forgotten."""
        seat = self.dice.pick(list(self.sessions))
        session = self.sessions[seat]
        message: messages.Request = messages.Emote(id=1, emote="wow")
        if self._sent and self.dice.below(2):
            asker, sent = self._sent[-1 - self.dice.below(min(4, len(self._sent)))]
            session, message = (asker, sent) if asker in self.sessions.values() else (session, message)
        return RandomStep((self.say(session, message),))

    def _not_now(self) -> Requested:
        """Any other request, mostly at the wrong time or from the wrong player."""
        session = self.dice.pick([*self.sessions.values(), *self.watchers])
        seat = self.dice.below(self.seats + 1)
        taken = self.dice.pick(list(self.sessions))
        requests: tuple[tuple[type[messages.Request], dict[str, Any]], ...] = (
            (messages.Ready, {}),
            (messages.Start, {}),
            (messages.Rematch, {}),
            (messages.Configure, {"options": {}}),
            (messages.Host, {"seat": seat}),
            (messages.Kick, {"seat": seat}),
            (messages.Remove, {"seat": seat}),
            (messages.Bot, {"seat": taken}),
            (messages.Join, {"room": "BENCH"}),
            (messages.Watch, {"room": "BENCH"}),
            (messages.Create, {"game": self.game.key}),
            (messages.Play, {"move": {"t": "?"}}),
        )
        kind, fields = self.dice.pick(requests)
        return self.request(session, kind, **fields)

    def _go(self) -> RandomStep:
        """A player is cut off, leaves, takes over the seat from a second connection, or fails to join."""
        seat = self.dice.pick(list(self.sessions))
        session, roll = self.sessions[seat], self.dice.below(10)
        if roll < 4:
            del self.sessions[seat]
            return RandomStep((Cut(session),))
        if roll == 4:
            return RandomStep((self.request(session, messages.Leave),))
        if roll < 7:
            return self.resume(seat, self.dice.below(40))
        stranger = self.name("stranger")
        fact: Fact = Joined(stranger, 1, "Eve", self.dice.pick((seat, 15)))
        if self.dice.below(2):
            token = self.tokens[seat]
            wrong = token[:-1] + ("1" if token.endswith("0") else "0")
            fact = Resumed(stranger, 0, wrong, 0)
        return RandomStep((fact,), ((stranger, None),))

    def _watch(self) -> RandomStep:
        if len(self.watchers) < 4:
            return self.look_on(self.dice.pick(("", "", WORD, "wrong")))
        session = self.watchers.pop(self.dice.below(len(self.watchers)))
        return RandomStep((Cut(session) if self.dice.below(2) else self.request(session, messages.Leave),))

    def _id(self, session: SessionId) -> int:
        self._ids[session] += 1
        return self._ids[session]

    def count_from(self, session: SessionId, request_id: int) -> None:
        self._ids[session] = max(self._ids[session], request_id - 1)


def offered(world: World, seat: int) -> Any:
    """The offers in the last view of this seat."""
    viewer_state = world.room._broadcast._viewers.get(Seat(seat))
    return viewer_state.parts.get("offers", ()) if viewer_state is not None else ()
