"""Tables of clients that play game after game while the server is disturbed, and check every game."""

import asyncio
import contextlib
import logging
import time
import urllib.error
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from photofinish.games import all_games
from photofinish.replay.replay import Replay
from photofinish.replay.verify import verify
from photofinish_client.connection.session import MissedView
from tests.chaos.findings import Findings
from tests.system.ledger import QUICK_CAMBIO, Party, fetch_replay, logged_moves

PATIENCE = 60.0
"""Seconds after which a wait counts as failed."""
LOOK_AGAIN = 0.01


@dataclass(frozen=True)
class Kind:
    """One of the games that the tables play."""

    game: str
    seats: int
    options: dict[str, Any]


BRISK = Kind("cauldron15", 3, {"turn_seconds": 0})
"""About 70 moves per game, each sent as soon as the one before is acknowledged."""
RACY = Kind("cambio", 4, QUICK_CAMBIO | {"turn_seconds": 600, "target_points": 50})
"""Races all the time."""


class Chains(logging.Handler):
    """Logging handler that keeps the SDK's report of every view that did not follow the one before it."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.broken: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.args and isinstance(record.args, tuple) and isinstance(record.args[0], MissedView):
            self.broken.append(str(record.args[0]))


@dataclass
class PlayingTables:
    """One party after the other at each table, until `finish`. What they found is in `findings`."""

    urls: list[str]
    kinds: Sequence[Kind]
    findings: Findings
    chance: int = 1
    may_lose: bool = False
    """Redis itself may lose moves in this scenario. They are counted; any other fault is a finding."""
    pages: str = ""
    """The address from which replays are fetched. Default: the first address."""
    parties: dict[int, Party] = field(default_factory=dict)
    _lanes: list[asyncio.Task[None]] = field(default_factory=list)
    _is_closing: bool = False
    _done: int = 0
    _chains: Chains = field(default_factory=Chains)

    @property
    def acknowledged(self) -> int:
        """Moves acknowledged so far, of finished games and of those being played."""
        return self._done + sum(party.acknowledged for party in self.parties.values())

    @property
    def is_racing(self) -> bool:
        return any(it.is_racing for party in self.parties.values() for it in party.ledgers)

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator["PlayingTables"]:
        """All tables play. On exit every game is played to its end and checked."""
        logger = logging.getLogger("photofinish.client")
        before = logger.level
        logger.setLevel(logging.INFO)
        logger.addHandler(self._chains)
        self._lanes = [asyncio.create_task(self._lane(n, kind)) for n, kind in enumerate(self.kinds)]
        try:
            await self.more(1)
            yield self
            self._is_closing = True
            await asyncio.wait_for(asyncio.gather(*self._lanes), 3 * PATIENCE)
        finally:
            for lane in self._lanes:
                lane.cancel()
            await asyncio.gather(*self._lanes, return_exceptions=True)
            logger.removeHandler(self._chains)
            logger.setLevel(before)
            self.findings.count("views that broke the chain", len(self._chains.broken))
            self.findings.wrongs += self._chains.broken

    async def more(self, moves: int, within: float = PATIENCE) -> float:
        """Wait until this many more moves are acknowledged. Returns the seconds it took."""
        began, before = time.monotonic(), self.acknowledged
        while self.acknowledged < before + moves:
            self._check()
            if time.monotonic() - began > within:
                self.findings.wrongs.append(f"no {moves} moves were acknowledged within {within:.0f} s")
                raise TimeoutError(self.findings.wrongs[-1])
            await asyncio.sleep(LOOK_AGAIN)
        return time.monotonic() - began

    def seated(self) -> dict[int, Party]:
        """The parties that are in the middle of their game just now."""
        return {n: party for n, party in self.parties.items() if party.has_begun and not party.is_over}

    async def back(self, parties: dict[int, Party], since: float, within: float = PATIENCE) -> list[float]:
        """Wait until every seat of these parties was given back after `since`.

        Returns the seconds that each seat waited.
        """
        waits = []
        for party in parties.values():
            for ledger in party.ledgers:
                while not ledger.backs or ledger.backs[-1] < since:
                    self._check()
                    if ledger.over is not None:
                        break
                    if time.monotonic() - since > within:
                        wrong = f"seat {ledger.seat} of {party.room} was not back within {within:.0f} s"
                        self.findings.wrongs.append(wrong)
                        raise TimeoutError(wrong)
                    await asyncio.sleep(LOOK_AGAIN)
                waits += [at - since for at in ledger.backs if at >= since][:1]
        return waits

    async def each_moves(self, parties: dict[int, Party], within: float = PATIENCE) -> float:
        """Wait until each of these tables had a move acknowledged or its game is over. Returns the seconds it took."""
        began, before = time.monotonic(), {n: party.acknowledged for n, party in parties.items()}
        for n, party in parties.items():
            while party.acknowledged == before[n] and not party.is_over and self.parties.get(n) is party:
                self._check()
                if time.monotonic() - began > within:
                    stands = "; ".join(map(str, party.ledgers))
                    wrong = f"nothing was acknowledged in {party.room} within {within:.0f} s: {stands}"
                    self.findings.wrongs.append(wrong)
                    raise TimeoutError(wrong)
                await asyncio.sleep(LOOK_AGAIN)
        return time.monotonic() - began

    def absences(self, parties: dict[int, Party], since: float) -> list[float]:
        """For each seat lost after `since`: the seconds until it was given back."""
        backs = [[at for at in it.backs if at > since] for party in parties.values() for it in party.ledgers]
        return [first[0] - since for first in backs if first]

    def _check(self) -> None:
        for lane in self._lanes:
            if lane.done():
                lane.result()

    async def _lane(self, number: int, kind: Kind) -> None:
        game = 0
        while not self._is_closing:
            game += 1
            chance = self.chance * 10_000 + number * 1_000 + game
            urls = self.urls[number % len(self.urls) :] + self.urls[: number % len(self.urls)]
            party = self.parties[number] = Party(urls, kind.game, kind.seats, kind.options, chance)
            try:
                await party.play()
            except Exception as fault:
                if party.has_begun and self.may_lose:
                    self.findings.count("tables given up in the middle")
                elif party.has_begun:
                    self.findings.wrongs.append(f"{party.room}: {_described(fault)}")
                    raise
                else:
                    self.findings.count("tables given up before the deal")
            else:
                await self._check_game(party)
            del self.parties[number]
            self._done += party.acknowledged

    async def _check_game(self, party: Party) -> None:
        try:
            replay = await self._replay(party.room)
        except OSError:
            if not self.may_lose:
                raise
            self.findings.count("finished games whose end was lost")
            return
        report = verify(replay, all_games())
        self.findings.wrongs += [f"{party.room}: {fault}" for fault in report.faults]
        self.findings.count("games played and checked")
        self.findings.count("races in them", report.races)
        self.findings.count("moves acknowledged", party.acknowledged)
        self.findings.count("sockets lost", sum(it.cuts for it in party.ledgers))
        for ledger in party.ledgers:
            said, kept = ledger.acknowledged, logged_moves(replay, ledger.seat)
            lost, extra = _names(said) - _names(kept), _names(kept) - _names(said)
            self.findings.count("acknowledged moves lost", lost.total())
            self.findings.count("moves made twice", extra.total())
            self.findings.count("seats whose moves changed order", said != kept and not lost and not extra)
            if said != kept and not (self.may_lose and lost and not extra):
                self.findings.wrongs.append(f"{party.room} seat {ledger.seat}: lost {lost}, extra {extra}")

    async def _replay(self, room: str) -> Replay:
        """Fetch a replay; retried, because the server may be down at the moment."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return await asyncio.to_thread(fetch_replay, self.pages or self.urls[0], room)
            except (urllib.error.URLError, OSError, msgspec.DecodeError) as fault:
                if time.monotonic() > until:
                    if not self.may_lose:
                        self.findings.wrongs.append(f"{room} has no replay: {fault}")
                    raise
            await asyncio.sleep(10 * LOOK_AGAIN)


def _names(moves: list[dict[str, Any]]) -> Counter[str]:
    return Counter(repr(sorted(move.items())) for move in moves)


def _described(fault: BaseException) -> str:
    if isinstance(fault, BaseExceptionGroup):
        return "; ".join(_described(it) for it in fault.exceptions)
    return repr(fault)
