"""The tables of the next round, by format (T28 to T33). A pure function of the state and K(r)."""

from collections import Counter
from collections.abc import Sequence

from photofinish.tournament.log.entries import Seating
from photofinish.tournament.pairing.brackets import bracket_size, seed_order, single
from photofinish.tournament.pairing.even_seats import evened
from photofinish.tournament.pairing.pods import PodPlayer, pair_pods, seated
from photofinish.tournament.pairing.roundrobin import berger, berger_rounds, exact_pods, exact_rounds
from photofinish.tournament.pairing.swiss import HALF, Contender, pair_swiss
from photofinish.tournament.scores.scoring import RoundLine, lines_of
from photofinish.tournament.scores.slapoff import deals_played, pod_x
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state import brackets_state
from photofinish.tournament.state.model import BOT, Entrant, State

EVEN_SEATS = 2
"""Since this version of the log people change pods for even seats (T55)."""


def planned_rounds(state: State, n: int) -> tuple[int, int]:
    """The number of main rounds, and the number before it was lowered (T11); 0 if it was not lowered."""
    rules = state.rules
    wanted = rules.rounds or max(1, (n - 1).bit_length())
    if rules.format == "arena":
        return 1, 0
    if rules.is_elimination:
        return 0, 0
    if rules.format == "roundrobin" and rules.seats == 2 and rules.teams == 1:
        return berger_rounds(n), 0
    if rules.seats == 2 and rules.teams == 1 and wanted > n - 1:
        return max(1, n - 1), wanted
    return wanted, 0


def has_more(state: State) -> bool:
    """Must another round be paired after the last one has closed?"""
    rules, played = state.rules, len(state.rounds)
    if rules.is_elimination:
        return bool(brackets_state.open_matches(state))
    if played < state.planned:
        return True
    if not rules.cut:
        return False
    if rules.is_pods:
        return not brackets_state.cut_rounds(state)
    if not brackets_state.cut_rounds(state):
        return len(state.still_in()) >= 2
    return bool(brackets_state.cut_open(state))


def is_cut(state: State) -> bool:
    return not state.rules.is_elimination and len(state.rounds) >= state.planned


def plan(state: State, key: bytes) -> tuple[Seating, ...]:
    """The tables of the next round. `key` is its K(r)."""
    rules = state.rules
    if rules.is_elimination:
        return _bracket(state)
    if is_cut(state):
        return _cut(state)
    field = [it for it in state.still_in() if it.joined_round <= len(state.rounds) + 1]
    if rules.teams == 2:
        return _teams(field)
    if rules.format == "roundrobin":
        return _robin(state, field, key)
    if rules.is_pods:
        return _pods(state, field, key, is_robin=False)
    return _swiss(state, field, key)


def contenders(state: State, field: Sequence[Entrant]) -> list[Contender]:
    """What T50 needs to know about each entrant."""
    lines = lines_of(state)
    made = []
    for it in field:
        row = lines[it.number]
        met = Counter(other for line in row if line.how == "played" for other, _ in line.mates)
        made.append(
            Contender(
                it.number,
                sum(line.points for line in row),
                met,
                sum(line.how in {"bye", "forfeit_win"} for line in row),
                row[-1].float if row else 0,
                sum(_first_or_second(line) for line in row),
            )
        )
    return made


def _first_or_second(line: RoundLine) -> int:
    return 0 if line.seat < 0 else 1 if line.seat == 0 else -1


def _swiss(state: State, field: Sequence[Entrant], key: bytes) -> tuple[Seating, ...]:
    who = contenders(state, field)
    points = {it.number: it.points for it in who}
    made = []
    for table, duel in enumerate(pair_swiss(who, key), start=1):
        if not duel.second:
            fill = state.rules.fill == "bots"
            seats, floats = ((duel.first, BOT), (-1, 0)) if fill else ((duel.first,), (-1,))
            made.append(Seating(table, seats, not fill, duel.digits, floats))
            continue
        a, b = points[duel.first], points[duel.second]
        floats = (0, 0) if a == b else (-1, 1) if a > b else (1, -1)
        made.append(Seating(table, (duel.first, duel.second), digits=duel.digits, floats=floats))
    return tuple(made)


