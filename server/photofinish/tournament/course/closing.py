"""The end of a round and of the event (§3, T43, T62, T65)."""

from collections.abc import Mapping

from photofinish.tournament.course.chance import deal_seed
from photofinish.tournament.log import entries as log
from photofinish.tournament.scores.ratings import Rating, round_changes
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.model import DisputeMark, Round, State

SECOND = 1_000_000
LONGEST_WAIT = 600 * SECOND
"""T62: a round waits for disputes for at most 10 minutes after its last table; elimination waits for every ruling."""


def open_marks(state: State, round_: int | None = None) -> list[DisputeMark]:
    return [it for it in state.marks if it.is_open and round_ in {None, it.round}]


def close(
    state: State, round_: Round, now: int, secret: bytes, ratings: Mapping[str, Rating]
) -> tuple[log.AnyEntry, ...]:
    """Every dispute time is over and no dispute is open: seeds, ratings, standings."""
    played = [it.done_at for it in round_.tables if not it.bye]
    if played and now < max(played) + state.rules.clock.dispute_seconds * SECOND:
        return ()
    if open_marks(state, round_.number):
        must_wait = state.rules.is_elimination or round_.phase == "cut"
        if must_wait or now < round_.over_at + LONGEST_WAIT:
            return ()
    return closed(state, round_, secret, ratings)


def closed(
    state: State, round_: Round, secret: bytes, ratings: Mapping[str, Rating]
) -> tuple[log.AnyEntry, ...]:
    made: list[log.AnyEntry] = [*revealed(state, round_, secret), *rerated(state, round_.number, ratings)]
    table = tuple((it.rank, it.number, it.points) for it in standings(state))
    return (*made, log.RoundClosed(round=round_.number, standings=table))


def rerated(state: State, round_: int, ratings: Mapping[str, Rating]) -> list[log.Rated]:
    """T65 for the round that closes. After the end: what corrections have changed since (T66)."""
    return [
        log.Rated(
            key=it.key,
            game=state.rules.game,
            round=round_,
            before=(it.before.mu, it.before.sigma),
            after=(it.after.mu, it.after.sigma),
            games=it.games,
        )
        for it in round_changes(state, round_, ratings)
    ]


def revealed(state: State, round_: Round, secret: bytes) -> list[log.SeedRevealed]:
    """T43: the seeds of the round's deals, once the last table is done."""
    if not state.rules.is_duplicate:
        return []
    deals = sorted({(game.game, game.attempt) for table in round_.tables for game in table.games})
    n = bytes.fromhex(state.mixed)
    return [
        log.SeedRevealed(
            round=round_.number,
            deal=deal,
            attempt=attempt,
            seed=deal_seed(secret, n, round_.number, deal, attempt).hex(),
        )
        for deal, attempt in deals
    ]


def finished(secret: bytes, why: str) -> log.Finished:
    return log.Finished(secret=secret.hex(), why=why)
