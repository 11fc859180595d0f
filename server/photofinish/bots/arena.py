"""The arena: house and random bots play each other in one process, in virtual time.

Each bot says which move it will make and how long it takes for it. The earliest intent or clock
comes next. So the faster bot wins a race here too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from photofinish.engine import (
    AnyGame,
    BotBrain,
    IllegalMove,
    Intent,
    Millis,
    Offer,
    Options,
    Rng,
    Seat,
    Strength,
    TableSetup,
    move_name,
    settle,
)
from photofinish.engine.convert import BadMove, pack
from photofinish.engine.offers import admits, sample
from photofinish.engine.playthrough import Playthrough

MAX_STEPS = 200_000
"""A game that has not ended after this number of inputs never ends: a bug in our code or in the rules."""

PlayerName = str
"""`house`, `house:easy`, `house:medium`, `house:strong` or `random`."""


class UnknownPlayer(Exception):  # noqa: N818 - a refusal
    """No such bot, or this game has no house bot."""


@dataclass(frozen=True)
class MatchResult:
    """How one match ended. `refused` counts moves outside the offers, `missed` counts expired clocks."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    why: str
    steps: int
    millis: int
    """How long the game would take at a real table."""
    refused: tuple[int, ...]
    missed: tuple[int, ...]


class RandomBot:
    """Sends a random move from its offers, after some time."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def see(self, view: Any) -> None:
        """It ignores the view."""

    def choose(self, view: Any, offers: tuple[Offer, ...]) -> Intent | None:
        del view
        sent = sample(offers, self._rng)
        return Intent(sent, Millis(200 + self._rng.below(1600))) if sent else None


@dataclass
class _Chair:
    """A bot in a seat: its last view, and its planned move with the time of it."""

    player: BotBrain[Any]
    sent: bytes = b""
    intent: Intent | None = None
    at: int = 0
    refused: int = 0
    missed: int = 0


@dataclass
class ArenaGame:
    """One game in virtual time. `now` is in milliseconds."""

    play: Playthrough
    chairs: list[_Chair]
    rng: Rng
    now: int = 0
    _race: tuple[str, int] | None = None
    _closers_from: int = 0
    _closers: frozenset[str] = field(default_factory=frozenset)

    def run(self) -> MatchResult:
        game = self.play.game
        self._show()
        while not self.play.is_over:
            assert self.play.step < MAX_STEPS, f"{game.key} has not ended after {MAX_STEPS} steps"
            self._next()
        outcome = game.outcome(self.play.state)
        assert outcome is not None
        return MatchResult(
            outcome.winners,
            game.scores(self.play.state),
            outcome.why,
            self.play.step,
            self.now,
            tuple(chair.refused for chair in self.chairs),
            tuple(chair.missed for chair in self.chairs),
        )

    def _next(self) -> None:
        """The earliest intent or clock. Ties are decided at random."""
        due = [(self._takes_effect(chair), self.rng.below(1 << 16), n) for n, chair in self._waiting()]
        clock = self.play.next_clock()
        if clock is not None and (not due or self.now + clock[1] < min(due)[0]):
            self._ring(*clock)
        else:
            assert due, f"{self.play.game.key}: no clock is running and no bot wants to move"
            at, _, seat = min(due)
            self._pass_to(at)
            self._act(Seat(seat))

    def _waiting(self) -> list[tuple[int, _Chair]]:
        return [(n, chair) for n, chair in enumerate(self.chairs) if chair.intent is not None]

    def _takes_effect(self, chair: _Chair) -> int:
        """A closing move takes effect no earlier than the race allows."""
        assert chair.intent is not None
        closes = chair.intent.move.get("t") in self._closers
        return max(chair.at, self._closers_from) if closes else chair.at

    def _ring(self, key: str, left: int) -> None:
        for timer in self.play.game.timers(self.play.state):
            if timer.key == key and timer.seat is not None:
                self.chairs[timer.seat].missed += 1
        self.now += left
        self.play.wait()
        self._show()

    def _pass_to(self, at: int) -> None:
        self.play.pass_time(at - self.now)
        self.now = at

    def _act(self, seat: Seat) -> None:
        chair, play = self.chairs[seat], self.play
        assert chair.intent is not None
        sent, chair.intent = chair.intent.move, None
        try:
            play.act(seat, sent)
        except (IllegalMove, BadMove):
            offers = play.game.offers(play.state, seat)
            assert not admits(offers, sent), f"{play.game.key} offered {sent} and then refused it"
            chair.refused += 1
            fallback = sample(offers, self.rng)  # a bot that repeats a refused move plays a random one
            if fallback is not None:
                chair.intent, chair.at = Intent(fallback, Millis(500)), self.now + 500
            return
        self._show(seat)

    def _show(self, mover: Seat | None = None) -> None:
        """Every seat whose view or offers changed gets them and decides again; so does the seat that moved."""
        if self.play.is_over:
            return
        self._mind_the_race()
        game, state = self.play.game, self.play.state
        for seat in self.play.seats:
            chair, view, offers = self.chairs[seat], game.view(state, seat), game.offers(state, seat)
            frame = pack((view, offers))
            if frame == chair.sent and seat != mover:
                continue
            if frame != chair.sent:
                chair.sent = frame
                chair.player.see(view)
            intent = settle(chair.player.choose(view, offers))
            if intent is None or chair.intent is None or intent.move != chair.intent.move:
                chair.at = self.now + (max(0, intent.after) if intent else 0)
            chair.intent = intent  # the same move again keeps its planned time

    def _mind_the_race(self) -> None:
        race = self.play.game.race(self.play.state)
        if race is None:
            self._race, self._closers, self._closers_from = None, frozenset(), 0
        elif self._race != (race.key, race.throws):
            self._race = (race.key, race.throws)
            self._closers = frozenset(move_name(kind) for kind in race.closers)
            self._closers_from = self.now + race.not_before


def seat_player(game: AnyGame, name: PlayerName, seat: Seat, rng: Rng, strength: Strength) -> BotBrain[Any]:
    """A new bot of that kind. `strength` applies to plain `house`."""
    kind, _, level = name.partition(":")
    if kind == "random" and not level:
        return RandomBot(rng)
    if kind != "house" or (level and level not in set(Strength)):
        raise UnknownPlayer(
            f"{name}: no such player; there are {', '.join(['house', *map('house:{}'.format, Strength)])}, random"
        )
    if game.house_bot is None:
        raise UnknownPlayer(f"{game.title} has no house bot")
    return game.house_bot(seat, Strength(level) if level else strength, rng)


def play_match(
    game: AnyGame,
    seats: int,
    players: Sequence[PlayerName],
    seed: bytes,
    *,
    options: Options | None = None,
    strength: Strength = Strength.STRONG,
) -> MatchResult:
    """One game; seat n is played by `players[n]`."""
    assert len(players) == seats
    play = Playthrough(game, TableSetup(seats, options if options is not None else game.options()), seed)
    chairs = [
        _Chair(seat_player(game, name, seat, Rng(seed, (1 << 50) + seat), strength))
        for seat, name in zip(play.seats, players, strict=True)
    ]
    return ArenaGame(play, chairs, Rng(seed, 1 << 51)).run()


@dataclass
class ArenaScore:
    """The results of one entry of the list of players. Several entries may have the same name."""

    name: PlayerName
    wins: list[float] = field(default_factory=list)
    """For each match its share of the win: 1, a fraction of a shared win, or 0."""
    even: list[float] = field(default_factory=list)
    """The share of each match that it would have if all players were equally strong."""
    scores: list[int] = field(default_factory=list)
    refused: int = 0
    missed: int = 0

    @property
    def share(self) -> float:
        return sum(self.wins) / len(self.wins)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval. It is also valid for a player that won all matches or none."""
        count, share, z2 = len(self.wins), self.share, 1.96**2
        middle = (share + z2 / (2 * count)) / (1 + z2 / count)
        half = 1.96 * math.sqrt(share * (1 - share) / count + z2 / (4 * count**2)) / (1 + z2 / count)
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def mean_score(self) -> float:
        return sum(self.scores) / max(1, len(self.scores))


