"""T18: the state is a fold over the log. An entry that §3 does not allow in this state is `Illegal`."""

from collections.abc import Iterable
from typing import Any

import msgspec

from photofinish.tournament.course.chance import nonce_hash
from photofinish.tournament.event_file.canon import rules_hash
from photofinish.tournament.event_file.model import EventRules, Listed
from photofinish.tournament.log import entries as log
from photofinish.tournament.state import clocks, fold_rounds
from photofinish.tournament.state.illegal import Illegal, need
from photofinish.tournament.state.model import DisputeMark, Entrant, State, Status

replace = msgspec.structs.replace


def fold(lines: Iterable[log.AnyEntry]) -> State | None:
    """The state after all of them; None if there are none."""
    state: State | None = None
    for entry in lines:
        state = after(state, entry)
    return state


def after(state: State | None, entry: log.AnyEntry) -> State:
    """The state after one more entry. Raises `Illegal`."""
    if isinstance(entry, log.Created):
        need(state is None, entry, "an event is created once")
        made = _created(entry)
    else:
        need(state is not None, entry, "nothing comes before the event")
        assert state is not None
        made = _after(state, entry)
    return replace(made, last_at=entry.at, next_n=entry.n + 1)


def _created(entry: log.Created) -> State:
    need(
        1 <= entry.v <= log.VERSION, entry, f"version {entry.v} of the log: this release knows {log.VERSION}"
    )
    rules = _rules(entry, entry.rules, entry.rules_hash)
    return State(
        event=entry.event,
        rules=rules,
        rules_hash=entry.rules_hash,
        file_hash=entry.file_hash,
        version=entry.v,
        organisers=(entry.by,),
        admitted=rules.registration.names,
    )


def _rules(entry: log.AnyEntry, plain: dict[str, Any], recorded: str) -> EventRules:
    try:
        rules = msgspec.convert(plain, EventRules)
    except msgspec.ValidationError as no:
        raise Illegal(entry, f"not the rules of an event: {no}") from None
    need(rules_hash(rules) == recorded, entry, "the rules hash is not that of the rules (T10)")
    return rules


def _after(state: State, entry: log.AnyEntry) -> State:
    match entry:
        case log.Edited():
            return _edited(state, entry)
        case log.EventOpened(commitment=commitment):
            need(state.status == "draft", entry, f"opened from {state.status}")
            return replace(state, status="open", commitment=commitment)
        case log.CheckingIn():
            need(state.status == "open", entry, f"check-in from {state.status}")
            return replace(state, status="check_in")
        case log.Entered():
            return _entered(state, entry)
        case log.Admitted(names=names):
            more = msgspec.convert(names, tuple[Listed, ...])
            return replace(state, admitted=(*state.admitted, *more))
        case log.CheckedIn(key=key):
            return _entrant(state, entry, key, checked_in=True)
        case log.NonceRevealed(key=key, nonce=nonce):
            recorded = state.entrants[key].nonce_hash if key in state.entrants else ""
            need(nonce_hash(bytes.fromhex(nonce)) == recorded, entry, "the nonce is not the one committed to")
            return _entrant(state, entry, key, nonce=nonce)
        case log.Withdrew(key=key) | log.Removed(key=key):
            return _left(state, entry, key)
        case log.Rebound():
            return _rebound(state, entry)
        case log.Appointed(role=role, keys=keys, away=away):
            had = state.organisers if role == "organiser" else state.referees
            now = tuple(it for it in had if it not in keys) if away else tuple(dict.fromkeys((*had, *keys)))
            need(bool(now) or role == "referee", entry, "an event has an organiser")
            return replace(state, **{f"{role}s": now})
        case log.Drawn():
            return _drawn(state, entry)
        case log.LateJoined(key=key, number=number, round=round_):
            need(state.is_running, entry, "late join before the start")
            need(number == len(state.numbers) + 1, entry, "late joiners get the next number (T27)")
            made = _entrant(state, entry, key, number=number, joined_round=round_, checked_in=True)
            return replace(made, numbers=state.numbers | {number: key})
        case log.Marked():
            need(entry.mark == len(state.marks) + 1, entry, "marks are numbered")
            mark = DisputeMark(
                entry.mark, entry.by, entry.round, entry.table, entry.game, entry.race, entry.text, entry.at
            )
            return replace(state, marks=(*state.marks, mark))
        case log.Rested(key=key, on=on):
            rests = state.entrants[key].rests + 1 if key in state.entrants else 0
            return _entrant(state, entry, key, resting=on, rests=rests)
        case log.HostAway(away=away):
            return replace(state, host_away=away)
        case log.Paused(reason=reason):
            need(state.status == "running", entry, f"paused from {state.status}")
            return replace(state, status="paused", paused_at=entry.at, reason=reason)
        case log.EventResumed():
            need(state.status == "paused", entry, f"resumed from {state.status}")
            return replace(clocks.resumed(state, entry.at), status="running", paused_at=0, reason="")
        case log.Cancelled(reason=reason):
            need(
                state.status not in {"finished", "sealed", "cancelled"},
                entry,
                f"cancelled from {state.status}",
            )
            return _ended(state, "cancelled", entry.at, reason)
        case log.Finished(secret=secret, why=why):
            need(state.is_running, entry, f"finished from {state.status}")
            return replace(_ended(state, "finished", entry.at, why), secret=secret)
        case log.Sealed():
            need(state.status == "finished", entry, f"sealed from {state.status}")
            return replace(state, status="sealed")
        case log.HandsOpened():
            return replace(state, opened=(*state.opened, ((entry.round, entry.table), entry.referee)))
        case log.Rated(key=key, before=before, after=now):
            first, _ = state.rated.get(key, (before, before))
            return replace(state, rated=state.rated | {key: (first, now)})
        case log.SeedRevealed():
            return state
        case _:
            need(state.is_running or state.status == "finished", entry, f"in {state.status}")
            return fold_rounds.after(state, entry)


