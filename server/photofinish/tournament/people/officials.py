"""What organisers may ask for (§1, §10, T13, T14)."""

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from photofinish.tournament.course import due as clockwork
from photofinish.tournament.course.start import start
from photofinish.tournament.event_file.canon import rules_hash
from photofinish.tournament.event_file.model import EventRules, Listed
from photofinish.tournament.log import entries as log
from photofinish.tournament.people.names import name_key
from photofinish.tournament.people.roles import (
    MOST_ORGANISERS,
    is_official,
    need_official,
    need_organiser,
    need_other_table,
    need_reason,
    refuse_unless,
)
from photofinish.tournament.state.model import State

FREE_WHILE_OPEN = frozenset({"title", "clock", "registration", "max_entrants"})
FREE_WHILE_RUNNING = frozenset({"clock", "late_join_until", "rounds"})
AT_A_TIME = 64


def created(event: str, rules: EventRules, file: bytes, by: str) -> tuple[log.AnyEntry, ...]:
    return (
        log.Created(
            by=by,
            event=event,
            rules=msgspec.to_builtins(rules),
            rules_hash=rules_hash(rules),
            file_hash=file_hash(file),
        ),
    )


def file_hash(file: bytes) -> str:
    return hashlib.sha256(file).hexdigest()


def edit(state: State, key: str, rules: EventRules, file: bytes) -> tuple[log.AnyEntry, ...]:
    """T13, T14: what may still change, and what sends the event back to the draft."""
    need_organiser(state, key)
    over = state.status in {"finished", "sealed", "cancelled"}
    refuse_unless(not over, "wrong_state", "The event is over.")
    changed = {
        it.name
        for it in msgspec.structs.fields(EventRules)
        if getattr(rules, it.name) != getattr(state.rules, it.name)
    }
    if not changed:
        return ()
    back = False
    if state.is_running:
        _pinned(state, rules, changed)
    elif state.status != "draft":
        inside = len(state.entrants)
        refuse_unless(
            rules.max_entrants >= inside, "pinned", f"{inside} have entered: max_entrants is not below."
        )
        back = bool(changed - FREE_WHILE_OPEN) or _mode_changed(state.rules, rules)
    return (
        log.Edited(
            by=key,
            rules=msgspec.to_builtins(rules),
            rules_hash=rules_hash(rules),
            file_hash=file_hash(file),
            back_to_draft=back,
        ),
    )


def _mode_changed(old: EventRules, new: EventRules) -> bool:
    return (old.registration.mode, old.registration.code_hash) != (
        new.registration.mode,
        new.registration.code_hash,
    )


def _pinned(state: State, rules: EventRules, changed: set[str]) -> None:
    """T14."""
    stuck = sorted(changed - FREE_WHILE_RUNNING)
    refuse_unless(not stuck, "pinned", f"The event is running: {', '.join(stuck)} cannot change any more.")
    up = rules.late_join_until >= state.rules.late_join_until
    refuse_unless(up, "pinned", "late_join_until can only go up.")
    if "rounds" in changed:
        fewer = rules.rounds is not None and len(state.rounds) <= rules.rounds <= state.planned
        is_swiss = rules.format in {"swiss", "slapoff"}
        refuse_unless(fewer and is_swiss, "pinned", "rounds can only go down, not below the current one.")
    refuse_unless(rules.clock.starts == state.rules.clock.starts, "pinned", "The event has started.")


def open_event(state: State, key: str, secret: bytes) -> tuple[log.AnyEntry, ...]:
    need_organiser(state, key)
    refuse_unless(state.status == "draft", "wrong_state", f"The event is {state.status}.")
    return (log.EventOpened(by=key, commitment=hashlib.sha256(secret).hexdigest()),)


def start_event(state: State, key: str, secret: bytes) -> tuple[log.AnyEntry, ...]:
    need_organiser(state, key)
    refuse_unless(state.status in {"open", "check_in"}, "wrong_state", f"The event is {state.status}.")
    drawn = start(state, secret, key)
    least = max(2, state.rules.min_entrants)
    there = sum(it.checked_in for it in state.entrants.values())
    refuse_unless(
        drawn is not None,
        "too_few",
        f"{least} entrants must be checked in; {there} of {len(state.entrants)} are.",
    )
    assert drawn is not None
    return (drawn,)


def start_round(state: State, key: str, now: int, secret: bytes) -> tuple[log.AnyEntry, ...]:
    need_organiser(state, key)
    round_ = state.round
    waits = state.status == "running" and round_ is not None and round_.status == "paired"
    refuse_unless(waits, "wrong_state", "No round waits to be started.")
    assert round_ is not None
    called = clockwork.call_round(state, round_, now, secret)
    return tuple(msgspec.structs.replace(it, by=key) for it in called)


def pause(state: State, key: str, reason: str) -> tuple[log.AnyEntry, ...]:
    need_official(state, key)
    need_reason(reason)
    refuse_unless(state.status == "running", "wrong_state", f"The event is {state.status}.")
    return (log.Paused(by=key, reason=reason),)


def resume(state: State, key: str) -> tuple[log.AnyEntry, ...]:
    need_official(state, key)
    refuse_unless(state.status == "paused", "wrong_state", f"The event is {state.status}.")
    return (log.EventResumed(by=key),)


