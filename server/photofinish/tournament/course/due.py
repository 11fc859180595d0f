"""The steps of an event that no person triggers (§3, T21 to T26). Pure: the director calls it repeatedly
until nothing is due, and stores each batch before it shows anything (T15).
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field

from photofinish.tournament.course import closing
from photofinish.tournament.course.chance import deal_seed, pairing_key, room_seed
from photofinish.tournament.course.plan import has_more, is_cut, plan
from photofinish.tournament.course.start import start
from photofinish.tournament.log import entries as log
from photofinish.tournament.scores.best_of import length_of, needs_winner, next_game, rounds_left, seats_in
from photofinish.tournament.scores.ratings import Rating
from photofinish.tournament.state import arena_state, clocks
from photofinish.tournament.state.model import BOT, Played, Round, RoundTable, State

SECOND = 1_000_000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE
UNTOUCHED, CROWDED = 7 * DAY, 60 * MINUTE
"""How long an event without entrants and without a date is kept if nobody changes it. The second value holds while more
than half of the places for events are taken."""
ROOM_CODE = 8
"""The length of the codes of events' rooms."""
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


@dataclass(frozen=True)
class World:
    """What is not in the log: the secret, and what the director sees now."""

    secret: bytes
    """E (T41)."""
    ready: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """By room code: the entrants who sit there, are ready, and have a ping within the bound."""
    free: frozenset[int] = frozenset()
    """Arena: the entrants who are connected and in no room."""
    away_since: Mapping[int, int] = field(default_factory=dict)
    """Entrants whose seat has been on autopilot without a break, and since when (T24)."""
    organiser_seen: int = 0
    """When an organiser was last connected (T2)."""
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    head: str = ""
    """The newest hash of the log."""
    is_crowded: bool = False
    """More than half of the places for events are taken."""


def room_code(secret: bytes, round_: int, table: int, game: int, attempt: int) -> str:
    """The same code after a crash, so that no room is opened twice (T21). Nobody can guess it in advance."""
    raw = hmac.digest(secret, f"photofinish room {round_} {table} {game} {attempt}".encode(), "sha256")
    number = int.from_bytes(raw[:16], "big")
    letters = []
    for _ in range(ROOM_CODE):
        number, at = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[at])
    return "".join(letters)


def seed_of(state: State, secret: bytes, round_: int, table: int, game: int, attempt: int) -> bytes:
    """T42: one seed for all tables of a deal; otherwise one per room."""
    if state.rules.is_duplicate:
        return deal_seed(secret, bytes.fromhex(state.mixed), round_, game, attempt)
    return room_seed(secret, round_, table, game, attempt)


def due(state: State, now: int, world: World) -> tuple[log.AnyEntry, ...]:
    """The next batch of entries; empty if nothing is due."""
    match state.status:
        case "draft":
            opens = state.rules.registration.opens
            if opens is not None and now >= opens:
                return (log.EventOpened(by="clock", commitment=hashlib.sha256(world.secret).hexdigest()),)
            return _untouched(state, now, world)
        case "open" | "check_in":
            return _before_start(state, now, world) or _untouched(state, now, world)
        case "running":
            return _running(state, now, world)
        case "finished":
            if again := closing.rerated(state, len(state.rounds), {}) if state.rounds else []:
                return tuple(again)
            if now >= state.ended_at + DAY and not closing.open_marks(state):
                return (log.Sealed(by="clock", head=world.head),)
        case _:
            pass
    return ()


def _untouched(state: State, now: int, world: World) -> tuple[log.AnyEntry, ...]:
    """An event without entrants and without a date must not occupy a place for ever."""
    patience = CROWDED if world.is_crowded else UNTOUCHED
    has_date = state.rules.registration.opens is not None or state.rules.clock.starts is not None
    if state.entrants or has_date or now < state.last_at + patience:
        return ()
    return (log.Cancelled(by="clock", reason="nobody has touched this event for too long"),)


def _before_start(state: State, now: int, world: World) -> tuple[log.AnyEntry, ...]:
    clock = state.rules.clock
    if clock.starts is None:
        return ()
    if now >= clock.starts:
        drawn = start(state, world.secret, "clock")
        return (drawn or log.Cancelled(by="clock", reason="too few entrants at the start (T26)"),)
    if (
        state.status == "open"
        and clock.check_in_minutes
        and now >= clock.starts - clock.check_in_minutes * MINUTE
    ):
        return (log.CheckingIn(by="clock"),)
    return ()


