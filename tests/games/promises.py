"""What every game promises, checked while a random game is played. Used by the tests and by the soak."""

import importlib.util
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from photofinish.engine import Act, AnyGame, IllegalMove, Input, Move, Options, Rng, Seat, TableSetup, Viewer
from photofinish.engine.convert import BadMove, move, pack, unpack_state
from photofinish.engine.convert import plain as plain_of
from photofinish.engine.offers import Offer, SomeOf, admits, moves
from photofinish.engine.places import places as places_of
from photofinish.engine.playthrough import Playthrough, random_steps
from tests.games.leaks import TwoWorlds, Variation, ViewerOutputs, leak, named, tried
from tests.games.mutants import mutant

# Fouls the rules name: these moves may be accepted though the offers do not list them. Kodiak: K17.
FOULS = {"kodiak": {"swap", "look", "expose", "pick"}}


def _listed(sent: dict[str, Any]) -> dict[str, Any]:
    """A ransom as the offers list it: its places in order. Any order is the same ransom."""
    places = ("red", "blue", "boat1", "boat2", "loose")
    key = {"red": 0, "blue": 1}
    runes = sorted(
        sent.get("runes") or (), key=lambda it: (places.index(it["place"]), key.get(it.get("colour"), 0))
    )
    return {**sent, "runes": runes} if runes else sent


# Moves that can be written in several ways of which the offers list one.
SAME = {("rune_market", "ransom"): _listed}

CLAUSE = re.compile(r"^[A-Z]+\d+[a-z]?$")


class Broken(AssertionError):  # noqa: N818 - it is read as a sentence: a promise broken
    """A promise that this game does not keep."""


def check(holds: object, fault: str) -> None:
    if not holds:
        raise Broken(fault)


@cache
def clauses(key: str) -> frozenset[str]:
    """The clause ids of a game in `games/`; none for any other game."""
    found = importlib.util.find_spec("photofinish.games")
    folder = Path(next(iter(found.submodule_search_locations or ()))) if found else Path()
    rules = folder / key / "RULES.md"
    text = rules.read_text(encoding="utf-8") if rules.is_file() else ""
    return frozenset(re.findall(r"^- ([A-Z]+\d+[a-z]?)\.", text, flags=re.MULTILINE))


