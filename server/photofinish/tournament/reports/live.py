"""T67: the parts of an event that can be followed, as rows by key, and what changed between two states."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

from photofinish.tournament.reports import rows
from photofinish.tournament.reports.notes import notes, shared_address_notes
from photofinish.tournament.state.model import State

Rows: TypeAlias = dict[str, Any]
SLOW = frozenset({"standings", "reactions"})
"""Parts that take longer in a large event: 10 ms for the standings of 512 after six rounds (50 ms from nothing)."""


def part_rows(
    state: State, part: str, *, is_official: bool = False, shared_addresses: frozenset[str] = frozenset()
) -> Rows:
    """The rows of one part by key. `shared_addresses`: who shares an address at a table, for officials (T49)."""
    match part:
        case "info":
            return {"": rows.info(state)}
        case "entrants":
            return _by(rows.entrants(state), "key")
        case "round":
            return {"": rows.round_row(state)}
        case "tables":
            return {f"{it['round']}.{it['table']}": it for it in rows.tables(state, len(state.rounds))}
        case "standings":
            return _by(rows.standing_rows(state), "number")
        case "bracket":
            return _by(rows.bracket(state), "match")
        case "reactions":
            return _by(rows.reaction_rows(state), "number")
        case "disputes":
            every = (*notes(state), *shared_address_notes(state, shared_addresses)) if is_official else ()
            noted = {f"note {at}": msgspec.to_builtins(it) for at, it in enumerate(every, start=1)}
            return _by(rows.disputes(state, is_official=is_official), "mark") | noted
        case _:
            raise AssertionError(part)


def _by(found: Iterable[Rows], key: str) -> Rows:
    return {str(it[key]): it for it in found}


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Rows, tuple[str, ...]]:
    """The rows that are new or differ, and the keys that are gone."""
    fresh = {key: row for key, row in after.items() if key not in before or before[key] != row}
    return fresh, tuple(key for key in before if key not in after)
