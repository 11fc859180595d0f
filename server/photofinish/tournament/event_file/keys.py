"""Every key of the event file with its check (§2). What depends on other keys is in `combine.py`."""

from photofinish.tournament.event_file.checks import (
    Check,
    codes,
    flag,
    moment,
    names_of,
    odd_list,
    one_of,
    point_lists,
    rank_points,
    text,
    whole,
)

TIEBREAKS = (
    "buchholz", "buchholz_cut1", "opponents", "sonneborn", "head_to_head", "wins", "races", "reaction",
    "false_starts", "fewer_games", "lot",
)  # fmt: skip
"""§6."""

TOP: dict[str, Check | None] = {
    "title": text(1, 80),
    "game": None,
    "format": one_of("swiss", "roundrobin", "single", "double", "arena", "slapoff"),
    "seats": whole(2, 8),
    "rounds": whole(1, 30),
    "teams": whole(1, 2),
    "min_entrants": whole(2, 512),
    "max_entrants": whole(2, 512),
    "best_of": odd_list,
    "points": point_lists,
    "bye_points": None,
    "tiebreaks": names_of(*TIEBREAKS),
    "seeding": one_of("rating", "list", "lot"),
    "cut": None,
    "third_place": flag,
    "fill": one_of("none", "bots"),
    "late_join_until": whole(0, 30),
    "officials_play": flag,
    "hands": one_of("never", "logged"),
    "rated": flag,
    "rehearsal": flag,
    "host_away_minutes": whole(1, 1440),
}
"""None: checked in `combine.py`, because the limits depend on other keys."""

_MICROS = whole(0, 5_000_000)
RACES = (
    "screen",
    "swing",
    "late_most",
    "unproven",
    "unproven_race",
    "eps",
    "hard",
    "cap",
    "floor",
    "after_void",
)

TABLES: dict[str, dict[str, Check | None]] = {
    "options": {},
    "room": {"spectator_delay": whole(0, 600), "max_ping_ms": whole(0, 1000)},
    "races": dict.fromkeys(RACES, _MICROS),
    "registration": {
        "mode": one_of("open", "code", "list"),
        "code": text(4, 32),
        "names": None,
        "opens": moment,
        "closes": moment,
    },
    "clock": {
        "starts": moment,
        "check_in_minutes": whole(0, 240),
        "rounds_start": one_of("auto", "hand"),
        "break_seconds": whole(0, 3600),
        "no_show_seconds": whole(15, 3600),
        "round_minutes": whole(0, 600),
        "arena_minutes": whole(5, 720),
        "tick_seconds": whole(1, 60),
        "dispute_seconds": whole(30, 3600),
    },
    "slapoff": {"deals": whole(1, 16), "barrier": flag},
    "league": {"events": codes, "counted": whole(1, 64), "points": rank_points},
}
KNOWN = frozenset({*TOP, *TABLES, *(f"{table}.{key}" for table, keys in TABLES.items() for key in keys)})

DEFAULT_TIEBREAKS = {
    "swiss": ("buchholz_cut1", "buchholz", "sonneborn", "head_to_head", "races", "lot"),
    "pods": ("opponents", "wins", "head_to_head", "races", "lot"),
    "roundrobin": ("sonneborn", "head_to_head", "wins", "races", "lot"),
    "slapoff": ("reaction", "races", "false_starts", "lot"),
    "arena": ("fewer_games", "head_to_head", "opponents", "races", "lot"),
    "single": ("lot",),
    "double": ("lot",),
}
"""§6, the default orders. Elimination is ranked by the bracket; only the lot is left."""