def arena(
    game: AnyGame,
    players: str,
    n: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    strength: Strength = Strength.STRONG,
    options: Options | None = None,
    console: Console | None = None,
) -> list[ArenaScore]:
    """Play n matches between the players (`"house,random"`) and print the table. The seats rotate."""
    names = [name.strip() for name in players.split(",")]
    size = seats if seats is not None else max(len(names), game.seats[0])
    for name in names:
        seat_player(game, name, Seat(0), Rng(b"", 0), strength)
    console = console or Console()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"{game.title}, {size} seats", total=n)
        standings = [ArenaScore(name) for name in names]
        for match in range(n):
            _one_more(game, standings, match, size, seed=seed, strength=strength, options=options)
            progress.advance(task)
    console.print(as_table(game, size, n, standings))
    return standings


def _one_more(
    game: AnyGame,
    standings: Sequence[ArenaScore],
    match: int,
    seats: int,
    *,
    seed: int,
    strength: Strength,
    options: Options | None,
) -> None:
    """Play match number `match` and record it. Each deal is played once with every rotation of the seats."""
    entries = [(seat + match) % len(standings) for seat in range(seats)]
    # Two equal players would play the same deal twice in the same way: they get a new deal each time.
    deal = match // len(standings) if len({it.name for it in standings}) > 1 else match
    key = b"arena" + seed.to_bytes(8, "big") + deal.to_bytes(8, "big")
    seated = [standings[entry].name for entry in entries]
    result = play_match(game, seats, seated, key, options=options, strength=strength)
    for entry, standing in enumerate(standings):
        mine = [seat for seat in range(seats) if entries[seat] == entry]
        won = sum(seat in mine for seat in result.winners)
        standing.wins.append(won / len(result.winners) if result.winners else 0.0)
        standing.even.append(len(mine) / seats)
        standing.scores += [result.scores[seat] for seat in mine]
        standing.refused += sum(result.refused[seat] for seat in mine)
        standing.missed += sum(result.missed[seat] for seat in mine)


def as_table(game: AnyGame, seats: int, n: int, standings: Sequence[ArenaScore]) -> RichTable:
    won = round(sum(sum(it.wins) for it in standings))
    table = RichTable(
        title=f"{game.title}: {n} matches at {seats} seats", caption=f"{won} of {n} matches had a winner"
    )
    table.add_column("player", no_wrap=True)
    for heading in ("wins", "share", "95 %", "even", "mean score", "refused", "missed"):
        table.add_column(heading, justify="right", no_wrap=True)
    for it in standings:
        low, high = it.interval
        table.add_row(
            it.name,
            f"{sum(it.wins):.1f}",
            f"{it.share:.1%}",
            f"{low:.1%}–{high:.1%}",
            f"{sum(it.even) / len(it.even):.1%}",
            f"{it.mean_score:.2f}",
            str(it.refused),
            str(it.missed),
        )
    return table
