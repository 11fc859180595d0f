"""§9: openskill ratings, one per key and game, in whole millionths. They decide nothing but the first seeding."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import msgspec
from openskill.models import BradleyTerryPart

from photofinish.tournament.model import BOT, Played, State, Table
from photofinish.tournament.points import competition

MILLION = 1_000_000


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


def rated_games(state: State, round_: int) -> Iterator[tuple[Table, Played]]:
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
    """One change per person who played a rated game in the round, in order of entrant number."""
    now = dict(ratings)
    touched: set[str] = set()
    for _, game in rated_games(state, round_):
        assert game.outcome is not None
        people = [
            (state.numbers[number], game.outcome.places[seat])
            for seat, number in enumerate(game.seats)
            if number != BOT and state.entrant(number).kind == "person"
        ]
        if len(people) < 2:
            continue
        keys = [key for key, _ in people]
        made = rated([now.get(key, Rating()) for key in keys], competition([place for _, place in people]))
        now |= dict(zip(keys, made, strict=True))
        touched |= set(keys)
    order = sorted(touched, key=lambda key: state.entrants[key].number)
    return tuple(Change(key, ratings.get(key, Rating()), now[key]) for key in order)
