"""The golden races, `protocol/transcripts/races.json`: one record for each thing that a verifier must get right.

`python -m tests.race.golden` writes the file, `--check` compares. The arbiter is the real one; only the hands and the
lines are made up, so the file is the same at each run.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from photofinish.race import Params, Path, RaceRecord
from photofinish.race.evidence import winner_of
from photofinish_protocol.publish.schema import TOP
from tests.race.bench import COIN, EAST, NORTH, SOUTH, Bench, ms

FILE = TOP / "transcripts" / "races.json"
EARLIER = Params(
    screen=ms(8.5), screen_least=ms(5), screen_most=ms(15), gain=12, jitter_percent=2, jitter_scale=175, swing=ms(14),
    wait_base=ms(29), wait_least=ms(34),
)  # fmt: skip


def on_time() -> RaceRecord:
    """East's move comes in 60 ms late, but the kernel had the ACK of the trigger in time: nothing is credited."""
    return two_hands(acked_late=0)


def late_ack() -> RaceRecord:
    """The same race, but the kernel had no ACK of East's trigger for 60 ms longer than usual: the delay is credited."""
    return two_hands(acked_late=60)


def asks_too_much() -> RaceRecord:
    """The late ACK again, but East claims 100 ms: far more than the line can explain, so nothing is credited."""
    return two_hands(acked_late=60, says=100)


def two_hands(acked_late: float, says: float | None = None) -> RaceRecord:
    race = Bench({NORTH: 10, EAST: 140}).open("two-hands")
    race.late(EAST, acked_late)
    race.slap(NORTH, 310)
    race.slap(EAST, 290, held_up=60, says=says)
    return closed(race)


def no_proof() -> RaceRecord:
    """East is behind a proxy, so the kernel proves nothing: the delay is credited from the seat's account."""
    race = Bench({NORTH: 10, EAST: 140}).open("no-proof")
    race.arbiter.path(EAST, Path(ms(1), ms(141), ms(142), behind_proxy=True, usual=ms(141)))
    race.slap(NORTH, 310)
    race.slap(EAST, 290, held_up=60)
    return closed(race)


def earlier_constants() -> RaceRecord:
    """The late ACK again, judged with the constants of an earlier release: a record is verified by its own."""
    race = Bench({NORTH: 10, EAST: 140}, EARLIER).open("earlier-constants")
    race.late(EAST, 60)
    race.slap(NORTH, 310)
    race.slap(EAST, 290, held_up=60)
    return closed(race)


def false_start() -> RaceRecord:
    """North moves too early. Its next move counts from `floor + after_void`; a move with another nonce is void."""
    race = Bench({NORTH: 10, EAST: 140}).open("false-start")
    race.slap(NORTH, 40)
    race.slap(EAST, 250, nonce="another")
    race.slap(NORTH, 260)
    race.slap(EAST, 300)
    return closed(race)


def dead_heat_with_the_room() -> RaceRecord:
    """A clock expires in the same millisecond as a hand moves: the room has a toss too."""
    race = Bench({NORTH: 10, EAST: 140}).open("heat")
    race.slap(NORTH, 300)
    race.clock_runs_out(300)
    return closed(race)


def everything() -> RaceRecord:
    """A throw, closers behind it, a lost connection, moves that are still held at the end."""
    race = Bench({NORTH: 10, EAST: 140, SOUTH: 80}).open("everything", not_before=500, opener=NORTH)
    race.late(EAST, 70)
    return until_closed(race)


def until_closed(race: Bench) -> RaceRecord:
    """Moves of every kind, until the race closes."""
    race.slap(NORTH, 310, kind="other")
    race.slap(EAST, 290, held_up=70)
    race.slap(SOUTH, 291)
    assert race.next_release(520) is not None
    race.arbiter.thrown(ms(520))
    race.slap(SOUTH, 320, kind="closer")
    race.arbiter.lost(EAST, ms(530))
    race.slap(EAST, 420)
    race.clock_runs_out(700)
    race.released(900)
    race.slap(NORTH, 950)
    return race.arbiter.close(ms(1_000)).record


def closed(race: Bench) -> RaceRecord:
    """Everything is released, the first contested move has won, and the race ends."""
    has_winner = False
    while (release := race.next_release(1_500)) is not None:
        if release.claim.kind == "contested" and not has_winner:
            has_winner = True
            race.arbiter.thrown(ms(1_500))
    return race.arbiter.close(ms(1_600)).record


RACES: tuple[Callable[[], RaceRecord], ...] = (
    on_time, late_ack, asks_too_much, earlier_constants, no_proof, false_start, dead_heat_with_the_room, everything,
)  # fmt: skip


def text() -> str:
    races: list[dict[str, Any]] = [
        {
            "name": it.__name__.replace("_", "-"),
            "what": it.__doc__,
            "winner": winner_of(record := it()),
            "record": msgspec.to_builtins(record),
        }
        for it in RACES
    ]
    return json.dumps({"coin": COIN.hex(), "races": races}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        is_right = FILE.exists() and FILE.read_text("utf-8") == text()
        sys.exit(0 if is_right else f"{FILE.name}: run make schema")
    FILE.write_text(text(), encoding="utf-8")
