"""§1: who may do what, and refusals. Rights are checked against the key at the moment of the message (T2)."""

from photofinish.tournament.state.model import Entrant, RoundTable, State

MOST_ORGANISERS = 8


class EventRefusal(Exception):  # noqa: N818 - a refusal, with the code of §10
    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code, self.text = code, text


def refuse_unless(fact: bool, code: str, text: str) -> None:
    if not fact:
        raise EventRefusal(code, text)


def is_organiser(state: State, key: str) -> bool:
    return key in state.organisers


def is_official(state: State, key: str) -> bool:
    return key in state.organisers or key in state.referees


def need_organiser(state: State, key: str) -> None:
    refuse_unless(is_organiser(state, key), "not_organiser", "Only an organiser of this event may do this.")


def need_official(state: State, key: str) -> None:
    refuse_unless(is_official(state, key), "not_referee", "Only a referee or organiser may do this.")


def need_other_table(state: State, key: str, table: RoundTable) -> None:
    """T3: nobody rules at their own table."""
    own = state.entrants.get(key)
    refuse_unless(own is None or own.number not in table.seats, "own_table", "You play at this table.")


def entrant_of(state: State, key: str) -> Entrant:
    refuse_unless(key in state.entrants, "not_entered", "You have not entered this event.")
    return state.entrants[key]


def table_of(state: State, round_: int, table: int) -> RoundTable:
    held = state.rounds[round_ - 1].table(table) if 1 <= round_ <= len(state.rounds) else None
    if held is None:
        raise EventRefusal("bad_message", f"There is no table {table} in round {round_}.")
    return held


def need_reason(reason: str) -> None:
    refuse_unless(1 <= len(reason.strip()) <= 280, "bad_message", "A reason has 1 to 280 characters.")
