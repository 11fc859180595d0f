"""One game on the table: its state, clocks, race and log. Moves and the time go in, verdicts come out."""

from operator import itemgetter
from typing import Any

from photofinish.engine import (
    Act,
    AnyGame,
    Expired,
    IllegalMove,
    Input,
    Micros,
    Move,
    Outcome,
    Race,
    Seat,
    Timer,
    move_name,
    replace,
)
from photofinish.engine.convert import plain
from photofinish.engine.inputs import no_race
from photofinish.engine.offers import admits
from photofinish.engine.places import places as places_of
from photofinish.engine.rng import NotedRng
from photofinish.race.arbiter import Arbiter, Claim, Release
from photofinish.race.kinds import kind_of
from photofinish.race.score import Kind
from photofinish.replay import log
from photofinish.room.play.clocks import Clocks
from photofinish.room.play.moves import (
    Answered,
    ClosedRace,
    MatchStart,
    RaceMove,
    RaceNotes,
    Sent,
    TableRules,
)
from photofinish.room.sending.viewers import is_news, viewers
from photofinish_protocol.reasons import REASONS, Reason
from photofinish_protocol.version import MAX_RACE_MOVES


class Match:
    """The game being played. `verdicts`, `entries` and `races` collect until the room takes them."""

    def __init__(self, game: AnyGame, start: MatchStart, rules: TableRules, now: Micros) -> None:
        self.game, self.key = game, start.key
        self.state, self.step, self.head = start.state, start.step, start.head
        self.seats, self.seats_have_changed = start.seats, True
        """`seats_have_changed`: in what the room stores of them, which is `missed` and `is_autopilot`."""
        self.began = start.began
        self._rules = rules
        self.arbiter = Arbiter(rules.params, log.coin_key(start.seed), start.standings)
        self.clocks = Clocks(start.clocks)
        self.timers: tuple[Timer, ...] = ()
        """The clocks that the state asks for, and how the game has ended: asked of the rules once per step."""
        self.outcome: Outcome | None = game.outcome(start.state)
        self.race: Race[Any] | None = None
        self.nonce = ""
        self.verdicts: list[Answered] = []
        self.entries: list[bytes] = []
        self.races: list[ClosedRace] = []
        self.reoffered: set[Seat] = set()
        """Seats whose held move was refused since the room last showed the table: they are offered it again."""
        self.steps_unseen: list[Any] = []
        """The state after each step since the room last showed the table: one look must not lose a step's `last`."""
        self._notes = RaceNotes()
        self.changes = 0
        """Increases whenever a view may have changed."""
        self.is_waiting = False
        """After an adoption, a race waits to reopen. Moves are refused and clocks stand still until then."""
        self._chain = log.Chain.of(start.seed)
        self._held: dict[int, Sent] = {}
        self._ticking: dict[int, str] = {}
        self.tickets = start.tickets
        """The number of the newest claim. Numbers continue after an adoption."""
        self._closers_from = now

    def begin(self, now: Micros) -> None:
        """Start the clocks and open the race, if there is one, for a state just dealt or loaded."""
        self._settle(now)

    def wait(self, now: Micros) -> None:
        """Adopted during a race: stop everything until `begin` reopens the race for all seats at once."""
        self.is_waiting = self._notes.is_reopened = True
        self._wind(now)
        self.clocks.stop(now)

    def write(self, entry: log.Entry) -> None:
        stored, self.head = self._chain.write(self.head, entry)
        self.entries.append(stored)

    # What comes in.

    def play(self, sent: Sent, now: Micros) -> bool:
        """A seat's move. True if it went into a race, which may hold it or release it at once."""
        if self.is_waiting:
            self._refuse(sent, Reason.RACE_REOPENED)
            return False
        if self.race is None or sent.seat not in self.race.seats:
            # A nonce when no race is open: too late. In a game without races it is ignored.
            if sent.play.race and self.race is None and self.game.race is not no_race:
                self._refuse(sent, Reason.NO_RACE)
            else:
                self._judge(sent, now, None)
            self._pump(now)
            return False
        kind = kind_of(self.race, sent.move)
        if kind == "contested" and sent.play.race != self.nonce:
            self._refuse(sent, Reason.WRONG_NONCE)
            return False
        if self.arbiter.taken(sent.seat) >= MAX_RACE_MOVES and not self._may_still_close(sent, kind):
            self._refuse(sent, Reason.TOO_MANY_MOVES)
            return False
        self.tickets += 1
        void = self.arbiter.take(
            Claim(
                ticket=self.tickets,
                seat=sent.seat,
                kind=kind,
                arrived=sent.fact.arrived,
                reached=now,
                react_us=sent.play.react_us,
                nonce=self.nonce,
                node=self.seats[sent.seat].node,
                loop_lag=sent.fact.loop_lag,
                retransmits=sent.fact.retransmits,
            )
        )
        if void is not None:
            self._notes.moves.append(RaceMove(void.evidence, move_name(sent.move), "void"))
            self._refuse(sent, Reason.FALSE_START)
            return False
        self._held[self.tickets] = sent
        self._pump(now)
        return True

    def _may_still_close(self, sent: Sent, kind: Kind) -> bool:
        """A seat at its limit of moves may still close the race: otherwise a table without clocks would never go on."""
        if kind != "closer" or self.held_moves(sent.seat):
            return False
        return admits(self.game.offers(self.state, sent.seat), plain(sent.move))

    def held_moves(self, seat: Seat) -> list[Move]:
        """The moves of this seat that wait in the race for their verdict."""
        if not self._held:
            return []
        return [sent.move for sent in self._held.values() if sent.seat == seat]

    def holds(self, seat: Seat, request_id: int) -> bool:
        return bool(self._held) and any(
            sent.seat == seat and sent.play.id == request_id for sent in self._held.values()
        )

    def shown(self, seat: Seat, race: str, at: Micros | None, now: Micros) -> None:
        """The view with this race was written to the seat's socket at `at`; None: its buffer was full."""
        if self.race is not None and self.race.key == race and seat in self.race.seats:
            if at is None:
                self.arbiter.lost(seat, now)
            else:
                self.arbiter.shown(seat, at)

    def connected(self, seat: Seat, now: Micros, node: str = "") -> None:
        it = self.seats[seat]
        it.is_here, it.node, it.clock, it.gone_since = True, node, None, None
        if it.is_autopilot:  # one more missed clock puts it on autopilot again
            self.set_autopilot(seat, False, now)
            it.missed = 1  # after `set_autopilot`, which has noted the change
        if self.race is not None and seat in self.race.seats:
            self.arbiter.back(seat, now)

    def ticked(self, seat: Seat, at: Micros, now: Micros) -> None:
        """The node that holds this seat's socket reports its clock."""
        self.seats[seat].clock = at
        self._pump(now)

    def awaited_clocks(self) -> dict[Seat, Micros]:
        """The clocks of other nodes that a held move waits for."""
        if not self._is_far:
            return {}
        return {seat: at for seat, at in self.arbiter.awaited_clocks().items() if self.seats[seat].node}

    @property
    def _is_far(self) -> bool:
        """Whether another node holds the socket of a seat."""
        for seat in self.seats.values():  # noqa: SIM110 - a generator costs more than the loop
            if seat.node:
                return True
        return False

    def disconnected(self, seat: Seat, now: Micros) -> None:
        self.seats[seat].is_here, self.seats[seat].gone_since = False, now
        if self.race is not None and seat in self.race.seats:
            self.arbiter.lost(seat, now)
        self._pump(now)

    def set_autopilot(self, seat: Seat, on: bool, now: Micros) -> None:
        self.seats[seat].is_autopilot, self.seats_have_changed = on, True
        if not on:
            self.seats[seat].missed = 0
        self._wind(now)

    def wake(self, now: Micros) -> None:
        """Time has passed: release claims, expire clocks, put absent players on autopilot."""
        if self.is_waiting or self.outcome is not None:
            return
        for seat, at in self._absences():
            if at <= now:
                self.set_autopilot(seat, True, now)
        self._pump(now)

    def wakes_at(self) -> Micros | None:
        if self.is_waiting or self.outcome is not None:
            return None
        if self.race is None:  # nothing holds a clock
            earliest = self.clocks.next_due
        else:
            at = [at for at, _, _ in self._due_clocks()]
            held = self.arbiter.wakes_at()
            earliest = min(at) if at else held
            if held is not None and earliest is not None and held < earliest:
                earliest = held
        for seat in self.seats.values():
            if seat.gone_since is not None and not seat.is_autopilot:
                gone = Micros(seat.gone_since + self._rules.absent)
                earliest = gone if earliest is None or gone < earliest else earliest
        return earliest

    # What happens with it.

    def _pump(self, now: Micros) -> None:
        """Do all that is due, in order: releases of the race, then clocks."""
        while self.outcome is None:
            if self.race is not None and self.arbiter.is_holding:
                release = self.arbiter.next(now, self._node_clocks(now))
                if release is not None:
                    self._released(release, now)
                    continue
            first = self.clocks.next_due
            if first is None or first > now:
                return  # a clock takes effect when it is due, or later
            at, due, timer = next(iter(self._due_clocks()), (None, now, None))
            if at is None or timer is None or at > now:
                return
            self._ran_out(due, timer, now)

    def _node_clocks(self, now: Micros) -> dict[Seat, Micros]:
        """The clock of each seat's node. Ours is `now`."""
        assert self.race is not None
        if not self._is_far:
            return dict.fromkeys(self.race.seats, now)
        known = {seat: self.seats[seat] for seat in self.race.seats}
        clocks = {seat: it.clock if it.node else now for seat, it in known.items()}
        return {seat: at for seat, at in clocks.items() if at is not None}

    def _released(self, release: Release, now: Micros) -> None:
        ticket = release.claim.ticket
        if ticket in self._ticking:
            key = self._ticking.pop(ticket)
            if self.clocks.is_running(key):  # otherwise a move before it has stopped it, and it expires later
                self._expire(key, now, release)
        else:
            self._judge(self._held.pop(ticket), now, release)

    def _judge(self, sent: Sent, now: Micros, release: Release | None) -> None:
        if self.outcome is not None:
            self._refuse(sent, Reason.GAME_OVER)
            return
        seat, before = self.seats[sent.seat], self.state
        try:
            self._advance(Act(sent.seat, sent.move), now, release)
        except IllegalMove as no:
            if release is not None:
                self._notes.moves.append(RaceMove(release.evidence, move_name(sent.move), "refused"))
                self._notes.refused.append(
                    log.Refusal(release.claim.ticket, self.step, plain(sent.move), no.clause)
                )
                self.reoffered.add(sent.seat)
            self.verdicts.append(Answered(sent.seat, sent.play.id, Reason.ILLEGAL_MOVE, no.clause, no.text))
        else:
            self.verdicts.append(Answered(sent.seat, sent.play.id))
            if (seat.missed or seat.is_autopilot) and self._was_noticed(before, sent.seat):
                seat.missed, self.seats_have_changed = 0, True
                if seat.is_autopilot and seat.is_here:
                    self.set_autopilot(sent.seat, False, now)

    def _was_noticed(self, before: Any, seat: Seat) -> bool:
        """Has this seat's move changed what anybody else may know?

        A move that nobody may notice (A32) leaves `missed` and autopilot as they are: both are seen by all,
        `missed` when it makes the next autopilot.
        """
        others = [it for it in viewers(len(self.seats)) if it != seat]
        return any(is_news(self.game, before, self.state, it) for it in others)

    def _refuse(self, sent: Sent, reason: Reason) -> None:
        clause = self.game.clauses.over if reason is Reason.GAME_OVER else self.game.clauses.race
        self.verdicts.append(Answered(sent.seat, sent.play.id, reason, clause, REASONS[reason].sentence))

    def _ran_out(self, due: Micros, timer: Timer, now: Micros) -> None:
        if self.race is None or (timer.seat is None and not timer.ends_race):
            self._expire(timer.key, now, None)
        else:  # a clock that bears on a race takes its place in the order (RACES §3)
            self.tickets += 1
            self._ticking[self.tickets] = timer.key
            self.arbiter.take(
                Claim(
                    ticket=self.tickets,
                    seat=None,
                    kind="clock",
                    arrived=due,
                    reached=due,  # however long a move of its seat held it, HARD counts from its due time
                    due=due,
                    nonce=self.nonce,
                )
            )

    def _expire(self, key: str, now: Micros, release: Release | None) -> None:
        timer = next(timer for timer in self.timers if timer.key == key)
        seat = timer.seat
        self.clocks.ring(key)
        self._advance(Expired(key), now, release)
        if seat is not None and not timer.is_answer:
            late = self.seats[seat]
            late.missed, self.seats_have_changed = late.missed + 1, True
            if late.missed >= 2 and not late.is_autopilot:
                self.set_autopilot(seat, True, now)

    def _advance(self, event: Input[Any], now: Micros, release: Release | None) -> None:
        rng = NotedRng(self.key, self.step + 1)
        self.state = self.game.apply(self.state, event, rng)
        self.step += 1
        self.steps_unseen.append(self.state)
        at, chance = max(0, now - self.began), tuple(rng.draws)
        if isinstance(event, Act):
            evidence = None
            if release is not None:
                evidence = release.evidence
                # Public: the public view tells that this seat acted.
                public = any(it.seat == event.seat for it in self.game.view(self.state, None).last)
                self._notes.moves.append(RaceMove(evidence, move_name(event.move), "done", public))
            move: Any = event.move  # it has the same JSON as `plain` of it
            self.write(log.Step(self.step, at, event.seat, move, None, chance, evidence))
        else:
            evidence = None if release is None else release.evidence
            self.write(log.Step(self.step, at, None, None, event.timer, chance, evidence))
        self._settle(now)

    def _settle(self, now: Micros) -> None:
        """After a step: close and open races as the state says, set the clocks, log the end of the game."""
        if self.is_waiting:
            self.is_waiting = False
            self.clocks.go(now)
        outcome = self.outcome = self.game.outcome(self.state)
        wish = self.game.race(self.state) if outcome is None else None
        late: tuple[Claim, ...] = ()
        if self.race is not None:
            if wish is None or wish.key != self.race.key:
                late = self._close(now)
            elif wish.throws != self.race.throws:
                self.arbiter.thrown(now)
                self._closers_from = Micros(now + int(wish.not_before) * 1000)
        if wish is not None and self.race is None:
            self._open(wish, now)
        self.race = wish
        self._wind(now)
        if outcome is not None:
            scores, places = tuple(self.game.scores(self.state)), places_of(self.game, self.state)
            self.write(log.Ended(tuple(outcome.winners), outcome.why, scores, places))
        if late:
            self._after_close(late, now)

    def _open(self, race: Race[Any], now: Micros) -> None:
        self.nonce = self._rules.new_nonce()
        self._closers_from = Micros(now + int(race.not_before) * 1000)
        self.arbiter.open(
            race.key,
            race.seats,
            now=now,
            not_before=Micros(int(race.not_before) * 1000),
            opener=race.opener,
            present=[seat for seat in race.seats if self.seats[seat].is_here],
            nonce=self.nonce,
        )

    def _close(self, now: Micros) -> tuple[Claim, ...]:
        closed = self.arbiter.close(now)
        at, notes = max(0, now - self.began), self._notes
        self._notes = RaceNotes()
        self.write(log.Raced(at, closed.record, tuple(notes.refused), notes.is_reopened))
        held = [RaceMove(it, self._held_name(it.ticket), "held") for it in closed.record.held]
        heats = closed.heats
        runs = tuple(replace(it, heat=heats.get(it.evidence.ticket)) for it in (*notes.moves, *held))
        self.races.append(ClosedRace(closed.record, runs))
        self.race, self.nonce = None, ""
        return closed.held

    def _held_name(self, ticket: int) -> str:
        sent = self._held.get(ticket)
        return move_name(sent.move) if sent is not None else ""

    def _after_close(self, late: tuple[Claim, ...], now: Micros) -> None:
        """Moves still held when the race closed: its own moves are too late, the others are ordinary moves."""
        for claim in late:
            key = self._ticking.pop(claim.ticket, None)
            if key is not None:
                continue  # if the state still waits for that clock it is due again
            sent = self._held.pop(claim.ticket)
            if claim.kind == "contested":
                self._refuse(sent, Reason.NO_RACE)
            elif self.race is not None:
                self.play(sent, now)
            else:
                self._judge(sent, now, None)

    # Clocks.

    def _wind(self, now: Micros) -> None:
        self.changes += 1
        self.timers = self.game.timers(self.state) if self.outcome is None else ()
        self.clocks.set(self.timers, now, self._is_hasty)

    def _is_hasty(self, timer: Timer) -> bool:
        """Does autopilot answer this clock at once? Not where silence is an answer in a race (A32): it would tell."""
        seat = timer.seat
        is_alone = seat is not None and self.seats[seat].is_autopilot
        return is_alone and not (timer.is_answer and timer.ends_race)

    def _due_clocks(self) -> list[tuple[Micros, Micros, Timer]]:
        """The running clocks, earliest first: when each takes effect, when it is due, and its timer.

        A move of the clock's own seat that came in by the due time is judged first. It holds the clock until it is
        released, and never for longer than HARD: all such moves came in before, so the delay does not add up.
        """
        if self.outcome is not None or self.is_waiting:
            return []
        if self.race is None:  # nothing is held and nothing is contested
            return [(due, due, timer) for due, timer in self.clocks.running()]
        ticking, arbiter = self._ticking.values(), self.arbiter
        found = []
        for due, timer in self.clocks.running():
            if timer.key in ticking:
                continue
            at = due
            if timer.seat is not None:
                # A seat's clock answers for it, and may close the race: no earlier than a closer could.
                at = due = max(due, self._closers_from)  # noqa: PLW2901 - the moment it may take effect
                if arbiter.is_holding and arbiter.holds(timer.seat, due):
                    at = Micros(due + arbiter.params.hard)
            found.append((at, due, timer))
        if len(found) > 1:
            found.sort(key=itemgetter(0, 1))
        return found

    def _absences(self) -> list[tuple[Seat, Micros]]:
        """The seats whose players are gone, and when autopilot takes over for each."""
        return [
            (seat, Micros(it.gone_since + self._rules.absent))
            for seat, it in self.seats.items()
            if it.gone_since is not None and not it.is_autopilot
        ]
