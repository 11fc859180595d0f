"""House bots in a room. They have a session like any client, get views and send moves."""

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from typing import Any, Protocol, TypeAlias

import structlog

from photofinish.bots.time_slices import TimeSlices, in_slices
from photofinish.engine import (
    AnyGame,
    BotBrain,
    Intent,
    Micros,
    Millis,
    Rng,
    Seat,
    Strength,
    Thought,
    replace,
)
from photofinish.engine.offers import Offer, admits, sample
from photofinish.race.params import Path
from photofinish.replay.log import read
from photofinish.replay.replay import states
from photofinish.room.core import Room
from photofinish.room.facts import BotSat, Fact, Measured, Requested, SessionId
from photofinish.room.record import Chair
from photofinish.room.sending.views import ViewerState
from photofinish_protocol import messages
from photofinish_protocol.reasons import Close

log = structlog.get_logger(__name__)

AT_HOME = Path(Micros(0), Micros(0), Micros(0))
AGAIN = Millis(400)
"""After a refusal a bot waits this time before it moves again."""
PATIENCE = 2.0
"""For this time in seconds after its first plan a bot may change its plan. Then the plan is final."""


class SeatedRoom(Protocol):
    """What a house bot needs of the room it plays in: `node.actor.RoomActor`."""

    room: Room
    on_batch: Callable[[], None]

    @property
    def code(self) -> str: ...

    @property
    def game(self) -> AnyGame: ...

    def enter(self, session: SessionId, port: Any, fact: Fact) -> None: ...

    def post(self, fact: Fact) -> None: ...


