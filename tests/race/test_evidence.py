"""Every verdict can be recomputed from its record, and a changed record is recognised."""

from typing import Any

import msgspec
import pytest

from photofinish.race import RaceRecord, recompute
from tests.race.bench import COIN, EAST, NORTH, SOUTH, Bench, ms
from tests.race.golden import until_closed


@pytest.fixture
def record() -> RaceRecord:
    """A race with every kind of event that a race can have."""
    race = Bench({NORTH: 10, EAST: 140, SOUTH: 80}).open(not_before=500, opener=NORTH)
    race.slap(NORTH, 60)
    race.slap(SOUTH, 200, nonce="another")
    return until_closed(race)


def test_judging_a_race_again_gives_the_same_result(record: RaceRecord) -> None:
    verdict = recompute(record, record.moves, COIN)

    assert verdict.mismatches == ()
    assert verdict.order == tuple(it.ticket for it in record.moves)
    assert len(record.moves) == 5
    assert len(record.void) == 2
    assert len(record.held) == 2


def test_a_record_is_the_same_after_it_was_stored_in_the_log(record: RaceRecord) -> None:
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=RaceRecord)

    assert again == record
    assert recompute(again, again.moves, COIN).is_sound


def test_every_changed_byte_of_a_record_is_noticed(record: RaceRecord) -> None:
    raw = msgspec.msgpack.encode(record)
    unnoticed = []
    for place in range(len(raw)):
        touched = bytearray(raw)
        touched[place] ^= 1
        try:
            again = msgspec.msgpack.decode(bytes(touched), type=RaceRecord)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        if recompute(again).is_sound:
            unnoticed.append(place)

    # A change that stays unnoticed turns the name of a field into an unknown name. The decoder ignores it and uses
    # the default, which is the value that the field had: the record is the same.
    assert all(_same(raw, place, record) for place in unnoticed)


@pytest.mark.parametrize(
    "name", ["base", "lo", "hi", "jitter", "behind", "soft", "credit", "score", "arrived", "shown"]
)
def test_a_number_changed_together_with_the_seal_still_contradicts_the_others(
    record: RaceRecord, name: str
) -> None:
    from photofinish.race.evidence import sealed

    first = record.moves[0]
    moved = msgspec.structs.replace(first, **{name: getattr(first, name) + 40_000})
    forged = sealed(msgspec.structs.replace(record, moves=(moved, *record.moves[1:])))

    assert not recompute(forged).is_sound


def test_two_moves_swapped_in_a_resealed_record_are_found(record: RaceRecord) -> None:
    from photofinish.race.evidence import sealed

    first, second, *rest = record.moves
    one, two, *others = record.decisions
    forged = sealed(
        msgspec.structs.replace(record, moves=(second, first, *rest), decisions=(two, one, *others))
    )

    assert not recompute(forged).is_sound


def test_a_wrong_reason_for_a_release_is_found_in_a_resealed_record(record: RaceRecord) -> None:
    from photofinish.race.evidence import sealed

    first, *rest = record.decisions
    other = "hard" if first.by == "watermark" else "watermark"
    forged = sealed(
        msgspec.structs.replace(record, decisions=(msgspec.structs.replace(first, by=other), *rest))
    )

    assert not recompute(forged).is_sound


def test_a_release_before_its_time_is_found_in_a_resealed_record(record: RaceRecord) -> None:
    from photofinish.race.evidence import sealed

    first, *rest = record.decisions
    # As if nobody had waited for the far seats' clocks.
    marks = tuple(msgspec.structs.replace(mark, clock=ms(0), last=ms(0)) for mark in first.marks)
    early = msgspec.structs.replace(first, marks=marks, by="hard", at=ms(300))
    forged = sealed(msgspec.structs.replace(record, decisions=(early, *rest)))

    assert any("before its time" in it for it in recompute(forged).mismatches)


def test_a_toss_that_does_not_follow_from_the_seed_is_found(record: RaceRecord) -> None:
    assert not recompute(record, None, b"another coin").is_sound


def test_entries_of_another_race_are_found(record: RaceRecord) -> None:
    assert not recompute(record, record.moves[1:]).is_sound


def _same(raw: bytes, place: int, record: RaceRecord) -> bool:
    touched = bytearray(raw)
    touched[place] ^= 1
    again: Any = msgspec.msgpack.decode(bytes(touched), type=RaceRecord)
    return bool(again == record)


@pytest.mark.parametrize("change", ["eps", "coin"])
def test_a_number_that_no_arbiter_writes_is_a_mismatch_and_no_crash(record: RaceRecord, change: str) -> None:
    if change == "eps":
        forged = msgspec.structs.replace(record, params=msgspec.structs.replace(record.params, eps=-1))
    else:
        forged = msgspec.structs.replace(record, coins=((300, record.coins[0][1]), *record.coins[1:]))

    assert "a number is outside its range" in recompute(forged, None, COIN).mismatches