def cancel(state: State, key: str, reason: str) -> tuple[log.AnyEntry, ...]:
    need_organiser(state, key)
    need_reason(reason)
    over = state.status in {"finished", "sealed", "cancelled"}
    refuse_unless(not over, "wrong_state", f"The event is {state.status}.")
    return (log.Cancelled(by=key, reason=reason),)


def seal(
    state: State, key: str, now: int, head: str, signature: str, is_signed: Callable[[str, str, str], bool]
) -> tuple[log.AnyEntry, ...]:
    """§3: after the dispute time, with the organiser's signature over the head."""
    need_organiser(state, key)
    refuse_unless(state.status == "finished", "wrong_state", f"The event is {state.status}.")
    waited = now >= state.ended_at + state.rules.clock.dispute_seconds * clockwork.SECOND
    settled = not any(it.is_open for it in state.marks)
    refuse_unless(waited and settled, "wrong_state", "The dispute time is not over, or a dispute is open.")
    refuse_unless(
        is_signed(key, head, signature), "bad_signature", "Not your signature over the head of the log."
    )
    return (log.Sealed(by=key, head=head, signature=signature),)


def admit(state: State, key: str, names: Sequence[Listed]) -> tuple[log.AnyEntry, ...]:
    need_organiser(state, key)
    refuse_unless(1 <= len(names) <= AT_A_TIME, "bad_message", f"1 to {AT_A_TIME} names at a time.")
    had_names = [name_key(it.name) for it in state.admitted]
    had_keys = [it.key for it in state.admitted if it.key]
    for it in names:
        refuse_unless(name_key(it.name) not in had_names, "name_taken", f"{it.name} is on the list.")
        refuse_unless(
            not it.key or it.key not in had_keys, "key_taken", f"The key of {it.name} is on the list."
        )
        had_names.append(name_key(it.name))
        had_keys += [it.key] if it.key else []
    return (log.Admitted(by=key, names=tuple(msgspec.to_builtins(it) for it in names)),)


def remove(state: State, key: str, entrant: str, reason: str) -> tuple[log.AnyEntry, ...]:
    need_organiser(state, key)
    need_reason(reason)
    refuse_unless(entrant in state.entrants, "not_entered", "No entrant has that key.")
    refuse_unless(state.entrants[entrant].is_in, "not_entered", "That entrant has left.")
    return (log.Removed(by=key, key=entrant, reason=reason),)


def rebind(state: State, key: str, old: str, new: str, reason: str) -> tuple[log.AnyEntry, ...]:
    """T8: at most once per entrant and round."""
    need_organiser(state, key)
    need_reason(reason)
    refuse_unless(old in state.entrants, "not_entered", "No entrant has that key.")
    refuse_unless(new not in state.entrants, "key_taken", "Another entrant has that key.")
    plays = state.rules.officials_play or not is_official(state, new)
    refuse_unless(plays, "not_allowed", "Officials do not play in this event (T3).")
    at = state.round.number if state.round else 0
    refuse_unless(state.entrants[old].rebound_in < at, "wrong_state", "Once per entrant and round (T8).")
    return (log.Rebound(by=key, old=old, new=new, reason=reason),)


def appoint(
    state: State, key: str, role: log.Role, keys: Sequence[str], *, away: bool = False
) -> tuple[log.AnyEntry, ...]:
    need_organiser(state, key)
    refuse_unless(bool(keys), "bad_message", "Name at least one key.")
    if role == "organiser":
        after = set(state.organisers) - set(keys) if away else set(state.organisers) | set(keys)
        refuse_unless(1 <= len(after) <= MOST_ORGANISERS, "bad_message", "An event has 1 to 8 organisers.")
    plays = any(it in state.entrants for it in keys)
    refuse_unless(
        away or not plays or state.rules.officials_play, "not_allowed", "Officials do not play (T3)."
    )
    return (log.Appointed(by=key, role=role, keys=tuple(keys), away=away),)


def extend(state: State, key: str, table: int, seconds: int) -> tuple[log.AnyEntry, ...]:
    need_official(state, key)
    refuse_unless(1 <= seconds <= 900, "bad_message", "1 to 900 seconds.")
    round_ = state.round
    held = round_.table(table) if round_ else None
    waits = held is not None and held.status == "called"
    refuse_unless(state.is_running and waits, "wrong_state", "No players of that table are waited for.")
    assert held is not None
    need_other_table(state, key, held)
    return (log.MovedClock(by=key, table=table, micros=seconds * clockwork.SECOND, why="extended"),)


def open_hands(state: State, key: str, referee: str, table: int, reason: str) -> tuple[log.AnyEntry, ...]:
    """T4."""
    need_organiser(state, key)
    need_reason(reason)
    refuse_unless(state.rules.hands == "logged", "not_allowed", "Hands are never opened in this event.")
    refuse_unless(referee in state.referees, "not_referee", "That key is no referee's.")
    round_ = state.round
    held = round_.table(table) if round_ else None
    refuse_unless(held is not None, "bad_message", "There is no such table.")
    refuse_unless(not state.rules.is_duplicate or state.status == "finished", "sealed", "The deal is sealed.")
    assert round_ is not None
    assert held is not None
    need_other_table(state, referee, held)
    return (log.HandsOpened(by=key, referee=referee, round=round_.number, table=table, reason=reason),)