def _pods(state: State, field: Sequence[Entrant], key: bytes, *, is_robin: bool) -> tuple[Seating, ...]:
    lines, rules = lines_of(state), state.rules
    deals = deals_played(rules, state.rounds)
    players = []
    for it in field:
        row = lines[it.number]
        points = sum(line.points for line in row)
        x = pod_x(points, deals) if rules.format == "slapoff" else points // HALF
        met = Counter(other for line in row if line.how == "played" for other, _ in line.mates)
        players.append(PodPlayer(it.number, 0 if is_robin else x, met))
    pods = pair_pods(players, rules.seats, key)
    if state.version >= EVEN_SEATS:
        pods = evened(pods, players, _sat(state, lines))
    return _seated(state, lines, pods)


def _sat(state: State, lines: dict[int, list[RoundLine]]) -> dict[int, list[int]]:
    """How often each entrant sat in each seat."""
    return {
        number: [sum(line.seat == seat for line in row) for seat in range(state.rules.seats)]
        for number, row in lines.items()
    }


def _seated(
    state: State, lines: dict[int, list[RoundLine]], pods: Sequence[Sequence[int]]
) -> tuple[Seating, ...]:
    """T55, and bots in the seats that are left (T39). A pod of one has a bye."""
    sat = _sat(state, lines)
    made = []
    for table, pod in enumerate(pods, start=1):
        seats = seated(pod, sat)
        if state.rules.fill == "bots":
            seats = (*seats, *(BOT,) * (state.rules.seats - len(seats)))
        made.append(Seating(table, seats, bye=len(seats) == 1))
    return tuple(made)


def _robin(state: State, field: Sequence[Entrant], key: bytes) -> tuple[Seating, ...]:
    n, round_ = len(state.numbers), len(state.rounds) + 1
    here = {it.number for it in field}
    if state.rules.seats > 2:
        if round_ <= exact_rounds(n, state.rules.seats):
            left = [tuple(it for it in pod if it in here) for pod in exact_pods(n, state.rules.seats, round_)]
            return _seated(state, lines_of(state), [pod for pod in left if pod])
        return _pods(state, field, key, is_robin=True)
    rows: list[tuple[int, ...]] = []
    for pair in berger(n, round_):
        left_pair = tuple(number for number in pair if number in here)
        if left_pair:
            rows.append(left_pair)
    rows.sort(key=lambda it: len(it) == 1)  # byes last
    fill = state.rules.fill == "bots" and not state.rules.is_coop
    return tuple(
        Seating(table, (*row, BOT) if fill and len(row) == 1 else row, bye=len(row) == 1 and not fill)
        for table, row in enumerate(rows, start=1)
    )


def _teams(field: Sequence[Entrant]) -> tuple[Seating, ...]:
    """T38: fixed pairs; each round is one deal for all. If one partner has left, the other has a bye."""
    teams: dict[str, list[int]] = {}
    for it in field:
        teams.setdefault(it.team, []).append(it.number)
    rows = sorted(teams.values(), key=lambda row: (len(row) == 1, row))
    return tuple(Seating(table, tuple(row), bye=len(row) == 1) for table, row in enumerate(rows, start=1))


def _bracket(state: State) -> tuple[Seating, ...]:
    """T31: the better seed sits second in game 1. Byes of the first stage have rows of their own."""
    made: list[tuple[tuple[int, ...], bool, int]] = [
        ((it.b, it.a), False, it.index) for it in brackets_state.stage_matches(state)
    ]
    if not state.rounds:
        made += [((number,), True, match) for match, number in brackets_state.byes_of_stage(state, 1)]
    return tuple(
        Seating(table, seats, bye=bye, match=match) for table, (seats, bye, match) in enumerate(made, start=1)
    )


def _cut(state: State) -> tuple[Seating, ...]:
    if state.rules.is_pods:
        best = [it.number for it in standings(state) if state.entrant(it.number).is_in][: state.rules.cut]
        return _seated(state, lines_of(state), [best])
    if brackets_state.cut_rounds(state):
        found = [((worse, better), match) for match, better, worse in brackets_state.cut_open(state)]
        return tuple(
            Seating(table, seats, match=match) for table, (seats, match) in enumerate(found, start=1)
        )
    best = [it.number for it in standings(state) if state.entrant(it.number).is_in][: state.rules.cut]
    size = bracket_size(len(best))
    order, matches = seed_order(size), single(len(best), third_place=True)
    made = []
    for index in range(size // 2):
        assert matches[index].stage == 1
        a, b = sorted(order[2 * index : 2 * index + 2])
        seats = (best[a - 1],) if b > len(best) else (best[b - 1], best[a - 1])
        made.append(Seating(index + 1, seats, bye=len(seats) == 1, match=index))
    return tuple(made)
