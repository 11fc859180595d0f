"""The start of an event: who takes part, in which order, with which randomness (T26, T27, T41, T44)."""

from photofinish.tournament.course.chance import RandomWords, mixed, pairing_key
from photofinish.tournament.course.plan import planned_rounds
from photofinish.tournament.event_file.model import EventRules
from photofinish.tournament.log import entries as log
from photofinish.tournament.state.model import Entrant, State


def who_starts(state: State) -> list[Entrant]:
    """Those checked in; all entrants if the file asks for no check-in. Of a fixed pair both or neither start (T38)."""
    needs = state.rules.clock.check_in_minutes > 0
    field = [it for it in state.entrants.values() if it.checked_in or not needs]
    if state.rules.teams == 2:
        teams = [it.team for it in field]
        field = [it for it in field if it.team and teams.count(it.team) == 2]
    return field


def start(state: State, secret: bytes, by: str) -> log.Drawn | None:
    """The entry that starts the event; None if there are too few (T26)."""
    field = who_starts(state)
    if len(field) < max(2, state.rules.min_entrants):
        return None
    nonces = {it.key: bytes.fromhex(it.nonce) for it in field}
    withheld = tuple(sorted(it.key for it in field if it.nonce_hash and not it.nonce))
    n = mixed(nonces)
    key = pairing_key(secret, n, 0)
    order = seeded(state.rules, state, field, key)
    rounds, lowered = planned_rounds(state, len(order))
    return log.Drawn(
        by=by,
        numbers={it.key: number for number, it in enumerate(order, start=1)},
        mixed=n.hex(),
        withheld=withheld,
        key=key.hex(),
        rounds=rounds,
        lowered_from=lowered,
    )


def seeded(rules: EventRules, state: State, field: list[Entrant], key: bytes) -> list[Entrant]:
    """T27: by rating downwards, by the list, or by lot; equal ones by lot. Lots are drawn in order of key."""
    words = RandomWords(key)
    lot = {it.key: words.next() for it in sorted(field, key=lambda it: it.key)}
    listed = {it.key or it.name: it.seed for it in state.admitted if it.seed}

    def place(it: Entrant) -> tuple[int, int]:
        if rules.seeding == "rating":
            return -it.rating, lot[it.key]
        if rules.seeding == "list":
            return listed.get(it.key, listed.get(it.name, 1 << 30)), lot[it.key]
        return 0, lot[it.key]

    return sorted(field, key=place)