class RandomBrain:
    """Plays random moves from its offers."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def see(self, view: Any) -> None:
        """It remembers nothing."""

    def choose(self, _view: Any, offers: tuple[Offer, ...]) -> Intent | None:
        sent = sample(offers, self._rng)
        return None if sent is None else Intent(sent, Millis(400 + self._rng.below(900)))


class HouseBot:
    """One house bot in one chair. It remembers only what it has read in its views."""

    def __init__(
        self, actor: SeatedRoom, chair: Chair, clock: Callable[[], Micros], secret: bytes, thinker: TimeSlices
    ) -> None:
        self.session = SessionId(f"house-{actor.code}-{chair.key}-{secret.hex()[:8]}")
        self._actor, self._clock, self._thinker = actor, clock, thinker
        self._chair = chair.key
        self._strength = Strength(chair.strength)
        self._plays = chair.plays
        self._rng = Rng(secret, 0)
        self._brain: BotBrain[Any] | None = None
        self._number = -1
        self._ids = chair.answers.highest + 1
        self._planned: Intent | None = None
        self._at = 0.0
        """When to make the planned move, by the loop's clock."""
        self._choice: _Choice | None = None
        """What the bot chooses from. None after its move, until the next view."""
        self._latest: float | None = None
        """From this time on the plan for this choice is final."""
        self._alarm: asyncio.TimerHandle | None = None
        self._view: messages.View | None = None
        self._unseen: deque[messages.View] = deque()

    def sit(self) -> None:
        self._actor.enter(self.session, self, BotSat(self.session, self._chair))
        self._actor.post(Measured(self.session, AT_HOME))

    def remember(self, game: AnyGame, number: int, seat: Seat, past: list[Any]) -> None:
        """After an adoption: the bot gets all its views of the game so far again."""
        brain = self._wake_up(game, number, seat)
        for view in past:
            brain.see(view)

    def send(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.Refused) and self._view is not None:
            log.debug("house bot refused", room=self._actor.code, clause=message.clause, text=message.text)
            sent = sample(self._view.offers, self._rng)
            if sent is not None:
                self._plan(Intent(sent, AGAIN))

    def show(self, view: messages.View) -> Micros | None:
        self._view = view
        now = self._clock()
        if view.you is not None:
            self._unseen.append(view)
            choice = _choice_of(view)
            if choice != self._choice:
                self._choice, self._latest = choice, None
                self._still()  # the planned move waits until the bot has read the new view
                self._thinker.begin(self, self._think())
            elif not self._thinker.is_busy(self):
                # The same choice: thought and plan continue. Otherwise a busy client could stop the bot from moving.
                self._thinker.begin(self, self._think())
        return now

    def drop(self, _code: Close | None) -> None:
        self._thinker.forget(self)
        self._forget_plan()

    def await_clock(self, at: Micros) -> None:
        """Nothing to do: the bot is on the room's own node and uses its clock."""

    def _think(self) -> Generator[None, None, None]:
        """Read all new views in order, then decide on a move for the last one."""
        while self._unseen:
            try:
                intent = yield from self._ponder()
            except Exception:  # a bug of ours; the game must not stop because of it
                log.exception(
                    "house bot failed; it plays random moves now",
                    room=self._actor.code,
                    game=self._actor.game.key,
                )
                self._brain = RandomBrain(self._rng)
                assert self._view is not None
                intent = self._brain.choose(None, self._view.offers)
            self._decide(intent)

    def _decide(self, intent: Intent | None) -> None:
        is_late = self._latest is not None and asyncio.get_running_loop().time() >= self._latest
        if intent is None:
            self._forget_plan()
        elif self._planned is None or (self._planned.move != intent.move and not is_late):
            self._plan(intent)
        else:  # the same move again keeps its planned time
            self._set_alarm()

    def _ponder(self) -> Thought:
        while True:
            view = self._unseen.popleft()
            assert view.you is not None
            if self._brain is None or self._number != view.number:
                self._wake_up(self._actor.game, view.number, Seat(view.you))
            brain, seen = self._brain, replace(view.view, last=view.last)
            assert brain is not None
            brain.see(seen)
            if not self._unseen:
                break
        answer = brain.choose(seen, view.offers) if view.offers else None
        return (yield from answer) if isinstance(answer, Generator) else answer

    def _wake_up(self, game: AnyGame, number: int, seat: Seat) -> BotBrain[Any]:
        self._number = number
        make = game.house_bot if self._plays == "house" else None
        self._brain = make(seat, self._strength, self._rng) if make else RandomBrain(self._rng)
        return self._brain

    def _plan(self, intent: Intent) -> None:
        now = asyncio.get_running_loop().time()
        at, before = now + intent.after / 1000, self._planned
        if self._latest is None:
            self._latest = at + PATIENCE
        assert self._view is not None
        # In a race the bot takes its full reaction time, whatever it planned before.
        if _nonce(self._view, intent.move["t"]) is None:
            at = min(at, max(now, self._latest))
            if before is not None and before.move["t"] == intent.move["t"]:
                at = min(at, max(now, self._at))
        self._planned, self._at = intent, at
        self._set_alarm()

    def _set_alarm(self) -> None:
        self._still()
        self._alarm = asyncio.get_running_loop().call_at(self._at, self._move)

    def _still(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _forget_plan(self) -> None:
        self._still()
        self._planned = None

    def _move(self) -> None:
        intent, view = self._planned, self._view
        assert intent is not None
        assert view is not None
        self._forget_plan()
        self._thinker.forget(self)
        self._choice = None
        if not admits(view.offers, intent.move):
            sent = sample(view.offers, self._rng)
            if sent is None:
                return
            intent = replace(intent, move=sent)
        request = messages.Play(id=self._ids, move=intent.move, race=_nonce(view, intent.move["t"]))
        self._ids += 1
        self._actor.post(Requested(self.session, request, self._clock()))


_Choice: TypeAlias = tuple[int, str, frozenset[str]]


def _choice_of(view: messages.View) -> _Choice:
    """The game, the race and the kinds of moves offered. While these are the same, it is the same choice."""
    nonce = view.race.nonce if view.race is not None else ""
    return view.number, nonce, frozenset(offer.move for offer in view.offers)


def _nonce(view: messages.View, name: str) -> str | None:
    return view.race.nonce if view.race is not None and name in view.race.moves else None


class HouseBots:
    """All house bots of one room. Adds a bot when the room asks for one, and removes those it does not want."""

    def __init__(
        self,
        actor: SeatedRoom,
        clock: Callable[[], Micros],
        entropy: Callable[[int], bytes],
        thinker: TimeSlices,
    ) -> None:
        self._actor, self._clock, self._entropy, self._thinker = actor, clock, entropy, thinker
        self._players: dict[int, HouseBot] = {}
        actor.on_batch = self.look

    def look(self) -> None:
        wanted = self._actor.room.bots()
        if not wanted and not self._players:
            return  # nearly always, and asked after every move
        for key in self._players.keys() - wanted.keys():
            self._players.pop(key).drop(None)
        for key, chair in wanted.items():
            if key not in self._players:
                self._seat(key, chair).sit()

    def _seat(self, key: int, chair: Chair) -> HouseBot:
        player = HouseBot(self._actor, chair, self._clock, self._entropy(32), self._thinker)
        self._players[key] = player
        return player

    async def remember(self, games: dict[str, AnyGame], entries: list[bytes]) -> None:
        """Give the bots their earlier views again, from the log of the game. Runs in time slices."""
        room = self._actor.room
        wanted = room.bots()
        if not wanted or room.match is None:
            return
        match = room.match
        views: dict[int, list[Any]] = {key: [] for key in wanted}
        seats = {chair.key: Seat(n) for n, chair in enumerate(room.record.chairs) if chair.key in wanted}
        seen = dict.fromkeys(wanted, b"")
        past = states(games, room.record.seed, [read(entry)[2] for entry in entries])
        try:
            async for _, state, _ in in_slices(past, self._clock):
                for key, seat in seats.items():
                    view = match.game.view(state, seat)
                    body = ViewerState.bytes_of(view)
                    if body != seen[key] or view.last:
                        seen[key] = body
                        views[key].append(view)
        except Exception:
            # The log was written by other rules: the game continues, and the bots start without memory.
            log.exception(
                "house bots start without memory: the log cannot be replayed", room=self._actor.code
            )
        for key, chair in wanted.items():
            player = self._seat(key, chair)
            player.remember(match.game, room.record.number, seats[key], views[key])
            player.sit()