def _edited(state: State, entry: log.Edited) -> State:
    need(state.status not in {"finished", "sealed", "cancelled"}, entry, f"edited in {state.status}")
    need(not entry.back_to_draft or not state.is_running, entry, "a running event is pinned (T14)")
    rules = _rules(entry, entry.rules, entry.rules_hash)
    listed = {it.name for it in rules.registration.names}
    admitted = (*rules.registration.names, *(it for it in state.admitted if it.name not in listed))
    state = replace(
        state, rules=rules, rules_hash=entry.rules_hash, file_hash=entry.file_hash, admitted=admitted
    )
    if state.is_running and rules.rounds is not None:
        state = replace(state, planned=min(state.planned, rules.rounds))
    if entry.back_to_draft:  # T13: entrants confirm again
        entrants = {key: replace(it, checked_in=False) for key, it in state.entrants.items()}
        state = replace(state, status="draft", entrants=entrants)
    return state


def _entered(state: State, entry: log.Entered) -> State:
    need(state.status in {"open", "check_in", "running", "paused"}, entry, f"entered in {state.status}")
    need(entry.key not in state.entrants, entry, "one key, one entrant (T9)")
    made = Entrant(
        entry.key,
        entry.name,
        entry.kind,
        entry.at,
        team=entry.team,
        nonce_hash=entry.nonce_hash,
        rating=entry.rating,
    )
    times = state.times_entered.get(entry.key, 0) + 1
    return replace(
        state,
        entrants=state.entrants | {entry.key: made},
        times_entered=state.times_entered | {entry.key: times},
    )


def _entrant(state: State, entry: log.AnyEntry, key: str, **changes: Any) -> State:
    need(key in state.entrants, entry, "not an entrant")
    return replace(state, entrants=state.entrants | {key: replace(state.entrants[key], **changes)})


def _left(state: State, entry: log.AnyEntry, key: str) -> State:
    need(key in state.entrants, entry, "not an entrant")
    if not state.entrants[key].number:
        return replace(state, entrants={other: it for other, it in state.entrants.items() if other != key})
    need(state.entrants[key].is_in, entry, "has left already")
    round_ = state.round
    return _entrant(state, entry, key, left_round=round_.number if round_ else 1)


def _rebound(state: State, entry: log.Rebound) -> State:
    need(entry.old in state.entrants, entry, "not an entrant")
    need(entry.new not in state.entrants, entry, "one key, one entrant (T9)")
    at = state.round.number if state.round else 0
    it = state.entrants[entry.old]
    need(it.rebound_in < at, entry, "once per entrant and round (T8)")
    made = replace(it, key=entry.new, rebound_in=at, old_keys=(*it.old_keys, entry.old))
    entrants = {(entry.new if key == entry.old else key): (made if key == entry.old else other)
                for key, other in state.entrants.items()}  # fmt: skip
    numbers = state.numbers | ({it.number: entry.new} if it.number else {})
    return replace(state, entrants=entrants, numbers=numbers)


def _drawn(state: State, entry: log.Drawn) -> State:
    need(state.status in {"open", "check_in"}, entry, f"started from {state.status}")
    need(
        sorted(entry.numbers.values()) == list(range(1, len(entry.numbers) + 1)), entry, "numbers 1 … n (T27)"
    )
    need(entry.numbers.keys() <= state.entrants.keys(), entry, "numbers are for entrants")
    need(len(entry.numbers) >= 2, entry, "two entrants at least (T26)")
    entrants = {
        key: replace(it, number=entry.numbers.get(key, 0), checked_in=key in entry.numbers)
        for key, it in state.entrants.items()
    }
    return replace(
        state,
        status="running",
        entrants=entrants,
        numbers={number: key for key, number in entry.numbers.items()},
        mixed=entry.mixed,
        lot_key=entry.key,
        planned=entry.rounds,
    )


def _ended(state: State, status: Status, at: int, reason: str) -> State:
    return replace(state, status=status, ended_at=at, reason=reason)
