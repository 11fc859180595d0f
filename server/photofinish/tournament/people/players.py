"""What players may ask for: enter, check in, withdraw, rest (§10). Each returns entries or raises `EventRefusal`."""

from photofinish.tournament.course.chance import nonce_hash
from photofinish.tournament.event_file.model import Listed
from photofinish.tournament.log import entries as log
from photofinish.tournament.people.names import name_key
from photofinish.tournament.people.roles import EventRefusal, entrant_of, is_official, refuse_unless
from photofinish.tournament.state.model import State

ENTRIES_PER_KEY = 5
ENTRIES_PER_PLACE, SPARE_ENTRIES = 4, 200
"""The most entries of an event: this many per place, plus a fixed number. The log keeps withdrawn entries too."""
RESTS = 500
"""How often one entrant may begin or end a rest."""


def enter(
    state: State,
    key: str,
    name: str,
    now: int,
    *,
    code_hash: str = "",
    nonce: str = "",
    team: str = "",
    rating: int = 0,
    kind: log.Kind = "person",
) -> tuple[log.AnyEntry, ...]:
    """`nonce` is the hash of a nonce that `check_in` will reveal (T41), `code_hash` that of the entry code (T7)."""
    refuse_unless(key not in state.entrants, "already_entered", "You have entered this event.")
    late = _late_round(state, now)
    _not_too_often(state, key)
    _name_is_free(state, key, name)
    listed = _listed(state, key, name, code_hash)
    if listed is not None and listed.key not in {"", key}:
        raise EventRefusal("name_bound", f"The name {name} is bound to another key.")
    if is_official(state, key):
        refuse_unless(
            state.rules.officials_play,
            "not_allowed",
            "Officials do not play in this event (T3). Enter with another key, or set officials_play = true.",
        )
    inside = [it for it in state.entrants.values() if it.is_in]
    refuse_unless(len(inside) < state.rules.max_entrants, "event_full", "The event is full.")
    if state.rules.teams == 2:
        refuse_unless(
            bool(team.strip()), "bad_message", "This event is for fixed pairs: name your team (T38)."
        )
        mates = sum(name_key(it.team) == name_key(team) for it in inside)
        refuse_unless(mates < 2, "name_taken", "That team has its two players.")
    entered = log.Entered(
        by=key, key=key, name=name, kind=kind, team=team, nonce_hash="" if late else nonce, rating=rating
    )
    if not late:
        return (entered,)
    number = len(state.numbers) + 1
    return (entered, log.LateJoined(by=key, key=key, number=number, round=late))


def _late_round(state: State, now: int) -> int:
    """0 before the start; then the round from which a late joiner plays. Raises if registration is closed."""
    registration = state.rules.registration
    if state.status in {"open", "check_in"}:
        closed = registration.closes is not None and now >= registration.closes
        refuse_unless(not closed, "registration_closed", "Registration is closed.")
        return 0
    refuse_unless(state.is_running, "registration_closed", "Registration is not open.")
    coming = len(state.rounds) + 1
    is_late = coming > state.rules.late_join_until or state.rules.is_elimination
    refuse_unless(not is_late, "registration_closed", "It is too late to join (T40).")
    if state.rules.format == "roundrobin" and state.rules.seats == 2 and state.rules.teams == 1:
        # The Berger table of an odd field has one free place. For any other field it would be another table (T33).
        free = len(state.numbers) % 2 == 1
        refuse_unless(free, "registration_closed", "Everybody has an opponent in every round (T33).")
    return coming


def _not_too_often(state: State, key: str) -> None:
    """The log only grows. Entering and withdrawing, with one key or with many, must not fill it."""
    few = state.times_entered.get(key, 0) < ENTRIES_PER_KEY
    refuse_unless(
        few,
        "registration_closed",
        f"You have entered this event {ENTRIES_PER_KEY} times. That was the last time.",
    )
    most = ENTRIES_PER_PLACE * state.rules.max_entrants + SPARE_ENTRIES
    refuse_unless(
        sum(state.times_entered.values()) < most,
        "registration_closed",
        f"{most} entries have been made. The organiser can raise max_entrants.",
    )


def _name_is_free(state: State, key: str, name: str) -> None:
    own = name_key(name)
    taken = any(name_key(it.name) == own for it in state.entrants.values() if it.key != key)
    refuse_unless(not taken, "name_taken", f"Somebody has entered as {name}.")


def _listed(state: State, key: str, name: str, code_hash: str) -> Listed | None:
    """T7: the row of the list for this name or key, if registration asks for one."""
    registration, own = state.rules.registration, name_key(name)
    row = next((it for it in state.admitted if name_key(it.name) == own), None)
    if row is not None and row.key not in {"", key}:
        raise EventRefusal("name_bound", f"The name {name} is bound to another key.")
    has_code = bool(registration.code_hash) and code_hash == registration.code_hash
    if registration.mode == "code":
        refuse_unless(has_code, "bad_code", "That is not the entry code.")
    if registration.mode == "list":
        refuse_unless(row is not None, "not_listed", f"{name} is not on the list.")
    if row is not None and not row.key and registration.code_hash:
        refuse_unless(has_code, "bad_code", "That name is taken with the entry code.")
    return row


def check_in(state: State, key: str, nonce: bytes | None = None) -> tuple[log.AnyEntry, ...]:
    """Confirms, and reveals the nonce that `enter` committed to. A second time changes nothing."""
    it = entrant_of(state, key)
    refuse_unless(state.status in {"open", "check_in"}, "wrong_state", "There is no check-in now.")
    made: list[log.AnyEntry] = []
    if nonce is not None and not it.nonce:
        fits = len(nonce) <= 32 and it.nonce_hash == nonce_hash(nonce)
        refuse_unless(fits, "bad_nonce", "That is not the nonce you committed to.")
        made.append(log.NonceRevealed(by=key, key=key, nonce=nonce.hex()))
    if not it.checked_in:
        made.append(log.CheckedIn(by=key, key=key))
    return tuple(made)


def withdraw(state: State, key: str) -> tuple[log.AnyEntry, ...]:
    """T40: results stay; a pairing that is running is forfeited (see `due.py`)."""
    it = entrant_of(state, key)
    going = state.status in {"draft", "open", "check_in"} or state.is_running
    refuse_unless(going, "wrong_state", "The event is over.")
    refuse_unless(it.is_in, "not_entered", "You have withdrawn.")
    return (log.Withdrew(by=key, key=key),)


def rest(state: State, key: str, *, on: bool) -> tuple[log.AnyEntry, ...]:
    """T34: allowed at any time in an arena."""
    it = entrant_of(state, key)
    is_arena = state.rules.format == "arena" and state.status not in {"finished", "sealed", "cancelled"}
    refuse_unless(is_arena, "wrong_state", "Only an arena has rest.")
    if it.resting == on:
        return ()
    refuse_unless(it.rests < RESTS, "not_allowed", f"You have begun or ended a rest {RESTS} times.")
    return (log.Rested(by=key, key=key, on=on),)