def _running(state: State, now: int, world: World) -> tuple[log.AnyEntry, ...]:
    away = now - world.organiser_seen >= state.rules.host_away_minutes * MINUTE
    if away != state.host_away:
        return (log.HostAway(by="clock", away=away),)
    round_ = state.round
    if round_ is None or round_.status == "closed":
        return _next_round(state, now, world)
    if state.rules.format == "arena":
        if now >= (clocks.ends_at(state, round_) or 0):
            over = arena_state.unfinished(round_)
            return over or closing.closed(state, round_, world.secret, world.ratings)
        paired = arena_state.due(state, round_, now, world.secret, world.free, call)
        return paired or _tables(state, round_, now, world)
    if round_.status == "paired":
        by_hand = round_.starts_at is None and not state.host_away
        if by_hand or (round_.starts_at is not None and now < round_.starts_at):
            return ()
        return call_round(state, round_, now, world.secret)
    if round_.status == "playing":
        return _tables(state, round_, now, world)
    return closing.close(state, round_, now, world.secret, world.ratings)


def _next_round(state: State, now: int, world: World) -> tuple[log.AnyEntry, ...]:
    left = len(state.still_in())
    if left < 2:
        return (closing.finished(world.secret, "fewer than two entrants are left (T26)"),)
    if not has_more(state):
        return (closing.finished(world.secret, ""),)
    number = len(state.rounds) + 1
    key = pairing_key(world.secret, bytes.fromhex(state.mixed), number)
    clock = state.rules.clock
    starts = now + clock.break_seconds * SECOND if clock.rounds_start == "auto" else None
    if state.rules.format == "arena":
        return (log.Paired(round=number, key=key.hex(), tables=(), starts_at=now),)
    tables = plan(state, key)
    phase: log.Phase = "cut" if is_cut(state) else "main"
    return (log.Paired(round=number, key=key.hex(), tables=tables, phase=phase, starts_at=starts),)


def call_round(state: State, round_: Round, now: int, secret: bytes) -> tuple[log.AnyEntry, ...]:
    """Call every table. If one player of a pair has left since the pairing, the table is forfeited.

    A referee may have forfeited one already.
    """
    made: list[log.AnyEntry] = []
    for table in round_.tables:
        if not table.is_over:
            made += _gone(state, round_, table) or [call(state, round_, table, 1, now, secret)]
    return tuple(made)


def call(
    state: State, round_: Round, table: RoundTable, game: int, now: int, secret: bytes
) -> log.TableCalled:
    attempt = sum(it.game == game for it in table.games) + 1
    seed = seed_of(state, secret, round_.number, table.table, game, attempt)
    return log.TableCalled(
        round=round_.number,
        table=table.table,
        game=game,
        attempt=attempt,
        room=room_code(secret, round_.number, table.table, game, attempt),
        seats=seats_in(state.rules, table, game),
        no_show_at=now + state.rules.clock.no_show_seconds * SECOND,
        commitment=hashlib.sha256(seed).hexdigest(),
    )


def _tables(state: State, round_: Round, now: int, world: World) -> tuple[log.AnyEntry, ...]:
    """The first table at which something is due."""
    ends = clocks.ends_at(state, round_)
    time_over = ends is not None and now >= ends
    slowest = min((_deal_of(it) for it in round_.tables if not it.is_over), default=0)
    for table in round_.tables:
        if table.is_over:
            continue
        found = _gone(state, round_, table) or _table(state, round_, table, now, world, slowest, time_over)
        if found:
            return found
    return ()


def _deal_of(table: RoundTable) -> int:
    """How many deals of the round this table has finished."""
    return len({it.game for it in table.games if it.counts})


def _gone(state: State, round_: Round, table: RoundTable) -> tuple[log.AnyEntry, ...]:
    """T40: an entrant that withdraws during a pairing forfeits it. A pod continues while two people are left."""
    gone = tuple(it for it in table.people if not state.entrant(it).is_in and it not in table.absent)
    if not gone:
        return ()
    left = [it for it in table.people if it not in gone and it not in table.absent]
    if len(table.people) == 2 or len(left) < 2:
        return (log.Forfeited(round=round_.number, table=table.table, numbers=gone, why="withdrew"),)
    return ()


