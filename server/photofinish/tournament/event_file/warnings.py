"""T12: warnings about an event file that is accepted."""

from photofinish.engine import AnyGame
from photofinish.engine.inputs import no_race
from photofinish.tournament.event_file.model import EventRules


def warnings(rules: EventRules, game: AnyGame, n: int, *, behind_proxy: bool = False) -> tuple[str, ...]:
    """`n` is how many have entered, or how many are expected."""
    found = []
    rounds = rules.rounds or 0
    has_races = game.race is not no_race
    if rules.format == "swiss" and rules.seats == 2 and not game.is_coop and 2 * rounds > n:
        found.append(f"{rounds} rounds of Swiss for {n} entrants: use roundrobin")
    if rules.is_pods and rounds * (rules.seats - 1) > n - 1:  # T57, by counting
        found.append(f"{rounds} rounds in pods of {rules.seats} for {n} entrants: some meet again")
    if has_races and not rules.room.max_ping_ms:
        found.append("max_ping_ms is 0: a slow line is not kept out of the races")
    if has_races and behind_proxy:
        found.append("the server is behind a proxy: races are measured by our own pings alone (RACES.md)")
    return tuple(found)
