"""From a record to the game on the table, and back: the deal, the load, the save."""

from collections.abc import Callable
from typing import Any

from photofinish.engine import AnyGame, IllegalMove, Micros, Rng, Seat, TableSetup, convert
from photofinish.engine.places import places
from photofinish.engine.rng import NotedRng, game_key
from photofinish.race.params import Params
from photofinish.replay import log
from photofinish.room.play.lag_ledger import lag_lines
from photofinish.room.play.match import Match
from photofinish.room.play.moves import MatchStart, SeatState, TableRules
from photofinish.room.play.reveal import collect
from photofinish.room.record import RoomRecord, RunningGame
from photofinish.room.seats import lobby
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.room.seats.presence import Presence
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason


class Dealer:
    """Creates, loads and saves the games of one table."""

    def __init__(
        self, record: RoomRecord, game: AnyGame, presence: Presence, params: Params, nonce: Callable[[], str]
    ) -> None:
        self._record, self._game, self._presence = record, game, presence
        self._params, self._nonce = params, nonce

    def call(self) -> None:
        """Fix the table for a new game. Raises `RequestRefusal` and leaves the room as it was if it cannot be dealt."""
        record, game = self._record, self._game
        before = list(record.chairs)
        lobby.close_up(record, game)
        try:
            game.setup(self._table(), Rng(bytes(32), 0))
        except IllegalMove as no:
            record.chairs = before
            raise RequestRefusal(Reason.BAD_OPTIONS, no.text, no.clause) from no
        record.phase, record.number = "dealing", record.number + 1

    def deal(self, now: Micros) -> Match:
        """The game that was called, with the nonces that are there."""
        record, game = self._record, self._game
        nonces, commits, withheld = collect(record)
        key = game_key(record.seed, nonces)
        table, rng = self._table(), NotedRng(key, 0)
        state = game.setup(table, rng)
        record.phase, record.rules = "playing", game.version
        running = RunningGame(
            state=b"",
            step=0,
            key=key,
            head=bytes(log.HASH),
            nonces=nonces,
            commits=commits,
            withheld=withheld,
        )
        record.running = running
        match = self._match(running, state, now)
        for seat, chair in enumerate(record.chairs):
            match.arbiter.path(Seat(seat), self._presence.path_of(chair.key))
        match.write(
            log.Dealt(
                game=game.key,
                rules=game.version,
                room=record.code,
                number=record.number,
                seats=len(record.chairs),
                names=tuple(chair.name for chair in record.chairs),
                options=record.options,
                nonces=tuple(nonce.hex() for nonce in nonces),
                previous=table.previous,
                chance=tuple(rng.draws),
                commits=tuple(commits),
                v=log.VERSION,
                withheld=tuple(withheld),
            )
        )
        return match

    def load(self, running: RunningGame, now: Micros) -> Match:
        """The stored game. It does nothing until `begin` or `wait` is called."""
        return self._match(running, convert.unpack_state(self._game, running.state), now)

    def save(self, match: Match, now: Micros) -> None:
        """Write the game into the record."""
        for seat, standing in match.arbiter.standings.items():
            self._record.chairs[seat].standing = standing
        running = self._record.running
        assert running is not None
        running.state = convert.pack(match.state)
        running.step, running.head, running.tickets = match.step, match.head, match.tickets
        running.elapsed = max(0, now - match.began)
        running.left = match.clocks.left(now)

    def over(self, match: Match) -> messages.Over | None:
        """The result, with the seed that opens the commitment; None during the game."""
        outcome, running = match.outcome, self._record.running
        if outcome is None or running is None:
            return None
        return messages.Over(
            winners=tuple(outcome.winners),
            why=outcome.why,
            scores=tuple(self._game.scores(match.state)),
            places=places(self._game, match.state),
            seed=""
            if self._record.is_duplicate
            else self._record.seed.hex(),  # T43: other tables still play it
            nonces=tuple(nonce.hex() for nonce in running.nonces),
            commits=tuple(running.commits),
            withheld=tuple(running.withheld),
            ledger=lag_lines(self._record, self._presence, match),
        )

    def _match(self, running: RunningGame, state: Any, now: Micros) -> Match:
        chairs = self._record.chairs
        here = self._presence.here()
        start = MatchStart(
            state=state,
            step=running.step,
            seed=self._record.seed,
            key=running.key,
            head=running.head,
            began=Micros(now - running.elapsed),
            seats={
                Seat(n): SeatState(
                    is_here=chair.kind == "bot" or chair.key in here,
                    is_autopilot=chair.is_autopilot,
                    missed=chair.missed,
                    gone_since=None if chair.kind == "bot" or chair.key in here else now,
                    node=self._presence.node_of(chair.key),
                )
                for n, chair in enumerate(chairs)
            },
            standings={Seat(n): it.standing for n, it in enumerate(chairs) if it.standing is not None},
            clocks=running.left,
            tickets=running.tickets,
        )
        rules = TableRules(self._params, Micros(self._record.absent_seconds * 1_000_000), self._nonce)
        return Match(self._game, start, rules, now)

    def _table(self) -> TableSetup[Any]:
        chairs = self._record.chairs
        previous = tuple(Seat(n) for n, chair in enumerate(chairs) if chair.key in self._record.previous)
        options = convert.options(self._game, self._record.options)
        return TableSetup(len(chairs), options, previous, self._game.version)
