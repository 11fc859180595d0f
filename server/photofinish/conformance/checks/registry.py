"""The check of each requirement. A check is pure: it returns what is wrong, or nothing."""

from collections.abc import Callable
from typing import Final

from photofinish.conformance.checks import connection, playing, races
from photofinish.conformance.seen import CheckVerdict, Seen

CHECKS: Final[dict[str, Callable[[Seen], CheckVerdict]]] = {
    "C1": connection.hello_first,
    "C2": connection.fits_schema,
    "C3": connection.ids_count_up,
    "C4": connection.is_not_confused,
    "C5": connection.comes_back,
    "C6": connection.watches_again,
    "C7": connection.waits_as_long_as_required,
    "C8": connection.right_frames,
    "C9": connection.is_not_confused,
    "C10": connection.answers_pings,
    "C11": connection.stays_away_after_a_final_close,
    "P1": playing.plays_to_the_end,
    "P2": playing.nothing_hopeless,
    "P3": playing.reveals,
    "P4": playing.takes_one_seat,
    "P5": playing.resumes_with_the_newest_token,
    "P6": playing.asks_again,
    "P7": playing.stays_away,
    "P8": connection.comes_back_for_a_lost_view,
    "P9": playing.never_on_autopilot,
    "P10": playing.accepts_skipped_views,
    "P11": playing.lets_refused_ids_go,
    "P12": playing.tries_again,
    "P13": playing.drops_a_dead_token,
    "P14": playing.stays_out,
    "P15": playing.draws_a_new_nonce,
    "P16": playing.plays_the_next_game,
    "P17": playing.finds_another_way,
    "R1": races.races_with_the_nonce,
    "R2": races.no_false_start,
    "R3": races.waits_for_a_held_move,
    "R4": races.reacts_after_the_trigger,
    "F1": connection.speaks_as_asked,
    "F2": playing.is_silent_when_muted,
}