@dataclass
class Proof:
    """One game at one table in which every step is checked. The expensive checks are done every few steps."""

    game: AnyGame
    seats: int
    options: Options
    key: bytes
    previous: tuple[Seat, ...] = ()
    every: int = 5
    variation: Variation = field(default_factory=Variation)
    vary_every: int = 1
    """In one of this many expensive checks, `resample` is checked too: does it redraw every secret?"""
    steps: int = 0
    refusals: int = 0
    compared: int = 0

    def __post_init__(self) -> None:
        self.rng = Rng(self.key, 1 << 40)  # random numbers of the check only: no step of the game uses them
        self.play = Playthrough(self.game, TableSetup(self.seats, self.options, self.previous), self.key)
        self.viewers: tuple[Viewer, ...] = (*self.play.seats, None)
        self._outputs = ViewerOutputs(self.game, self.play.state)
        self.worlds: list[TwoWorlds] = []
        self.sent: list[dict[str, Any]] = []

    def run(self, budget: int, *, to_the_end: int = 0) -> None:
        """Check `budget` steps. Then play on without checks: the game must end within `to_the_end` steps."""
        with self._where_it_happened():
            self.look()
            steps = random_steps(self.play, self.rng, patience=2 + self.key[0] % 12)
            for event in islice(steps, budget):
                self.steps += 1
                self.after(event)
            if to_the_end:
                rest = sum(1 for _ in islice(random_steps(self.play, self.rng), to_the_end))
                check(self.play.is_over, f"random play has not ended after {self.steps + rest} steps")
            if self.play.is_over:
                self.over()
            self.replayed()

    def after(self, event: Input[Any]) -> None:
        """Everything that must hold after a step."""
        mover = event.seat if isinstance(event, Act) else None
        for worlds in self.worlds:
            self.compared += 1
            fault = worlds.step(event, mover, self.key, self.play.step)
            check(fault is None, str(fault))
            check(pack(worlds.state) == pack(self.play.state), "the same input gave two states")
        self.worlds = [worlds for worlds in self.worlds if worlds.open]
        if isinstance(event, Act):
            plain = plain_of(event.move)
            check(move(self.game, plain) == event.move, f"{plain} does not survive the wire")
            self.sent.append(plain)
        self.look()
        if self.rng.below(self.every) == 0:
            self.look_closely()

    @property
    def outputs(self) -> ViewerOutputs:
        """What each viewer is sent in the present state."""
        if self._outputs.state is not self.play.state:
            self._outputs = ViewerOutputs(self.game, self.play.state)
        return self._outputs

    def look(self) -> None:
        """The cheap promises, after every step."""
        game, state = self.game, self.play.state
        raw = pack(state)
        back = unpack_state(game, raw)
        check(back == state and pack(back) == raw, "the state does not survive msgpack")
        outputs = self.outputs
        for viewer in self.viewers:
            seen = outputs.view(viewer)
            check(isinstance(seen, game.view_type), "the view is not of the game's view type")
            check(isinstance(seen.last, tuple), "the view does not say what happened")
            check(all(it.only is None for it in seen.last), "`last` says for whom it was meant")
            pack(seen)
        check(len(game.scores(state)) == self.seats, "not one score a seat")
        check(isinstance(game.muted(state), str), "muted must name the clause that forbids talk, or be empty")
        timers = game.timers(state)
        check(len({it.key for it in timers}) == len(timers), f"two clocks with one key: {timers}")
        check(
            all(it.after is None or it.after >= 0 for it in timers), f"a clock that runs backwards: {timers}"
        )
        if not self.play.is_over:
            check(any(it.running for it in timers), "the game waits, and no timer says for whom")
        for seat in self.play.seats:
            for it in outputs.offers(seat):
                sound(game, it)

    def look_closely(self) -> None:
        """The costly promises: no leak for any viewer, and the border between offers and refusals."""
        game, state, outputs = self.game, self.play.state, self.outputs
        for viewer in self.viewers:
            fault = leak(outputs, viewer, self._chance())
            check(fault is None, str(fault))
            raw = pack(outputs.view(viewer))
            back = msgspec.msgpack.decode(raw, type=game.view_type)
            check(pack(back) == raw, f"the view of {named(viewer)} cannot be read back as a {game.view_type}")
        viewer = self.rng.pick(self.viewers)
        resampled = game.resample(state, viewer, self._chance())
        if self.rng.below(self.vary_every) == 0:
            self.variation.note(outputs, resampled, viewer, self.rng.shuffled(self.play.seats)[:4])
        check(unpack_state(game, pack(resampled)) == resampled, "a resampled state does not survive msgpack")
        if len(self.worlds) < 2:
            self.worlds.append(TwoWorlds(game, viewer, state, resampled))
        seat = self.rng.pick(self.play.seats)
        for it in outputs.offers(seat):
            for sent in islice(moves(it), 3):
                self.judge(seat, sent)
        able = [seat for seat in self.play.seats if outputs.offers(seat)] or self.play.seats
        for seats in (able, able, able, self.play.seats, self.play.seats):
            self.judge(self.rng.pick(seats), mutant(self.play, self.sent, self.rng))

    def judge(self, seat: Seat, sent: dict[str, Any]) -> None:
        """Offered moves are accepted; others are refused with a clause, unless the rules call them a foul."""
        game, state = self.game, self.play.state
        try:
            typed = move(game, sent)
        except BadMove:
            return
        before = pack(state)
        _, refusal = tried(game, state, Act(seat, typed), self._chance())
        check(pack(state) == before, f"{sent} by seat {seat} changed the state in place")
        plain = plain_of(typed)
        listed = SAME.get((game.key, plain["t"]), lambda sent: sent)(plain)
        offered = admits(self.outputs.offers(seat), listed)
        if refusal is None:
            foul = plain["t"] in FOULS.get(game.key, set())
            check(offered or foul, f"seat {seat} was not offered {plain}, but it was accepted")
            return
        self.refusals += 1
        check(not offered, f"seat {seat} was offered {plain}, but {refusal} refused it")
        self.good_refusal(refusal)
        other = game.resample(state, seat, self._chance())
        _, in_other = tried(game, other, Act(seat, typed), self._chance())
        check(refusal == in_other, f"seat {seat} learns from a refusal: {refusal} here, {in_other} there")

    def good_refusal(self, refusal: tuple[str, str]) -> None:
        clause, text = refusal
        known = clauses(self.game.key)
        check(clause in known if known else CLAUSE.match(clause), f"{clause} is no clause ({text})")
        check(text and text[0].isupper() and text[-1] in ".!?", f"not a sentence for a player: {text!r}")

    def over(self) -> None:
        """After the outcome there are no clocks, no offers, no race and no accepted moves."""
        game, state = self.game, self.play.state
        outcome = game.outcome(state)
        check(outcome and set(outcome.winners) <= set(self.play.seats), f"odd winners: {outcome}")
        check(outcome and outcome.why, "the outcome does not say why")
        places = places_of(game, state)
        check(len(places) == self.seats, "not one place a seat")
        check(
            all(place == 1 + sum(other < place for other in places) for place in places),
            f"odd places: {places}",
        )
        first = tuple(seat for seat in self.play.seats if places[seat] == 1)
        check(
            outcome and (not outcome.winners or set(first) == set(outcome.winners)),
            f"places {places} name another winner than {outcome}",
        )
        check(game.timers(state) == (), "clocks run on after the end")
        check(game.race(state) is None, "a race is open after the end")
        for seat in self.play.seats:
            check(game.offers(state, seat) == (), f"seat {seat} has offers after the end")
            for plain in self.sent[-20:]:
                _, refusal = tried(game, state, Act(seat, move(game, plain)), self._chance())
                check(refusal, f"{plain} was accepted after the end")
                assert refusal
                self.good_refusal(refusal)
        self.look_closely()

    def replayed(self) -> None:
        """The log alone gives the same state. Every state on the way is encoded with msgpack and decoded again."""
        state = self.game.setup(self.play.table, Rng(self.key, 0))
        for step, event in enumerate(self.play.inputs, start=1):
            stored = unpack_state(self.game, pack(state))
            logged = (
                Act(event.seat, move(self.game, plain_of(event.move))) if isinstance(event, Act) else event
            )
            state = self.game.apply(stored, logged, Rng(self.key, step))
        check(pack(state) == pack(self.play.state), "replaying the log gave another state")

    def _chance(self) -> Rng:
        return Rng(self.key, (1 << 41) + self.rng.below(1 << 30))

    @contextmanager
    def _where_it_happened(self) -> Iterator[None]:
        try:
            yield
        except (Exception, IllegalMove) as error:
            error.add_note(
                f"{self.game.key}, {self.seats} seats, key {self.key.hex()}, step {self.play.step},"
                f" {self.options}, last inputs {self.play.inputs[-3:]}"
            )
            raise


@cache
def tags_of(kinds: tuple[type[Move], ...]) -> frozenset[str]:
    return frozenset(str(kind.__struct_config__.tag) for kind in kinds)


def sound(game: AnyGame, it: Offer) -> None:
    """An offer a client can read without knowing the game."""
    check(it.move in tags_of(game.moves), f"an offer of an unknown move: {it.move}")
    for choice in it.choices:
        if isinstance(choice, SomeOf):
            check(len(choice.values) == len({repr(v) for v in choice.values}), f"values twice in {choice}")
            check(not choice.weights or len(choice.weights) == len(choice.values), f"odd weights: {choice}")
            check(choice.least <= min(choice.most, len(choice.values)), f"no choice at all: {choice}")


def clocks_alone(play: Playthrough, limit: int) -> int:
    """Play without any answer of a seat: every clock expires. Returns the number of steps to the end."""
    while not play.is_over:
        check(
            play.stand_in() or play.wait(),
            f"no clock is running, and nobody answers, after {play.step} steps",
        )
        check(play.step < limit, f"still not over after {limit} clocks ran out")
    return play.step
