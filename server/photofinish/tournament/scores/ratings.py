"""§9: openskill ratings, one per key and game, in whole millionths. They decide nothing but the first seeding."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import msgspec
from openskill.models import BradleyTerryPart

from photofinish.tournament.scores.points import competition
from photofinish.tournament.state.model import BOT, Played, RoundTable, State

MILLION = 1_000_000
CORRECTED_SINCE = 3
"""The version of the log since which corrections of closed rounds are rated (T66)."""


class Rating(msgspec.Struct, frozen=True):
    """mu and sigma in millionths."""

    mu: int = 25 * MILLION
    sigma: int = 25 * MILLION // 3
    games: int = 0

    @property
    def ordinal(self) -> int:
        """T66: seeding uses mu − 3·sigma."""
        return self.mu - 3 * self.sigma

    @property
    def shown(self) -> tuple[int, int]:
        """T66: `1500 + 60·(mu − 25)` and `120·sigma`, rounded to tens."""
        points = 1500 * MILLION + 60 * (self.mu - 25 * MILLION)
        return _tens(points), _tens(120 * self.sigma)

    @property
    def is_provisional(self) -> bool:
        return self.games < 10 or self.sigma > 5 * MILLION

    @property
    def text(self) -> str:
        points, spread = self.shown
        return f"{points} ± {spread}{'?' if self.is_provisional else ''}"


def _tens(millionths: int) -> int:
    return (millionths + 5 * MILLION) // (10 * MILLION) * 10


@cache
def _model() -> BradleyTerryPart:
    """T64. Window 16 compares all seats of a table and does not depend on their order."""
    return BradleyTerryPart(mu=25, sigma=25 / 3, beta=25 / 6, kappa=1e-4, tau=25 / 300, window_size=16)


def rated(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """The ratings after one game."""
    model = _model()
    teams = [[model.create_rating([it.mu / MILLION, it.sigma / MILLION])] for it in before]
    made = model.rate(teams, ranks=[float(place) for place in places])
    return tuple(
        Rating(round(team[0].mu * MILLION), round(team[0].sigma * MILLION), old.games + 1)
        for team, old in zip(made, before, strict=True)
    )


class Change(msgspec.Struct, frozen=True):
    key: str
    before: Rating
    after: Rating

    @property
    def games(self) -> int:
        return self.after.games - self.before.games


def rated_games(state: State, round_: int) -> Iterator[tuple[RoundTable, Played]]:
    """T65: in order table, game. No byes, forfeits, voided attempts, co-op, rehearsals."""
    rules = state.rules
    if not rules.is_rated or rules.is_coop:
        return
    for table in state.rounds[round_ - 1].tables:
        if table.bye or table.status not in {"done", "disputed"}:
            continue
        for game in sorted((it for it in table.games if it.counts), key=lambda it: it.game):
            yield table, game


def round_changes(state: State, round_: int, ratings: Mapping[str, Rating]) -> tuple[Change, ...]:
    """What the ratings become when this round closes: one change per person who played a rated game in it, and per
    person whose earlier rounds were corrected (T66). In order of entrant number.

    All rounds are rated again from the ratings with which people came into the event. `ratings` has those of people
    whom this event has not rated before. If the round is closed already, the changes are those of corrections.
    """
    first = {key: Rating(*it) for key, (it, _) in state.rated.items()}
    last = {key: Rating(*it) for key, (_, it) in state.rated.items()}
    since = 1
    if state.version < CORRECTED_SINCE:
        first, since = last, round_
    is_closed = state.rounds[round_ - 1].status == "closed"
    now: dict[str, Rating] = {}
    numbers: dict[str, int] = {}
    played: Counter[str] = Counter()
    for each in range(since, round_ + 1):
        for people in _people(state, each):
            keys = [key for _, key, _ in people]
            made = rated(
                [now.get(key) or first.get(key) or ratings.get(key) or Rating() for key in keys],
                competition([place for _, _, place in people]),
            )
            now |= dict(zip(keys, made, strict=True))
            numbers |= {key: number for number, key, _ in people}
            played.update(keys if each == round_ and not is_closed else ())
    found = []
    for key in sorted(now, key=lambda it: numbers[it]):
        before = last.get(key) or ratings.get(key) or Rating()
        if played[key] or (before.mu, before.sigma) != (now[key].mu, now[key].sigma):
            after = msgspec.structs.replace(now[key], games=before.games + played[key])
            found.append(Change(key, before, after))
    return tuple(found)


def _people(state: State, round_: int) -> Iterator[list[tuple[int, str, int]]]:
    """Per rated game the people at it: number, key, place. Two at least (T65)."""
    keys = state.rounds[round_ - 1].keys or state.numbers
    for _, game in rated_games(state, round_):
        assert game.outcome is not None
        people = [
            (number, keys[number], game.outcome.places[seat])
            for seat, number in enumerate(game.seats)
            if number != BOT and state.entrant(number).kind == "person"
        ]
        if len(people) >= 2:
            yield people


def added(kept: Rating, before: Rating, after: Rating, games: int) -> Rating:
    """The stored rating plus an event's change. If another event has changed the stored rating in the meantime, it
    differs from this event's `before`; then both changes count.
    """
    if (kept.mu, kept.sigma) == (before.mu, before.sigma):
        return Rating(after.mu, after.sigma, kept.games + games)
    mu = kept.mu + after.mu - before.mu
    return Rating(mu, kept.sigma * after.sigma // before.sigma, kept.games + games)