def _table(
    state: State, round_: Round, table: RoundTable, now: int, world: World, slowest: int, time_over: bool
) -> tuple[log.AnyEntry, ...]:
    game = table.now
    if game is None:
        return _between_games(state, round_, table, now, world, slowest, time_over)
    if game.dealt:
        return _on_autopilot(state, round_, table, now, world)
    wanted = _wanted(table, game)
    missing = wanted - world.ready.get(game.room, frozenset())
    if now >= game.no_show_at and missing:
        return _no_show(state, round_, table, game, missing)
    if missing or (now < game.no_show_at and _waits_for_others(state, round_, game, world)):
        return ()
    return (log.TableDealt(room=game.room, seats=_seats_left(state, game, wanted)),)


def _wanted(table: RoundTable, game: Played) -> set[int]:
    return {it for it in game.seats if it != BOT and it not in table.absent}


def _waits_for_others(state: State, round_: Round, game: Played, world: World) -> bool:
    """T43: all tables of a deal start on one order: nobody can tell another table what was dealt. A table that is not
    complete delays the others until the no-show clock ends. A replay starts alone; so does each later deal without a
    barrier.
    """
    rules = state.rules
    is_alone = game.attempt > 1 or (rules.format == "slapoff" and not rules.slapoff.barrier and game.game > 1)
    if not rules.is_duplicate or is_alone:
        return False
    for table in round_.tables:
        other = table.now
        if table.is_over or (other is not None and other.dealt):
            continue
        if other is None or other.game != game.game:
            return True
        if not _wanted(table, other) <= world.ready.get(other.room, frozenset()):
            return True
    return False


def _seats_left(state: State, game: Played, there: set[int]) -> tuple[int, ...]:
    """The entrants who are dealt in. The seat of an absent entrant goes to a bot or is removed (T23)."""
    if state.rules.fill == "bots":
        return tuple(it if it in there else BOT for it in game.seats)
    return tuple(it for it in game.seats if it in there or it == BOT)


def _no_show(
    state: State, round_: Round, table: RoundTable, game: Played, absent: set[int]
) -> tuple[log.AnyEntry, ...]:
    """T23."""
    numbers = tuple(sorted(absent))
    there = {it for it in game.seats if it != BOT and it not in absent and it not in table.absent}
    made: list[log.AnyEntry] = [log.NoShow(round=round_.number, table=table.table, numbers=numbers)]
    twice = [it for it in numbers if state.entrant(it).no_shows >= 1]
    if len(table.people) == 2 or (len(there) < 2 and not (there and state.rules.fill == "bots")):
        if len(table.people) > 2 and not there:  # I12: nobody came
            made.append(log.Voided(round=round_.number, table=table.table, reason="nobody came (T23)"))
        else:
            why = "no-show"
            made.append(log.Forfeited(round=round_.number, table=table.table, numbers=numbers, why=why))
    else:
        made.append(log.TableDealt(room=game.room, seats=_seats_left(state, game, there)))
    made += [
        log.Withdrew(by="clock", key=state.numbers[it], why="two no-shows in a row (T23)") for it in twice
    ]
    return tuple(made)


def _on_autopilot(
    state: State, round_: Round, table: RoundTable, now: int, world: World
) -> tuple[log.AnyEntry, ...]:
    """T24: only in a game of two people."""
    if len(table.people) != 2 or state.rules.is_coop:
        return ()
    limit = state.rules.clock.no_show_seconds * SECOND
    gone = tuple(it for it in table.people if it in world.away_since and now - world.away_since[it] > limit)
    if not gone:
        return ()
    return (log.Forfeited(round=round_.number, table=table.table, numbers=gone, why="away too long (T24)"),)


def _between_games(
    state: State, round_: Round, table: RoundTable, now: int, world: World, slowest: int, time_over: bool
) -> tuple[log.AnyEntry, ...]:
    rules = state.rules
    wanted = next_game(
        rules,
        table,
        length=length_of(rules, rounds_left(state, round_, table)),
        needs_winner=needs_winner(rules, round_),
        time_over=time_over,
    )
    if not wanted.game:
        return (
            log.PairingDecided(
                round=round_.number, table=table.table, winner=wanted.winner, step=wanted.step
            ),
        )
    if rules.format == "slapoff" and rules.slapoff.barrier and wanted.game > slowest + 1:
        return ()  # T43: the deal waits for the slowest table
    return (call(state, round_, table, wanted.game, now, world.secret),)
